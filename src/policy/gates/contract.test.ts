import { describe, expect, it } from 'vitest'
import { aSubject, aTuple } from '../../../test/support/subject.js'
import { levelOf } from '../faces.js'
import type { ContractFacts, Subject } from '../subject.js'
import type { PolicyTuple } from '../tuple.js'
import { contract } from './contract.js'

const facts = (stage: number, more: Partial<ContractFacts> = {}): ContractFacts => ({
  purpose: 'turn',
  session: 'now',
  relationship: 'couple',
  stage,
  leastStage: stage,
  active: true,
  ...more,
})
const shows = (record: Partial<PolicyTuple>, at: ContractFacts | null, subject: Partial<Subject> = {}) =>
  levelOf(contract.decide(aSubject({ contract: at, ...subject }), aTuple(record)).face) === 'full'

const place = { session: 'now', relationship: 'couple' }
const before = { session: 'before', relationship: 'couple' }
const elsewhere = { session: 'elsewhere', relationship: 'ann and zoe' }
const toAnn = { ...place, vessel: 'shared', owner: 'ben', addressees: ['ann'] }
const content = { ...toAnn, kind: 'consented_content' }
const ofSession = { ...place, vessel: 'shared', owner: 'session:now' }

/** Records, the stages at which a turn of ann's may retrieve them, and whether she may look at them herself. */
// biome-ignore format: a table
const RECORDS: readonly (readonly [string, Partial<PolicyTuple>, readonly number[], boolean])[] = [
  ['an event',                      { ...place, kind: 'user_event' },                                    [1, 2],    true ],
  ['an event before',               { ...before, kind: 'user_event' },                                   [1, 2],    true ],
  ['an event with somebody else',   { ...elsewhere, kind: 'user_event' },                                [],        false],
  ['an event of no relationship',   { session: 'now', kind: 'user_event' },                              [],        false],
  ['a partner’s event',             { ...place, kind: 'user_event', owner: 'ben' },                      [],        false],
  ['a reading',                     { ...place, kind: 'emotional_reading' },                             [1, 2],    true ],
  ['a partner’s reading',           { ...place, kind: 'emotional_reading', owner: 'ben' },               [],        false],
  ['a need',                        { ...place, kind: 'need', confirmed: true },                         [1, 2, 3], true ],
  ['a need before',                 { ...before, kind: 'need', confirmed: true },                        [1, 2, 3], true ],
  ['a need, not confirmed',         { ...place, kind: 'need' },                                          [1, 2],    true ],
  ['a partner’s need',              { ...place, kind: 'need', confirmed: true, owner: 'ben' },           [],        false],
  ['a boundary',                    { ...place, kind: 'boundary' },                                      [1, 2],    true ],
  ['a partner’s boundary',          { ...place, kind: 'boundary', owner: 'ben' },                        [],        false],
  ['a draft',                       { ...place, kind: 'empathy_draft' },                                 [],        true ],
  ['a partner’s draft',             { ...place, kind: 'empathy_draft', owner: 'ben' },                   [],        false],
  ['a synthesis',                   { ...place, kind: 'ai_synthesis' },                                  [],        false],
  ['other memory',                  { kind: 'episodic' },                                                [],        false],
  ['other memory of the session',   { ...place, kind: 'episodic' },                                      [],        false],
  ['a shared need',                 { ...content, contentType: 'IDENTIFIED_NEED' },                      [2, 3, 4], true ],
  ['a shared boundary',             { ...content, contentType: 'BOUNDARY' },                             [2, 3, 4], true ],
  ['a shared event',                { ...content, contentType: 'EVENT_SUMMARY' },                        [2, 4],    true ],
  ['a shared pattern',              { ...content, contentType: 'EMOTIONAL_PATTERN' },                    [2, 4],    true ],
  ['something shared as nothing',   { ...content, contentType: null },                                   [2, 4],    true ],
  ['shared with everybody',         { ...content, contentType: 'IDENTIFIED_NEED', addressees: [] },      [2, 3, 4], true ],
  ['shared with another',           { ...content, contentType: 'IDENTIFIED_NEED', addressees: ['zoe'] }, [],        false],
  ['shared by ann',                 { ...content, owner: 'ann', addressees: ['ben'] },                   [2, 4],    true ],
  ['shared elsewhere',              { ...content, ...elsewhere, contentType: 'IDENTIFIED_NEED' },        [],        false],
  ['common ground',                 { ...ofSession, kind: 'common_ground', confirmed: true },            [2, 3, 4], true ],
  ['common ground, not confirmed',  { ...ofSession, kind: 'common_ground' },                             [2, 3],    true ],
  ['an agreement',                  { ...ofSession, kind: 'agreement', confirmed: true },                [2, 4],    true ],
  ['an agreement, proposed',        { ...ofSession, kind: 'agreement' },                                 [],        true ],
  ['an agreement before',           { ...ofSession, ...before, kind: 'agreement', confirmed: true },     [0, 2, 4], true ],
  ['one before, proposed',          { ...ofSession, ...before, kind: 'agreement' },                      [],        true ],
  ['an agreement elsewhere',        { ...ofSession, ...elsewhere, kind: 'agreement', confirmed: true },  [],        false],
  ['an experiment',                 { ...ofSession, kind: 'micro_experiment' },                          [4],       true ],
  ['words on what ann feels',       { ...toAnn, kind: 'empathy_attempt' },                               [2, 4],    true ],
  ['a strategy',                    { ...toAnn, kind: 'strategy_proposal' },                             [4],       true ],
  ['a shared synthesis',            { ...ofSession, kind: 'ai_synthesis' },                              [],        false],
  ['a shared event as it is',       { ...ofSession, kind: 'user_event' },                                [],        false],
  ['a need in the library',         { vessel: 'global', kind: 'need', confirmed: true },                 [],        false],
  ['an entry of the library',       { vessel: 'global', kind: 'experiment_suggestion' },                 [4],       false],
  ['a vessel that there is not',    { ...place, vessel: 'other', kind: 'need', confirmed: true },        [],        false],
]

describe.each(RECORDS)('%s', (_, record, stages, browsed) => {
  it(`[RC-3] [RC-4] [RC-5] [RC-6] [RC-7] is retrieved at stages ${stages.join(', ') || 'none'}`, () => {
    for (const stage of [-1, 0, 1, 2, 3, 4, 5, Number.NaN])
      expect([stage, shows(record, facts(stage))]).toEqual([stage, stages.includes(stage)])
  })

  it('[RC-3] [DE-2] is not retrieved in a session that is not active, nor for a purpose that there is not', () => {
    for (const stage of [0, 1, 2, 3, 4]) {
      expect(shows(record, facts(stage, { active: false }))).toBe(false)
      expect(shows(record, facts(stage, { purpose: 'something' as 'turn' }))).toBe(false)
    }
  })

  it('[RC-8] where it is shared, waits for everybody to be at stage 2', () => {
    for (const stage of [2, 3, 4])
      for (const leastStage of [-1, 0, 1, Number.NaN])
        expect(shows(record, facts(stage, { leastStage }))).toBe(
          stages.includes(stage) && record.vessel !== 'shared',
        )
    // An earlier agreement does not belong to this session.
    for (const leastStage of [-1, 0]) expect(shows(record, facts(0, { leastStage }))).toBe(stages.includes(0))
  })

  it(`[RC-5] is ${browsed ? '' : 'not '}for ann to look at, and never for a model to browse`, () => {
    for (const stage of [2, 3, 4]) {
      expect(shows(record, facts(stage, { purpose: 'browse' }))).toBe(browsed)
      expect(shows(record, facts(stage, { purpose: 'browse', active: false }))).toBe(browsed)
      for (const audience of ['agent', 'recipient'] as const)
        expect(shows(record, facts(stage, { purpose: 'browse' }), { audience })).toBe(false)
    }
    const own = record.owner === undefined || record.owner === 'ann'
    for (const leastStage of [-1, 0, 1])
      expect(shows(record, facts(3, { purpose: 'browse', leastStage }))).toBe(browsed && own)
    expect(shows(record, facts(5, { purpose: 'browse' }))).toBe(false)
  })

  it('[RC-5] outside of mediation, is seen only if it has nothing to do with one', () => {
    const { vessel = 'user', session = null } = record
    expect(shows(record, null)).toBe(vessel === 'user' && session === null)
  })
})
