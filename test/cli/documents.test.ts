import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { deep } from '../support/depth.js'
import { sample } from '../support/sample-corpus.js'
import { type CommandStore, commandStore } from './support/command-store.js'
import { privity, start } from './support/run-cli.js'

describe('privity ingest, documents, ask and bindings', () => {
  let folder: string
  let store: CommandStore
  beforeAll(async () => {
    store = await commandStore()
    folder = await mkdtemp(join(tmpdir(), 'privity-documents-'))
    await mkdir(join(folder, 'briefs/old'), { recursive: true })
    await writeFile(
      join(folder, 'briefs/order.txt'),
      'The motion to dismiss is denied. The complaint pleads scienter with particularity.\n',
    )
    await writeFile(join(folder, 'briefs/old/letter.md'), '# A letter\n\nOf the old days.\n')
    await writeFile(join(folder, 'briefs/broken.pdf'), '%PDF-1.4 broken')
    await writeFile(join(folder, 'briefs/scan.pdf'), (await sample({ index: 0 })).bytes)
  })
  afterAll(async () => {
    await store.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  const run = (...args: string[]) =>
    privity([...args, ...store.args], { cwd: folder, env: { PRIVITY_LEGAL: 'bank' } })
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout)

  it('takes a folder in, says what it could not read, and does nothing twice', async () => {
    expect(await run('ingest', 'briefs')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('ingest needs --corpus'),
    })
    expect(await run('ingest', 'nowhere', '--corpus', 'bank')).toMatchObject({
      stdout: '',
      stderr: expect.stringContaining('there is no file or folder nowhere'),
    })
    const dry = await run('ingest', 'briefs', '--corpus', 'bank', '--dry-run')
    expect(dry.stdout).toMatch(/^3 documents can be ingested; this was a dry run.*\n1 could not be read/)
    expect(dry).toMatchObject({ code: 2, stderr: expect.stringContaining('broken.pdf: is damaged') })
    const first = await run('ingest', 'briefs', '--corpus', 'bank', '--tag', 'filed')
    // What could be read is in; the code tells a script that something is missing.
    expect(first).toMatchObject({ code: 2, stderr: expect.stringContaining('broken.pdf: is damaged') })
    expect(first.stdout).toMatch(/^3 new documents, 0 new versions, 0 unchanged .*\n1 could not be read/)
    expect(await json('ingest', 'briefs', '--corpus', 'bank')).toMatchObject({
      created: 0,
      versioned: 0,
      unchanged: 3,
      failed: 1,
      problems: [{ document: 'briefs/broken.pdf', problem: 'is damaged' }],
    })
    const alone = await run('ingest', 'briefs/broken.pdf', '--corpus', 'bank', '--document', 'other.pdf')
    expect(alone.code).toBe(2)
  }, 240_000)

  it('puts files on the surface that is asked for', async () => {
    await writeFile(join(folder, 'memo.txt'), 'Our case is thin.')
    expect((await run('ingest', 'memo.txt', '--corpus', 'notes', '--surface', 'elsewhere')).code).toBe(2)
    expect(
      await json('ingest', 'memo.txt', '--corpus', 'notes', '--surface', 'host_strategy_notes'),
    ).toMatchObject({ created: 1 })
    const [found] = (await json('search', 'thin', '--corpus', 'notes')).results
    expect(found.record.payload.surface).toBe('host_strategy_notes')
  }, 120_000)

  it('keeps equal names in two folders apart, and says when a version is another text', async () => {
    for (const [name, words] of [
      ['north', 'The otter pleads at the river.'],
      ['south', 'A heron waits for nobody else.'],
    ] as const) {
      await mkdir(join(folder, name))
      await writeFile(join(folder, name, 'motion.txt'), words)
      const { stdout } = await run('ingest', name, '--corpus', 'two')
      expect(stdout).toMatch(/^1 new document, 0 new versions/)
    }
    const over = await run('ingest', 'south', '--document', 'north', '--corpus', 'two')
    expect(over.stdout).toMatch(
      /^0 new documents, 1 new version, .*\n1 new version with next to nothing of the one before/,
    )
    expect(over.stderr).toContain('north/motion.txt: replaces a version')
    expect(await run('ingest', 'south', '--watch', '--document', 'x', '--corpus', 'two')).toMatchObject({
      code: 2,
    })
  }, 240_000)

  it('lists, shows, reads, hands out and deletes documents, by name or id', async () => {
    const { documents } = await json('documents', 'list', '--corpus', 'bank')
    expect(documents.map(({ document }: { document: string }) => document).sort()).toEqual([
      'briefs/old/letter.md',
      'briefs/order.txt',
      'briefs/scan.pdf',
    ])
    const id = documents.find(({ document }: { document: string }) => document === 'briefs/order.txt').id
    expect((await run('documents', 'read', 'briefs/order.txt')).stdout).toContain('is denied')
    expect((await run('documents', 'read', id, '--from', '4', '--to', '10')).stdout).toBe('motion\n')
    expect((await run('documents', 'show', 'briefs/order.txt')).stdout).toMatch(
      /document\s+briefs\/order\.txt/,
    )
    expect((await run('documents', 'fields', 'briefs/scan.pdf')).stdout).toMatch(/caseNumber\s+\S+/)
    expect((await run('documents', 'sources', '--state', 'failed')).stdout).toMatch(
      /broken\.pdf .*failed: damaged/,
    )
    await run('documents', 'original', 'briefs/order.txt', 'copy.txt')
    expect(await readFile(join(folder, 'copy.txt'))).toEqual(await readFile(join(folder, 'briefs/order.txt')))
    expect(await run('documents', 'show', 'nothing.txt')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('error: not found'),
    })
    await writeFile(join(folder, 'later.txt'), 'Later.')
    await run('ingest', 'later.txt', '--corpus', 'bank', '--later')
    expect((await run('documents', 'extract', 'later.txt')).stdout).toBe('later.txt: complete\n')
    expect((await run('documents', 'remove', 'later.txt')).stdout).toBe('later.txt is deleted\n')
    expect((await run('documents', 'read', 'later.txt')).code).toBe(3)
  }, 240_000)

  it('plans a question, and answers it with numbered passages', async () => {
    expect((await run('plan', 'What did the court hold on scienter?')).stdout).toMatch(/^intent\s+\w+/)
    const asked = await run('ask', 'scienter', 'particularity', '--corpus', 'bank')
    expect(asked.stdout).toMatch(/^\[1\] .*order\.txt.* \(characters 0–\d+\)\n {4}.*pleads scienter/)
    const bundle = await json('ask', 'scienter', '--corpus', 'bank')
    expect(bundle.citations[0]).toMatchObject({ ref: 1, document: 'briefs/order.txt' })
    const nothing = await run('ask', 'zzyzx', '--corpus', 'bank')
    expect(nothing).toMatchObject({ code: 0 })
    expect(nothing.stdout).not.toContain('[1]')
    expect(nothing.stdout.trim()).not.toBe('')
  }, 240_000)

  it('watches bindings until Ctrl-C, and tells what they brought', async () => {
    await mkdir(join(folder, 'inbox'))
    await run('bindings', 'add', 'inbox', 'inbox', '--corpus', 'bank', '--sensitivity', 'low')
    expect((await run('bindings')).stdout).toMatch(/inbox\s+folder\s+.*inbox\s+bank\s+active/)
    const watching = start(['watch', '--every', '0.1', ...store.args], { cwd: folder })
    await watching.noted(/watching 1 place/)
    await writeFile(join(folder, 'inbox/new.txt'), 'A new motion.')
    expect(await watching.firstLine()).toBe('created: inbox/new.txt')
    watching.process.kill('SIGINT')
    expect((await watching.ended).code).toBe(0)
    const { contributions } = await json('bindings', 'log', 'inbox')
    expect(contributions).toMatchObject([{ document: 'inbox/new.txt', state: 'confirmed' }])
    const rejected = await run('bindings', 'reject', contributions[0].contribution)
    expect(rejected.stdout).toBe('inbox/new.txt is rejected\n')
    expect((await run('bindings', 'health', 'inbox')).stdout).toMatch(/rejected\s+1/)
    await run('bindings', 'pause', 'inbox')
    expect(await run('watch')).toMatchObject({ code: 3 })
    await run('bindings', 'remove', 'inbox')
    expect((await run('bindings')).stdout).toBe('nothing is watched\n')
  }, 240_000)

  it.runIf(deep)(
    'Ctrl-C ends after the file under way and says how to go on',
    async () => {
      await mkdir(join(folder, 'many'))
      const count = 300
      for (let at = 100; at < 100 + count; at++)
        await writeFile(join(folder, `many/${at}.txt`), `Text ${at}.`)
      await writeFile(join(folder, 'many/110.pdf'), '%PDF-1.4 broken')
      const args = ['ingest', 'many', '--corpus', 'many', ...store.args]
      const running = start(args, { cwd: folder })
      await running.noted(/110\.pdf: is damaged/)
      running.process.kill('SIGINT')
      const { code, stdout, stderr } = await running.ended
      expect(code).toBe(130)
      expect(stderr).toMatch(/stopped after many\/\d+\.(txt|pdf); run the same command again to go on/)
      const done = Number(/^(\d+) new documents/.exec(stdout)?.[1])
      expect(done).toBeGreaterThan(5)
      expect(done).toBeLessThan(count)
      expect(await json('ingest', 'many', '--corpus', 'many')).toMatchObject({
        created: count - done,
        unchanged: done,
      })
    },
    240_000,
  )
})
