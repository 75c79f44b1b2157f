import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import { type ExampleCaller, type ExampleWorld, WORLDS } from './world.js'

/** A caller of the example with its key, which is made anew each time it is loaded. */
export interface LoadedCaller extends ExampleCaller {
  readonly world: ExampleWorld
  readonly secret: string
}

/** Puts the example worlds into a store, once, and gives each of their callers a key for now. */
export async function loadExample(privity: Privity): Promise<LoadedCaller[]> {
  const loaded: LoadedCaller[] = []
  for (const world of WORLDS) {
    await fill(privity, world)
    const host = privity.as({ tenant: world.tenant, actor: 'example', audience: 'host' })
    await revokeOld(host)
    for (const caller of world.callers) {
      const { secret } = await host.keys.create({ ...caller.key, name: `example: ${caller.key.name}` })
      loaded.push({ ...caller, world, secret: secret ?? '' })
    }
  }
  await privity.caughtUp()
  return loaded
}

/** Each step is done once, however often this runs and wherever it was cut off. */
async function fill(privity: Privity, world: ExampleWorld): Promise<void> {
  const owner = privity.as({ tenant: world.tenant, actor: world.owner })
  const once = (step: string) => ({ idempotencyKey: `example world: ${step}` })
  const owners = new Map<string, string>()
  for (const { name, members } of world.groups) {
    const group = await owner.groups.create({ name }, once(`group ${name}`))
    for (const member of members)
      await owner.groups.addMember({ group: group.id, member }, once(`${name}: ${member}`))
    owners.set(name, group.principal)
  }
  for (const { person, status } of world.consents) {
    // Asked of Nora's own and of what the group owns: a person belongs to one owner (PC-6).
    for (const principal of [world.owner, ...owners.values()]) {
      await owner.people.add({ person, owner: principal }, once(`${principal} knows ${person}`))
      await owner.people.consent(
        { person, status, owner: principal },
        once(`${principal}: ${person} ${status}`),
      )
    }
  }
  const records = world.records.map(({ group, ...record }) => {
    const principal = group === undefined ? undefined : owners.get(group)
    return principal === undefined ? record : { ...record, owner: principal }
  })
  await owner.remember(records, once('records'))
}

async function revokeOld(host: Handle): Promise<void> {
  const { keys } = await host.keys.list({ limit: 200 })
  for (const { id, name, revokedAt } of keys)
    if (name.startsWith('example: ') && revokedAt === null) await host.keys.revoke(id)
}
