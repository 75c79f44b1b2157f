import { monitorEventLoopDelay } from 'node:perf_hooks'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Extractor, isFailure } from '../../src/documents/extract/extract.js'
import { deep, few, times } from '../support/depth.js'
import { expectLawful } from '../support/extracted-laws.js'
import { HOSTILE_FILES } from '../support/hostile-files.js'
import { draftOf, numbersFrom } from '../support/sample-drafts.js'
import { docxOf, renderDocx, renderEml, renderHtml, renderPdf } from '../support/sample-formats.js'

const MIB = 1_048_576
const DEADLINE = times(2_500, 5_000)
const FILES = Number(process.env.PRIVITY_HOSTILE_FILES ?? times(24, 10_000))
const SEED = Number(process.env.PRIVITY_SEED ?? 20_260_101)

/** Those that take seconds, and are like another that does not, or that does too: for the deep run. */
const ALIKE = [
  'a zip bomb that says it is small',
  'HTML of a million attributes',
  'HTML of entities',
  'ten thousand pages that are one',
  'a stream of gigabytes',
  'arrays in arrays',
  'a zip of many files',
  'mail of headers',
  'forms that double',
  'a list of millions',
]
const NAMES = Object.keys(HOSTILE_FILES).filter(name => deep || !ALIKE.includes(name))

/** Those that meet a limit of their own, long before the deadline. */
const SAID: Readonly<Record<string, object>> = {
  'a zip bomb': { problem: 'too_large', message: 'unpacks to too much' },
  'a zip that says it is huge': { problem: 'too_large', message: 'unpacks to too much' },
  'a zip of many files': { problem: 'too_large', message: 'holds too many files' },
  'deep XML': { problem: 'damaged', message: 'is nested too deeply' },
  'deep HTML': { problem: 'damaged', message: 'is nested too deeply' },
  'text that is too long': { problem: 'too_large', message: 'holds too much text' },
}

describe('a file made to do harm', () => {
  let extractor: Extractor
  beforeAll(() => {
    extractor = new Extractor({ milliseconds: DEADLINE })
  })
  afterAll(() => extractor.close())

  it.each(NAMES)('%s is answered in time, and costs this process nothing', async name => {
    const bytes = HOSTILE_FILES[name]?.() ?? new Uint8Array()
    const before = process.memoryUsage.rss()
    const delay = monitorEventLoopDelay({ resolution: 10 })
    delay.enable()
    const start = Date.now()
    const answer = await extractor.extract(bytes, 'file.md')
    const took = Date.now() - start
    delay.disable()
    expectLawful(answer)
    if (name in SAID) expect(answer).toEqual(SAID[name])
    expect(took).toBeLessThan(DEADLINE + 4_000)
    expect(delay.max / 1e6).toBeLessThan(1_000)
    expect(process.memoryUsage.rss() - before).toBeLessThan(256 * MIB)
    // The next file is read as if nothing had been.
    expect(await extractor.extract(strToU8('after'), 'a.txt')).toMatchObject({ text: 'after' })
  })

  it.each(
    few(['a stream of gigabytes', 'a list of millions'], 1),
  )('%s ends a process that may not grow', async name => {
    const small = new Extractor({ memory: 320 * MIB, milliseconds: 30_000 })
    const answer = await small.extract(HOSTILE_FILES[name]?.() ?? new Uint8Array(), 'a.pdf')
    expect(answer).toMatchObject({ problem: 'too_much_memory' })
    expect(await small.extract(strToU8('after'), 'a.txt')).toMatchObject({ text: 'after' })
    await small.close()
  })

  it('says nothing of what an entity names', async () => {
    const answer = await extractor.extract(
      HOSTILE_FILES['an entity that names a file']?.() ?? new Uint8Array(),
      'a',
    )
    expect(JSON.stringify(answer)).not.toMatch(/root:|\/bin\//)
  })
})

type Mutate = (bytes: Uint8Array, next: () => number) => Uint8Array

const MUTATIONS: readonly Mutate[] = [
  // Some bits.
  (bytes, next) => {
    const changed = Uint8Array.from(bytes)
    for (let times = 1 + next() * 20; times > 0; times--) {
      const at = Math.floor(next() * changed.length)
      changed[at] = (changed[at] ?? 0) ^ (1 << Math.floor(next() * 8))
    }
    return changed
  },
  // The end is missing.
  (bytes, next) => bytes.slice(0, Math.floor(next() * bytes.length)),
  // A piece is missing.
  (bytes, next) => {
    const at = Math.floor(next() * bytes.length)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + Math.floor(next() * 400))])
  },
  // A piece is there again, somewhere else.
  (bytes, next) => {
    const from = Math.floor(next() * bytes.length)
    const piece = bytes.subarray(from, from + Math.floor(next() * 2_000))
    const at = Math.floor(next() * bytes.length)
    const times = 1 + Math.floor(next() * 5)
    return Buffer.concat([
      bytes.subarray(0, at),
      ...Array.from({ length: times }, () => piece),
      bytes.subarray(at),
    ])
  },
  // Bytes that mean something to a parser.
  (bytes, next) => {
    const token = TOKENS[Math.floor(next() * TOKENS.length)] ?? ''
    const at = Math.floor(next() * bytes.length)
    return Buffer.concat([
      bytes.subarray(0, at),
      Buffer.from(token, 'latin1'),
      bytes.subarray(at + token.length),
    ])
  },
  // A number is another.
  (bytes, next) => {
    const text = Buffer.from(bytes).toString('latin1')
    const numbers = [...text.matchAll(/\d+/g)]
    const number = numbers[Math.floor(next() * numbers.length)]
    if (number === undefined) return bytes
    const other =
      ['0', '-1', '99999999999', '4294967295', '2147483648', '1', '65536'][Math.floor(next() * 7)] ?? '0'
    return Buffer.from(
      text.slice(0, number.index) + other + text.slice(number.index + number[0].length),
      'latin1',
    )
  },
]
const TOKENS = [
  '<<',
  '>>',
  '[',
  ']',
  'stream\n',
  'endstream',
  'endobj',
  'R',
  '/Length 99999999',
  '/Kids',
  '/Parent',
  '/Filter /FlateDecode',
  '<w:p>',
  '</w:p>',
  '<w:tbl>',
  '<![CDATA[',
  '<!--',
  '-->',
  '&#xD800;',
  '&#0;',
  '<title>',
  '<pre>',
  '<h1>',
  '<script>',
  '\r\n--cut\r\n',
  '\r\n\r\n',
  'Content-Transfer-Encoding: base64\r\n',
  '=?utf-8?b?',
  '\0\0\0\0',
  '\xff\xfe',
  'PK\x01\x02',
  'PK\x05\x06',
  '\u00ff'.repeat(8),
]

describe('files with mutations', () => {
  it(`${FILES} of them never end, block or fill this process, and each is answered by the contract`, async () => {
    const next = numbersFrom(SEED)
    const word =
      '<w:p><w:pPr><w:pStyle w:val="Kop1"/></w:pPr><w:r><w:t>Argument &amp; text</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>'
    const families: Record<string, readonly Uint8Array[]> = {
      pdf: [
        await renderPdf(draftOf(1, 8, 0), { compress: false }),
        await renderPdf(draftOf(1, 8, 0)),
        await renderPdf(draftOf(1, 9, 0), { compress: false }),
      ],
      docx: [docxOf(word), renderDocx(draftOf(1, 3, 0))],
      // Mutated inside, so that what is unpacked is broken and not the packing.
      xml: [strToU8(`<w:document xmlns:w="w"><w:body>${word.repeat(5)}</w:body></w:document>`)],
      eml: [renderEml(draftOf(1, 2, 0)), renderEml(draftOf(1, 12, 0))],
      html: [renderHtml(draftOf(1, 3, 0)), renderHtml(draftOf(1, 6, 0))],
    }
    const names = ['pdf', 'docx', 'eml', 'html', 'pdf', 'xml', 'eml', 'html']
    const extractor = new Extractor({ atOnce: 2, milliseconds: DEADLINE, waiting: 1_000 })
    const seen = new Map<string, number>()
    const lost: string[] = []
    const before = process.memoryUsage.rss()
    let most = before
    const delay = monitorEventLoopDelay({ resolution: 20 })
    delay.enable()
    const one = async (index: number) => {
      const family = names[index % names.length] ?? ''
      const whole = families[family] ?? []
      let bytes = whole[Math.floor(next() * whole.length)] ?? new Uint8Array()
      for (let times = 1 + Math.floor(next() * 3); times > 0; times--)
        bytes = MUTATIONS[Math.floor(next() * MUTATIONS.length)]?.(bytes, next) ?? bytes
      if (family === 'xml') bytes = zipSync({ 'word/document.xml': bytes }, { level: 0 })
      const answer = await extractor.extract(bytes, 'file')
      expectLawful(answer)
      const said = isFailure(answer)
        ? answer.problem
        : answer.mediaType === 'text/plain'
          ? 'read as text'
          : answer.state
      if (said === 'took_too_long' || said === 'too_much_memory') lost.push(`${family} ${index}: ${said}`)
      const key = `${family} ${said}`
      seen.set(key, (seen.get(key) ?? 0) + 1)
    }
    const BATCH = 200
    for (let start = 0; start < FILES; start += BATCH) {
      await Promise.all(Array.from({ length: Math.min(BATCH, FILES - start) }, (_, at) => one(start + at)))
      most = Math.max(most, process.memoryUsage.rss())
    }
    delay.disable()
    await extractor.close()
    expect(most - before).toBeLessThan(400 * MIB)
    expect(delay.max / 1e6).toBeLessThan(2_000)
    // Mutations that only ever broke a file, or never did, would show nothing.
    for (const family of ['pdf', 'docx', 'xml']) {
      expect(seen.get(`${family} complete`) ?? 0, family).toBeGreaterThan(FILES / 500)
      expect(seen.get(`${family} damaged`) ?? 0, family).toBeGreaterThan(FILES / 1_000)
    }
    expect(lost.length).toBeLessThan(FILES / 500)
  }, 400_000)
})
