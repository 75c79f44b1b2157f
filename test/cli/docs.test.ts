import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { issuerOptions } from '../../src/authentication/issuers.js'
import { COMMANDS } from '../../src/cli/commands/all.js'
import { ACCESS_OPTIONS } from '../../src/cli/common-options.js'
import { commandWords, findCommand, parseInvocation } from '../../src/cli/parse.js'
import { ERRORS } from '../../src/errors.js'
import { readServerConfig } from '../../src/http/server-config.js'
import { FORMATS } from '../../src/transfer/formats.js'
import { deep } from '../support/depth.js'
import { codeBlocks } from '../support/run-program.js'
import { commandStore } from './support/command-store.js'
import { MAIN, privity } from './support/run-cli.js'

const page = () => readFile(resolve(import.meta.dirname, '../../docs/cli.md'), 'utf8')

/** Runs commands for a shell in this process, which has them loaded. */
const commands = createServer(async ({ headers }, response) => {
  const listed = (name: string) =>
    Buffer.from(String(headers[name]), 'base64').toString().split('\0').slice(0, -1)
  const env = Object.fromEntries(
    listed('x-env').map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
  const { code, stdout, stderr } = await privity(listed('x-args'), { cwd: env.PWD ?? '', env })
  response.writeHead(code === 0 ? 200 : 500).end(code === 0 ? stdout : stderr)
})
afterAll(() => void commands.close())

/** What a shell runs as the command: the program in the deep run, else a request to run it here. */
async function commandLine(): Promise<string> {
  if (deep) return `'${process.execPath}' '${MAIN}' "$@"`
  await new Promise<void>(resolve => commands.listen(0, '127.0.0.1', resolve))
  const { port } = commands.address() as AddressInfo
  const headers = `-H "x-args: $(printf '%s\\0' "$@" | base64 -w0)" -H "x-env: $(env -0 | base64 -w0)"`
  return `curl -sS --fail-with-body ${headers} http://127.0.0.1:${port}/`
}

describe('docs/cli.md', () => {
  it('has examples that can be typed one after the other', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'privity-docs-'))
    const store = await commandStore()
    try {
      const blocks = await codeBlocks('docs/cli.md', 'sh')
      expect(blocks.length).toBeGreaterThan(4)
      const program = `privity() { ${await commandLine()}; }\n${blocks.join('\n')}`
      const running = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', program], {
        cwd: folder,
        env: { PATH: process.env.PATH, HOME: folder, ...store.env },
      })
      running.child.stdin?.end()
      const { stdout } = await running
      expect(stdout).toContain('ben: granted')
      expect(stdout).toMatch(
        /^1 record can be stored.*\n1 record of the source is in the store .*\n1 record of the source is /m,
      )
      expect(stdout).toMatch(/^exported 2 records .*\n1$/m)
      expect(stdout).toMatch(/^1 new document, 0 new versions, 0 unchanged/m)
      expect(stdout).toMatch(/^0 new documents, 0 new versions, 1 unchanged/m)
      expect(stdout).toMatch(/^\[1\] .*order\.txt/m)
      expect(stdout).toMatch(/^ok: [\d,]+ entries in .* 1 checkpoint$/m)
    } finally {
      await store.dispose()
      await rm(folder, { recursive: true, force: true })
    }
  }, 600_000)

  it('names every format, every exit code and every variable', async () => {
    const text = await page()
    for (const format of FORMATS) expect(text).toContain(`| \`${format}\` |`)
    for (const { exit } of Object.values(ERRORS)) expect(text).toMatch(new RegExp(`^\\| ${exit} \\|`, 'm'))
    for (const option of Object.values(ACCESS_OPTIONS))
      if ('env' in option) expect(text).toContain(`\`${option.env}\``)
  })

  it('names no command that there is not', async () => {
    const named = [...(await page()).matchAll(/^privity ([a-z]+(?: [a-z]+)?)/gm)].map(match => match[1] ?? '')
    const names = new Set(COMMANDS.map(({ name }) => name))
    for (const words of named) expect(names.has(words) || names.has(words.split(' ')[0] ?? '')).toBe(true)
  })
})

describe('docs/operating.md', () => {
  const operating = () => readFile(resolve(import.meta.dirname, '../../docs/operating.md'), 'utf8')

  it('explains every field of an issuer, with an example that a server takes', async () => {
    const [whole = '', withSignIn = ''] = await codeBlocks('docs/operating.md', 'json')
    const shown = [whole, withSignIn].flatMap(example =>
      Object.keys(readServerConfig(example).issuers?.[0] ?? {}),
    )
    const fields = Object.keys(issuerOptions.shape)
    expect([...new Set(shown)].sort()).toEqual([...fields].sort())
    const text = await operating()
    for (const field of fields) expect(text).toMatch(new RegExp(`^\\| \`${field}\` \\|`, 'm'))
  })

  it('names no command that there is not, with options that it takes', async () => {
    for (const line of (await codeBlocks('docs/operating.md', 'sh')).join('').trim().split('\n')) {
      const argv = line.split(' ').slice(1)
      const command = findCommand(commandWords(argv, COMMANDS), COMMANDS)
      expect(command, line).toBeDefined()
      if (command !== undefined) expect(() => parseInvocation(command, argv, {})).not.toThrow()
    }
  })
})
