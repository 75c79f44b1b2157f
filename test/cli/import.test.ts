import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open } from '../../src/open.js'
import { exportLines } from '../../src/transfer/export-records.js'
import { deep } from '../support/depth.js'
import { collect } from './support/collect.js'
import { type CommandStore, commandStore } from './support/command-store.js'
import { privity, start } from './support/run-cli.js'

describe('privity import and export', () => {
  let folder: string
  const stores: CommandStore[] = []
  const newStore = async () => {
    const store = await commandStore()
    stores.push(store)
    return store
  }
  /** What the notes are imported to, and then exported from. */
  let notes: CommandStore
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'privity-import-'))
    notes = await newStore()
  })
  afterAll(async () => {
    for (const store of stores) await store.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  const LINES = 1_200
  /** Two batches come before it, so its report says that they are stored. */
  const BAD = 450
  const texts = Array.from({ length: LINES }, (_, at) => `memory ${at}`)
  const writeSource = async (name: string) => {
    const lines = texts.map(text => JSON.stringify({ kind: 'note', text }))
    lines.splice(BAD - 1, 0, '{bad')
    await writeFile(join(folder, name), `${lines.join('\n')}\n`)
    return name
  }

  /** What is in a store, read past the command. */
  async function storedTexts({ place }: CommandStore): Promise<string[]> {
    const store = await open({ ...place, embedding: [] })
    try {
      const lines = await collect(exportLines(store.as({ tenant: 'default', actor: 'owner' })))
      return lines.map(line => JSON.parse(line).text).sort()
    } finally {
      await store.close()
    }
  }

  it('Ctrl-C finishes the batch under way, says how far it got, and running again goes on without loss or doubles', async () => {
    const source = await writeSource('interrupted.jsonl')
    const to = await newStore()
    const args = ['import', source, ...to.args]
    const running = start(args, { cwd: folder })
    await running.noted(/line 450: is not JSON/)
    running.process.kill('SIGINT')
    const { code, stdout, stderr } = await running.ended
    expect(code).toBe(130)
    const [, count = ''] = /^([\d,]+) records of the source are in the store/m.exec(stdout) ?? []
    const stored = Number(count.replaceAll(',', ''))
    expect(stderr).toMatch(/stopped after [\d,]+ records \(line \d+\); run the same command again to go on/)
    const found = await storedTexts(to)
    expect(found).toHaveLength(stored)
    expect(stored % 200).toBe(0)
    expect(stored).toBeGreaterThanOrEqual(400)
    expect(stored).toBeLessThan(LINES)

    expect(await privity(args, { cwd: folder })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^1,200 records of the source are in the store .*\n1 problem, listed above\n$/,
      ),
    })
    expect(await storedTexts(to)).toEqual([...texts].sort())
  }, 180_000)

  it.runIf(deep)(
    'a process that is killed in the middle loses nothing that was stored, and doubles nothing',
    async () => {
      const source = await writeSource('killed.jsonl')
      const to = await newStore()
      const args = ['import', source, ...to.args, '--json']
      for (const wait of deep ? [0, 700] : [100]) {
        const running = start(args.slice(0, -1), { cwd: folder })
        await running.noted(/line 450: is not JSON/)
        await new Promise(resolve => setTimeout(resolve, wait))
        running.process.kill('SIGKILL')
        await running.ended
      }
      const { code, stdout } = await privity(args, { cwd: folder })
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toEqual({
        stored: LINES,
        related: 0,
        skipped: {},
        problems: { count: 1, listed: [{ where: 'line 450', problem: 'is not JSON' }] },
        reached: 'line 1201',
        stopped: false,
        dryRun: false,
      })
      expect(await storedTexts(to)).toEqual([...texts].sort())
    },
    180_000,
  )

  it('reads standard input, and is interrupted while it waits for more', async () => {
    const to = await newStore()
    const running = start(['import', '-', ...to.args], { cwd: folder, input: 'open' })
    const { stdin } = running.process
    stdin?.write('{"kind":"note","text":"one"}\n'.repeat(200))
    stdin?.write('{"kind":"note","text":"two"}\n{bad\n')
    await running.noted(/line 202/)
    running.process.kill('SIGINT')
    const { code, stderr } = await running.ended
    expect(code).toBe(130)
    expect(stderr).toMatch(/stopped after 200 records \(line 200\)/)
    expect(await storedTexts(to)).toHaveLength(200)
  }, 120_000)

  it('a folder, a strict import, a dry run and what cannot be read', async () => {
    await mkdir(join(folder, 'notes/deep'), { recursive: true })
    await writeFile(join(folder, 'notes/a.md'), '---\ntags: [sea]\n---\n# Wind\n\nfrom the west')
    await writeFile(join(folder, 'notes/deep/b.txt'), 'rain')
    await writeFile(join(folder, 'notes/picture.png'), Buffer.from([0x89, 0x50, 0, 1]))
    const where = { cwd: folder, env: notes.env }

    const dry = await privity(['import', 'notes', '--dry-run'], where)
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^2 records can be stored; this was a dry run/),
    })
    expect(dry.stderr).toBe('picture.png: is not text\n')

    const strict = await privity(['import', 'notes', '--strict', '--json', '--tag', 'imported'], where)
    expect({ ...strict, stderr: JSON.parse(strict.stderr) }).toEqual({
      code: 2,
      stdout: '',
      stderr: {
        success: false,
        error: { code: 'invalid_input', message: 'picture.png: is not text', requestId: null },
      },
    })
    // What came before it is stored, and not once more below.
    const before = await storedTexts(notes)
    expect(before).toEqual(['# Wind\n\nfrom the west', 'rain'])

    expect((await privity(['import', 'notes', '--tag', 'imported'], where)).code).toBe(0)
    expect(await storedTexts(notes)).toEqual(before)
    const listed = await privity(['list', '--tag', 'imported', '--tag', 'sea', '--json'], where)
    expect(JSON.parse(listed.stdout).records).toMatchObject([{ payload: { title: 'Wind' } }])

    // One more file is one more record, wherever it stands among the others; what has changed is stored as it is now.
    await writeFile(join(folder, 'notes/0.md'), 'first of all')
    await writeFile(join(folder, 'notes/deep/b.txt'), 'hail')
    const grown = await privity(['import', 'notes', '--tag', 'imported'], where)
    expect(grown.stdout).toMatch(/^3 records of the source are in the store/)
    expect(await storedTexts(notes)).toEqual(['# Wind\n\nfrom the west', 'first of all', 'hail', 'rain'])

    await writeFile(join(folder, 'latin1.txt'), Buffer.from('f\u00fcr', 'latin1'))
    expect(await privity(['import', 'latin1.txt'], where)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('latin1.txt: is not UTF-8; if it is in another encoding, name it'),
    })
    expect(await privity(['import', 'absent'], where)).toMatchObject({ code: 3, stdout: '' })
    expect(await privity(['import', 'notes/picture.png'], where)).toMatchObject({ code: 2, stdout: '' })
  }, 120_000)

  it('an export to a file is whole or not there, and comes back the same', async () => {
    const from = { cwd: folder, env: notes.env }
    const piped = await privity(['export'], from)
    expect(piped).toMatchObject({ code: 0, stderr: '' })
    const filed = await privity(['export', 'out.jsonl', '--json'], from)
    expect(filed.code).toBe(0)
    expect(JSON.parse(filed.stdout)).toEqual({
      file: 'out.jsonl',
      exported: 4,
      bytes: Buffer.byteLength(piped.stdout),
      stopped: false,
    })
    expect(await readFile(join(folder, 'out.jsonl'), 'utf8')).toBe(piped.stdout)
    expect((await stat(join(folder, 'out.jsonl'))).mode & 0o777).toBe(0o600)
    expect(await privity(['export', 'out.jsonl'], from)).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('out.jsonl exists already'),
    })

    const to = { cwd: folder, env: (await newStore()).env }
    expect((await privity(['import', 'out.jsonl'], to)).code).toBe(0)
    const again = await privity(['export'], to)
    const comparable = (lines: string) =>
      lines
        .trimEnd()
        .split('\n')
        .map(line => ({ ...JSON.parse(line), exported: null }))
        .sort((a, b) => (a.text < b.text ? -1 : 1))
    expect(comparable(again.stdout)).toEqual(comparable(piped.stdout))
  }, 120_000)
})
