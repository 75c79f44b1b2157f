import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PrivityError } from '../../src/errors.js'
import { type Handle, makeHandle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import { MOST_BYTES, MOST_RECORDS } from '../../src/transfer/batch.js'
import { exportFile } from '../../src/transfer/export-file.js'
import { exportLines } from '../../src/transfer/export-records.js'
import { type ImportOptions, type ImportProblem, importRecords } from '../../src/transfer/import-records.js'
import type { Item, RecordToImport } from '../../src/transfer/item.js'
import { readJsonLines } from '../../src/transfer/readers/json-lines.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'
import { collect, inChunks } from './support/collect.js'

describe.each(engines)('import and export on %s', engine => {
  let store: TestPrivity
  let folder: string
  beforeAll(async () => {
    store = await openTestPrivity(engine)
    folder = await mkdtemp(join(tmpdir(), 'privity-transfer-'))
  })
  afterAll(async () => {
    await store.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  const ana = (tenant = store.tenant()) => store.privity.as({ tenant, actor: 'ana' })

  async function* items(drafts: readonly (RecordToImport | object)[]): AsyncGenerator<Item> {
    for (const [at, draft] of drafts.entries()) yield { kind: 'record', where: `item ${at + 1}`, draft }
  }
  const notes = (count: number): RecordToImport[] =>
    Array.from({ length: count }, (_, at) => ({ kind: 'note', text: `note ${at}` }))

  async function run(handle: Handle, source: AsyncIterable<Item>, options: ImportOptions = {}) {
    const problems: ImportProblem[] = []
    const result = await importRecords(handle, source, {
      onProblem: problem => problems.push(problem),
      ...options,
    })
    return { ...result, problems }
  }

  const textsOf = async (handle: Handle) =>
    (await collect(exportLines(handle))).map(line => JSON.parse(line).text as string).sort()

  /** What went through a handle, by operation. */
  function watched(credential: Credential) {
    const calls: { name: string; input: { records?: object[] } }[] = []
    const handle = makeHandle((name, input, options) => {
      calls.push({ name, input: input as { records?: object[] } })
      return store.privity.invoke(credential, name, input, options)
    })
    return { handle, calls }
  }

  /** Lines of an export without what is new with every record: ids, times and versions, with relations by text. */
  function comparable(lines: readonly string[]) {
    const all = lines.map(line => JSON.parse(line))
    const textOf = new Map(all.map(({ exported, text }) => [exported.id, text]))
    return all
      .map(({ exported: { face, author, owner, relations = [], contested }, salience, ...draft }) => ({
        ...draft,
        // It fades.
        salience: Math.round(salience * 1_000),
        face,
        author,
        owner,
        contested,
        relations: relations
          .map(({ type, record }: { type: string; record: string }) => [type, textOf.get(record)])
          .sort(),
      }))
      .sort((a, b) => (a.text < b.text ? -1 : 1))
  }

  it('everything that is exported comes back the same, apart from ids and times', async () => {
    const from = ana()
    const [source, other] = await from.remember([
      {
        kind: 'episodic',
        title: 'The night train',
        text: 'We took the night train. "Quoted", 🚂 and\nnew lines.',
        tags: ['travel', 'north'],
        participants: ['ben', 'cyd'],
        sensitivity: 'high',
        scope: 'family',
        visibilityClass: 'privileged',
        salience: 0.8,
        pinned: true,
        confidence: 0.4,
        fields: { nested: { list: [1, null, 'x'] } },
        provenance: { source: 'mail', uri: 'mid:1', note: 'n' },
        spans: [{ document: 'd', start: 1, end: 2, page: 3 }],
        occurredAt: '2024-05-06T07:08:09.123Z',
        validFrom: '2024-01-01T00:00:00Z',
        validTo: '2099-01-01T00:00:00Z',
        expiresAt: '2999-01-01T00:00:00Z',
        language: 'en',
        corpus: 'c',
        filingUnit: 'f',
        version: 'v1',
        versionKind: 'amended',
        part: 'p',
        document: 'doc',
        segment: 's',
        markedShareable: true,
      },
      { kind: 'entity', text: 'The night train, an entity', title: 'night train' },
    ])
    const [derived] = await from.remember([
      {
        kind: 'semantic',
        text: 'Trains run at night',
        derivedFrom: [source?.id ?? ''],
        mentions: [other?.id ?? ''],
      },
    ])
    await from.relate({ from: other?.id ?? '', to: derived?.id ?? '', type: 'told by' })
    await from.revise({ how: 'contest', record: derived?.id ?? '', reason: 'they do not' })
    const exported = await collect(exportLines(from))
    expect(exported).toHaveLength(3)

    const to = ana()
    const result = await run(to, readJsonLines(inChunks(`${exported.join('\n')}\n`, 100)))
    expect(result).toMatchObject({ stored: 3, related: 3, skipped: {}, problems: [], stopped: false })
    const again = await collect(exportLines(to))
    expect(comparable(again)).toEqual(comparable(exported))
    expect(comparable(again)[2]).toMatchObject({
      participants: ['ben', 'cyd'],
      sensitivity: 'high',
    })

    // And once more, to the same place: nothing is there twice.
    await run(to, readJsonLines(inChunks(`${exported.join('\n')}\n`, 100)))
    expect(comparable(await collect(exportLines(to)))).toEqual(comparable(exported))
  })

  it('sends batches that are bounded by count and by bytes', async () => {
    const tenant = store.tenant()
    const { handle, calls } = watched({ tenant, actor: 'ana' })
    await run(handle, items(notes(2 * MOST_RECORDS + 1)))
    expect(calls.map(({ input }) => input.records?.length)).toEqual([MOST_RECORDS, MOST_RECORDS, 1])
    calls.length = 0
    const large = 'x'.repeat(900_000)
    await run(handle, items(Array.from({ length: 5 }, (_, at) => ({ kind: 'note', text: `${at} ${large}` }))))
    expect(calls.map(({ input }) => input.records?.length)).toEqual([2, 2, 1])
    for (const { input } of calls) expect(JSON.stringify(input).length).toBeLessThan(MOST_BYTES + 1_000)
  })

  it('stores nothing twice when it is run again, from wherever it stopped', async () => {
    const handle = ana()
    const drafts = notes(3 * MOST_RECORDS)
    const controller = new AbortController()
    const first = await run(handle, items(drafts), {
      signal: controller.signal,
      onProgress: () => controller.abort(),
    })
    expect(first).toMatchObject({ stored: MOST_RECORDS, stopped: true, reached: `item ${MOST_RECORDS}` })
    expect(await textsOf(handle)).toHaveLength(MOST_RECORDS)
    const second = await run(handle, items(drafts))
    expect(second).toMatchObject({ stored: 3 * MOST_RECORDS, stopped: false, problems: [] })
    await run(handle, items(drafts))
    expect(await textsOf(handle)).toEqual(drafts.map(({ text }) => text).sort())
    const more = await run(handle, items(notes(2)), { salt: 'again' })
    expect(more.stored).toBe(2)
    expect(await textsOf(handle)).toHaveLength(3 * MOST_RECORDS + 2)
  })

  it('keeps what a source holds twice, twice', async () => {
    const handle = ana()
    const twice = [...notes(MOST_RECORDS), ...notes(MOST_RECORDS)]
    await run(handle, items(twice))
    await run(handle, items(twice))
    expect(await textsOf(handle)).toHaveLength(2 * MOST_RECORDS)
  })

  it('of a source that has grown, stores only what is new where records are known by themselves', async () => {
    const handle = ana()
    async function* files(names: readonly string[]): AsyncGenerator<Item> {
      for (const name of names)
        yield { kind: 'record', where: name, identity: name, draft: { kind: 'note', text: 'the same' } }
      // Not known by itself, and among them.
      yield { kind: 'record', where: 'last', draft: { kind: 'note', text: 'other' } }
    }
    const stored = async () => (await textsOf(handle)).length
    expect(await run(handle, files(['b', 'c']))).toMatchObject({ stored: 3 })
    expect(await stored()).toBe(3)
    expect(await run(handle, files(['a', 'c', 'b']))).toMatchObject({ stored: 4, problems: [] })
    expect(await stored()).toBe(4)
    await run(handle, files(['a']), { salt: 'again' })
    expect(await stored()).toBe(6)
  })

  it('stores nothing twice where something of a batch has been forgotten since', async () => {
    const handle = ana()
    await run(handle, items(notes(5)))
    const { records } = await handle.list()
    await handle.forget(records[0]?.id ?? '')
    const again = await run(handle, items(notes(5)))
    expect(again).toMatchObject({
      stored: 0,
      skipped: { 'was stored before, with records that have been forgotten since': 5 },
      problems: [],
    })
    expect(await textsOf(handle)).toHaveLength(4)
  })

  it('reports what is wrong with its place, and stores the others', async () => {
    const handle = ana()
    const id = '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61'
    const drafts = [
      { kind: 'note', text: 'one' },
      { kind: 'nope', text: 'two' },
      { kind: 'note', text: '' },
      { kind: 'note', text: 'three', owner: 'ben' },
      { kind: 'note', text: 'four', derivedFrom: [id] },
      { kind: 'note', text: 'five', expiresAt: '2000-01-01T00:00:00Z' },
      { kind: 'note', text: 'six', extra: 1 },
      { kind: 'note', text: 'x'.repeat(1_048_577) },
      { kind: 'note', text: 'seven', vessel: 'shared' },
      { kind: 'note', text: 'eight' },
    ]
    for (let times = 0; times < 2; times++) {
      const { stored, problems } = await run(handle, items(drafts))
      expect(stored).toBe(2)
      expect(problems.sort((a, b) => Number(a.where.slice(5)) - Number(b.where.slice(5)))).toEqual([
        { where: 'item 2', problem: expect.stringMatching(/^kind: must be one of/) },
        { where: 'item 3', problem: 'text: must not be empty' },
        { where: 'item 4', problem: 'names an owner or a record that is not there' },
        { where: 'item 5', problem: 'names an owner or a record that is not there' },
        { where: 'item 6', problem: 'expiresAt: must be in the future' },
        { where: 'item 7', problem: 'unknown field extra' },
        { where: 'item 8', problem: 'text: must be at most 1048576 bytes' },
        { where: 'item 9', problem: 'names an owner or a record that is not there' },
      ])
    }
    expect(await textsOf(handle)).toEqual(['eight', 'one'])
  })

  it('stops at the first problem if it is told to be strict', async () => {
    const handle = ana()
    const drafts = [...notes(MOST_RECORDS), { kind: 'nope', text: 'x' }, { kind: 'note', text: 'after' }]
    await expect(importRecords(handle, items(drafts), { strict: true })).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringMatching(/^item 201: kind/),
    })
    expect(await textsOf(handle)).toHaveLength(0)
  })

  it('stores nothing on a dry run, and says what it would', async () => {
    const { handle, calls } = watched({ tenant: store.tenant(), actor: 'ana' })
    const result = await run(handle, items([...notes(3), { kind: 'nope' }]), { dryRun: true })
    expect(result).toMatchObject({ stored: 3, problems: [{ where: 'item 4' }] })
    expect(calls).toEqual([])
  })

  it('gives what a source does not say, adds tags, and does not count the owner among participants', async () => {
    const handle = ana()
    await run(
      handle,
      items([
        { text: 'a', participants: ['Ana Silva', 'Ben'], tags: ['own'] },
        { text: 'b', kind: 'episodic', sensitivity: 'low' },
      ]),
      { defaults: { kind: 'note', tags: ['mine'], sensitivity: 'high' }, me: ['Ana Silva'] },
    )
    expect(comparable(await collect(exportLines(handle)))).toEqual([
      expect.objectContaining({
        kind: 'note',
        tags: ['mine', 'own'],
        participants: ['Ben'],
        sensitivity: 'high',
      }),
      expect.objectContaining({ kind: 'episodic', tags: ['mine'], sensitivity: 'low' }),
    ])
  })

  it('ends with the error where the store fails, and goes on from there', async () => {
    const tenant = store.tenant()
    const credential = { tenant, actor: 'ana' }
    let calls = 0
    const failing = makeHandle(async (name, input, options) => {
      calls++
      // The answer of the second batch is lost, after it was stored.
      const answer = await store.privity.invoke(credential, name, input, options)
      if (calls === 2) throw new PrivityError('unavailable', 'lost')
      return answer
    })
    const drafts = notes(3 * MOST_RECORDS)
    await expect(importRecords(failing, items(drafts))).rejects.toMatchObject({ code: 'unavailable' })
    await run(store.privity.as(credential), items(drafts))
    expect(await textsOf(store.privity.as(credential))).toHaveLength(3 * MOST_RECORDS)
  })

  it('[NI-1] exports what the caller sees and nothing else; lesser faces are there to be read, not imported', async () => {
    const tenant = store.tenant()
    await ana(tenant).remember([
      { kind: 'note', text: 'low one', sensitivity: 'low', tags: ['t'] },
      { kind: 'note', text: 'one level above', sensitivity: 'medium', tags: ['t'] },
      { kind: 'note', text: 'far above', sensitivity: 'hyper', tags: ['t'] },
      { kind: 'note', text: 'of ben', sensitivity: 'low', tags: ['t'], participants: ['ben'] },
    ])
    await store.privity.as({ tenant, actor: 'eve' }).remember({ kind: 'note', text: 'of eve', tags: ['t'] })
    const agent = store.privity.as({
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'low', authenticated: true },
    })
    const lines = await collect(exportLines(agent, { tags: ['t'] }))
    const read = lines.map(line => JSON.parse(line))
    expect(read.map(({ text, exported }) => [exported.face, text]).sort()).toEqual([
      ['full', 'low one'],
      ['metadata', undefined],
    ])
    expect(lines.join('\n')).not.toMatch(/above|of ben|of eve/)
    const result = await run(ana(), readJsonLines(inChunks(lines.join('\n'))))
    expect(result).toMatchObject({ stored: 1, skipped: { 'shows less than a whole record': 1 } })
  })

  it('[NI-9] an export to a file goes on where it stopped, for who began it and for what they asked', async () => {
    const tenant = store.tenant()
    const handle = ana(tenant)
    await run(handle, items(notes(500)))
    const file = join(folder, `${tenant}.jsonl`)
    const stop = new AbortController()
    const first = await exportFile(handle, file, { signal: stop.signal, onProgress: () => stop.abort() })
    expect(first).toMatchObject({ exported: 200, stopped: true })
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
    // A line that was written after the last state, and cut off by the power.
    await writeFile(`${file}.partial`, '{"half'.repeat(100_000), { flag: 'a' })

    await expect(exportFile(handle, file, { query: { tags: ['other'] } })).rejects.toMatchObject({
      code: 'conflict',
    })
    const ben = store.privity.as({ tenant, actor: 'ben' })
    await expect(exportFile(ben, file)).rejects.toMatchObject({ code: 'invalid_input' })

    const second = await exportFile(handle, file)
    expect(second).toMatchObject({ exported: 500, stopped: false })
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line).text).sort()).toEqual(
      notes(500)
        .map(({ text }) => text)
        .sort(),
    )
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    await expect(stat(`${file}.partial.state`)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('an export whose lines were lost is begun anew only when that is asked for', async () => {
    const handle = ana()
    await run(handle, items(notes(300)))
    const file = join(folder, 'lost.jsonl')
    const stop = new AbortController()
    await exportFile(handle, file, { signal: stop.signal, onProgress: () => stop.abort() })
    await truncate(`${file}.partial`, 10)
    await expect(exportFile(handle, file)).rejects.toMatchObject({ code: 'conflict' })
    expect(await exportFile(handle, file, { restart: true })).toMatchObject({ exported: 300, stopped: false })
    expect((await readFile(file, 'utf8')).trimEnd().split('\n')).toHaveLength(300)
  })

  it('relations are made across batches, in whichever order their ends come', async () => {
    const handle = ana()
    const idOf = (at: number) => `3f0c2f9e-5a57-4d0e-9a2b-${String(at).padStart(12, '0')}`
    const last = MOST_RECORDS + 1
    const lines = Array.from({ length: last + 1 }, (_, at) => ({
      kind: 'note',
      text: `${at}`,
      exported: {
        id: idOf(at),
        relations:
          at === 0
            ? [{ type: 'before', record: idOf(last) }]
            : at === last
              ? [{ type: 'after', record: idOf(0) }]
              : [],
      },
    }))
    const source = lines.map(line => JSON.stringify(line)).join('\n')
    expect(await run(handle, readJsonLines(inChunks(source, 1_000)))).toMatchObject({
      related: 2,
      skipped: {},
    })
    const exported = comparable(await collect(exportLines(handle)))
    const related = exported.filter(({ relations }) => relations.length > 0)
    expect(related.map(({ text, relations }) => [text, relations])).toEqual([
      ['0', [['before', `${last}`]]],
      [`${last}`, [['after', '0']]],
    ])
  })

  it('relations to what is not in the source are counted, not made', async () => {
    const from = ana()
    const [a, b] = await from.remember([
      { kind: 'note', text: 'a', tags: ['keep'] },
      { kind: 'note', text: 'b' },
    ])
    await from.relate({ from: a?.id ?? '', to: b?.id ?? '', type: 'about' })
    const lines = await collect(exportLines(from, { tags: ['keep'] }))
    const result = await run(ana(), readJsonLines(inChunks(lines.join('\n'))))
    expect(result).toMatchObject({
      stored: 1,
      related: 0,
      skipped: { 'is a relation to a record that is not in the source': 1 },
    })
  })
})
