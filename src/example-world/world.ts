import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import type { InputOf } from '../operations.js'
import { BRIEF_BANK } from './brief-bank.js'
import { COUPLE } from './couple.js'
import { FAMILY } from './family.js'
import { TEAM } from './team.js'

export type NewKey = InputOf<'keys.create'>

/** A caller of the example and the key that they hold. */
export interface ExampleCaller {
  /** A description of the caller. */
  readonly who: string
  readonly key: NewKey & { readonly name: string }
}

/** The answer to a caller, line by line, and how many more results there are. */
export interface ExampleAnswer {
  readonly lines: readonly string[]
  readonly more: number
}

/** A command to try with PRIVITY_URL and PRIVITY_KEY set, and whose key it needs; without a key, what it shows. */
export interface ExampleCommand {
  readonly as: string | null
  readonly shows?: string
  readonly line: string
}

/** A small example world. */
export interface ExampleWorld {
  readonly name: string
  readonly about: string
  readonly callers: readonly ExampleCaller[]
  /** The question that every caller asks. */
  readonly asked: string
  /**
   * Puts the world into a tenant of a store. Each step is carried out once, however often this runs or where it was interrupted.
   */
  fill(privity: Privity, tenant: string): Promise<void>
  /** The answer that one of the callers gets to the question. */
  ask(handle: Handle, caller: ExampleCaller, most: number): Promise<ExampleAnswer>
  /** Commands to try next, for a server at this URL. It runs as the first of the callers. */
  toTry(first: Handle, server: { readonly url: string }): Promise<readonly ExampleCommand[]>
}

/** The worlds that the console offers and `privity start --example` loads. */
export const WORLDS: readonly ExampleWorld[] = [FAMILY, TEAM, COUPLE, BRIEF_BANK]
