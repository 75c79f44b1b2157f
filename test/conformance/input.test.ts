import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { OPERATIONS } from '../../src/operations.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import type { RequestOptions } from '../../src/runtime/runtime.js'
import { few } from '../support/depth.js'
import { leastInput } from '../support/least-input.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

const ID = '00000000-0000-4000-8000-000000000001'
const OTHER = '00000000-0000-4000-8000-000000000002'
const MEBIBYTE = 1_048_576

/** Content that no message may repeat. */
const SECRET = 'SECRET'
const WRONG_INPUTS = [null, undefined, 5, true, SECRET, [], [SECRET], Symbol(SECRET), () => SECRET]
const LINES = `${SECRET}\n\u0085`.repeat(400)
const LONG = SECRET.repeat(200_000)
const WRONG_FIELDS = [
  null,
  Number.NaN,
  { marker: SECRET },
  [SECRET.repeat(50)],
  [],
  `${SECRET}\0`,
  `${SECRET}\ud800`,
  `\udc00${SECRET}`,
  LINES,
  LONG,
]

/** Where people write as much as that, in lines. */
const TAKES_LINES: ReadonlySet<string> = new Set([
  'empathy.draft:text',
  'empathy.share:content',
  'strategies.submit:content',
  'agreements.propose:text',
  'experiments.add:text',
  'turns.context:message',
])

/** It reads as the base64 of a file, which may be that long. */
/** Fields for which null says something. */
const TAKES_NULL = new Set(['capabilities.set_capacity:leaseClass'])
const TAKES_LONG: ReadonlySet<string> = new Set(['documents.ingest:content'])

describe.each(engines)('input on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  function world() {
    const tenant = store.tenant()
    const helper: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'hyper' },
    }
    const ana = store.privity.as({ tenant, actor: 'ana' })
    return { tenant, helper, ana, agent: store.privity.as(helper) }
  }

  const note: z.input<typeof draft> = { kind: 'note', text: 'note' }

  /** The code of a refusal that tells nothing of what was refused. */
  async function refusal(asked: Promise<unknown>): Promise<string> {
    const error = await asked.then(
      () => ({ code: 'nothing was refused', message: '' }),
      (reason: { code?: string; message: string }) => reason,
    )
    expect(error.message).not.toContain(SECRET)
    expect(error.message.length).toBeLessThan(1_000)
    return error.code ?? `unexpected: ${error.message}`
  }
  const BAD = ['invalid_input', 'too_large']

  it('refuses malformed input to every operation, without repeating it', async () => {
    const { tenant } = world()
    const host: Credential = { tenant, actor: 'ana', audience: 'host' }
    const all: [string, unknown][] = OPERATIONS.flatMap(operation => {
      const { name } = operation
      const least = leastInput(operation)
      const fields = Object.keys(least)
      const without = (field: string) =>
        Object.fromEntries(Object.entries(least).filter(([key]) => key !== field))
      return [
        ...WRONG_INPUTS,
        { ...least, surprise: SECRET },
        ...fields.map(without),
        ...fields.flatMap(field =>
          WRONG_FIELDS.filter(
            wrong =>
              !(wrong === LINES && TAKES_LINES.has(`${name}:${field}`)) &&
              !(wrong === LONG && TAKES_LONG.has(`${name}:${field}`)) &&
              !(wrong === null && TAKES_NULL.has(`${name}:${field}`)),
          ).map(wrong => ({ ...least, [field]: wrong })),
        ),
      ].map((input): [string, unknown] => [name, input])
    })
    const asks = few(all, 600)
    const codes = await Promise.all(
      asks.map(([name, input]) => refusal(store.privity.invoke(host, name, input))),
    )
    const accepted = asks.filter((_, at) => !BAD.includes(codes[at] ?? ''))
    expect(accepted).toEqual([])
    await expect(store.privity.invoke(host, 'memory.drop', {})).rejects.toMatchObject({
      code: 'invalid_input',
    })
  })

  it('[NI-5] takes ids in their one form only, and one that is foreign for one that is not there', async () => {
    const { tenant, ana } = world()
    const { id } = await ana.remember(note)
    const ben: Credential = { tenant, actor: 'ben' }
    const asks: [string, (id: string) => unknown][] = [
      ['memory.get', record => ({ record })],
      ['memory.explain', record => ({ record })],
      ['memory.relabel', record => ({ record, tags: ['x'] })],
      ['memory.forget', record => ({ records: [record] })],
      ['memory.relate', from => ({ from, to: OTHER, type: 'x' })],
      ['memory.relate', to => ({ from: OTHER, to, type: 'x' })],
      ...['contest', 'retract'].map((how): (typeof asks)[0] => [
        'memory.revise',
        record => ({ how, record }),
      ]),
      ...['supersede', 'fork'].map((how): (typeof asks)[0] => [
        'memory.revise',
        record => ({ how, record, by: { text: 'x' } }),
      ]),
      ['memory.revise', record => ({ how: 'merge', records: [OTHER, record], by: { text: 'x' } })],
      ['memory.remember', record => ({ records: [{ ...note, derivedFrom: [record] }] })],
      ['memory.remember', record => ({ records: [{ ...note, redactedOf: record }] })],
      ['memory.remember', record => ({ records: [{ ...note, mentions: [record] }] })],
      ['memory.relate', source => ({ from: OTHER, to: ID, type: 'x', sources: [source] })],
      ['groups.add_member', group => ({ group, member: 'x' })],
      ['groups.remove_member', group => ({ group, member: 'x' })],
      ['overlays.remove', overlay => ({ overlay })],
      ['signals.record', record => ({ kind: 'explicit_helpful', record })],
      ['grants.revoke', grant => ({ grant })],
      ['profiles.get', profile => ({ profile })],
      ['profiles.bind', profile => ({ profile })],
      ['profiles.activate', profile => ({ profile })],
      ['profiles.create', view => ({ sharedCorpusViewRefs: [view] })],
      ['views.get', view => ({ view })],
      ['views.delete', view => ({ view })],
      ['views.effective', view => ({ views: [view] })],
      ['links.grant', view => ({ views: [view], recipientIdentityMode: 'anonymous_share_token' })],
      ['links.get', link => ({ link })],
      ['links.revoke', link => ({ link, reason: 'x' })],
      ['links.access_log', link => ({ link })],
      ['links.decide', request => ({ request, decision: 'approve' })],
      ['document_view.open', document => ({ document })],
      ['document_download.fetch', document => ({ document })],
      ['documents.get', id => ({ id })],
      ['documents.read', id => ({ id })],
      ['documents.original', id => ({ id })],
      ['documents.fields', id => ({ id })],
    ]
    const wrong = [SECRET, '', ' ', `${id} `, id.slice(1), id.replaceAll('-', ''), `{${id}}`, `${id}\0`]
    for (const [name, input] of asks) {
      const codes = wrong.map(record => refusal(store.privity.invoke(ben, name, input(record))))
      expect(await Promise.all(codes), name).toEqual(wrong.map(() => 'invalid_input'))
      const answer = (record: string) =>
        store.privity.invoke(ben, name, input(record)).catch(({ code, message }) => ({ code, message }))
      expect(await answer(id)).toEqual(await answer(randomUUID()))
    }
    expect(await ana.get(id.toUpperCase())).toMatchObject({ id })
  })

  it('keeps text as it is, to the last byte it takes, and takes no more', async () => {
    const { ana } = world()
    // NFC and NFD, a family joined by zero width joiners, a bidi override, a line separator, a byte order mark.
    const odd =
      "é e\u0301 \u{1f468}\u200d\u{1f469}\u200d\u{1f467} \u202e \u2028 \ufeff \r\n\t\u0001 \\u0000 %s $1 '"
    const text = odd + '🙂'.repeat((MEBIBYTE - Buffer.byteLength(odd)) / 4)
    const filled = text + 'x'.repeat(MEBIBYTE - Buffer.byteLength(text))
    expect(Buffer.byteLength(filled)).toBe(MEBIBYTE)
    const fields = { [odd]: [odd, { a: null, b: [true, 1.5, -1e-7, ''] }] }
    const { id } = await ana.remember({ ...note, text: filled, title: odd, fields })
    const payload = (await ana.get(id))?.payload
    expect(payload?.text === filled).toBe(true)
    expect(payload).toMatchObject({ title: odd, fields })
    expect(await refusal(ana.remember({ ...note, text: `${filled}x` }))).toBe('too_large')
    expect(await refusal(ana.remember(Array(33).fill({ ...note, text: filled })))).toBe('too_large')
    expect((await ana.list()).records).toHaveLength(1)
    const names = await ana.remember({ ...note, tags: ['é', 'e\u0301'], participants: ['é', 'e\u0301'] })
    // Tags stay as they were written; two spellings of a name are one person (PC-7).
    expect(await ana.get(names.id)).toMatchObject({
      tags: ['e\u0301', 'é'],
      payload: { participants: ['é'] },
    })
  })

  it('refuses in every part of a record what could not be stored as it is', async () => {
    const { ana } = world()
    const strings = [`${SECRET}\0`, `${SECRET}\ud83d`, `\ude00${SECRET}`]
    const places: ((value: string) => Partial<z.input<typeof draft>>)[] = [
      text => ({ text }),
      title => ({ title }),
      tag => ({ tags: ['x', tag] }),
      value => ({ fields: { a: [{ b: value }] } }),
      key => ({ fields: { a: { [key]: 1 } } }),
      person => ({ participants: [person] }),
      scope => ({ scope }),
      owner => ({ owner }),
      corpus => ({ corpus }),
      segment => ({ segment }),
      source => ({ provenance: { source } }),
      document => ({ spans: [{ document, start: 0, end: 1 }] }),
    ]
    const cyclic: Record<string, unknown> = { secret: SECRET }
    cyclic.self = cyclic
    let deep: unknown = SECRET
    for (let depth = 0; depth < 20_000; depth++) deep = [deep]
    const fields = [
      { deep },
      cyclic,
      JSON.parse(`{"__proto__": {"polluted": "${SECRET}"}}`),
      JSON.parse(`{"a": [{"__proto__": "${SECRET}"}]}`),
      { [SECRET]: undefined },
      { [SECRET]: new Date() },
      { [SECRET]: Number.POSITIVE_INFINITY },
      { [SECRET]: 1n },
      { [SECRET]: () => SECRET },
      { a: SECRET.repeat(20_000) },
      [SECRET],
    ]
    const rest: unknown[] = [
      { text: '' },
      { tags: [''] },
      { tags: Array(101).fill('x') },
      { scope: `${SECRET}+x` },
      { participants: [`${SECRET}\n`] },
      { salience: 1.1 },
      { confidence: -0.1 },
      { spans: [{ document: 'x', start: 2, end: 1 }] },
      { validFrom: '2026-01-02T00:00:00Z', validTo: '2026-01-01T00:00:00Z' },
      ...['yesterday', '2026-01-01', '2026-02-30T00:00:00Z', '0000-06-01T00:00:00Z', new Date(8.64e15)].map(
        occurredAt => ({ occurredAt }),
      ),
      { expiresAt: new Date('+012026-01-01T00:00:00Z') },
    ]
    const wrong = [
      ...places.flatMap(place => strings.map(place)),
      ...fields.map(it => ({ fields: it })),
      ...rest,
    ]
    const codes = await Promise.all(
      wrong.map(part => refusal(ana.remember({ ...note, ...(part as object) }))),
    )
    expect(codes.filter(code => !BAD.includes(code))).toEqual([])
    expect(({} as { polluted?: string }).polluted).toBeUndefined()
    expect((await ana.list()).records).toEqual([])
    for (const filter of [{ deep }, cyclic, { a: '\ud800' }])
      expect(await refusal(ana.list({ fields: filter as never }))).toBe('invalid_input')
  })

  it('takes empty lists where nothing is meant by them, and refuses them where something should be', async () => {
    const { ana } = world()
    const empty = { tags: [], participants: [], derivedFrom: [], spans: [], fields: {} }
    const { id } = await ana.remember({ ...note, ...empty })
    await ana.relabel({ record: id, tags: [], addParticipants: [], removeParticipants: [] })
    const asks = [
      () => ana.remember([]),
      () => ana.remember(Array(1_001).fill(note)),
      () => ana.forget([]),
      () => ana.list({ kinds: [] }),
      () => ana.list({ tags: [] }),
      () => ana.list({ people: [] }),
      () => ana.revise({ how: 'merge', records: [id], by: { text: 'x' } }),
      () => ana.revise({ how: 'merge', records: [id, id], by: { text: 'x' } }),
    ]
    for (const ask of asks) expect(await refusal(ask())).toBe('invalid_input')
    expect((await ana.list()).records.map(record => record.id)).toEqual([id])
  })

  it('keeps all records of a batch or none of them', async () => {
    const { ana } = world()
    const { id } = await ana.remember(note)
    const good = { ...note, participants: ['new'] }
    const bad: [Partial<z.input<typeof draft>>, string][] = [
      [{ kind: 'secret' as never }, 'invalid_input'],
      [{ derivedFrom: [randomUUID()] }, 'not_found'],
      [{ owner: 'ben' }, 'not_found'],
      [{ vessel: 'global' }, 'not_found'],
      [{ expiresAt: '2000-01-01T00:00:00Z' }, 'invalid_input'],
    ]
    for (const [part, code] of bad)
      expect(await refusal(ana.remember([good, { ...note, ...part }, good]))).toBe(code)
    expect(await refusal(ana.forget([id, randomUUID()]))).toBe('not_found')
    expect((await ana.list()).records.map(record => record.id)).toEqual([id])
    expect((await ana.people.list()).people.map(({ name }) => name)).toEqual(['ana'])
  })

  it('[DE-3] reads what stands beside the input as strictly as the input', async () => {
    const { ana } = world()
    const wrong: unknown[] = [
      null,
      SECRET,
      { trust: SECRET },
      { respectConsent: SECRET },
      { idempotencyKey: '' },
      { idempotencyKey: 5 },
      { idempotencyKey: `${SECRET}\0` },
      { idempotencyKey: SECRET.repeat(100) },
      { causalParents: [SECRET] },
      { causalParents: ID },
      { surprise: SECRET },
    ]
    for (const options of wrong)
      expect(BAD, JSON.stringify(options)).toContain(
        await refusal(ana.remember(note, options as RequestOptions)),
      )
    expect(await refusal(ana.list({}, { idempotencyKey: 'k' }))).toBe('invalid_input')
    await ana.remember(note, { idempotencyKey: 'k', causalParents: [ID], respectConsent: true })
    expect((await ana.list()).records).toHaveLength(1)
    for (const credential of [
      {},
      { tenant: 't' },
      { tenant: 't', actor: '' },
      { tenant: 't', actor: 'a', admin: true },
    ])
      expect(() => store.privity.as(credential as Credential)).toThrow(
        expect.objectContaining({ code: 'invalid_input' }),
      )
  })
})
