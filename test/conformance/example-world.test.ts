import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LoadedCaller, loadExample } from '../../src/example-world/load.js'
import { WORLDS } from '../../src/example-world/world.js'
import { open, type Privity } from '../../src/open.js'
import { anyEngine, type FreshDatabase, freshDatabase } from '../support/stores.js'

describe('the example world', () => {
  let database: FreshDatabase | undefined
  let privity: Privity
  let first: LoadedCaller[]
  let callers: LoadedCaller[]
  beforeAll(async () => {
    if (anyEngine === 'postgres') database = await freshDatabase()
    privity = await open(database === undefined ? {} : { databaseUrl: database.url })
    first = await loadExample(privity)
    callers = await loadExample(privity)
  })
  afterAll(async () => {
    await privity.close()
    await database?.drop()
  })

  const handleOf = async (secret: string) => privity.as((await privity.authenticate(secret)).credential)
  async function answers(tenant: string): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {}
    for (const caller of callers.filter(({ world }) => world.name === tenant)) {
      const { lines, more } = await caller.world.ask(await handleOf(caller.secret), caller, 20)
      expect(more).toBe(0)
      found[caller.key.name] = [...lines]
    }
    return found
  }

  it('[NI-1, TR-1, TR-4, PC-2] answers the same question to each member and agent of a family by what they may be told', async () => {
    const { nora, ben, assistant, kitchen } = await answers('family')
    expect(nora).toEqual(
      expect.arrayContaining(['Ben wants to leave his job', 'Before talking to Ben', 'Karim owes Ben money']),
    )
    expect(ben?.join()).not.toMatch(/job|angry|Karim|Before/)
    expect(assistant).toContain('Ben wants to leave his job')
    expect(assistant).not.toContain('Karim owes Ben money')
    expect(assistant).not.toContain('Before talking to Ben')
    expect(kitchen).toEqual(expect.arrayContaining(['Ben is allergic to bee stings']))
    expect(kitchen?.join()).not.toMatch(/job|Karim|Before/)
    expect(kitchen?.join()).toMatch(/something medium, tagged .*\(that is all it may know of it\)/)
  })

  it('[NI-1, TR-4] answers the same question to each agent of a team by its scope', async () => {
    const { maya, jonas, support, 'on-call': onCall } = await answers('team')
    expect(maya).toEqual(expect.arrayContaining(['Checkout outage of 3 October', 'Priya after the outage']))
    expect(jonas).toEqual(expect.arrayContaining(['Checkout outage of 3 October', 'When checkout is slow']))
    expect(jonas?.join()).not.toMatch(/Priya|Northwind/)
    expect(support).toEqual(expect.arrayContaining(['What Northwind was promised']))
    expect(support?.join()).not.toMatch(/Sam from|Priya|Salary|outage of 3/)
    expect(onCall).toEqual(expect.arrayContaining(['Checkout outage of 3 October']))
    expect(onCall?.join()).not.toMatch(/Northwind|Priya/)
  })

  it('[RC-5, RC-8, CB-3, CB-8] tells the mediator of each of a couple what they said, and of the other what was shared', async () => {
    const told = await answers('couple')
    const [mara, jonah] = [told.mara?.join('\n') ?? '', told.jonah?.join('\n') ?? '']
    const [hers, his] = [told['mara-mediator']?.join('\n') ?? '', told['jonah-mediator']?.join('\n') ?? '']
    const shared = 'I felt alone on Friday evening, and I need to know when to expect you.'
    expect(mara).toContain(`shares: “${shared}”`)
    expect(mara).toMatch(/may share “On Saturday I looked at a flat.*\n.*in these words: “/)
    expect(jonah).toContain(`may read: “${shared}”`)
    expect(jonah).toMatch(/may share “My boss gave me until December/)
    expect(hers).toContain('told in private: “On Saturday I looked at a flat')
    expect(his).toContain(`shared by the other: “${shared}”`)
    expect(his).toContain('told in private: “My boss')
    for (const heard of [jonah, his]) expect(heard).not.toMatch(/flat|Lonely|eleven/)
    for (const heard of [mara, hers]) expect(heard).not.toMatch(/boss|Ashamed|money/)
  })

  it('[ST-1, ST-3, SV-1, NI-1] shows outside counsel what is public of a brief bank, and nothing of what its host thinks', async () => {
    const told = await answers('firm')
    expect(told.hollis).toContain('Exhibit C, filed under seal')
    expect(told.research).toContain('What we think of the scienter argument')
    expect(told.research).not.toContain('Exhibit C, filed under seal')
    const host = callers.find(({ key }) => key.name === 'hollis')
    const hollis = await handleOf(host?.secret ?? '')
    const [first] = (await host?.world.toTry(hollis, { url: 'http://here' })) ?? []
    const [, token = ''] = first?.line.split('#') ?? []
    const opened = await privity.redeem({ token })
    if (opened.status !== 'open') throw new Error(opened.status)
    const counsel = await handleOf(opened.key)
    const { results } = await counsel.documents.search({ query: 'motion to dismiss scienter' })
    expect(results.map(({ document }) => document.title).sort()).toEqual([
      'Motion to dismiss, Kestrel Therapeutics',
      'Opposition to the motion to dismiss, Kestrel Therapeutics',
      'Order on the motion to dismiss, Kestrel Therapeutics',
    ])
    const { count } = await counsel.documents.search({
      query: 'weak settle deposition minutes',
      mode: 'text',
    })
    expect(count).toBe(0)
  })

  it('says how to go on in each world', async () => {
    for (const world of WORLDS) {
      const first = callers.find(caller => caller.world === world)
      const lines = await world.toTry(await handleOf(first?.secret ?? ''), { url: 'http://here' })
      expect(lines.length, world.name).toBeGreaterThan(0)
    }
  })

  it('is loaded once, and gives new keys for the old ones each time', async () => {
    const nora = await handleOf(callers[0]?.secret ?? '')
    expect((await nora.list({ limit: 200 })).records).toHaveLength(11)
    const mara = await handleOf(callers.find(({ key }) => key.name === 'mara')?.secret ?? '')
    const { sessions } = await mara.sessions.list()
    expect(sessions).toMatchObject([{ state: 'ACTIVE', participants: ['jonah', 'mara'] }])
    const session = sessions[0]?.id ?? ''
    expect((await mara.vessel.list({ session })).items).toHaveLength(3)
    expect((await mara.bridge.history(session)).records).toHaveLength(1)
    await expect(handleOf(first[0]?.secret ?? '')).rejects.toMatchObject({ code: 'unauthenticated' })
  })
  it('is loaded where people went on with it, and where a host deleted of it', async () => {
    const mara = await handleOf(callers.find(({ key }) => key.name === 'mara')?.secret ?? '')
    const session = (await mara.sessions.list()).sessions[0]?.id ?? ''
    await mara.sessions.leave({ session, erase: true })
    await loadExample(privity)
    await privity.as({ tenant: 'couple', actor: 'warden', audience: 'host' }).sessions.delete(session)
    const again = await loadExample(privity)
    const caller = again.find(({ key }) => key.name === 'mara-mediator')
    expect(await caller?.world.ask(await handleOf(caller.secret), caller, 3)).toEqual({ lines: [], more: 0 })
  })
})
