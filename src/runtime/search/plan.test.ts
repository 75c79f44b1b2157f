import { describe, expect, it } from 'vitest'
import { testClock } from '../../testing/clock.js'
import { NO_AUTHORITIES } from '../domain.js'
import { execute } from './execute.js'
import {
  isValidPlan,
  type PlannedQuestion,
  planSearch,
  type UnifiedSearchPlan,
  type ValidPlan,
  validatePlan,
} from './plan.js'
import { POSTURES, parseQuestion, type Question, question, topKOf } from './question.js'
import { SEARCH_DEFAULTS } from './settings.js'

const NOW = new Date('2026-01-01T00:00:00Z')
const ask = (more: object = {}): Question => question.parse({ query: 'garden shed', ...more })
const planFor = (asked: Question, seed = 'plan'): UnifiedSearchPlan => {
  const clock = testClock()
  clock.seed(seed)
  return planSearch(asked, { clock, now: NOW, searchSettings: SEARCH_DEFAULTS })
}
const withPlan = (plan: UnifiedSearchPlan, asked = ask()): PlannedQuestion => {
  const parsed = parseQuestion(asked)
  return { ...parsed, plan, authorities: NO_AUTHORITIES }
}
const valid = (): ValidPlan => validatePlan(withPlan(planFor(ask())))

describe('the executor', () => {
  it('[RC-2] runs what the validator made', () => {
    expect(execute(valid(), [])).toMatchObject({ ranked: [], expansions: [], suggestion: null })
  })

  const real = valid()
  it.each<[string, unknown]>([
    ['a plain object', { plan: real.plan, question: real.question, query: real.query }],
    ['a copy', { ...real }],
    ['a structured clone', structuredClone({ ...real })],
    ['JSON that was read', JSON.parse(JSON.stringify(real))],
    ['an object of the prototype', Object.assign(Object.create(Object.getPrototypeOf(real)), real)],
    ['an object that inherits from a valid plan', Object.create(real)],
    ['a proxy of a valid plan', new Proxy(real, {})],
    ['an object with a field of the same name', { ...real, '#valid': true, valid: true }],
    ['the plan alone', real.plan],
    ['nothing', undefined],
    ['null', null],
    ['text', 'plan'],
  ])('[RC-2] refuses %s', (_, forged) => {
    expect(isValidPlan(forged as ValidPlan)).toBe(false)
    expect(() => execute(forged as ValidPlan, [])).toThrow('only a plan that was validated is executed')
  })

  it('[RC-2] refuses what was constructed without the validator', () => {
    const construct = real.constructor as new (...parts: unknown[]) => ValidPlan
    const unlimited = { ...real.plan, topK: 1_000_000, executorAssignments: [] }
    const forge = () => execute(new construct(unlimited, real.question, real.query), [])
    expect(forge).toThrow()
  })

  it('[RC-2] what it took cannot be exchanged for another plan afterwards', () => {
    const plan = valid()
    const other = planFor(ask({ posture: 'metadata_primary' }))
    const exchange = () => Object.assign(plan, { plan: { ...other, topK: 1_000_000 } })
    expect(exchange).toThrow(TypeError)
    expect(plan.plan.topK).toBe(50)
    expect(() => Object.assign(plan.plan, { topK: 1_000_000 })).toThrow(TypeError)
  })
})

describe('the validator', () => {
  it.each<[string, Partial<Record<keyof UnifiedSearchPlan, unknown>>]>([
    ['no executor', { executorAssignments: [] }],
    [
      'an unknown executor',
      { executorAssignments: [{ executorClass: 'other', scopeRef: 'x', reasonCode: 'x', schemaVersion: 1 }] },
    ],
    ['an unknown fusion', { resultFusionStrategy: 'best' }],
    ['more results than its posture', { topK: 51 }],
    ['fewer results than its posture', { topK: 49 }],
    ['an executor that may change it', { amendableByExecutor: true }],
  ])('[RC-2] finds a plan with %s invalid', (_, wrong) => {
    const plan = { ...planFor(ask()), ...wrong } as UnifiedSearchPlan
    expect(() => validatePlan(withPlan(plan))).toThrow('the plan cannot be run; create one with search.plan')
  })

  it('[RC-2] finds a plan of an unknown posture invalid', () => {
    const plan = planFor(ask())
    const retrievalPosture = {
      ...plan.searchScope.retrievalPosture,
      posture: 'anything' as 'metadata_primary',
    }
    const wrong = { ...plan, searchScope: { ...plan.searchScope, retrievalPosture } }
    expect(() => validatePlan(withPlan(wrong))).toThrow('the plan cannot be run; create one with search.plan')
  })

  it.each(['...', '-without', '"" *', '🙂'])('[RC-2] finds nothing to search for in %s', query => {
    const asked = ask({ query })
    expect(() => parseQuestion(asked)).toThrow('query: must contain at least one word to search for')
  })
})

describe('the planner', () => {
  it.each([
    {},
    { corpus: 'c' },
    { posture: 'cross_source_synthesis' },
    { stemming: false },
    {
      synonyms: [
        { of: 'a', terms: ['b'] },
        { of: 'a', terms: ['c'], corpus: 'c' },
      ],
    },
  ])('[RC-2] makes equal plans of equal questions, but for id and time: %j', asked => {
    const [one, two] = [planFor(ask(asked)), planFor(ask(asked))]
    expect(one).toEqual(two)
    const later = planSearch(ask(asked), {
      clock: testClock(),
      now: new Date('2027-01-01T00:00:00Z'),
      searchSettings: SEARCH_DEFAULTS,
    })
    expect(later.planId).not.toBe(one.planId)
    expect(later).toEqual({ ...one, planId: later.planId, planAt: '2027-01-01T00:00:00.000Z' })
    expect(validatePlan(withPlan(one, ask(asked))).plan).toEqual(one)
  })

  it('[RC-2, AU-3] keeps the words of the question out of the plan', () => {
    const asked = ask({
      query: 'zebra "quagga okapi" -tapir',
      tags: ['lemur'],
      people: ['ben'],
      fields: { f: 'gecko' },
      synonyms: [{ of: 'zebra', terms: ['horse'] }],
    })
    expect(JSON.stringify(planFor(asked))).not.toMatch(/zebra|quagga|okapi|tapir|lemur|ben|gecko|horse/)
  })

  it('[SR-8] ranks 50, or 100 for metadata and synthesis', () => {
    expect(POSTURES.map(posture => [posture, topKOf(posture, 50), planFor(ask({ posture })).topK])).toEqual([
      ['document_text_primary', 50, 50],
      ['derived_memory_primary', 50, 50],
      ['metadata_primary', 100, 100],
      ['mixed_surface_disclosed', 50, 50],
      ['cross_source_synthesis', 100, 100],
    ])
  })
})
