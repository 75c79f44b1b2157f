import { execFile, spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { COMMANDS } from '../src/cli/commands/all.js'
import { deep } from './support/depth.js'

const run = promisify(execFile)
const read = (file: string) => readFile(join('deploy', file), 'utf8')

/** The options of `privity start` and the variables that stand for them. */
const start = COMMANDS.find(({ name }) => name === 'start')
const knownVariable = /PRIVITY_(HOST|DATA_DIR|DATABASE_URL|METRICS_TOKEN)$/

describe('the files in deploy/', () => {
  it('[OP-8] start the server by options and variables that it has', async () => {
    const [unit, image, compose] = [
      await read('privity.service'),
      await read('Dockerfile'),
      await read('compose.yaml'),
    ]
    const [, options = ''] = /^ExecStart=\S+ privity start (.*)$/m.exec(unit) ?? []
    const [, words = '[]'] = /^CMD (\["start".*\])$/m.exec(image) ?? []
    const given = [...options.split(' '), ...(JSON.parse(words) as string[])].filter(word =>
      word.startsWith('--'),
    )
    expect(given).toHaveLength(2)
    for (const option of given) expect(Object.keys(start?.options ?? {})).toContain(option.slice(2))
    for (const [variable] of [unit, image, compose].join('').matchAll(/PRIVITY_[A-Z_]+/g))
      expect(variable).toMatch(knownVariable)
    expect(Object.keys(parse(compose).services)).toEqual(['privity', 'postgres'])
  })

  it('are a unit that systemd takes, and rules that have an expression and a sentence each', async () => {
    const checked = spawnSync('systemd-analyze', ['verify', '--man=no', 'deploy/privity.service'])
    // Where there is no systemd, nobody can ask it.
    if (checked.error === undefined) expect(checked.stderr.toString()).not.toMatch(/privity\.service:\d+/)
    const [group] = parse(await read('prometheus-rules.yaml')).groups
    for (const { alert, expr, annotations } of group.rules) {
      expect(expr, alert).toMatch(/[<>=]/)
      expect(annotations.summary, alert).toMatch(/^.+\.$/)
    }
  })

  // In place of Docker, which needs a machine of its own: the steps of the image, in folders in place of its roots.
  it.runIf(deep)(
    'build an image whose steps end in a server that is ready',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'privity-image-'))
      const steps = [...(await read('Dockerfile')).matchAll(/^RUN (npm .*)$/gm)].map(([, step]) => step ?? '')
      expect(steps).toHaveLength(3)
      try {
        await run('git', ['clone', '--quiet', '.', join(folder, 'src')])
        const env = { ...process.env, npm_config_prefix: join(folder, 'global') }
        for (const step of steps)
          await run('bash', ['-c', step.replaceAll('/tmp', folder)], { cwd: join(folder, 'src'), env })
        const server = spawn(
          join(folder, 'global/bin/privity'),
          ['start', '--log', 'json', '--port', '0', '--json'],
          {
            cwd: folder,
            env: { PATH: process.env.PATH, HOME: folder, PRIVITY_DATA_DIR: join(folder, 'data') },
          },
        )
        const line = await new Promise<string>((resolve, reject) => {
          server.stdout.once('data', data => resolve(String(data)))
          server.once('exit', code => reject(new Error(`ended with ${code}`)))
        })
        const { url } = JSON.parse(line)
        expect((await fetch(`${url}/readyz`)).status).toBe(200)
        const ended = new Promise(resolve => server.once('exit', resolve))
        server.kill('SIGTERM')
        expect(await ended).toBe(0)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    900_000,
  )
})
