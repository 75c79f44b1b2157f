import type { Writable } from 'node:stream'
import { ERRORS, PrivityError } from '../errors.js'
import { VERSION } from '../version.js'
import { type CommandAccess, openAccess, type Place, placeOf } from './access.js'
import type { Command } from './command.js'
import { CommandStopped } from './command-stopped.js'
import { COMMAND_GROUPS, COMMANDS } from './commands/all.js'
import { commandHelp, generalHelp, groupHelp } from './help.js'
import { omitUndefined } from './omit-undefined.js'
import { Terminal } from './output/terminal.js'
import { toLines, toOneLine } from './output/text.js'
import {
  commandWords,
  expandShortOptions,
  findCommand,
  isWritten,
  parseInvocation,
  unknownCommand,
} from './parse.js'
import { askTheServer } from './server-address.js'
import { UsageError } from './usage-error.js'

export interface CliEnvironment {
  readonly stdout: Writable
  readonly stderr: Writable
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Runs one command line and returns the exit code. */
export async function run(
  typed: readonly string[],
  { stdout, stderr, env }: CliEnvironment,
): Promise<number> {
  const argv = expandShortOptions(typed)
  const terminal = new Terminal({ stdout, stderr, env, json: isWritten(argv, 'json') })
  let command: Command | undefined
  try {
    const words = commandWords(argv, COMMANDS)
    command = findCommand(words, COMMANDS)
    if (command === undefined) return withoutCommand(terminal, argv, words)
    if (isWritten(argv, 'help')) {
      terminal.line(commandHelp(command, terminal))
      return 0
    }
    await runCommand(command, argv, terminal, env)
    return 0
  } catch (error) {
    return report(error, terminal, env, command, placeOrNull(command, argv, env))
  }
}

function withoutCommand(terminal: Terminal, argv: readonly string[], words: readonly string[]): number {
  const [first] = words
  const asked = isWritten(argv, 'help')
  if (first === undefined && isWritten(argv, 'version')) {
    terminal.line(VERSION)
    return 0
  }
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `))
  if (asked && group.length > 0 && first !== undefined) {
    terminal.line(groupHelp(first, group, terminal))
    return 0
  }
  if (first !== undefined) throw unknownCommand(words, COMMANDS)
  const unknown = argv.find(word => word.startsWith('-') && !/^--(help|json)$/.test(word))
  if (unknown !== undefined)
    throw new UsageError(`there is no option ${toOneLine(unknown)} without a command`)
  terminal.line(generalHelp(COMMAND_GROUPS, terminal))
  return asked ? 0 : ERRORS.invalid_input.exit
}

async function runCommand(
  command: Command,
  argv: readonly string[],
  terminal: Terminal,
  env: CliEnvironment['env'],
): Promise<void> {
  const { args, options } = parseInvocation(command, argv, env)
  const written = (name: string) => isWritten(argv, name)
  const place = () => placeOf(options, written, command)
  let access: Promise<CommandAccess> | undefined
  const open = () => {
    access ??= openAccess(place(), options, command, written, env)
    return access
  }
  try {
    await command.run({ args, options, terminal, env, open, place })
  } finally {
    const opened = await access?.catch(() => undefined)
    await opened?.close()
  }
}

/** The place that a command line names; null if it names none. */
function placeOrNull(
  command: Command | undefined,
  argv: readonly string[],
  env: CliEnvironment['env'],
): Place | null {
  try {
    if (command === undefined) return null
    return placeOf(parseInvocation(command, argv, env).options, name => isWritten(argv, name), command)
  } catch {
    return null
  }
}

/** Prints what went wrong, without repeating the input, and returns the exit code of the error. */
async function report(
  error: unknown,
  terminal: Terminal,
  env: CliEnvironment['env'],
  command: Command | undefined,
  place: Place | null,
): Promise<number> {
  if (error instanceof CommandStopped) return error.exitCode
  const known =
    error instanceof PrivityError
      ? error
      : new PrivityError('internal', 'something went wrong inside Privity; set PRIVITY_DEBUG=1 to see where')
  const { code, message, requestId, reason, details } = known
  if (terminal.json) {
    const error = { code, message, ...omitUndefined({ reason, details }), requestId: requestId ?? null }
    terminal.noteJson({ success: false, error })
    return ERRORS[code].exit
  }
  terminal.note(`${terminal.style('red', 'error', 'stderr')}: ${toOneLine(message)}`)
  if (reason !== undefined) terminal.note(`  reason: ${toOneLine(reason)}`)
  if (requestId !== undefined) terminal.note(`  request: ${toOneLine(requestId)}`)
  const hint = known.code === 'store_locked' ? await askTheServer(place) : command?.hint?.(known)
  if (hint !== undefined) terminal.note(`  ${hint}`)
  if (known instanceof UsageError)
    terminal.note(`  see privity help${known.command === undefined ? '' : ` ${known.command}`}`)
  if (env.PRIVITY_DEBUG && error instanceof Error) terminal.note(toLines(error.stack ?? ''))
  return ERRORS[code].exit
}
