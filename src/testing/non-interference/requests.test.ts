import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../operations.js'
import { type Operation, readOperation } from '../../runtime/operation.js'
import { MADE_BY } from '../../runtime/sample-world.js'
import { makeAllRequests, makeRequestsInBetween } from './mediation-requests.js'
import type { PlannedRequest } from './planned-request.js'
import { makeRequests } from './requests.js'
import { makeRecipientRequests } from './sharing-requests.js'
import { idOf } from './world.js'

/** An operation that draws a lot, in the way of all others that come after it. */
const pretend: Operation = readOperation({
  name: 'memory.pretend',
  route: 'POST /pretend',
  summary: 'Pretend',
  callers: 'anyone',
  sample: world => ({ record: world.record(), word: world.typed(), session: world.made('session') }),
  input: z.any(),
  output: z.any(),
  run: async () => null,
})

const records = Array.from({ length: 12 }, (_, at) => idOf('world', 'record', at))
const others = [idOf('world', 'group')]

/** What each harness asks in one world, with this table of operations. */
const SCRIPTS: Readonly<Record<string, (world: string, table: readonly Operation[]) => PlannedRequest[]>> = {
  'a person': (key, table) =>
    makeRequests(planned(key), { actor: 'ana' }, { records, others, key }, 9, 'everything', table),
  'an agent': (key, table) =>
    makeRequests(
      planned(key),
      { actor: 'eve', audience: 'agent', for: 'ana' },
      { records, others, key },
      9,
      'everything',
      table,
    ),
  'a partner in between': (key, table) =>
    Array.from({ length: 20 }, (_, at) =>
      makeRequestsInBetween(at * 1_000, partner(`${key}:${at}`), table),
    ).flat(),
  'a partner at the end': (key, table) => makeAllRequests(planned(key), partner(key), table),
  'a recipient': (key, table) =>
    makeRecipientRequests(planned(key), { records, others, before: [key], key }, table),
}
const planned = (key: string) => ({ key, start: 1_000_000, span: 60_000 })
const partner = (key: string) => ({
  sessions: [],
  open: records.slice(0, 6),
  hidden: records,
  requests: others,
  key,
})

const without = (planned: readonly PlannedRequest[], name: string) =>
  JSON.stringify(planned.filter(({ request }) => request.operation !== name))

describe('requests of the non-interference harness', () => {
  const worlds = Array.from({ length: 6 }, (_, at) => `w${at}`)

  it.each(
    Object.entries(SCRIPTS),
  )('[NI-3] of %s ask a new operation too, and leave every other request as it was', (_, script) => {
    for (const at of [0, OPERATIONS.length / 2]) {
      const table = (OPERATIONS as readonly Operation[]).toSpliced(at, 0, pretend)
      const asked = worlds.map(world => script(world, table))
      expect(asked.flat().some(({ request }) => request.operation === pretend.name)).toBe(true)
      expect(asked.map(one => without(one, pretend.name))).toEqual(
        worlds.map(world => JSON.stringify(script(world, OPERATIONS))),
      )
    }
  })

  it.each(Object.entries(SCRIPTS))('[NI-3] of %s stay when an operation is removed', (_, script) => {
    for (const name of ['memory.timeline', 'views.list', 'audit.list']) {
      const rest = OPERATIONS.filter(operation => operation.name !== name)
      for (const world of worlds)
        expect(without(script(world, rest), name)).toBe(without(script(world, OPERATIONS), name))
    }
  })

  it('[NI-3] differ from world to world, and have keys of their own', () => {
    for (const script of Object.values(SCRIPTS)) {
      const inputs = worlds.map(world => JSON.stringify(script(world, OPERATIONS)).replaceAll(world, ''))
      expect(new Set(inputs).size).toBe(worlds.length)
      for (const world of worlds) {
        const keys = script(world, OPERATIONS).map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
      }
    }
  })

  it('[NI-3] name what an operation of the table creates', () => {
    const names: readonly string[] = OPERATIONS.map(({ name }) => name)
    for (const maker of Object.values(MADE_BY)) expect(names).toContain(maker)
  })
})
