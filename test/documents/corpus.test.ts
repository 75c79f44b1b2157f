import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { splitMbox } from '../../src/documents/extract/mbox.js'
import type { Handle } from '../../src/handle.js'
import { legal } from '../../src/legal/index.js'
import { times } from '../support/depth.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { base64, foundBy } from '../support/router.js'
import { brokenSamples, changedSample, type Sample, sampleCorpus } from '../support/sample-corpus.js'
import { grantLink, openLink } from '../support/sharing.js'

const COUNT = times(28, 300)
const SEED = 8

/** A corpus of invented litigation in every format: taken in, again, changed, shared and searched. */
describe('a corpus of many documents', () => {
  let store: TestPrivity
  let host: Handle
  const samples: Sample[] = []
  const cards = new Map<string, string>()
  const texts = new Map<string, string>()

  const bring = (document: string, bytes: Uint8Array) =>
    host.documents.ingest({
      document,
      corpus: 'bank',
      content: base64(bytes),
      visibilityClass: 'public_open',
      sensitivity: 'public',
    })
  /** The files of a sample: of a mailbox, its messages. */
  async function filesOf({ path, bytes, mediaType }: Sample) {
    if (mediaType !== 'application/mbox') return [{ name: path, bytes }]
    const files: { name: string; bytes: Uint8Array }[] = []
    for await (const message of splitMbox(bytes)) files.push({ ...message, name: `${path}/${message.name}` })
    return files
  }

  beforeAll(async () => {
    store = await openTestPrivity('postgres', { domain: legal() })
    host = store.privity.as({ tenant: store.tenant(), actor: 'hana' })
    for await (const one of sampleCorpus({ seed: SEED, count: COUNT })) samples.push(one)
    for (const sample of samples)
      for (const { name, bytes } of await filesOf(sample)) {
        const { outcome, state, card } = await bring(name, bytes)
        expect({ name, outcome, state }).toEqual({ name, outcome: 'created', state: 'complete' })
        cards.set(name, card?.id ?? '')
      }
  }, 600_000)
  afterAll(() => store?.dispose())

  it('is there, in every format', async () => {
    expect(samples).toHaveLength(COUNT)
    expect(cards.size).toBeGreaterThanOrEqual(COUNT)
    expect(new Set(samples.map(({ mediaType }) => mediaType)).size).toBe(7)
  })

  it('[SR-9] is cut into segments that say, character by character, what the document says there', async () => {
    let characters = 0
    for (const [name, card] of cards) {
      const read = await host.documents.read(card)
      let at = 0
      for (const { start, end, text } of read?.segments ?? []) {
        expect(start).toBe(at)
        expect(text).toBe(read?.text.slice(start, end))
        expect(text).toHaveLength(end - start)
        at = end
      }
      expect({ name, length: at }).toEqual({ name, length: read?.text.length })
      texts.set(name, read?.text ?? '')
      characters += at
    }
    expect(characters).toBeGreaterThan(COUNT * 500)
  }, 600_000)

  it('[SR-9] says what its files say: text to the character, all others every sentence they were made of', async () => {
    // A page breaks lines where it likes, behind a hyphen too.
    const pressed = (text: string) => text.replace(/\s+/g, '')
    for (const sample of samples) {
      const files = await filesOf(sample)
      const read = files.map(({ name }) => texts.get(name) ?? '').join('\n')
      if (sample.mediaType === 'text/plain')
        expect(read).toBe(Buffer.from(sample.bytes).toString().replaceAll('\r\n', '\n'))
      const all = pressed(read)
      for (const sentence of sample.expected.sentences)
        expect({ path: sample.path, said: all.includes(pressed(sentence)) || sentence }).toEqual({
          path: sample.path,
          said: true,
        })
    }
  })

  it('[SR-5] is found by the words that stand in each, with spans that read the same', async () => {
    let spans = 0
    for (const { path, expected } of samples) {
      const query = expected.words.join(' ')
      const { results } = await host.documents.search({
        query,
        mode: 'text',
        posture: 'document_text_primary',
        limit: 2,
      })
      const names = results.map(({ document }) => document.documentName ?? '')
      expect({ path, found: names.some(name => name.startsWith(path)) }).toEqual({ path, found: true })
      for (const { document, start, end, text } of results.flatMap(({ sourceSpans }) => sourceSpans)) {
        expect(texts.get(document)?.slice(start, end)).toBe(text)
        expect(text).not.toBe('')
        spans++
      }
    }
    expect(spans).toBeGreaterThan(COUNT)
  }, 600_000)

  it('[SR-4] is narrowed by the case numbers that its documents have', async () => {
    const numbers = new Set(samples.map(({ expected }) => expected.caseNumber))
    for (const caseNumber of [...numbers].slice(0, 10)) {
      const found = await foundBy(host, 'company investors complaint motion', {
        scope: { caseScope: [caseNumber] },
      })
      const own = samples.filter(({ expected }) => expected.caseNumber === caseNumber).map(({ path }) => path)
      for (const name of found) expect(own.some(path => name.startsWith(path))).toBe(true)
    }
  })

  it('is taken in again without a change', async () => {
    for (const sample of samples)
      for (const { name, bytes } of await filesOf(sample))
        expect(await bring(name, bytes)).toMatchObject({ outcome: 'unchanged', version: 1 })
  }, 600_000)

  it('[SR-10] is changed in parts, which makes versions; a guest finds what it was shared as', async () => {
    const { view } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'snapshot_at_share' })
    const { view: live } = await host.views.create({ corpus: 'bank', viewTemporalMode: 'live_view' })
    const frozen = (await openLink(store.privity, (await grantLink(host, [view])).token)).guest
    const following = (await openLink(store.privity, (await grantLink(host, [live])).token)).guest
    const changing = samples.filter(({ mediaType }) => mediaType !== 'application/mbox').slice(0, 15)
    for (const before of changing) {
      const after = await changedSample({ seed: SEED, index: before.index })
      expect(after.path).toBe(before.path)
      expect(await bring(after.path, after.bytes)).toMatchObject({ outcome: 'versioned', version: 2 })
      const [gone, come] = [
        before.expected.words.filter(word => !after.expected.words.includes(word)),
        after.expected.words.filter(word => !before.expected.words.includes(word)),
      ]
      expect(gone.length + come.length).toBeGreaterThan(0)
      for (const word of come) expect(await foundBy(host, word)).toContain(before.path)
      for (const word of gone) expect(await foundBy(host, word)).not.toContain(before.path)
      // A guest may ask so many questions an hour.
      if (before.index >= 8) continue
      for (const [word, shown, hidden] of [
        [come[0], following, frozen],
        [gone[0], frozen, following],
      ] as const) {
        if (word === undefined) continue
        expect(await foundBy(shown, word)).toContain(before.path)
        expect(await foundBy(hidden, word)).not.toContain(before.path)
      }
    }
    for (const { path, expected } of samples.slice(-10)) {
      const found = await foundBy(frozen, expected.words.join(' '))
      expect(found.some(name => name.startsWith(path))).toBe(true)
    }
  }, 600_000)

  it('tells of broken, locked and scanned files, and goes on', async () => {
    for (const { path, bytes, says } of await brokenSamples()) {
      const { outcome, state, problem } = await bring(path, bytes)
      expect({ path, says: state === 'failed' ? problem : state }).toEqual({ path, says })
      expect(outcome).toBe(state === 'failed' ? 'failed' : 'created')
    }
    const { sources } = await host.documents.sources({ limit: 200 })
    const problems = sources.flatMap(({ problem }) => problem ?? [])
    expect(problems.toSorted()).toEqual(['damaged', 'encrypted', 'unknown_type'])
    expect((await host.documents.cards({ state: 'needs_ocr' })).documents).toMatchObject([
      { document: 'scans/exhibit.pdf' },
    ])
  })
})
