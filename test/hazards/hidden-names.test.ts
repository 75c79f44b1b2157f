import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import { openMediation } from '../support/mediation.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

/** The names of somebody who is only in records that a credential does not see: to it they are names like any other. */
describe.each(engines)('names of hidden people on %s', engine => {
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine)
  })
  afterAll(() => store.dispose())

  const HIDDEN = { kind: 'note', sensitivity: 'hyper', visibilityClass: 'sealed' } as const
  const about = (...participants: string[]) =>
    ({ kind: 'note', text: 'a walk', sensitivity: 'public', participants }) as const

  function world() {
    const tenant = store.tenant()
    const as = (more: Partial<Credential> = {}) => store.privity.as({ tenant, actor: 'ana', ...more })
    const agent = { actor: 'helper', audience: 'agent', for: 'ana' } as const
    return {
      ana: as(),
      low: as({ trust: { maxSensitivity: 'low' } }),
      /** Another key of the same actor. */
      shut: as({ visibility: { ceiling: 'party_confidential' } }),
      agent: as({ ...agent, trust: { maxSensitivity: 'low' } }),
    }
  }
  type World = ReturnType<typeof world>

  /** A person who is only in hidden records, with an alias, an address and a name that was merged; consent as told. */
  async function hide({ ana }: World, consent: 'granted' | 'pending' | 'revoked' = 'pending') {
    await ana.remember({ ...HIDDEN, text: 'about her', participants: ['Zoë MacHidden'] })
    await ana.remember({ ...HIDDEN, text: 'about her too', participants: ['Zoë Merged'] })
    await ana.people.update({ person: 'zoë machidden', addAliases: ['zz', 'zz@example.org'] })
    await ana.people.merge({ person: 'zoë merged', into: 'zoë machidden' })
    await ana.people.consent({ person: 'zz', status: consent })
  }

  const NAMES = ['zz', 'ZZ@example.org', 'zoë machidden', 'Zoë Merged', 'somebody new']

  /** Everything that an answer says, with ids, times and versions by the order in which they come up. */
  function alike(said: unknown): string {
    const seen = new Map<string, number>()
    const nth = (what: string) => seen.get(what) ?? seen.set(what, seen.size).size - 1
    return JSON.stringify(said)
      .replace(/[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g, id => `#${nth(id)}`)
      .replace(/"(version|etag)":"[^"]*"/g, (_, name) => `"${name}":"…"`)
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, at => `@${nth(at)}`)
  }

  /** Whatever a credential can ask about names that it does not know, before and after it writes them. */
  async function probe(by: World['low'], names: readonly string[] = NAMES) {
    const said: unknown[] = []
    const records: string[] = []
    const ask = async (...people: string[]) => {
      const { results, facets } = await by.search('walk', { people, facets: ['person'] })
      const { records } = await by.list({ people })
      said.push(people, results.length, facets, records.length)
    }
    for (const name of names) {
      said.push(await by.people.get(name))
      await ask(name)
      const { id } = await by.remember(about(name))
      records.push(id)
      said.push((await by.get(id))?.payload?.participants, await by.people.get(name))
      await ask(name)
      said.push(await by.labels.propose(`A letter from ${name} came`))
    }
    for (const id of records) said.push((await by.get(id))?.payload?.participants)
    said.push((await by.search('walk', { facets: ['person'] })).facets)
    return { said, records }
  }

  it.each([
    'low',
    'shut',
    'agent',
  ] as const)('[NI-10, NI-5] a name that was guessed says to %s what a new one says, in whatever it asks', async who => {
    const [hidden, absent] = [world(), world()]
    await hide(hidden)
    const answers = []
    for (const { [who]: by } of [hidden, absent]) answers.push(alike((await probe(by)).said))
    expect(answers[0]).toBe(answers[1])
    expect(answers[0]).not.toMatch(/Zoë MacHidden/)
  })

  it('[NI-10, PC-7] a record shows the name it was written with, and the owner the person', async () => {
    const { ana, low } = world()
    const people = [world(), world()]
    for (const [at, one] of people.entries()) if (at === 0) await hide(one)
    const [hidden, absent] = people as [World, World]
    for (const { low: by, ana: owner } of [hidden, absent]) {
      const { records } = await probe(by)
      for (const [at, id] of records.entries())
        expect((await by.get(id))?.payload?.participants).toEqual([NAMES[at]])
      expect((await by.people.list()).people.map(({ name }) => name)).toEqual([
        'ZZ@example.org',
        'Zoë Merged',
        'ana',
        'somebody new',
        'zoë machidden',
        'zz',
      ])
      if (owner === hidden.ana) {
        expect((await owner.get(records[0] ?? ''))?.payload?.participants).toEqual(['Zoë MacHidden'])
        expect((await owner.list({ people: ['zz'] })).records).toHaveLength(6)
        expect((await owner.people.list()).people.map(({ name }) => name)).toEqual([
          'Zoë MacHidden',
          'ana',
          'somebody new',
        ])
      }
    }
    // Also if the owner wrote it for all to see: one spelling tells nothing of another.
    await ana.remember({ ...HIDDEN, text: 'about him', participants: ['Xaver McX'] })
    await ana.people.update({ person: 'xaver mcx', addAliases: ['Xavi'] })
    const open = await ana.remember([about('xaver mcx'), about('Xavi')])
    expect((await low.get(open[0]?.id ?? ''))?.payload?.participants).toEqual(['xaver mcx'])
    expect((await low.get(open[1]?.id ?? ''))?.payload?.participants).toEqual(['Xavi'])
    // Both names are known now, by records that are seen, and so is that they are one person.
    expect((await low.list({ people: ['XAVI'] })).records).toHaveLength(1)
    await ana.remember({ ...about('Xaver McX'), text: 'a swim' })
    expect((await low.list({ people: ['XAVI'] })).records).toHaveLength(3)
    expect(await low.people.get('xavi')).toMatchObject({ name: 'Xaver McX', aliases: [], updatedAt: null })
    // A name that is taken off a person stays in what was written with it.
    await ana.people.update({ person: 'xavi', removeAliases: ['Xavi'] })
    expect((await low.get(open[1]?.id ?? ''))?.payload?.participants).toEqual(['Xavi'])
    expect((await ana.get(open[1]?.id ?? ''))?.payload?.participants).toEqual(['Xaver McX'])
    expect((await low.list({ people: ['XAVI'] })).records).toHaveLength(1)
    // Whoever gets the name next is somebody else.
    await ana.people.add({ person: 'Xavi' })
    await ana.people.consent({ person: 'xavi', status: 'granted' })
    expect((await ana.people.get('xaver mcx'))?.consent).toBe('pending')
    expect((await ana.list({ people: ['xavi'] })).records).toEqual([])
  })

  it('[NI-10] nobody learns by writing a name that it is an alias of somebody whom they know', async () => {
    const [told, other] = [world(), world()]
    const answers = []
    for (const one of [told, other]) {
      await one.ana.remember(about('Ben Smith'))
      await one.ana.people.consent({ person: 'ben smith', status: 'granted' })
      if (one === told) await one.ana.people.update({ person: 'ben smith', addAliases: ['078-05-1120'] })
      else await one.ana.people.add({ person: '078-05-1120' })
      await one.ana.people.consent({ person: '078-05-1120', status: 'granted' })
      const said: unknown[] = []
      for (const by of [one.low, one.agent]) {
        said.push(await by.people.get('078-05-1120'))
        const { id } = await by.remember(about('078-05-1120'))
        said.push(
          (await by.get(id))?.payload?.participants,
          (await by.list({ people: ['078-05-1120'] })).records.length,
        )
        said.push((await by.list({ people: ['ben smith'] })).records.length)
        said.push(await by.people.get('078-05-1120'), await by.people.get('Ben Smith'))
        said.push((await by.search('walk', { facets: ['person'] })).facets)
      }
      // To take a name off a record tries it as well.
      const { id } = await one.low.remember(about('Ben Smith'))
      await one.low.relabel({ record: id, removeParticipants: ['078-05-1120'] })
      said.push((await one.low.get(id))?.payload?.participants)
      await one.low.relabel({
        record: id,
        addParticipants: ['078-05-1120'],
        removeParticipants: ['Ben Smith'],
      })
      said.push((await one.low.get(id))?.payload?.participants)
      answers.push(alike(said))
    }
    expect(answers[0]).toBe(answers[1])
  })

  it('[NI-10, PC-7] what the owner does to the names of a hidden person shows in no name of anybody else', async () => {
    const [hidden, absent] = [world(), world()]
    await hide(hidden)
    const afterwards = async ({ low }: World, records: readonly string[]) => {
      const said: unknown[] = []
      for (const id of records) said.push((await low.get(id))?.payload?.participants)
      for (const name of [...NAMES, 'Secret Agent', 'zz2'])
        said.push(await low.people.get(name), (await low.list({ people: [name] })).records.length)
      said.push((await low.people.list()).people.map(({ name, consent }) => [name, consent]))
      said.push((await low.search('walk', { facets: ['person'] })).facets)
      return alike(said)
    }
    const mine = (await probe(hidden.low)).records
    const theirs = (await probe(absent.low)).records
    const same = async () => expect(await afterwards(hidden, mine)).toBe(await afterwards(absent, theirs))
    await same()
    const { ana } = hidden
    await ana.remember({ ...HIDDEN, text: 'on the agent', participants: ['Secret Agent'] })
    await same()
    await ana.people.update({ person: 'zz', removeAliases: ['zz', 'zz@example.org'] })
    await same()
    await ana.people.merge({ person: 'zoë machidden', into: 'Secret Agent' })
    await same()
    await ana.people.split({ person: 'zoë merged' })
    await ana.people.update({ person: 'Secret Agent', name: 'zz2' })
    await same()
    // A rename is told of a name that they know, whoever else has it.
    for (const one of [hidden, absent])
      await one.ana.people.update({ person: 'zoë merged', name: 'Zoë Klein' })
    expect((await hidden.low.get(mine[3] ?? ''))?.payload?.participants).toEqual(['Zoë Klein'])
    await same()
  })

  it('[PC-2, PC-7] the consent of a person holds for a name that is told apart, whatever becomes of it', async () => {
    const one = world()
    await hide(one, 'revoked')
    const { ana, low, agent } = one
    const { records } = await probe(low, ['zz', 'zoë machidden', 'Zoë Merged'])
    const own = await agent.remember(about('ZZ'))
    const seen = async () => {
      const all = [...records, own.id]
      const got = await Promise.all(all.map(async id => (await agent.get(id)) !== null))
      const { records: listed } = await agent.list()
      expect(all.map(id => listed.some(record => record.id === id))).toEqual(got)
      return got
    }
    const none = [false, false, false, false]
    expect(await seen()).toEqual(none)
    expect(own.readable).toBe(false)
    await ana.people.consent({ person: 'Zoë MacHidden', status: 'granted' })
    expect(await seen()).toEqual([true, true, true, true])
    // Whoever writes the name now is told that it can be read, at once.
    expect(await agent.remember(about('Zz'))).toMatchObject({ readable: true })
    // A narrowed key may revoke what it sees, and that holds for all names.
    await low.people.consent({ person: 'zz', status: 'revoked' })
    expect((await ana.people.get('zoë machidden'))?.consent).toBe('revoked')
    expect(await seen()).toEqual(none)
    await ana.people.consent({ person: 'zz', status: 'granted' })
    await ana.people.update({ person: 'zz', removeAliases: ['zz'] })
    expect(await seen()).toEqual([true, true, true, true])
    await ana.people.consent({ person: 'zoë machidden', status: 'revoked' })
    expect(await seen()).toEqual(none)
    await ana.people.consent({ person: 'zoë machidden', status: 'granted' })
    // A name that was split off takes what was written with it along, in every spelling; and so does what the agent
    // wrote after it had been shown that (WR-2).
    expect(await ana.people.splitPreview({ person: 'zoë merged' })).toMatchObject({ records: 3 })
    await ana.people.split({ person: 'zoë merged' })
    await ana.people.consent({ person: 'zoë merged', status: 'revoked' })
    expect(await seen()).toEqual([true, true, false, true])
    await ana.people.merge({ person: 'zoë merged', into: 'zoë machidden' })
    expect(await seen()).toEqual(none)
    await ana.people.consent({ person: 'zoë machidden', status: 'granted' })
    await ana.people.remove({ person: 'zoë machidden' })
    expect(await seen()).toEqual(none)
    expect((await low.get(records[0] ?? ''))?.payload?.participants).toEqual([])
    expect(JSON.stringify(await low.people.list())).not.toMatch(/z/i)
    // Whoever is named again is the same person, and has not agreed.
    await low.remember(about('Zoë MacHidden'))
    expect(await seen()).toEqual(none)
  })

  it('[NI-10, CB-4] a screen refuses by names that the writer knows, and by no other', async () => {
    const { privity } = store
    /** What a narrowed key is told of accusing sentences, where its owner knows the partner by more names. */
    const told = async (isAlias: boolean) => {
      const { alice, session, tenant } = await openMediation(privity, { stage: 2 })
      const narrowed = privity.as({ tenant, actor: 'alice', trust: { maxSensitivity: 'medium' } })
      await alice.remember({ ...HIDDEN, text: 'the clown', participants: ['Zampano'] })
      await alice.remember(about('Robert'))
      if (isAlias) await alice.people.merge({ person: 'Zampano', into: 'bob' })
      await alice.people.merge({ person: 'Robert', into: 'bob' })
      const { items } = await alice.vessel.write({
        session,
        items: [{ type: 'user_event', text: 'He cancelled dinner again and it hurts me' }],
      })
      const { pendingRequests } = await alice.bridge.pending(session)
      const consentRequestId =
        pendingRequests.find(asked => asked.originalContentId === items[0]?.id)?.id ?? ''
      const screened = async (by: Handle, name: string) => {
        const editedContent = `I feel hurt. ${name} never keeps a promise.`
        const { reason } = await by.bridge.screen({ session, consentRequestId, editedContent })
        const draft = await by.empathy.draft({ session, text: 'for later', ready: true })
        const content = `${name} never keeps a promise.`
        const share = by.empathy.share({ session, draft: draft.id, content })
        return [
          name,
          reason,
          await share.then(
            () => 'shared',
            error => error.reason,
          ),
        ]
      }
      const answers = [await screened(narrowed, 'bob'), await screened(narrowed, 'Robert')]
      answers.push(await screened(narrowed, 'Zampano'))
      // Nor does it learn whose name it is by writing it.
      await narrowed.remember(about('Zampano'))
      answers.push(await screened(narrowed, 'Zampano'))
      return { answers, whole: await screened(alice, 'Zampano') }
    }
    const [alias, stranger] = [await told(true), await told(false)]
    expect(alias.answers).toEqual(stranger.answers)
    expect(alias.answers.slice(0, 2)).toEqual([
      ['bob', 'bridge_accuses', 'bridge_accuses'],
      ['Robert', 'bridge_accuses', 'bridge_accuses'],
    ])
    expect(alias.whole).toEqual(['Zampano', 'bridge_accuses', 'bridge_accuses'])
    expect(stranger.whole).toEqual(['Zampano', null, 'shared'])
  })
})
