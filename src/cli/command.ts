import type { PrivityError } from '../errors.js'
import type { Audience } from '../policy/vocabulary.js'
import type { CommandAccess, Place } from './access.js'
import type { Terminal } from './output/terminal.js'

/** A command-line option `--name`, with or without a value. */
export interface Option {
  readonly type: 'flag' | 'text' | 'texts' | 'number' | 'moment'
  readonly describe: string
  /** The placeholder of its value in help. */
  readonly value?: string
  /** The allowed values. */
  readonly values?: readonly string[]
  /** For a number: the minimum and maximum. */
  readonly least?: number
  readonly most?: number
  /** The environment variable that is used if the option is not given. */
  readonly env?: string
}
export type Options = Readonly<Record<string, Option>>

export interface Argument {
  readonly name: string
  readonly optional?: boolean
  /** Takes all remaining arguments. */
  readonly many?: boolean
  readonly values?: readonly string[]
}

/** An example in help: what to type after `privity`, and what it does. */
export interface Example {
  readonly line: string
  readonly does: string
}

/** A command as data, from which help, completion and parsing are derived. */
export interface Command {
  /** One word, or two if the first is a group of commands. */
  readonly name: string
  readonly summary: string
  readonly arguments: readonly Argument[]
  readonly options: Options
  readonly examples: readonly Example[]
  /** What it works on: a store or server, only a store, or nothing. */
  readonly needs: 'access' | 'store' | 'nothing'
  /** Whether it creates a store if there is none. */
  readonly makesStore?: boolean
  /** The audience it acts as by default; `owner` if absent. */
  readonly audience?: Audience
  /** Whether its arguments are completed with file names. */
  readonly completesFiles?: boolean
  /** What to do instead on a server, for a command that works only on a store. */
  readonly onServer?: string
  /** Advice about an error, beyond what the operation says. */
  hint?(error: PrivityError): string | undefined
  run(context: Context): Promise<void>
}

/** The input of a running command. */
export interface Context {
  readonly args: readonly string[]
  readonly options: Values
  readonly terminal: Terminal
  readonly env: Readonly<Record<string, string | undefined>>
  /** Opens the store or server once; it is closed when the command ends. */
  open(): Promise<CommandAccess>
  /** The place of the store or server, for commands that open it themselves. */
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

  /** Returns undefined instead of an empty list, as operations expect. */
  texts(name: string): string[] | undefined {
    const value = this.#values.get(name)
    return Array.isArray(value) && value.length > 0 ? [...value] : undefined
  }

  number(name: string): number | undefined {
    const value = this.#values.get(name)
    return typeof value === 'number' ? value : undefined
  }
}

/** Commands that help lists together. */
export interface CommandGroup {
  readonly title: string
  readonly commands: readonly Command[]
}
