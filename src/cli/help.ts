import type { Argument, Command, CommandGroup, Option, Options } from './command.js'
import { ACCESS_OPTIONS, OUTPUT_OPTIONS } from './common-options.js'
import type { Terminal } from './output/terminal.js'
import { padEnd } from './output/text.js'

/** The usage line, for example `privity search <query…> [options]`. */
export function usageOf({ name, arguments: declared }: Command): string {
  return ['privity', name, ...declared.map(argumentText), '[options]'].join(' ')
}

function argumentText({ name, optional, many, values }: Argument): string {
  const text = `${values?.join('|') ?? name}${many ? '…' : ''}`
  return optional ? `[${text}]` : `<${text}>`
}

export function generalHelp(groups: readonly CommandGroup[], terminal: Terminal): string {
  const heading = (text: string) => terminal.style('bold', text)
  const width = widthOf(groups.flatMap(({ commands }) => commands.map(({ name }) => name)))
  return [
    'privity keeps memories, and decides what a caller may be told before it answers.',
    '',
    `${heading('usage')}: privity <command> [options]`,
    '',
    ...groups.flatMap(({ title, commands }) => [
      heading(title),
      ...pairs(
        commands.map(({ name, summary }) => [name, summary]),
        width,
      ),
      '',
    ]),
    heading('where, and who asks'),
    ...optionLines(ACCESS_OPTIONS),
    '',
    heading('answers'),
    ...optionLines(OUTPUT_OPTIONS),
    '',
    'privity help <command> has examples.',
  ].join('\n')
}

export function groupHelp(group: string, commands: readonly Command[], terminal: Terminal): string {
  return [
    `${terminal.style('bold', 'usage')}: privity ${group} <command> [options]`,
    '',
    ...pairs(
      commands.map(command => [usageOf(command).replace(/^privity | \[options\]$/g, ''), command.summary]),
    ),
  ].join('\n')
}

export function commandHelp(command: Command, terminal: Terminal): string {
  const heading = (text: string) => terminal.style('bold', text)
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ['', heading(title), ...lines]
  return [
    `${heading('usage')}: ${usageOf(command)}`,
    '',
    `${command.summary}.`,
    ...section('options', optionLines({ ...command.options, ...OUTPUT_OPTIONS })),
    ...section('where, and who asks', command.needs === 'nothing' ? [] : optionLines(ACCESS_OPTIONS)),
    ...section(
      'examples',
      command.examples.flatMap(({ line, does }) => [
        `  ${terminal.style('dim', `# ${does}`)}`,
        `  privity ${line}`,
      ]),
    ),
  ].join('\n')
}

const optionLines = (options: Options) =>
  pairs(Object.entries(options).map(([name, option]) => [optionText(name, option), described(option)]))

function optionText(name: string, { type, value, values }: Option): string {
  if (type === 'flag') return `--${name}`
  const shown = value ?? (type === 'number' ? 'N' : type === 'moment' ? 'WHEN' : 'VALUE')
  // The placeholder is the last word of the name: `--key-max-sensitivity SENSITIVITY`.
  const chosen = values !== undefined && shown === 'VALUE' ? name.split('-').at(-1)?.toUpperCase() : shown
  return `--${name} ${chosen}`
}

function described({ describe, values, env }: Option): string {
  const choices = values === undefined ? '' : `: ${values.join(', ')}`
  return `${describe}${choices}${env === undefined ? '' : ` [${env}]`}`
}

const widthOf = (names: readonly string[]) => Math.min(30, Math.max(...names.map(({ length }) => length)))

function pairs(
  rows: readonly (readonly [string, string])[],
  width = widthOf(rows.map(([name]) => name)),
): string[] {
  const indent = ' '.repeat(width + 4)
  return rows.map(([name, text]) => {
    const lines = wrapped(text, HELP_WIDTH - indent.length).join(`\n${indent}`)
    return name.length > width ? `  ${name}\n${indent}${lines}` : `  ${padEnd(name, width)}  ${lines}`
  })
}

const HELP_WIDTH = 110

/** Wraps text at word boundaries. */
function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
