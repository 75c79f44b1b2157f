import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bundleTokenizer, TOKENIZER } from '../../scripts/build-tokenizer.js'
import { deep } from '../../test/support/depth.js'
import { SEED, WORLDS } from '../../test/support/generated.js'
import { type BundleItem, makeBundle } from '../mediation/bundle.js'
import { writeCitedText } from './search/router/cited-text.js'
import { o200k } from './tokenizer.js'

/** The encoder alone is slow, so a few runs must do. */
const RUNS = Math.min(WORLDS, 60)

const { countTokens } = createRequire(import.meta.url)(fileURLToPath(TOKENIZER))

/** The count of the encoder itself, however long it takes. */
const exactly = (text: string): number => countTokens(text, { disallowedSpecial: new Set() })

const CITATIONS =
  'See Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308, 324 (2007); 15 U.S.C. § 78u-4(b)(2)(A). '
const TABLE = '| 1,204.50 | 17 | −3.2 % | n/a |\n|---|---|---|---|\n'
const CODE = 'for (let i=0;i<n;++i){a[i]??=(x=>x**2)(b[i]&0xff);}\n'
const STUFF = [
  CITATIONS,
  TABLE,
  CODE,
  '漢字仮名交じり文、',
  'Grüße, naïve café. ',
  '👩‍👩‍👧‍👦🏳️‍🌈',
  'Жизнь прекрасна. ',
  '<|endoftext|>',
  '\n\n',
  ' ',
  'x',
  '//\n',
  '"\\',
]
const texts = fc
  .array(fc.tuple(fc.constantFrom(...STUFF), fc.integer({ min: 1, max: 12 })), { minLength: 1, maxLength: 5 })
  .map(parts => parts.map(([piece, times]) => piece.repeat(times)).join(''))

describe('tokens of o200k_base', () => {
  it.each([
    ['plain words', 'The walk to the lighthouse took an hour in the rain. '.repeat(20)],
    ['citations', CITATIONS.repeat(20)],
    ['a table', TABLE.repeat(20)],
    ['code', CODE.repeat(20)],
  ])('of %s are counted as the encoder counts them', (_, text) => {
    expect(o200k.count(text)).toBe(exactly(text))
  })

  it('are never counted as fewer, whatever the text', () => {
    const runs = fc
      .tuple(
        fc.constantFrom('a', 'ab', 'tion', 'é', '漢', '🙂', '-=', ' ', '\n', '/\n', '\u0301'),
        fc.integer({ min: 100, max: 400 }),
      )
      .map(([piece, times]) => piece.repeat(times))
    fc.assert(
      fc.property(fc.oneof(texts, runs, fc.string({ unit: 'binary', maxLength: 600 })), text => {
        expect(o200k.count(text)).toBeGreaterThanOrEqual(exactly(text))
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it('of what looks like a special token are those of its text', () => {
    expect(o200k.count('<|endoftext|>')).toBeGreaterThan(1)
  })

  it.each(['a', '漢字', '🙂', '-', ' ', '/\n', 'aB'])('of 300,000 times %j are counted in seconds', piece => {
    const started = performance.now()
    expect(o200k.count(piece.repeat(300_000))).toBeGreaterThan(1_000)
    expect(performance.now() - started).toBeLessThan(15_000)
  })
})

describe('[CV-5, RC-15] a budget holds as o200k_base counts the whole text', () => {
  const budgets = fc.integer({ min: 100, max: 2_000 })

  it('for what a search gathers', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 8 }), budgets, (passages, budget) => {
        const told = writeCitedText('is scienter pleaded?', passages.map(passage), budget, null, o200k)
        expect(exactly(told.text)).toBeLessThanOrEqual(budget)
        expect(told.citations.length + told.leftOut).toBe(passages.length)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it('for what a turn is told', () => {
    fc.assert(
      fc.property(fc.array(texts, { maxLength: 8 }), budgets, (said, budget) => {
        const bundle = makeBundle(brief('hello'), said.map(item), budget + 400, o200k)
        expect(exactly(bundle.text)).toBeLessThanOrEqual(budget + 400)
      }),
      { seed: SEED, numRuns: RUNS },
    )
  })

  it('also where pieces come to more together than apart, as another tokenizer may count', () => {
    // Each piece counts 0 tokens, but the whole text counts one per character.
    const jumpy = {
      name: 'jumpy',
      count: (text: string) => (text.includes('<privity-data>') ? text.length : 0),
    }
    const least = writeCitedText('q', [], 10_000, null, jumpy).text.length
    const told = writeCitedText('q', ['one', 'two', 'three'].map(passage), least + 150, null, jumpy)
    expect(told.text.length).toBeLessThanOrEqual(least + 150)
    expect(told.citations.length).toBeGreaterThan(0)
    expect(told.citations.length + told.leftOut).toBe(3)
    const room = makeBundle(brief('q'), [], 10_000, jumpy).tokens + 300
    const bundle = makeBundle(brief('q'), ['one', 'two', 'three'].map(item), room, jumpy)
    expect(bundle.tokens).toBeLessThanOrEqual(room)
    expect(bundle.items.length).toBeGreaterThan(0)
    expect(bundle.items.length + bundle.leftOut).toBe(3)
  })
})

const brief = (message: string) => ({ stage: 2, intent: 'recall_commitment' as const, message })

/** Only the fields that the text uses. */
const passage = (text: string, at: number) =>
  ({
    owner: 'ana',
    views: [],
    result: {
      derived: null,
      framing: null,
      supersededBy: [],
      more: [],
      document: { title: `Brief ${at}`, face: 'full', fields: {} },
      sourceSpans: [{ document: `${at}.txt`, start: 0, end: text.length, text }],
    },
  }) as unknown as Parameters<typeof writeCitedText>[1][number]

const item = (text: string): BundleItem => ({
  type: 'user_event' as BundleItem['type'],
  text,
  facts: {} as BundleItem['facts'],
  source: 'user_vessel' as BundleItem['source'],
  provenance: { from: 'you', session: 'current', at: null, record: null },
  consentState: 'own',
  stageScope: 1,
  face: 'full',
})

it.runIf(deep)(
  'the tokenizer, as it is checked in, is what its package says',
  async () => {
    expect(await readFile(TOKENIZER, 'utf8')).toBe(await bundleTokenizer())
  },
  600_000,
)
