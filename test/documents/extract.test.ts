import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExtractedText, Extractor, isFailure, splitMbox } from '../../src/documents/extract/extract.js'
import { openBrowser } from '../support/browser.js'
import { deep, times } from '../support/depth.js'
import { expectLawful } from '../support/extracted-laws.js'
import { HOSTILE_FILES } from '../support/hostile-files.js'
import { brokenSamples, changedSample, sample, sampleCorpus } from '../support/sample-corpus.js'
import { draftOf } from '../support/sample-drafts.js'
import { docxOf, htmlOf, renderPdf } from '../support/sample-formats.js'

let extractor: Extractor
beforeAll(() => {
  extractor = new Extractor({ atOnce: 2 })
})
afterAll(() => extractor.close())

async function read(file: string | Uint8Array, name = 'file.txt'): Promise<ExtractedText> {
  const answer = await extractor.extract(typeof file === 'string' ? strToU8(file) : file, name)
  expectLawful(answer)
  if (isFailure(answer)) throw new Error(`${name}: ${answer.problem}: ${answer.message}`)
  return answer
}
const failure = async (file: string | Uint8Array, name = 'file.bin') => {
  const answer = await extractor.extract(typeof file === 'string' ? strToU8(file) : file, name)
  expectLawful(answer)
  return isFailure(answer) ? answer.problem : answer
}
const headingsOf = ({ text, headings }: ExtractedText) =>
  headings.map(({ start, end, level }) => `${level} ${text.slice(start, end)}`)
const squeezed = (text: string) => text.replace(/\s+/g, ' ')

describe('a whole corpus', () => {
  it('is read in every format, with every word that must be found and its type from its bytes', async () => {
    const types = new Set<string>()
    for await (const { path, bytes, mediaType, expected } of sampleCorpus({
      seed: 3,
      count: times(28, 300),
    })) {
      types.add(mediaType)
      const texts: string[] = []
      const titles = new Set<string | null>()
      const files = mediaType === 'application/mbox' ? splitMbox(bytes) : [{ name: path, bytes }]
      for await (const file of files) {
        // Nothing of the name may help, but for Markdown.
        const extracted = await read(file.bytes, mediaType === 'text/markdown' ? path : 'unnamed')
        expect(extracted.mediaType).toBe(mediaType === 'application/mbox' ? 'message/rfc822' : mediaType)
        expect(extracted.pages.length > 0).toBe(mediaType === 'application/pdf')
        texts.push(extracted.text, extracted.title ?? '')
        titles.add(extracted.title)
      }
      const all = squeezed(texts.join('\n'))
      for (const word of expected.words) expect(all, `${path}: ${word}`).toContain(word)
      if (mediaType !== 'text/plain') expect([...titles]).toEqual([expected.title])
    }
    expect(types.size).toBe(7)
  })

  it('is the same for the same seed, and another for another', async () => {
    const bytesOf = async (seed: number) =>
      Buffer.from((await sample({ seed, index: 0 })).bytes).toString('base64')
    expect(await bytesOf(5)).toBe(await bytesOf(5))
    expect(await bytesOf(5)).not.toBe(await bytesOf(6))
    const [was, is] = [await sample({ seed: 5, index: 4 }), await changedSample({ seed: 5, index: 4 })]
    expect(is.path).toBe(was.path)
    expect(is.expected.words.length).toBe(was.expected.words.length + 1)
  })

  it.each([0, 1, 2, 3, 4])('broken file %i is told for what it is', async index => {
    const broken = (await brokenSamples())[index]
    if (broken === undefined) throw new Error('no such file')
    const answer = await extractor.extract(broken.bytes, broken.path)
    expectLawful(answer)
    expect(isFailure(answer) ? answer.problem : answer.state).toBe(broken.says)
  })
})

describe('text', () => {
  it('and Markdown are as they are, so that places in them are places in the file', async () => {
    const source = '# One  \n\n  two\ttabs — and “quotes” 😀\n\n\n- end  \n'
    expect((await read(source, 'a.md')).text).toBe(source)
    expect((await read(source, 'a.txt')).text).toBe(source)
    expect((await read(source.replaceAll('\n', '\r\n'), 'a.txt')).text).toBe(source)
    expect((await read('a\0b', 'a.txt')).text).toBe('ab')
  })

  it.each([
    ['UTF-8 with a mark', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('naïve “text”')])],
    ['UTF-16', Buffer.from('\ufeffnaïve “text”', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('naïve “text”', 'utf16le')],
    ['windows-1252', Buffer.from('na\xefve \x93text\x94', 'latin1')],
  ])('in %s is decoded', async (_, bytes) => {
    expect((await read(bytes, 'a.txt')).text).toBe('naïve “text”')
  })

  it('with a few bad bytes stays UTF-8', async () => {
    const bytes = Buffer.concat([Buffer.from('“”’‘–— é ü ß '.repeat(20)), Buffer.from([0xe2, 0x80])])
    expect((await read(bytes, 'a.txt')).text).toBe(`${'“”’‘–— é ü ß '.repeat(20)}\ufffd`)
  })

  it('half a character is replaced', async () => {
    const bytes = Buffer.concat([
      Buffer.from('\ufeffab', 'utf16le'),
      Buffer.from([0x00, 0xd8]),
      Buffer.from('c', 'utf16le'),
    ])
    expect((await read(bytes, 'a.txt')).text).toBe('ab\ufffdc')
  })

  it('headings of Markdown are found, but not in code and not in front matter', async () => {
    const found = await read(
      '---\ntitle: Named\n# no\n---\n# First #\n\nUnder\n-----\n\nOver\n===\n```\n# code\n```\n####### seven\n## C# and F#\n- item\n---\n#no',
      'a.md',
    )
    expect(headingsOf(found)).toEqual(['1 First', '2 Under', '1 Over', '2 C# and F#'])
    expect(found.title).toBe('Named')
    expect((await read('Title\n=====\n', 'a.md')).title).toBe('Title')
  })
})

describe('the type of a file', () => {
  it.each([
    ['a memo', 'To: Ann\nFrom: Bob\nDate: March 4, 2025\nSubject: scienter\n\nText', 'text/plain'],
    ['a message', 'From: b@example.com\nDate: Tue, 4 Mar 2025 23:30:00 -0800\n\nText', 'message/rfc822'],
    ['a message with an odd name', 'Received: from x\nFrom: b@example.com\n\nText', 'message/rfc822'],
    ['a sentence that begins with From', 'From here on it is text.\n', 'text/plain'],
    ['a page after a comment', '<!-- saved -->\n<HTML><body>hi', 'text/html'],
    ['part of a page', '<div>hi</div>', 'text/html'],
    ['a sentence with a sign', '< 5 is less', 'text/plain'],
    ['XML that is no page', '<?xml version="1.0"?><data>x</data>', 'text/plain'],
  ])('%s', async (_, text, mediaType) => {
    expect((await read(text, 'x')).mediaType).toBe(mediaType)
  })

  it('Markdown may begin with an element, and a page is none by its name', async () => {
    expect((await read('<div align="center">\n\n# Hi', 'README.md')).mediaType).toBe('text/markdown')
    expect((await read('<!doctype html><p>Hi', 'README.md')).mediaType).toBe('text/html')
  })

  it('what is none is said to be none', async () => {
    expect(await failure(Buffer.from('GIF89a\x01\x00\x01\x00', 'latin1'))).toBe('unknown_type')
    expect(await failure(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))).toBe('damaged')
    expect(
      await failure(
        docxOf('').map((byte, at) => (at === 0 ? 0x51 : byte)),
        'a.docx',
      ),
    ).toBe('unknown_type')
    expect((await read('{\\rtf1\\ansi A motion.}', 'a.rtf')).mediaType).toBe('application/rtf')
    const sealed = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ])
    expect(await failure(sealed)).toBe('encrypted')
    expect(await failure(sealed.subarray(0, 500))).toBe('unknown_type')
  })
})

describe('a Word file', () => {
  const run = (text: string, properties = '') => `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
  const p = (inner: string, style = '') => `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${inner}</w:p>`

  it('keeps what was inserted and leaves out what was deleted, moved away or hidden', async () => {
    const { text } = await read(
      docxOf(
        p(
          `${run('kept')} <w:ins>${run(' inserted')}</w:ins><w:del><w:r><w:delText>deleted</w:delText></w:r></w:del>` +
            `<w:del>${run('struck')}</w:del><w:moveFrom>${run('moved')}</w:moveFrom>${run('secret', '<w:vanish/>')}${run(' shown', '<w:vanish w:val="0"/>')}` +
            `<w:r><w:instrText>PAGEREF</w:instrText></w:r>`,
        ),
      ),
    )
    expect(text).toBe('kept inserted shown')
  })

  it('has headings by style, tables by row, notes at the end, entities decoded', async () => {
    const cell = (text: string) => `<w:tc>${p(run(text))}</w:tc>`
    const found = await read(
      docxOf(
        p(run('ARGUMENT &amp; MORE'), 'Kop1') +
          p(
            `${run('Scienter')}<w:r><w:footnoteReference w:id="2"/></w:r>${run(' is')}<w:r><w:br/><w:tab/></w:r>${run('pleaded.')}`,
          ) +
          `<w:tbl><w:tr>${cell('Date')}${cell('Price')}</w:tr><w:tr>${cell('')}<w:tc>${p(run('14'))}${p(run('percent'))}</w:tc></w:tr></w:tbl>` +
          p(run('Facts'), 'Kop2') +
          p(run('after')),
        {
          'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0">${p('')}</w:footnote><w:footnote w:id="2">${p(run('Tellabs, 551 U.S. 308.'))}</w:footnote></w:footnotes>`,
        },
      ),
    )
    expect(found.text).toBe(
      'ARGUMENT & MORE\n\nScienter[2] is\npleaded.\n\nDate\tPrice\n\t14 percent\n\nFacts\n\nafter\n\n[2] Tellabs, 551 U.S. 308.',
    )
    expect(headingsOf(found)).toEqual(['1 ARGUMENT & MORE', '2 Facts'])
    expect(found.title).toBe('ARGUMENT & MORE')
  })

  it('that is cut off is damaged', async () => {
    const half = '<w:document><w:body><w:p><w:r><w:t>half of a sen'
    expect(await failure(zipSync({ 'word/document.xml': strToU8(half) }))).toBe('damaged')
    const whole = docxOf(p(run('text')))
    expect(await failure(whole.subarray(0, whole.length - 30))).toBe('damaged')
  })
})

describe('a page of HTML', () => {
  it('says what it shows', async () => {
    const found = await read(`<!doctype html><head><title>A &amp; B</title><style>x{}</style></head><body>
      <h1>Head<br>ing</h1><p>One   two&nbsp;three<b>four</b><p>next &sect;&#8239;5 &lt;b&gt;
      <script>no</script><template>no</template><div hidden>no <p>no</p></div><p style="display: none">no</p>
      <ul><li>a<li>b</ul><pre>x  y
  z</pre><table><tr><th>k<th>v<tr></tr><tr><td><p>1</p><td><p>2</p></table>end`)
    expect(found.text).toBe(
      'Head\ning\n\nOne two threefour\n\nnext § 5 <b>\n\na\nb\n\nx  y\n  z\n\nk\tv\n1\t2\n\nend'.replace(
        '§ 5',
        '§\u202f5',
      ),
    )
    expect(found.title).toBe('A & B')
    expect(headingsOf(found)).toEqual(['1 Head\ning'])
  })

  it('and a Word file of any length keep every character whole', async () => {
    const text = '😀'.repeat(200_000)
    expect((await read(`<!doctype html><p>x${text}`)).text === `x${text}`).toBe(true)
    expect((await read(docxOf(`<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`))).text === text).toBe(true)
  })

  it('is decoded as it declares', async () => {
    const page = Buffer.from('<html><meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2', 'latin1')
    expect((await read(page)).text).toBe('Привет')
  })
})

describe('a message', () => {
  it('says its best body and is described by its headers, with the zone it was sent from', async () => {
    const found = await read(
      [
        'From: "Ann Lee" <ann@example.com>',
        'To: b@example.com, C <c@example.com>',
        'Subject: =?utf-8?q?Draft_=C2=A7_10(b)?=',
        'Date: Tue, 4 Mar 2025 23:30:00 -0800',
        'Message-ID: <1@example.com>',
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        'Content-Type: text/html',
        '',
        '<p>Hello</p><p>world',
        '--x',
        'Content-Disposition: attachment; filename="brief.pdf"',
        '',
        'a brief',
        '--x--',
      ].join('\r\n'),
    )
    expect(found.text).toBe(
      [
        'From: Ann Lee <ann@example.com>',
        'To: b@example.com, C <c@example.com>',
        'Date: Tue, 4 Mar 2025 23:30:00 -0800',
        'Attachments: brief.pdf\n',
        'Hello\n',
        'world\n',
        'Attachment: brief.pdf\n',
        'a brief\n',
      ].join('\n'),
    )
    expect(found.title).toBe('Draft § 10(b)')
    expect(found.about).toEqual({
      subject: 'Draft § 10(b)',
      from: 'Ann Lee <ann@example.com>',
      to: 'b@example.com, C <c@example.com>',
      date: 'Tue, 4 Mar 2025 23:30:00 -0800',
      messageId: '<1@example.com>',
      attachments: 'brief.pdf',
    })
  })

  describe('is read with what is attached to it', () => {
    const mail = (files: Readonly<Record<string, string | Uint8Array>>, more = '') =>
      [
        'From: a@example.com',
        'Subject: Files',
        'MIME-Version: 1.0',
        `Content-Type: multipart/mixed; boundary="x${more}"`,
        '',
        `--x${more}`,
        'Content-Type: text/plain',
        '',
        'See attached.',
        ...Object.entries(files).flatMap(([name, content]) => [
          `--x${more}`,
          name.endsWith('.eml') ? 'Content-Type: message/rfc822' : 'Content-Type: application/octet-stream',
          `Content-Disposition: attachment; filename="${name}"`,
          'Content-Transfer-Encoding: base64',
          '',
          (
            Buffer.from(content)
              .toString('base64')
              .match(/.{1,76}/g) ?? []
          ).join('\r\n'),
        ]),
        `--x${more}--`,
        '',
      ].join('\r\n')
    const saidIn = ({ text, attached = [] }: ExtractedText) =>
      attached.map(({ name, start, end }) => [name, text.slice(start, end).trimEnd()])

    it('in every format, each under its name, with its headings', async () => {
      const pdf = { bytes: await renderPdf(draftOf(1, 0, 0)), words: draftOf(1, 0, 0).words }
      const found = await read(
        mail({
          'a.txt': 'Plain words.',
          'b.md': '# Marked\n\nDown.',
          'c.html': '<!doctype html><h1>Head</h1><p>Tail',
          'd.docx': docxOf('<w:p><w:r><w:t>Of Word.</w:t></w:r></w:p>'),
          'e.pdf': pdf.bytes,
        }),
      )
      expect(found).toMatchObject({ state: 'complete', notRead: [] })
      expect(found.about.attachments).toBe('a.txt, b.md, c.html, d.docx, e.pdf')
      expect(saidIn(found).slice(0, 4)).toEqual([
        ['a.txt', 'Attachment: a.txt\n\nPlain words.'],
        ['b.md', 'Attachment: b.md\n\n# Marked\n\nDown.'],
        ['c.html', 'Attachment: c.html\n\nHead\n\nTail'],
        ['d.docx', 'Attachment: d.docx\n\nOf Word.'],
      ])
      for (const word of pdf.words) expect(squeezed(saidIn(found)[4]?.[1] ?? '')).toContain(word)
      expect(headingsOf(found).slice(0, 2)).toEqual(['1 Marked', '1 Head'])
    })

    it('by a name without folders', async () => {
      const found = await read(mail({ '../up/one.txt': 'One.', 'C:\\\\two.txt': 'Two.', 'three/': 'Three.' }))
      expect(saidIn(found).map(([name]) => name)).toEqual(['one.txt', 'two.txt', 'unnamed'])
    })

    it('and what cannot be read is named while the rest is', async () => {
      const found = await read(
        mail({
          'broken.pdf': '%PDF-1.7 broken',
          'rubbish.bin': new Uint8Array([0, 1, 2, 3, 255, 254]),
          'a.txt': 'It goes on.',
        }),
      )
      expect(found.state).toBe('partial')
      expect(found.notRead?.map(({ name, problem }) => [name, problem])).toEqual([
        ['broken.pdf', 'damaged'],
        ['rubbish.bin', 'unknown_type'],
      ])
      expect(found.text).toContain(
        'Not read: broken.pdf (is not a whole PDF), rubbish.bin (is of a type that is not read)',
      )
      expect(saidIn(found)).toEqual([['a.txt', 'Attachment: a.txt\n\nIt goes on.']])
      // What nobody would read is not missed.
      const other = await read(mail({ 'rubbish.bin': new Uint8Array([0, 1, 2, 3, 255, 254]) }))
      expect(other).toMatchObject({ state: 'complete', notRead: [{ name: 'rubbish.bin' }] })
    })

    it('messages within messages, as deep and as many as there may be', async () => {
      const inner = mail({ 'a.txt': 'Innermost.' }, 'y')
      const found = await read(mail({ 'fwd.eml': inner, 'b.txt': 'Beside.' }))
      expect(saidIn(found)).toEqual([
        ['fwd.eml', 'Attachment: fwd.eml\n\nFrom: a@example.com\nAttachments: a.txt\n\nSee attached.'],
        ['fwd.eml/a.txt', 'Attachment: a.txt\n\nInnermost.'],
        ['b.txt', 'Attachment: b.txt\n\nBeside.'],
      ])
      let nested = mail({ 'a.txt': 'Innermost.' }, 'z')
      for (let at = 0; at < 6; at++) nested = mail({ 'm.eml': nested }, String(at))
      const far = await read(nested)
      expect(far).toMatchObject({ state: 'partial' })
      expect(far.attached).toHaveLength(4)
      expect(far.text).not.toContain('Innermost.')
      const many = Object.fromEntries(Array.from({ length: 103 }, (_, at) => [`f${at}.txt`, `Text ${at}.`]))
      const most = await read(mail(many))
      expect(most.attached).toHaveLength(100)
      expect(most.notRead?.map(({ name }) => name)).toEqual(['f100.txt', 'f101.txt', 'f102.txt'])
    })

    it('but is not lost with it', async () => {
      const small = new Extractor({ characters: 2_000 })
      const long = await small.extract(
        strToU8(mail({ 'long.txt': 'long '.repeat(1_000), 'a.txt': 'Short.' })),
        'a.eml',
      )
      await small.close()
      expectLawful(long)
      if (isFailure(long)) throw new Error(long.problem)
      expect(long).toMatchObject({ state: 'partial', notRead: [{ name: 'long.txt', problem: 'too_large' }] })
      expect(saidIn(long)).toEqual([['a.txt', 'Attachment: a.txt\n\nShort.']])
    })

    it.runIf(deep)(
      'nor with one that takes the process with it',
      async () => {
        const hungry = new Extractor({ memory: 320 * 1_048_576, milliseconds: 30_000 })
        const list = HOSTILE_FILES['a list of millions']?.() ?? ''
        const lost = await hungry.extract(strToU8(mail({ 'list.pdf': list })), 'a.eml')
        await hungry.close()
        if (isFailure(lost)) throw new Error(lost.problem)
        expect(lost).toMatchObject({ state: 'partial', notRead: [{ name: 'list.pdf' }] })
        expect(lost.text).toContain('See attached.')
      },
      60_000,
    )
  })

  it('stands below the one before it where a mailbox is read as one file', async () => {
    const found = await read(
      'From a Mon Jan  1 00:00:00 2024\nFrom: a@b.test\nSubject: First\n\nHello.\n\nFrom b Tue Jan  2 10:00:00 2024\nFrom: c@d.test\nSubject: Second\n\nWorld.\n',
    )
    expect(found).toMatchObject({ mediaType: 'application/mbox', state: 'complete' })
    expect(found.text.trimEnd()).toMatch(
      /^First\n\nFrom: a@b\.test\n\nHello\.\s+Second\n\nFrom: c@d\.test\n\nWorld\.$/,
    )
    expect(headingsOf(found)).toEqual(['1 First', '1 Second'])
  })

  it('of a mailbox is one of its own, with quoted lines given back', async () => {
    const box =
      'From a Mon Jan  1 00:00:00 2024\nFrom: a@b\nDate: x\n\n>From me\n>>From you\nFrom now on\nFrom x Mon Jan  1 00:00:00 2024\n\nFrom here 2024\n\nFrom b Tue Jan  2 10:00:00 2024\r\nFrom: c@d\r\n\r\nlast'
    const parts: [string, string][] = []
    for await (const { name, bytes } of splitMbox(strToU8(box)))
      parts.push([name, Buffer.from(bytes).toString()])
    expect(parts).toEqual([
      [
        '000001.eml',
        'From: a@b\nDate: x\n\nFrom me\n>From you\nFrom now on\nFrom x Mon Jan  1 00:00:00 2024\n\nFrom here 2024\n\n',
      ],
      ['000002.eml', 'From: c@d\r\n\r\nlast\n'],
    ])
  })
})

describe('a PDF', () => {
  it('has pages that partition its text, each with what stands on it', async () => {
    const draft = draftOf(9, 0, 0)
    const found = await read(await renderPdf(draft))
    expect(found.pages.length).toBeGreaterThanOrEqual(draft.parts.length)
    const exhibit = found.pages.find(({ start, end }) => found.text.slice(start, end).startsWith('EXHIBIT B'))
    expect(exhibit?.state).toBe('text')
    for (const { blocks } of draft.parts)
      for (const { text } of blocks)
        for (const sentence of text.split('. ')) expect(squeezed(found.text)).toContain(sentence)
    expect(found.about.author).toBe(draft.counsel)
  })

  it('with a page that cannot be read is partial, and the rest is read', async () => {
    const whole = Buffer.from(await renderPdf(draftOf(9, 3, 0), { compress: false })).toString('latin1')
    // The last page is no more where it was.
    const broken = whole.replace(/(\/Kids \[[^\]]* )\d+( 0 R\])/, (_, before, after) => `${before}99${after}`)
    const found = await read(Buffer.from(broken, 'latin1'))
    expect(found.state).toBe('partial')
    expect(found.pages.at(-1)?.state).toBe('failed')
    expect(found.pages[0]?.state).toBe('text')
  })

  it.runIf(deep)('printed by a browser reads like the page it was printed from', async () => {
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      for (const index of [0, 1]) {
        const draft = draftOf(11, index, 0)
        await page.setContent(htmlOf(draft))
        const found = await read(await page.pdf({ format: 'Letter' }))
        expect(found.pages.length).toBeGreaterThan(1)
        const flat = squeezed(found.text)
        for (const { blocks } of draft.parts)
          for (const { text, heading } of blocks) {
            expect(flat).toContain(squeezed(text))
            expect(flat).toContain(heading?.text ?? '')
          }
      }
    } finally {
      await browser.close()
    }
  })
})

describe('an extractor', () => {
  it('refuses more than may wait, and says that it was closed', async () => {
    const small = new Extractor({ waiting: 1 })
    const first = small.extract(strToU8('one'), 'a.txt')
    const second = small.extract(strToU8('two'), 'a.txt')
    await expect(small.extract(strToU8('three'), 'a.txt')).rejects.toMatchObject({ code: 'busy' })
    expect(await first).toMatchObject({ text: 'one' })
    expect(await second).toMatchObject({ text: 'two' })
    const left = small.extract(strToU8('four'), 'a.txt')
    await small.close()
    await expect(left).rejects.toMatchObject({ code: 'closed' })
    await expect(small.extract(strToU8('five'), 'a.txt')).rejects.toMatchObject({ code: 'closed' })
  })

  it('reads on after its process ended for want of files', async () => {
    const short = new Extractor({ idleMilliseconds: 50 })
    expect(await short.extract(strToU8('one'), 'a.txt')).toMatchObject({ text: 'one' })
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(await short.extract(strToU8('two'), 'a.txt')).toMatchObject({ text: 'two' })
    await short.close()
  })

  it('lets a program end that never closed it', async () => {
    const program = `import { Extractor } from './dist/documents/extract/extract.js'
      console.log((await new Extractor().extract(Buffer.from('said'), 'a.txt')).text)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { timeout: 20_000 })
    const said = child.stdout.toArray()
    expect(await once(child, 'exit')).toEqual([0, null])
    expect(Buffer.concat(await said).toString()).toBe('said\n')
  })
})
