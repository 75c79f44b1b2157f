import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { OPERATIONS } from '../../src/operations.js'
import type { Operation } from '../../src/runtime/operation.js'
import { testClock } from '../../src/testing/clock.js'
import { random } from '../../src/testing/non-interference/random.js'
import { sampleOf } from '../../src/testing/non-interference/requests.js'
import { deep } from '../support/depth.js'
import { type Answer, openTestServer, type TestServer } from '../support/server.js'
import { engines } from '../support/stores.js'

type Input = Record<string, unknown>
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Every place in an input where an id stands, found in what the harness asks of each operation. */
function* idPlaces(
  value: unknown,
  path: readonly (string | number)[] = [],
): Generator<readonly (string | number)[]> {
  if (typeof value === 'string' && UUID.test(value)) yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, part] of Object.entries(value)) yield* idPlaces(part, [...path, name])
}

function put(value: unknown, [first, ...rest]: readonly (string | number)[], id: string): unknown {
  if (first === undefined) return id
  if (Array.isArray(value))
    return value.map((part, at) => (String(at) === String(first) ? put(part, rest, id) : part))
  return { ...(value as object), [first]: put((value as Input)[first], rest, id) }
}

/** Everything that a caller could tell two answers apart by. */
const seen = ({ status, headers, text }: Answer, id: string) => ({
  status,
  headers: [...headers].filter(([name]) => !['date', 'x-request-id'].includes(name)),
  // Ids of what was made by the request are new each time.
  text: text.replaceAll(id, 'the id').replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'an id'),
})

describe.each(engines)('an id of another tenant, in every route on %s', engine => {
  const clock = testClock()
  let server: TestServer
  let mine: string
  let theirs: { kind: string; id: string }[]
  beforeAll(async () => {
    server = await openTestServer(engine, {}, { clock })
    const own = server.tenant()
    mine = await server.keyFor({ tenant: own, actor: 'ana', audience: 'host' })
    const other = server.tenant()
    const ben = server.privity.as({ tenant: other, actor: 'ben' })
    const agent = server.privity.as({
      tenant: other,
      actor: 'bot',
      audience: 'agent',
      for: 'ben',
      trust: { maxSensitivity: 'low' },
    })
    const { id: record } = await ben.remember({ kind: 'entity', title: 'x', text: 'x' })
    const { id: person } = await ben.people.add({ person: 'eve' })
    const { id: group } = await ben.groups.create({ name: 'us' })
    const overlay = await ben.overlays.add({ target: { kind: 'corpus', ref: 'x' }, restriction: 'blocked' })
    const grant = await ben.grants.add({ grantee: 'eve', target: { kind: 'corpus', ref: 'x' } })
    const { key } = await ben.keys.create({ name: 'x' })
    const search = await ben.searches.save({ name: 'x', query: 'x' })
    const { receipt } = await ben.search('x')
    const request = await agent.consents.request({ person: 'eve' })
    const refusal = await agent.keys.list().catch((error: { requestId: string }) => error.requestId)
    theirs = Object.entries({
      record,
      person,
      group,
      overlay: overlay.id,
      grant: grant.id,
      key: key.id,
      search: search.id,
      receipt: receipt.searchRunId,
      request: request.id,
      refusal: String(refusal),
    }).map(([kind, id]) => ({ kind, id }))
  })
  afterAll(() => server.dispose())

  const named = OPERATIONS.flatMap((operation: Operation) => {
    // Several draws: an input may name an id only now and then.
    const inputs = Array.from({ length: 12 }, (_, at) =>
      sampleOf(operation.name, random(at + 1), { records: [], others: [], key: `k:${at}` }),
    )
    const places = new Map<string, Input>()
    for (const input of inputs)
      for (const place of idPlaces(input)) places.set(JSON.stringify(place), input as Input)
    return [...places].map(([place, input]) => ({ operation, place: JSON.parse(place) as string[], input }))
  })

  it('finds the ids of every operation that names one', () => {
    const withIds = OPERATIONS.filter(({ input, route }) => {
      const schema = JSON.stringify(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }))
      return schema.includes('"format":"uuid"') || route.includes(':')
    }).map(({ name }) => name)
    const found = new Set(named.map(({ operation }) => operation.name))
    // Names of checkpoints stand in a document that the caller brings along; who is erased is named, and by no id.
    // The rest take an id only beside what their samples ask by.
    const BY_NAME = [
      'audit.verify',
      'sessions.erase_person',
      'viewers.look',
      'searches.save',
      'people.split_preview',
      'people.split',
      'links.request_files',
      'documents.recognise',
    ]
    expect(withIds.filter(name => !found.has(name) && !BY_NAME.includes(name))).toEqual([])
  })

  it.each(
    named.map(one => [one.operation.name, one.place.join('.'), one] as const),
  )('[NI-5] %s (%s) answers as to an id that nobody has', async (name, _, { operation, place, input }) => {
    const [method = '', path = ''] = operation.route.split(' ')
    const ask = async (id: string) => {
      const rest: Input = { ...(put(input, place, id) as Input) }
      const address = path.replace(/:(\w+)/g, (_, field: string) => {
        const value = String(rest[field])
        delete rest[field]
        return encodeURIComponent(value)
      })
      const takesBody = method !== 'GET' && method !== 'DELETE'
      clock.seed(`${name} ${id}`)
      return server.ask(method, `/api/v1${address}`, { key: mine, ...(takesBody ? { body: rest } : {}) })
    }
    const nobody = '00000000-0000-4000-8000-000000000000'
    const absent = seen(await ask(nobody), nobody)
    // In `npm test` an id of what the place names, and one of a record, which every place may meet.
    const tried = deep
      ? theirs
      : theirs.filter(({ kind }) => kind === 'record' || `${name}.${place.join('.')}`.includes(kind))
    for (const { kind, id } of tried) expect(seen(await ask(id), id), kind).toEqual(absent)
  })
})
