import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Command } from '../../src/cli/command.js'
import { COMMANDS } from '../../src/cli/commands/all.js'
import { completionScript } from '../../src/cli/completion.js'
import { findCommand, optionsOf, parseInvocation } from '../../src/cli/parse.js'
import { run } from '../../src/cli/run.js'
import { ERRORS } from '../../src/errors.js'
import { OPERATIONS } from '../../src/operations.js'
import { MAIN, privity } from './support/run-cli.js'

const shell = promisify(execFile)

/** A command line in this process, which is quicker than one of its own. */
async function inProcess(...argv: string[]) {
  return inProcessWith({}, ...argv)
}

async function inProcessWith(env: Record<string, string>, ...argv: string[]) {
  let stdout = ''
  let stderr = ''
  const into = (add: (text: string) => void) =>
    new Writable({
      write(chunk, _encoding, done) {
        add(String(chunk))
        done()
      },
    })
  const code = await run(argv, {
    stdout: into(text => (stdout += text)),
    stderr: into(text => (stderr += text)),
    env,
  })
  return { code, stdout, stderr }
}

/** The words of an example, as a shell would part them, up to a pipe or a redirection. */
function wordsIn(line: string): string[] {
  const words = [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '')
  const end = words.findIndex(word => /^(?:[|<]|>>?)$/.test(word))
  return end < 0 ? words : words.slice(0, end)
}

describe('help', () => {
  it.each(
    COMMANDS.map(command => [command.name, command] as const),
  )('of %s says how it is used, and its examples are command lines that can be run', async (name, command) => {
    const help = await inProcess('help', ...name.split(' '))
    expect(help).toMatchObject({ code: 0, stderr: '' })
    expect(await inProcess(...name.split(' '), '--help')).toEqual(help)
    expect(help.stdout).toContain(`usage: privity ${name}`)
    expect(help.stdout).toContain(command.summary)
    for (const option of Object.keys(optionsOf(command))) expect(help.stdout).toContain(`--${option}`)
    expect(command.examples.length).toBeGreaterThan(0)
    for (const { line } of command.examples) {
      expect(help.stdout).toContain(`privity ${line}`)
      const words = wordsIn(line)
      const found = findCommand(words, COMMANDS)
      expect(found?.name).toBe(name)
      if (found !== undefined) expect(() => parseInvocation(found, words, {})).not.toThrow()
    }
  })

  it('lists every command, and those of a group', async () => {
    const all = await inProcess('--help')
    expect(all.code).toBe(0)
    expect(await inProcess('help')).toEqual(all)
    for (const { name } of COMMANDS) expect(all.stdout).toContain(`  ${name} `)
    // By what somebody wants to do, and not as one long list.
    expect(all.stdout.indexOf('documents\n  ingest')).toBeGreaterThan(
      all.stdout.indexOf('memories\n  remember'),
    )
    const group = await inProcess('people', '--help')
    expect(group).toMatchObject({ code: 0, stdout: expect.stringContaining('people consent <person>') })
    expect(await inProcess('help', 'people')).toEqual(group)
  })

  it('can be asked for in short, and lists operations', async () => {
    expect(await inProcess('-h')).toEqual(await inProcess('--help'))
    expect(await inProcess('search', '-h')).toEqual(await inProcess('help', 'search'))
    expect(await inProcess('-v')).toEqual(await inProcess('version'))
    const { stdout } = await inProcess('help', 'operations')
    for (const { name, summary } of OPERATIONS)
      expect(stdout).toMatch(new RegExp(`^${name} +${summary.replace(/[()]/g, '\\$&')}$`, 'm'))
    expect((await inProcess('help', 'call')).stdout).toContain('privity help operations')
  })

  it('without a command is an error of usage that says what there is', async () => {
    expect(await inProcess()).toMatchObject({
      code: 2,
      stdout: expect.stringContaining('usage: privity <command>'),
    })
  })

  it('an option has one type wherever it stands, so that words can be told from values', () => {
    const types = new Map<string, string>()
    const clashes = COMMANDS.flatMap(command =>
      Object.entries(optionsOf(command)).flatMap(([name, { type }]) => {
        const kind = type === 'flag' ? 'flag' : 'value'
        const known = types.get(name) ?? kind
        types.set(name, known)
        return known === kind ? [] : [`${command.name} --${name}`]
      }),
    )
    expect(clashes).toEqual([])
  })
})

describe('wrong usage', () => {
  it.each([
    [['serach', 'x'], 'there is no command serach; did you mean search?'],
    [['xyzzy'], 'there is no command xyzzy'],
    [
      ['people', 'conset', 'ben', 'granted'],
      'there is no command people conset; did you mean people consent?',
    ],
    [['people'], 'people needs one of list, add, consent, remove, alias, matches, merge, split'],
    [['search'], 'search needs a query'],
    [['get'], 'get needs an id'],
    [['get', 'a', 'b'], 'get takes only id'],
    [['list', 'a'], 'list takes no arguments'],
    [['search', 'x', '--limt', '3'], 'there is no option --limt; did you mean --limit?'],
    [['search', 'x', '--limit'], '--limit needs a value'],
    [['search', 'x', '--limit', 'many'], '--limit must be a number'],
    [['import', 'x', '--strict=yes'], '--strict takes no value'],
    [['search', 'x', '--mode', 'txt'], '--mode must be one of text, vector, hybrid; did you mean text?'],
    [['list', '--after', 'tomorrow'], '--after must be a date, such as 2026-01-31 or 2026-01-31T09:00:00Z'],
    [
      ['people', 'consent', 'ben', 'grant'],
      'status must be one of granted, pending, revoked; did you mean granted?',
    ],
    [['call', 'memory.serach'], 'there is no operation memory.serach; did you mean memory.search?'],
    [['call', 'memory.list', '{'], `the input must be a JSON object, for example '{"limit": 5}'`],
    [['search', 'x', '--data-dir', 'a', '--url', 'http://x'], 'give only one of --url and --data-dir'],
    [['search', 'x', '--url', 'http://x'], 'a server needs an API key: set PRIVITY_KEY, or add --key'],
    [
      ['search', 'x', '--url', 'http://x', '--key', 'k', '--as', 'ana'],
      '--as cannot be given with a server: the key says who asks',
    ],
    [
      ['tenants', 'list', '--url', 'http://x', '--key', 'k'],
      'tenants list works on a store, not on a server: give --data-dir or --database-url',
    ],
    [
      ['mcp', '--url', 'http://x', '--key', 'k'],
      'mcp works on a store, not on a server: give --data-dir or --database-url; a server speaks MCP itself, at /mcp',
    ],
    [
      ['start', '--url', 'http://x'],
      'start works on a store, not on a server: give --data-dir or --database-url',
    ],
    [['start', '--port', '65536'], '--port must be 0 to 65535'],
    [['demo', '--port', '-1'], '--port must be 0 to 65535'],
    [['list', '--limit', '-1'], '--limit must be at least 1'],
    [['search', 'x', '--limit=0'], '--limit must be at least 1'],
    [['keys', 'create', 'x', '--key-audience', 'agent'], 'an agent needs its own name: add --key-actor NAME'],
    [
      ['keys', 'create', 'x', '--key-audience', 'agent', '--key-actor', 'helper'],
      '--key-audience agent needs --key-max-sensitivity: the most it may see',
    ],
    [['keys', 'create', 'x', '--key-scope', 'a'], '--key-scope needs --key-max-sensitivity'],
    [['help', 'serach'], 'there is no command serach; did you mean search?'],
    [['--frobnicate'], 'there is no option --frobnicate without a command'],
    [['completion', 'powershell'], 'shell must be one of bash, zsh, fish'],
    [
      ['import', '-', '--format', 'slack'],
      'standard input can only be read as jsonl or mbox; add --format jsonl or --format mbox',
    ],
  ])('%j', async (argv, message) => {
    const { code, stdout, stderr } = await inProcess(...argv)
    expect({ code, stdout, first: stderr.split('\n')[0] }).toEqual({
      code: ERRORS.invalid_input.exit,
      stdout: '',
      first: `error: ${message}`,
    })
  })

  it('is said in JSON to who asks for JSON', async () => {
    const { code, stdout, stderr } = await inProcess('serach', '--json')
    expect({ code, stdout, error: JSON.parse(stderr) }).toEqual({
      code: 2,
      stdout: '',
      error: {
        success: false,
        error: {
          code: 'invalid_input',
          message: 'there is no command serach; did you mean search?',
          requestId: null,
        },
      },
    })
  })

  it('after two dashes, nothing is an option', async () => {
    const search = COMMANDS.find(({ name }) => name === 'search') as Command
    const { args, options } = parseInvocation(search, ['search', '--', '--json', '-x'], {})
    expect([args, options.flag('json')]).toEqual([['--json', '-x'], false])
  })
})

describe('the environment', () => {
  const list = COMMANDS.find(({ name }) => name === 'list') as Command

  it('gives options that are not written', () => {
    const env = { PRIVITY_TENANT: 'acme', PRIVITY_AS: 'ana', PRIVITY_DATA_DIR: '' }
    const { options } = parseInvocation(list, ['list', '--as', 'ben'], env)
    expect([options.text('tenant'), options.text('as'), options.text('data-dir')]).toEqual([
      'acme',
      'ben',
      undefined,
    ])
  })

  it('is named where it is at fault', async () => {
    expect((await inProcessWith({ PRIVITY_URL: 'http://x' }, 'start')).stderr).toContain(
      'start works on a store, and PRIVITY_URL names a server: unset it, or give --data-dir or --database-url',
    )
    expect((await inProcessWith({ PRIVITY_PORT: '99999' }, 'start')).stderr).toContain(
      'PRIVITY_PORT must be 0 to 65535',
    )
  })
})

describe('[CP-4] operations', () => {
  it('can all be called by their names, and no others', async () => {
    const { stderr } = await inProcess('call', 'memory.nothing')
    expect(stderr).toContain('there is no operation')
    const call = COMMANDS.find(({ name }) => name === 'call') as Command
    for (const { name } of OPERATIONS) {
      const invoked: string[] = []
      await call.run({
        args: [name],
        options: parseInvocation(call, ['call', name], {}).options,
        env: {},
        place: () => ({ dataDir: 'nowhere' }),
        terminal: { document() {} } as never,
        open: async () =>
          ({
            handle: { invoke: async (asked: string) => invoked.push(asked) },
            settled: async () => {},
            recognised: async () => {},
          }) as never,
      })
      expect(invoked).toEqual([name])
    }
  })
})

describe('completion', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'privity-completion-'))
    for (const name of ['bash', 'zsh', 'fish'] as const)
      await writeFile(join(folder, name), completionScript(name, COMMANDS))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('is a script that bash can read, as are those of other shells that are here', async () => {
    await shell('bash', ['-n', join(folder, 'bash')])
    for (const name of ['zsh', 'fish'])
      await shell(name, ['-n', join(folder, name)]).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
  })

  it.each([
    [['se'], ['search', 'secrets']],
    [
      ['people', ''],
      ['list', 'add', 'consent', 'remove', 'alias', 'matches', 'merge', 'split'],
    ],
    [['--as', 'ana', 'aud'], ['audit']],
    [['--json', 'audit', 'v'], ['verify']],
    [['people', 'consent', 'ben', 'g'], ['granted']],
    [['import', '--format', 'w'], ['whatsapp']],
    [['search', 'x', '--lim'], ['--limit']],
    [['import', 'ba'], ['bash']],
  ])('in bash, of %j gives %j', async (words, expected) => {
    const program = `source ./bash; cd ${folder}
      COMP_WORDS=(privity "$@"); COMP_CWORD=$#; _privity; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout } = await shell('bash', ['-c', program, '-', ...words], { cwd: folder })
    expect(stdout.trim().split('\n')).toEqual(expected)
  })

  it('knows every command in every shell', () => {
    for (const name of ['bash', 'zsh', 'fish'] as const) {
      const script = completionScript(name, COMMANDS)
      for (const command of COMMANDS)
        for (const word of command.name.split(' ')) expect(script).toMatch(new RegExp(`\\b${word}\\b`))
    }
  })
})

describe('the built command', () => {
  it('prints its version, and ends without an error when nobody reads on', async () => {
    expect(await privity(['version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
    expect(await privity(['--version'])).toEqual(await privity(['version']))
    const { stdout } = await shell('bash', [
      '-c',
      `set -o pipefail; '${process.execPath}' '${MAIN}' completion fish | head -n 1`,
    ])
    expect(stdout).toMatch(/^# completes privity/)
  })

  it.runIf(existsSync('/proc/self'))(
    'ends where no folder can be made',
    async () => {
      const args = [MAIN, 'migrate', '--data-dir', '/proc/nowhere/store']
      await expect(shell(process.execPath, args, { timeout: 30_000 })).rejects.toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^error: the folder \/proc\/nowhere cannot be created/),
      })
    },
    40_000,
  )

  it('has no colours in a pipe, colours where they are forced, and none with NO_COLOR', async () => {
    const plain = await privity(['help', 'search'])
    const forced = await privity(['help', 'search'], { env: { FORCE_COLOR: '1' } })
    const never = await privity(['help', 'search'], { env: { FORCE_COLOR: '1', NO_COLOR: '1' } })
    expect(plain.stdout).not.toContain('\u001b')
    expect(forced.stdout).toContain('\u001b[1musage')
    expect(never).toEqual(plain)
  })
})
