import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AFFORDANCES, type AffordanceFacts, affordancesOf } from './affordances.js'

const WHOLE: AffordanceFacts = {
  level: 'full',
  redacted: false,
  mayView: true,
  mayDownload: true,
  materialization: 'materialized',
}

it('[SR-13] there are nine, in the order of 002', () => {
  expect(AFFORDANCES).toEqual([
    'download',
    'download_redacted',
    'view',
    'view_redacted',
    'quote',
    'quote_from_redacted',
    'cite',
    'fetch_to_view',
    'fetch_to_quote',
  ])
})

it.each([
  ['the whole', {}, ['download', 'view', 'quote', 'cite']],
  ['no download', { mayDownload: false }, ['view', 'quote', 'cite']],
  ['no view', { mayView: false }, ['download', 'cite']],
  ['neither', { mayView: false, mayDownload: false }, ['cite']],
  [
    'a redacted twin',
    { redacted: true },
    ['download_redacted', 'view_redacted', 'quote_from_redacted', 'cite'],
  ],
  [
    'a twin without download',
    { redacted: true, mayDownload: false },
    ['view_redacted', 'quote_from_redacted', 'cite'],
  ],
  ['a twin without view', { redacted: true, mayView: false }, ['download_redacted', 'cite']],
  ['one to be fetched', { materialization: 'not_materialized' }, ['cite', 'fetch_to_view', 'fetch_to_quote']],
  ['one to be fetched, without view', { materialization: 'not_materialized', mayView: false }, ['cite']],
  [
    'a twin to be fetched',
    { materialization: 'not_materialized', redacted: true },
    ['cite', 'fetch_to_view', 'fetch_to_quote'],
  ],
  ['a preview', { level: 'preview' }, ['cite']],
  ['metadata', { level: 'metadata' }, ['cite']],
  ['metadata of a twin', { level: 'metadata', redacted: true }, ['cite']],
  ['a preview of one to be fetched', { level: 'preview', materialization: 'not_materialized' }, ['cite']],
  ['a blocked one', { materialization: 'unavailable_blocked' }, null],
] as const)('[SR-13] of %s', (_, change, expected) => {
  expect(affordancesOf({ ...WHOLE, ...change })).toEqual(expected)
})

it('[SR-13] [DE-2] an unknown materialisation is blocked, an unknown level shows nothing more than a citation', () => {
  expect(affordancesOf({ ...WHOLE, materialization: 'elsewhere' as 'materialized' })).toBeNull()
  expect(affordancesOf({ ...WHOLE, level: 'most' as 'full' })).toEqual(['cite'])
})

it('[SR-13] a session that may do less is offered no more, and a twin never the original', () => {
  const anyFacts = fc.record<AffordanceFacts>({
    level: fc.constantFrom('full', 'preview', 'metadata'),
    redacted: fc.boolean(),
    mayView: fc.boolean(),
    mayDownload: fc.boolean(),
    materialization: fc.constantFrom('materialized', 'not_materialized', 'unavailable_blocked'),
  })
  fc.assert(
    fc.property(anyFacts, facts => {
      const offered = affordancesOf(facts)
      for (const less of [{ mayView: false }, { mayDownload: false }, { level: 'preview' }] as const)
        for (const one of affordancesOf({ ...facts, ...less }) ?? []) expect(offered).toContain(one)
      if (facts.redacted)
        for (const original of ['download', 'view', 'quote']) expect(offered ?? []).not.toContain(original)
    }),
  )
})
