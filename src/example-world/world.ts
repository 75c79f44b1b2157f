import type { InputOf } from '../operations.js'
import { FAMILY } from './family.js'
import { TEAM } from './team.js'

export type NewRecord = InputOf<'memory.remember'>['records'][number]
export type NewKey = InputOf<'keys.create'>

/** Someone who asks, with the key they hold. */
export interface ExampleCaller {
  /** How to speak of them. */
  readonly who: string
  readonly key: NewKey & { readonly name: string }
}

/** A small world of its own, in a tenant of its own. */
export interface ExampleWorld {
  readonly tenant: string
  readonly about: string
  readonly owner: string
  /** Groups of the owner, and who belongs to them. */
  readonly groups: readonly { readonly name: string; readonly members: readonly string[] }[]
  /** What the people in its memories said to being in them; whoever is not named has not been asked. */
  readonly consents: readonly { readonly person: string; readonly status: 'granted' | 'revoked' }[]
  /** In a group's name where one is given. */
  readonly records: readonly (NewRecord & { readonly group?: string })[]
  readonly callers: readonly ExampleCaller[]
  /** The same question, put to each caller. */
  readonly question: string
}

/** What `npm start` has in it to try at once. */
export const WORLDS: readonly ExampleWorld[] = [FAMILY, TEAM]
