import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import type { InputOf } from '../operations.js'
import { BRIEF_BANK } from './brief-bank.js'
import { COUPLE } from './couple.js'
import { FAMILY } from './family.js'
import { TEAM } from './team.js'

export type NewKey = InputOf<'keys.create'>

/** Someone who asks, with the key they hold. */
export interface ExampleCaller {
  /** How to speak of them. */
  readonly who: string
  readonly key: NewKey & { readonly name: string }
}

/** What a caller is told, a line each, and how much more there is. */
export interface ExampleAnswer {
  readonly lines: readonly string[]
  readonly more: number
}

/** Something to type, with PRIVITY_URL and PRIVITY_KEY set, and whose key it takes; or what it shows to whoever has none. */
export interface ExampleCommand {
  readonly as: string | null
  readonly shows?: string
  readonly line: string
}

/** A small world of its own, in a tenant of its own. */
export interface ExampleWorld {
  readonly tenant: string
  readonly about: string
  readonly callers: readonly ExampleCaller[]
  /** What everybody below is asked. */
  readonly asked: string
  /** Puts it into a store. Each step is done once, however often this runs and wherever it was cut off. */
  fill(privity: Privity): Promise<void>
  /** What one of its callers is told when it is asked that. */
  ask(handle: Handle, caller: ExampleCaller, most: number): Promise<ExampleAnswer>
  /** How to go on; asked as the first of its callers, of a server at an address. */
  toTry(first: Handle, server: { readonly url: string }): Promise<readonly ExampleCommand[]>
}

/** What `npm start` has in it to try at once. */
export const WORLDS: readonly ExampleWorld[] = [FAMILY, TEAM, COUPLE, BRIEF_BANK]
