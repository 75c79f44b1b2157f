import type { Command, Options } from './command.js'
import { optionsOf } from './parse.js'

export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** A shell script that completes commands, their options and option values. */
export function completionScript(shell: Shell, commands: readonly Command[]): string {
  switch (shell) {
    case 'bash':
      return bash(commands)
    case 'zsh':
      return zsh(commands)
    case 'fish':
      return fish(commands)
  }
}

/** The words that may follow the words typed so far. */
function wordsAfter(commands: readonly Command[]): Map<string, string[]> {
  const after = new Map<string, Set<string>>([['', new Set()]])
  for (const { name } of commands) {
    const [first = '', second] = name.split(' ')
    after.get('')?.add(first)
    if (second !== undefined) after.set(first, (after.get(first) ?? new Set()).add(second))
  }
  return new Map([...after].map(([typed, words]) => [typed, [...words]]))
}

const flagsOf = (command: Command) => Object.keys(optionsOf(command)).map(name => `--${name}`)
const takesValue = (options: Options) =>
  Object.entries(options).flatMap(([name, { type }]) => (type === 'flag' ? [] : [`--${name}`]))
const choicesOf = (options: Options) =>
  Object.entries(options).flatMap(([name, { values }]) =>
    values === undefined ? [] : [[`--${name}`, values] as const],
  )

const allOptions = (commands: readonly Command[]): Options => Object.assign({}, ...commands.map(optionsOf))

/** The parts common to bash and zsh: which command is typed, and what may come next. */
function shellCases(commands: readonly Command[]) {
  const options = allOptions(commands)
  const groups = [...wordsAfter(commands)].filter(([typed]) => typed !== '')
  return {
    valued: takesValue(options).join('|'),
    choices: choicesOf(options).map(([name, values]) => `    ${name}) words="${values.join(' ')}" ;;`),
    firsts: (wordsAfter(commands).get('') ?? []).join(' '),
    groups: groups.map(([group]) => group).join('|'),
    seconds: groups.map(([group, words]) => `    '${group}') words="${words.join(' ')}" ;;`),
    commands: commands.map(command => {
      const values = command.arguments.flatMap(({ values = [] }) => values)
      return `    '${command.name}') words="${[...values, ...flagsOf(command)].join(' ')}"; files=${command.completesFiles ? 1 : 0} ;;`
    }),
  }
}

function finder(commands: readonly Command[], list: string, last: string): string[] {
  const { valued, choices, firsts, groups, seconds, commands: cases } = shellCases(commands)
  return [
    '  local word typed="" words="" files=0 skip=0',
    `  for word in ${list}; do`,
    '    if [ "$skip" = 1 ]; then skip=0; continue; fi',
    '    case "$word" in',
    `      ${valued}) skip=1 ;;`,
    '      -*) ;;',
    '      *)',
    '        case "$typed" in',
    '          "") typed="$word" ;;',
    `          ${groups}) typed="$typed $word" ;;`,
    '        esac ;;',
    '    esac',
    '  done',
    `  case "${last}" in`,
    ...choices,
    `    ${valued}) files=1 ;;`,
    '  esac',
    '  if [ -z "$words" ] && [ "$files" = 0 ]; then',
    '    case "$typed" in',
    `    '') words="${firsts} --help --json" ;;`,
    ...seconds,
    ...cases,
    '    esac',
    '  fi',
  ]
}

function bash(commands: readonly Command[]): string {
  return [
    '# completes privity in bash; source it, or append it to ~/.bashrc',
    '_privity() {',
    `  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"`,
    ...finder(commands, `"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, '$previous'),
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    '  if [ "$files" = 1 ]; then COMPREPLY+=($(compgen -f -- "$current")); fi',
    '}',
    'complete -o filenames -F _privity privity',
  ].join('\n')
}

function zsh(commands: readonly Command[]): string {
  return [
    '#compdef privity',
    '# completes privity in zsh; put it into a folder of fpath as _privity',
    '_privity() {',
    `  local -a before; before=("\${(@)words[2,CURRENT-1]}")`,
    `  local previous="\${words[CURRENT-1]}"`,
    '  () {',
    ...finder(commands, '"$@"', '$previous').map(line => `  ${line}`),
    `    compadd -- \${=words}`,
    '    if [ "$files" = 1 ]; then _files; fi',
    `  } "\${before[@]}"`,
    '}',
    'if [ "$funcstack[1]" = "_privity" ]; then _privity "$@"; else compdef _privity privity; fi',
  ].join('\n')
}

function fish(commands: readonly Command[]): string {
  const quoted = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const firsts = wordsAfter(commands).get('') ?? []
  const lines = [
    '# completes privity in fish; put it into ~/.config/fish/completions/privity.fish',
    'complete -c privity -f',
  ]
  const none = `not __fish_seen_subcommand_from ${firsts.join(' ')}`
  for (const first of firsts) {
    const own = commands.find(({ name }) => name === first)
    const group = commands.filter(({ name }) => name.startsWith(`${first} `))
    const about = own?.summary ?? group.map(({ name }) => name.split(' ')[1]).join(', ')
    lines.push(`complete -c privity -n ${quoted(none)} -a ${first} -d ${quoted(about)}`)
    const seconds = group.map(({ name }) => name.split(' ')[1] ?? '')
    for (const [at, command] of group.entries())
      lines.push(
        `complete -c privity -n ${quoted(`__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${seconds.join(' ')}`)} -a ${seconds[at]} -d ${quoted(command.summary)}`,
      )
  }
  for (const command of commands) {
    const seen = command.name
      .split(' ')
      .map(word => `__fish_seen_subcommand_from ${word}`)
      .join('; and ')
    const when = `complete -c privity -n ${quoted(seen)}`
    const values = command.arguments.flatMap(({ values = [] }) => values)
    if (values.length > 0) lines.push(`${when} -a ${quoted(values.join(' '))}`)
    if (command.completesFiles) lines.push(`${when} -F`)
    for (const [name, { type, describe, values: choices }] of Object.entries(optionsOf(command)))
      lines.push(
        `${when} -l ${name}${type === 'flag' ? '' : choices === undefined ? ' -r' : ` -x -a ${quoted(choices.join(' '))}`} -d ${quoted(describe)}`,
      )
  }
  return lines.join('\n')
}
