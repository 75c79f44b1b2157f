import type { PrivityError } from '../errors.js'
import type { Audience } from '../policy/vocabulary.js'
import type { CommandAccess, Place } from './access.js'
import type { Terminal } from './output/terminal.js'

/** Something written as `--name`, with or without a value. */
export interface Option {
  readonly type: 'flag' | 'text' | 'texts' | 'number' | 'moment'
  readonly describe: string
  /** What its value is called in help. */
  readonly value?: string
  /** The only values it takes. */
  readonly values?: readonly string[]
  /** Of a number: the least and the most it may be. */
  readonly least?: number
  readonly most?: number
  /** The variable that gives it where it is not written. */
  readonly env?: string
}
export type Options = Readonly<Record<string, Option>>

export interface Argument {
  readonly name: string
  readonly optional?: boolean
  /** Takes all that follow. */
  readonly many?: boolean
  readonly values?: readonly string[]
}

/** An example of help: what is typed after `privity`, and what for. */
export interface Example {
  readonly line: string
  readonly does: string
}

/** A command as data: help, completion and parsing are made from it. */
export interface Command {
  /** One word, or two where the first names a group of commands. */
  readonly name: string
  readonly summary: string
  readonly arguments: readonly Argument[]
  readonly options: Options
  readonly examples: readonly Example[]
  /** What it works on: a store or server, a store alone, or nothing. */
  readonly needs: 'access' | 'store' | 'nothing'
  /** Makes a store where there is none yet. */
  readonly makesStore?: boolean
  /** As whom it acts unless told otherwise; `owner` where this says nothing. */
  readonly audience?: Audience
  /** Whether `many` arguments and file names are completed with files. */
  readonly completesFiles?: boolean
  /** What to do instead on a server, for a command that works on a store alone. */
  readonly onServer?: string
  /** What to do about an error; the error itself says no more than the operation did. */
  hint?(error: PrivityError): string | undefined
  run(context: Context): Promise<void>
}

/** What a command is given. */
export interface Context {
  readonly args: readonly string[]
  readonly options: Values
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Opens the store or server once; it is closed when the command has ended. */
  open(): Promise<CommandAccess>
  /** Where that is, for commands that open it in their own way. */
  place(): Place
}

/** The options that were given, by name. */
export class Values {
  readonly #values: ReadonlyMap<string, string | readonly string[] | number | boolean>

  constructor(values: ReadonlyMap<string, string | readonly string[] | number | boolean>) {
    this.#values = values
  }

  flag(name: string): boolean {
    return this.#values.get(name) === true
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name)
    return typeof value === 'string' ? value : undefined
  }

  /** Undefined rather than none, as operations take it. */
  texts(name: string): string[] | undefined {
    const value = this.#values.get(name)
    return Array.isArray(value) && value.length > 0 ? [...value] : undefined
  }

  number(name: string): number | undefined {
    const value = this.#values.get(name)
    return typeof value === 'number' ? value : undefined
  }
}
