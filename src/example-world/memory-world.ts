import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import type { InputOf } from '../operations.js'
import { doOnce } from './do-once.js'
import type { ExampleAnswer, ExampleCaller, ExampleWorld } from './world.js'

export type ExampleRecord = InputOf<'memory.remember'>['records'][number]

/** Somebody's memories, and a question about them. */
export interface MemoryWorld {
  readonly name: string
  readonly about: string
  readonly owner: string
  /** Groups of the owner and their members. */
  readonly groups: readonly { readonly name: string; readonly members: readonly string[] }[]
  /** Whether people consented to being in the memories. Whoever is not listed has not been asked. */
  readonly consents: readonly { readonly person: string; readonly status: 'granted' | 'revoked' }[]
  /** Records of the owner, or of a group if one is named. */
  readonly records: readonly (ExampleRecord & { readonly group?: string })[]
  readonly callers: readonly ExampleCaller[]
  /** The question that every caller asks. */
  readonly question: string
}

/** A world in which everybody searches the same memories. */
export const makeMemoryWorld = (world: MemoryWorld): ExampleWorld => ({
  name: world.name,
  about: world.about,
  callers: world.callers,
  asked: `Everybody is asked the same: “${world.question}”`,
  fill: (privity, tenant) => fill(privity, tenant, world),
  ask: (handle, _caller, most) => search(handle, world.question, most),
  toTry: async () => [{ as: 'any of them', line: `npx privity search "${world.question}"` }],
})

async function fill(privity: Privity, tenant: string, world: MemoryWorld): Promise<void> {
  const owner = privity.as({ tenant, actor: world.owner })
  const owners = new Map<string, string>()
  for (const { name, members } of world.groups) {
    const group = await owner.groups.create({ name }, doOnce(`group ${name}`))
    for (const member of members)
      await owner.groups.addMember({ group: group.id, member }, doOnce(`${name}: ${member}`))
    owners.set(name, group.principal)
  }
  for (const { person, status } of world.consents) {
    // Consent is recorded for the owner and for each group, because a person entry belongs to one owner (PC-6).
    for (const principal of [world.owner, ...owners.values()]) {
      await owner.people.add({ person, owner: principal }, doOnce(`${principal} knows ${person}`))
      await owner.people.consent(
        { person, status, owner: principal },
        doOnce(`${principal}: ${person} ${status}`),
      )
    }
  }
  const records = world.records.map(({ group, ...record }) => {
    const principal = group === undefined ? undefined : owners.get(group)
    return principal === undefined ? record : { ...record, owner: principal }
  })
  await owner.remember(records, doOnce('records'))
}

async function search(handle: Handle, question: string, most: number): Promise<ExampleAnswer> {
  const { results, count } = await handle.search(question, { limit: most })
  return {
    lines: results.map(({ record }) => record.payload?.title ?? lesser(record)),
    more: count - results.length,
  }
}

const lesser = ({ sensitivity, tags }: { sensitivity: string; tags: readonly string[] }) =>
  `something ${sensitivity}${tags.length === 0 ? '' : `, tagged ${tags.join(', ')}`} (that is all it may know of it)`
