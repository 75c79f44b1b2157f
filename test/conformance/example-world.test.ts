import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LoadedCaller, loadExample } from '../../src/example-world/load.js'
import { open, type Privity } from '../../src/open.js'

describe('the example world', () => {
  let privity: Privity
  let first: LoadedCaller[]
  let callers: LoadedCaller[]
  beforeAll(async () => {
    privity = await open()
    first = await loadExample(privity)
    callers = await loadExample(privity)
  })
  afterAll(() => privity.close())

  const handleOf = async (secret: string) => privity.as((await privity.authenticate(secret)).credential)
  async function answers(tenant: string): Promise<Record<string, string[]>> {
    const found: Record<string, string[]> = {}
    for (const { key, world, secret } of callers.filter(({ world }) => world.tenant === tenant)) {
      const { results } = await (await handleOf(secret)).search(world.question, { limit: 20 })
      found[key.name] = results.map(({ record }) => record.payload?.title ?? `(${record.face})`)
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
    expect(kitchen).toContain('(metadata)')
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

  it('is loaded once, and gives new keys for the old ones each time', async () => {
    const nora = await handleOf(callers[0]?.secret ?? '')
    expect((await nora.list({ limit: 200 })).records).toHaveLength(11)
    await expect(handleOf(first[0]?.secret ?? '')).rejects.toMatchObject({ code: 'unauthenticated' })
  })
})
