import { parseArgs } from 'node:util'
import { type Command, type Option, type Options, Values } from './command.js'
import { ACCESS_OPTIONS, OUTPUT_OPTIONS } from './common-options.js'
import { didYouMean, findNearest, UsageError } from './usage-error.js'

export interface Invocation {
  readonly command: Command
  readonly args: readonly string[]
  readonly options: Values
}

/** Rewrites `-h`, a lone `-v`, and a negative number after its option to forms that `parseArgs` understands. */
export function expandShortOptions(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  const options = end < 0 ? argv : argv.slice(0, end)
  const spelled: string[] = []
  for (const word of options) {
    const before = spelled.at(-1)
    if (/^-\d/.test(word) && before !== undefined && /^--[a-z-]+$/.test(before))
      spelled.splice(-1, 1, `${before}=${word}`)
    else spelled.push(word === '-h' ? '--help' : word)
  }
  if (spelled.length === 1 && spelled[0] === '-v') spelled[0] = '--version'
  return end < 0 ? spelled : [...spelled, ...argv.slice(end)]
}

/** All options of a command, including the common ones. */
export const optionsOf = ({ options, needs }: Command): Options => ({
  ...options,
  ...(needs === 'nothing' ? {} : ACCESS_OPTIONS),
  ...OUTPUT_OPTIONS,
})

/** The words that are not options, wherever they occur among options of any command. */
export function commandWords(argv: readonly string[], commands: readonly Command[]): string[] {
  const all = Object.assign({}, ACCESS_OPTIONS, OUTPUT_OPTIONS, ...commands.map(({ options }) => options))
  const { positionals } = parseArgs({
    args: [...argv],
    options: specOf(all),
    allowPositionals: true,
    strict: false,
  })
  return positionals
}

/** The command at the beginning of the words; a command of two words is tried first. */
export function findCommand(words: readonly string[], commands: readonly Command[]): Command | undefined {
  const named = (name: string) => commands.find(command => command.name === name)
  return named(words.slice(0, 2).join(' ')) ?? named(words[0] ?? '')
}

/** An error for an unknown command that suggests existing ones. */
export function unknownCommand(words: readonly string[], commands: readonly Command[]): UsageError {
  const [first = '', second] = words
  const inGroup = commands
    .filter(({ name }) => name.startsWith(`${first} `))
    .map(({ name }) => name.split(' ')[1] ?? '')
  if (inGroup.length > 0 && second === undefined)
    return new UsageError(`${first} needs one of ${inGroup.join(', ')}`, first)
  if (inGroup.length > 0) {
    const meant = findNearest(second ?? '', inGroup)
    return new UsageError(
      `there is no command ${first} ${second}${didYouMean(meant && `${first} ${meant}`)}`,
      first,
    )
  }
  const groups = new Set(commands.flatMap(({ name }) => name.split(' ')[0] ?? []))
  return new UsageError(`there is no command ${first}${didYouMean(findNearest(first, groups))}`)
}

/** Parses the arguments of a command; the environment supplies options that are not given. */
export function parseInvocation(
  command: Command,
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Invocation {
  const declared = optionsOf(command)
  const { values, positionals } = readArguments(command, argv, declared)
  const read = new Map<string, string | readonly string[] | number | boolean>()
  for (const [name, option] of Object.entries(declared)) {
    const written = values[name]
    const given = written ?? (option.env === undefined ? undefined : env[option.env] || undefined)
    const said = written === undefined ? (option.env ?? '') : `--${name}`
    if (given !== undefined) read.set(name, readValue(said, option, given, command))
  }
  const args = positionals.slice(command.name.split(' ').length)
  checkArguments(command, args)
  return { command, args, options: new Values(read) }
}

/** Whether an option is on the command line, rather than in the environment. */
export function isWritten(argv: readonly string[], name: string): boolean {
  const end = argv.indexOf('--')
  const options = end < 0 ? argv : argv.slice(0, end)
  return options.some(word => word === `--${name}` || word.startsWith(`--${name}=`))
}

type OptionValue = string | boolean | (string | boolean)[]

function readArguments(
  command: Command,
  argv: readonly string[],
  declared: Options,
): { values: Record<string, OptionValue | undefined>; positionals: string[] } {
  try {
    return parseArgs({ args: [...argv], options: specOf(declared), allowPositionals: true, strict: true })
  } catch (error) {
    throw new UsageError(problemOf(error, declared), command.name)
  }
}

function specOf(options: Options) {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type }]) => [
      name,
      { type: type === 'flag' ? 'boolean' : 'string', multiple: type === 'texts' } as const,
    ]),
  )
}

function problemOf(error: unknown, declared: Options): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const named = /'(-[^' ]*)/.exec(error instanceof Error ? error.message : '')?.[1] ?? ''
  const name = named.replace(/^-+/, '').replace(/=.*$/s, '')
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') {
    const meant = findNearest(name, Object.keys(declared))
    return `there is no option ${named.startsWith('--') ? '--' : '-'}${name}${didYouMean(meant && `--${meant}`)}`
  }
  if (declared[name]?.type === 'flag') return `--${name} takes no value`
  return name === '' ? 'the arguments cannot be read' : `--${name} needs a value`
}

/** `said` names where the value was given: the option or the environment variable. */
function readValue(said: string, option: Option, given: OptionValue, command: Command) {
  const problem = (text: string) => new UsageError(`${said} ${text}`, command.name)
  const checked = (value: string): string => {
    if (option.values === undefined || option.values.includes(value)) return value
    const meant = findNearest(value, option.values)
    throw problem(`must be one of ${option.values.join(', ')}${didYouMean(meant)}`)
  }
  switch (option.type) {
    case 'flag':
      return given === true
    case 'texts':
      return (Array.isArray(given) ? given : [given]).map(value => checked(String(value)))
    case 'text':
      return checked(String(given))
    case 'number': {
      const number = Number(given)
      if (String(given).trim() === '' || !Number.isFinite(number)) throw problem('must be a number')
      const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY } = option
      if (number < least || number > most)
        throw problem(Number.isFinite(most) ? `must be ${least} to ${most}` : `must be at least ${least}`)
      return number
    }
    case 'moment': {
      const at = new Date(String(given))
      if (Number.isNaN(at.getTime()))
        throw problem('must be a date, such as 2026-01-31 or 2026-01-31T09:00:00Z')
      return at.toISOString()
    }
  }
}

function checkArguments(command: Command, args: readonly string[]): void {
  const { arguments: declared, name } = command
  const missing = declared.filter(({ optional }) => !optional)[args.length]
  if (missing !== undefined && args.length < declared.length)
    throw new UsageError(`${name} needs ${article(missing.name)} ${missing.name}`, name)
  const last = declared.at(-1)
  if (args.length > declared.length && last?.many !== true)
    throw new UsageError(
      `${name} takes ${declared.length === 0 ? 'no arguments' : `only ${declared.map(argument => argument.name).join(' and ')}`}`,
      name,
    )
  for (const [at, value] of args.entries()) {
    const { name: argument, values } = declared[at] ?? last ?? { name: '', values: undefined }
    if (values !== undefined && !values.includes(value))
      throw new UsageError(
        `${argument} must be one of ${values.join(', ')}${didYouMean(findNearest(value, values))}`,
        name,
      )
  }
}

const article = (noun: string) => (/^[aeiou]/.test(noun) ? 'an' : 'a')
