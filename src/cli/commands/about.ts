import { VERSION } from '../../version.js'
import type { Command, CommandGroup } from '../command.js'
import { completionScript, SHELLS, type Shell } from '../completion.js'
import { commandHelp, generalHelp, groupHelp } from '../help.js'
import type { Terminal } from '../output/terminal.js'
import { padEnd } from '../output/text.js'
import { findCommand, unknownCommand } from '../parse.js'

async function listOperations(terminal: Terminal): Promise<void> {
  const { OPERATIONS } = await import('../../operations.js')
  const width = Math.max(...OPERATIONS.map(({ name }) => name.length))
  for (const { name, summary } of OPERATIONS) terminal.line(`${padEnd(name, width)}  ${summary}`)
  terminal.line('\nprivity call <operation> runs one. /docs/reference of a server explains their fields.')
}

/** Commands about the commands themselves. */
export function aboutCommands(groups: () => readonly CommandGroup[]): Command[] {
  const all = () => groups().flatMap(({ commands }) => commands)
  const completion: Command = {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    arguments: [{ name: 'shell', values: SHELLS }],
    options: {},
    examples: [
      { line: 'completion bash >> ~/.bashrc', does: 'for bash' },
      { line: 'completion zsh > ~/.zfunc/_privity', does: 'for zsh, where ~/.zfunc is in fpath' },
      { line: 'completion fish > ~/.config/fish/completions/privity.fish', does: 'for fish' },
    ],
    needs: 'nothing',
    async run({ args, terminal }) {
      terminal.line(completionScript(args[0] as Shell, all()))
    },
  }
  const help: Command = {
    name: 'help',
    summary: 'Explain a command, or list them all',
    arguments: [{ name: 'command', optional: true, many: true }],
    options: {},
    examples: [
      { line: 'help people consent', does: 'how a command is used' },
      { line: 'help operations', does: 'what can be called by name' },
    ],
    needs: 'nothing',
    async run({ args, terminal }) {
      const [first] = args
      const command = findCommand(args, all())
      const group = all().filter(({ name }) => name.startsWith(`${first} `))
      if (first === 'operations') await listOperations(terminal)
      else if (first === undefined) terminal.line(generalHelp(groups(), terminal))
      else if (command !== undefined) terminal.line(commandHelp(command, terminal))
      else if (group.length > 0 && args.length === 1) terminal.line(groupHelp(first, group, terminal))
      else throw unknownCommand(args, all())
    },
  }
  const version: Command = {
    name: 'version',
    summary: 'Print the version',
    arguments: [],
    options: {},
    examples: [{ line: 'version', does: 'the version of the package' }],
    needs: 'nothing',
    async run({ terminal }) {
      if (terminal.json) terminal.document({ version: VERSION, node: process.version })
      else terminal.line(VERSION)
    },
  }
  return [completion, help, version]
}
