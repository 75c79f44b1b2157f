import { describe, expect, it } from 'vitest'
import { PrivityError } from '../../../errors.js'
import { RunAgain } from '../../run-again.js'
import { classifyCompleteness } from '../completeness.js'
import type { ExecutorAssignment, ExecutorClass } from './assign.js'
import { type ExecutorBudget, type ExecutorInput, type Executors, runExecutors } from './executors.js'

const FIELD = {
  isRouted: true,
  plan: { authorities: { pinpoints: [] as readonly unknown[] } },
} as ExecutorInput
const NOTHING = { ranked: [], executed: null, tokensRead: 0, unread: 0 }
const AT = new Date('2024-05-01T12:00:00Z')
const at = (elapsed: () => number) => ({ elapsed, now: () => new Date(AT.getTime() + elapsed()) })
const STILL = at(() => 0)

const assigned = (executorClass: ExecutorClass, deadlineMs = 2_000): ExecutorAssignment => ({
  executorClass,
  scopeRef: 'all_visible',
  budgetTokens: 200,
  deadlineMs,
  reasonCode: 'search.direct_lookup',
  schemaVersion: 1,
})
const ALL = [
  assigned('doc18_legal_search_direct'),
  assigned('memory_agent', 5_000),
  assigned('document_intelligence_agent', 10_000),
]

/** Executors that record which of them ran; one may fail. */
function noting(failing?: ExecutorClass, error: unknown = new Error('broken')) {
  const ran: ExecutorClass[] = []
  const one = (executorClass: ExecutorClass) => async (field: ExecutorInput) => {
    expect(field).toBe(FIELD)
    ran.push(executorClass)
    if (executorClass === failing) throw error
    return { ...NOTHING, tokensRead: ran.length }
  }
  const executors: Executors = {
    primary_direct: one('primary_direct'),
    doc18_legal_search_direct: one('doc18_legal_search_direct'),
    memory_agent: one('memory_agent'),
    document_intelligence_agent: one('document_intelligence_agent'),
  }
  return { ran, executors }
}
const kindsOf = (runs: Awaited<ReturnType<typeof runExecutors>>) =>
  runs.map(({ executorClass, failures }) => [executorClass, failures.map(({ failureKind }) => failureKind)])

describe('running executors', () => {
  it('[SR-5] runs each that is assigned, in order, and no other', async () => {
    const { ran, executors } = noting()
    const runs = await runExecutors(FIELD, ALL, executors, STILL)
    expect(ran).toEqual(['doc18_legal_search_direct', 'memory_agent', 'document_intelligence_agent'])
    expect(runs.map(({ tokensRead }) => tokensRead)).toEqual([1, 2, 3])
    expect(kindsOf(runs)).toEqual(ran.map(one => [one, []]))
  })

  it('[SR-5] one that fails leaves a record of it, and the others', async () => {
    for (const error of [new Error('broken'), new TypeError('broken'), 'broken', undefined]) {
      const { ran, executors } = noting('memory_agent', error)
      const runs = await runExecutors(FIELD, ALL, executors, STILL)
      expect(ran).toHaveLength(3)
      expect(kindsOf(runs)).toEqual([
        ['doc18_legal_search_direct', []],
        ['memory_agent', ['executor_failed']],
        ['document_intelligence_agent', []],
      ])
      expect(runs[1]).toMatchObject({ ranked: [], executed: null })
      expect(runs[1]?.failures[0]?.failureReasonCode).toBe('search.executor_failed')
      // Nobody may read what went wrong.
      expect(JSON.stringify(runs)).not.toContain('broken')
    }
  })

  it('[SR-5] each has a clock of its own, and ends when its time is up', async () => {
    let passed = 0
    const { ran, executors } = noting()
    /** Checks the deadline once per simulated millisecond. */
    const slow =
      (executorClass: ExecutorClass, takes: number) =>
      async (field: ExecutorInput, allowance: ExecutorBudget) => {
        for (let at = 0; at < takes; at++, passed++) allowance.checkDeadline()
        return executors[executorClass](field, allowance)
      }
    const runs = await runExecutors(
      FIELD,
      ALL,
      {
        ...executors,
        doc18_legal_search_direct: slow('doc18_legal_search_direct', 2_000),
        memory_agent: slow('memory_agent', 5_001),
        document_intelligence_agent: slow('document_intelligence_agent', 9_999),
      },
      at(() => passed),
    )
    expect(ran).toEqual(['doc18_legal_search_direct', 'document_intelligence_agent'])
    expect(runs.map(({ failures }) => failures)).toEqual([
      [],
      [{ failureKind: 'deadline_exceeded', failureReasonCode: 'search.deadline_exceeded' }],
      [],
    ])
    const since = (moment: Date) => moment.getTime() - AT.getTime()
    expect(runs.map(({ startedAt, completedAt }) => [since(startedAt), since(completedAt)])).toEqual([
      [0, 2_000],
      [2_000, 7_000],
      [7_000, 16_999],
    ])
  })

  it('[SR-5] each is told its budget', async () => {
    const budgets: number[] = []
    const { executors } = noting()
    const noted: Executors = {
      ...executors,
      memory_agent: (field, allowance) => {
        budgets.push(allowance.budgetTokens)
        return executors.memory_agent(field, allowance)
      },
    }
    await runExecutors(FIELD, [{ ...assigned('memory_agent'), budgetTokens: 7 }], noted, STILL)
    expect(budgets).toEqual([7])
  })

  it('[SR-5] what concerns the whole request passes through', async () => {
    for (const error of [
      new PrivityError('not_found', 'gone'),
      new RunAgain(async () => {}),
      Object.create(Object.create(RunAgain.prototype)),
    ]) {
      const { executors } = noting('memory_agent', error)
      await expect(runExecutors(FIELD, ALL, executors, STILL)).rejects.toBe(error)
    }
  })

  it('where nothing was routed, a failure is the request’s, and there is no clock', async () => {
    const alone = { ...FIELD, isRouted: false }
    const error = new Error('broken')
    const failing: Executors = { ...noting().executors, memory_agent: async () => Promise.reject(error) }
    await expect(runExecutors(alone, [assigned('memory_agent')], failing, STILL)).rejects.toBe(error)
    let passed = 0
    const slow: Executors = {
      ...noting().executors,
      primary_direct: async (_, allowance) => {
        passed = 1_000_000
        allowance.checkDeadline()
        return NOTHING
      },
    }
    const [run] = await runExecutors(
      alone,
      [assigned('primary_direct')],
      slow,
      at(() => passed),
    )
    expect(run?.failures).toEqual([])
  })

  it('[CV-3] a failure makes an answer partial, whatever else was found', () => {
    const whole = {
      matches: 1,
      topK: 50,
      anyIndexStale: false,
      indexHealthy: true,
      withinLimits: true,
      expansionsUsed: 0,
      expansionsDisclosed: true,
    }
    expect(classifyCompleteness(whole)).toBe('exhaustive_for_scope')
    expect(classifyCompleteness({ ...whole, indexHealthy: false })).toBe('partial_due_to_index_health')
    expect(classifyCompleteness({ ...whole, withinLimits: false })).toBe('partial_due_to_resource_limit')
  })
})
