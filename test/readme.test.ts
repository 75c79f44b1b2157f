import { execFile, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { deep } from './support/depth.js'
import { seedFolder } from './support/migrated-pgdata.js'
import { codeBlocks, runProgram } from './support/run-program.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe('the README', () => {
  it('is at most 120 lines long', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    expect(readme.split('\n').length).toBeLessThanOrEqual(121)
  })

  it('has a first example that says what its comments say', async () => {
    const [example = ''] = await codeBlocks('README.md')
    // Every awaited question of the example, printed.
    const asked = example.replace(/^suggestion\?\.query.*$/m, 'console.log(JSON.stringify(suggestion))')
    const printing = asked.replaceAll(
      /^await (agent\.get|ana\.explain)\((.*)\) \/\/.*$/gm,
      'console.log(JSON.stringify(await $1($2)))',
    )
    const lines = (await runProgram({ code: printing })).trim().split('\n')
    expect(lines).toHaveLength(4)
    expect(JSON.parse(lines[3] ?? '').query).toBe('what did Ben tell at the picnic?')
    expect(JSON.parse(lines[0] ?? '')).toBeNull()
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ face: 'metadata', payload: null })
    expect(JSON.parse(lines[2] ?? '').gates).toHaveLength(11)
  })

  it.runIf(deep)(
    'has a harness example that finds no leak',
    async () => {
      const [, example = ''] = await codeBlocks('README.md')
      expect(await runProgram({ code: example })).toBe('no leak found\n')
    },
    180_000,
  )
})

describe('the two commands', () => {
  // The deep run types them as they stand. Else what is installed and built here is taken, and started on an empty store.
  it('are followed in a clean folder, and do what the README says', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'privity-readme-'))
    try {
      await copyProject(folder)
      if (!deep)
        await Promise.all([
          ...['node_modules', 'dist'].map(made => symlink(join(ROOT, made), join(folder, made))),
          seedFolder(join(folder, 'privity-data')),
        ])
      const commands = (await readFile(join(folder, 'README.md'), 'utf8')).match(
        /^ {4}npm ci && npm start/m,
      )?.[0]
      expect(commands).toBeDefined()
      const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
      const [build, serve] = scripts.start.split(' && ')
      expect(build).toBe('node scripts/build.js')
      const first = await start(folder, deep ? (commands ?? '') : serve)
      expect(first.output).toMatch(
        /Your key, shown this once \(tenant default, host owner\):\n {2}privity_\S+\n/,
      )
      const [, key = ''] = /(privity_\S+)/.exec(first.output) ?? []
      expect(first.output).toMatch(/^Open {3}http:\S+\/sign-in#\S+/m)
      expect(first.output).toMatch(/^Data {3}\S+privity-data$/m)
      const [block = ''] = await codeBlocks('README.md', 'sh')
      const typed = block.replace('http://127.0.0.1:7171', first.url).replace('privity_…', key)
      const { stdout } = await promisify(execFile)('bash', ['-euc', typed], { cwd: folder })
      expect(stdout).toMatch(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/)
      const curled = stdout.slice(stdout.indexOf('{"success"'))
      expect(curled).toMatch(/^\{"success":true,"data":\{"results":\[/)
      expect(curled).toContain('Ben is allergic to bee stings.')
      expect(stdout.slice(0, stdout.indexOf('{"success"'))).toContain('Ben is allergic to bee stings.')
      await first.stop()
      if (!deep) return

      // What was remembered is there after a restart; the owner's key is not shown again.
      const second = await start(folder, deep ? 'npm start' : serve)
      expect(second.output).not.toContain('Your key')
      const answer = await fetch(`${second.url}/api/v1/search`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ query: 'bee stings' }),
      })
      expect(await answer.text()).toContain('Ben is allergic to bee stings.')
      await second.stop()
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }, 900_000)
})

/** What a clone would have, with what is not committed yet. */
async function copyProject(folder: string): Promise<void> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: ROOT,
  })
  for (const file of stdout.split('\0').filter(file => file !== '' && existsSync(join(ROOT, file)))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    copyFileSync(join(ROOT, file), join(folder, file))
  }
}

/** Types a command and waits for the server to say how to end it. */
async function start(cwd: string, command: string) {
  const env = { ...process.env, PRIVITY_PORT: '0', NO_COLOR: '1', npm_config_prefer_offline: 'true' }
  const child = spawn('bash', ['-c', command], {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  child.stderr.on('data', chunk => {
    errors += chunk
  })
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', chunk => {
      output += chunk
      if (output.includes('Ctrl-C stops the server.')) resolve()
    })
    ended.then(code => reject(new Error(`ended with ${code}:\n${output}\n${errors}`)))
  })
  return {
    output,
    url: /Open {3}(http:\/\/[^/]+)/.exec(output)?.[1] ?? '',
    async stop() {
      // Ctrl-C reaches everything that the terminal runs, and is done when all of it has ended.
      const group = -(child.pid ?? 0)
      process.kill(group, 'SIGINT')
      await expect.poll(() => isRunning(group), { timeout: 30_000 }).toBe(false)
    },
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
