import { spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { printResults, receiptSentence } from '../../src/cli/output/records.js'
import { Terminal } from '../../src/cli/output/terminal.js'
import { deep } from '../support/depth.js'
import { seedFolder } from '../support/migrated-pgdata.js'
import { MAIN, privity } from './support/run-cli.js'

/** The first minutes of somebody who follows the README. */
describe('a server on a folder', () => {
  let folder: string
  let log: string
  let url: string
  let stop: () => Promise<number | null>
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'first-use-'))
    log = join(folder, 'output.txt')
    if (!deep) await seedFolder(join(folder, 'data'))
    const output = await open(log, 'w')
    // Both outputs go to one file, as in `privity start 2>&1 | less`.
    const server = spawn(
      process.execPath,
      [MAIN, 'start', '--port', '0', '--data-dir', join(folder, 'data')],
      { env: { PATH: process.env.PATH, HOME: folder, TZ: 'UTC' }, stdio: ['ignore', output.fd, output.fd] },
    )
    await output.close()
    const ended = new Promise<number | null>(resolve => server.once('exit', resolve))
    stop = () => {
      server.kill('SIGTERM')
      return ended
    }
    for (let waited = 0; waited < 300; waited++) {
      if ((await readFile(log, 'utf8')).includes('Ctrl-C stops')) break
      await sleep(200)
    }
    url = /http:\/\/127\.0\.0\.1:\d+/.exec(await readFile(log, 'utf8'))?.[0] ?? ''
  })
  afterAll(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('prints no log lines between those for people, if both outputs are one', async () => {
    expect((await fetch(`${url}/api/v1/records`)).status).toBe(401)
    const printed = await readFile(log, 'utf8')
    expect(printed).toContain('is listening on')
    expect(printed).not.toContain('"level"')
  })

  it('is named by its own address to whoever finds the folder in use, and no longer once it has ended', async () => {
    const args = ['list', '--data-dir', join(folder, 'data')]
    const locked = await privity(args)
    expect(locked.code).toBe(7)
    expect(locked.stderr).toContain(
      `a server uses it: ask that one with --url ${url}, and its key in PRIVITY_KEY`,
    )
    expect(await stop()).toBe(0)
    expect(await readFile(join(folder, 'data', 'server-address'), 'utf8').catch(() => null)).toBeNull()
    expect(await privity(args)).toMatchObject({ code: 0 })
  })
})

describe('what a search says about itself', () => {
  const sentence = (resultSetCompleteness: string, meaning: object[]) =>
    receiptSentence({
      count: 1,
      receipt: { resultSetCompleteness, searchedCount: 40, meaning } as never,
    })

  it('names semantic search, how far it is and what that means', () => {
    expect(sentence('partial_due_to_staleness', [{ model: 'm', state: 'partial', waiting: 12 }])).toBe(
      '1 match in 40 records; semantic search is still catching up (12 of 40 records to go), and finds those by keywords only.',
    )
    expect(sentence('partial_due_to_index_health', [{ model: 'm', state: 'timeout', waiting: 0 }])).toBe(
      '1 match in 40 records; semantic search was not available, so these results use keywords only.',
    )
    expect(sentence('exhaustive_for_scope', [])).toBe(
      '1 match in 40 records; everything you may see was searched.',
    )
  })

  it('shows no score that means nothing', () => {
    const shown = (score: number) => {
      const stdout = new PassThrough()
      const terminal = new Terminal({ stdout, stderr: new PassThrough(), env: {}, json: false })
      const record = {
        id: 'r',
        kind: 'note',
        sensitivity: 'low',
        createdAt: '2026-01-01T00:00:00Z',
        tags: [],
      }
      const snippet = { title: { highlights: [] }, passages: [{ text: 'a boat', highlights: [] }] }
      printResults(terminal, {
        results: [{ record: { ...record, payload: { title: null } }, score, scores: {}, snippet }],
        count: 1,
        notice: null,
        suggestion: null,
        cursor: null,
        receipt: { resultSetCompleteness: 'exhaustive_for_scope', searchedCount: 1, meaning: [] },
      } as never)
      return String(stdout.read()).split('\n')[0]
    }
    expect(shown(0)).toBe('1. a boat')
    expect(shown(0.873)).toBe('1. a boat (0.87)')
  })
})
