import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import { type ExampleCaller, type ExampleWorld, WORLDS } from './world.js'

/** A caller of the example with its key, which is created anew on each load. */
export interface LoadedCaller extends ExampleCaller {
  readonly world: ExampleWorld
  readonly secret: string
}

/** Puts the example worlds into a store, once, and creates a key for each of their callers. */
export async function loadExample(privity: Privity): Promise<LoadedCaller[]> {
  const loaded: LoadedCaller[] = []
  for (const world of WORLDS) {
    await world.fill(privity)
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

async function revokeOld(host: Handle): Promise<void> {
  const { keys } = await host.keys.list({ limit: 200 })
  for (const { id, name, revokedAt } of keys)
    if (name.startsWith('example: ') && revokedAt === null) await host.keys.revoke(id)
}
