import { describe, expect, it } from 'vitest'
import { PrivityError } from '../../errors.js'
import { testClock } from '../clock.js'
import type { Leak } from './harness.js'
import type { Connect, TestedPrivity } from './history.js'
import { reportDefects } from './report-defects.js'

describe('defects in the harness', () => {
  const ASKED = [{ tenant: 'w12-whole', actor: 'ana' }, 'memory.get', { record: 'one' }] as const
  const connectTo =
    (privity: Partial<TestedPrivity>): Connect =>
    async () => ({ db: {} as never, privity: privity as TestedPrivity, twin: privity as TestedPrivity })

  it.each([
    ['a bug', new TypeError('undefined is not a function'), 1],
    ['an internal error', new PrivityError('internal', 'the stage is not known'), 1],
    ['a refusal', new PrivityError('not_found', 'not found'), 0],
  ])('[NI-3] %s is an answer that is passed on and reported %#', async (_, error, reported) => {
    const defects: Leak[] = []
    const fails = connectTo({ invoke: () => Promise.reject(error) })
    const { privity, twin } = await reportDefects(fails, defects)(testClock(), () => {})
    for (const one of [privity, twin]) await expect(one?.invoke(...ASKED)).rejects.toBe(error)
    expect(defects.map(({ kind, world }) => [kind, world])).toEqual(
      Array.from({ length: 2 * reported }, () => ['internal error', 12]),
    )
  })

  it.each([
    ['internal', 1],
    ['not_found', 0],
  ])('[NI-3] a door that answers %s is reported %i times', async (code, reported) => {
    const defects: Leak[] = []
    const answer = async () => ({ ok: false, value: { code }, text: code })
    const { privity } = await reportDefects(connectTo({ answer }), defects)(testClock(), () => {})
    expect(await privity.answer?.(...ASKED)).toMatchObject({ ok: false, text: code })
    expect(defects).toHaveLength(reported)
  })
})
