import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import type { Credential } from '../runtime/caller.js'
import { type ExampleCaller, type ExampleWorld, WORLDS } from './world.js'

/** A caller of the example with its key, which is created anew on each load. */
export interface LoadedCaller extends ExampleCaller {
  readonly world: ExampleWorld
  readonly secret: string
}

/** Puts all example worlds into a store, each into a tenant of its own, once. */
export async function loadExample(privity: Privity): Promise<LoadedCaller[]> {
  const loaded: LoadedCaller[] = []
  for (const world of WORLDS)
    loaded.push(
      ...(await loadWorld(privity, world, { tenant: world.name, actor: 'example', audience: 'host' })),
    )
  await privity.caughtUp()
  return loaded
}

/** Puts one example world into the tenant of a host, once, and creates a key for each of its callers. */
export async function loadWorld(
  privity: Privity,
  world: ExampleWorld,
  credential: Credential,
): Promise<LoadedCaller[]> {
  // The keys come first: whoever may not make keys for others may not speak for them either, and is refused here.
  const host = privity.as(credential)
  await revokeOld(host, world)
  const loaded: LoadedCaller[] = []
  for (const caller of world.callers) {
    const { secret } = await host.keys.create({ ...caller.key, name: nameOf(caller) })
    loaded.push({ ...caller, world, secret: secret ?? '' })
  }
  await world.fill(privity, credential.tenant)
  return loaded
}

const nameOf = ({ key }: ExampleCaller) => `example: ${key.name}`

async function revokeOld(host: Handle, { callers }: ExampleWorld): Promise<void> {
  const names = new Set(callers.map(nameOf))
  const { keys } = await host.keys.list({ limit: 200 })
  for (const { id, name, revokedAt } of keys)
    if (names.has(name) && revokedAt === null) await host.keys.revoke(id)
}
