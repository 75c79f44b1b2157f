import { createHash } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { UNLIKE_BEFORE } from '../../src/watching/ingest-file.js'
import { ingestFolder } from '../../src/watching/ingest-folder.js'
import { watchFolder } from '../../src/watching/watch-folder.js'
import type { FireEntry } from '../../src/watching/watch-until-stopped.js'
import { changedSample, sample } from '../support/sample-corpus.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { anyEngine } from '../support/stores.js'

describe('folders', () => {
  let store: SharedStore
  let privity: Privity
  let place: string
  let folder: string
  let hana: Handle
  let who: { tenant: string; actor: string }

  beforeAll(async () => {
    store = await sharedStore(anyEngine)
    privity = await store.instance()
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })
  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'privity-folder-'))
    folder = join(place, 'box')
    await mkdir(folder)
    who = { tenant: store.tenant(), actor: 'hana' }
    hana = privity.as(who)
  })
  afterEach(() => rm(place, { recursive: true, force: true }))

  const put = async (name: string, content: string | Uint8Array) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
  }
  /** Every document of the folder bears its name: what it is called by beyond that. */
  const inBox = (document: string | null | undefined) =>
    document?.startsWith('box/') ? document.slice('box/'.length) : `outside: ${document}`
  const allNames = async () =>
    (await hana.documents.cards({ limit: 200 })).documents.map(({ document }) => document ?? '').sort()
  const names = async () => (await allNames()).map(inBox)
  const ingest = async (more: Partial<Parameters<typeof ingestFolder>[2]> = {}) => {
    const problems: string[] = []
    const result = await ingestFolder(hana, folder, {
      corpus: 'bank',
      onProblem: ({ document, problem }) => problems.push(`${inBox(document)}: ${problem}`),
      ...more,
    })
    return { ...result, problems }
  }

  describe('are taken in', () => {
    it('[SR-20] again without sending what is stored already, unless that is hidden or is described anew', async () => {
      await put('one.txt', 'The first file.')
      await put('two.txt', 'The second file.')
      await put('scan.png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))
      await ingest()
      await put('two.txt', 'The second file, changed.')
      const sent: string[] = []
      const counted = (handle: Handle): Handle => ({
        ...handle,
        documents: {
          ...handle.documents,
          ingest(input, options) {
            sent.push(inBox(input.document))
            return handle.documents.ingest(input, options)
          },
        },
      })
      const own = hana
      hana = counted(own)
      expect(await ingest()).toMatchObject({ unchanged: 1, versioned: 1, failed: 1 })
      expect(sent.splice(0).sort()).toEqual(['scan.png', 'two.txt'])
      expect(await ingest({ tags: ['new'] })).toMatchObject({ described: 2 })
      expect(sent.splice(0).sort()).toEqual(['one.txt', 'scan.png', 'two.txt'])
      hana = own
      const [card] = (await hana.documents.cards({ limit: 200 })).documents.filter(({ document }) =>
        document?.endsWith('one.txt'),
      )
      const files = [
        { document: 'box/one.txt', sha256: createHash('sha256').update('The first file.').digest('hex') },
      ]
      expect(await hana.documents.unchanged({ corpus: 'bank', files })).toEqual({
        unchanged: ['box/one.txt'],
      })
      expect(await hana.documents.unchanged({ corpus: 'other', files })).toEqual({ unchanged: [] })
      await hana.relabel({ record: card?.id ?? '', sensitivity: 'high' })
      const narrow = privity.as({ ...who, trust: { maxSensitivity: 'low', authenticated: true } })
      expect(await narrow.documents.unchanged({ corpus: 'bank', files })).toEqual({ unchanged: [] })
    })

    it('in every format, each file under its path; twice changes nothing, and a changed file is a version', async () => {
      const samples = await Promise.all([0, 1, 2, 3, 4, 5, 7].map(index => sample({ index })))
      for (const { path, bytes } of samples) await put(path, bytes)
      expect(await ingest()).toMatchObject({
        created: samples.length,
        failed: 0,
        problems: [],
        stopped: false,
      })
      expect(await names()).toEqual(samples.map(({ path }) => path).sort())
      expect(await ingest()).toMatchObject({ created: 0, versioned: 0, unchanged: samples.length })
      const { path, bytes } = await changedSample({ seed: 1, index: 3 })
      await put(path, bytes)
      expect(await ingest()).toMatchObject({ created: 0, versioned: 1, unchanged: samples.length - 1 })
      expect(await names()).toHaveLength(samples.length)
    }, 60_000)

    it('but not what is hidden, what is a link, and what is gone stays', async () => {
      await put('a.txt', 'Text.')
      await put('.hidden.txt', 'Hidden.')
      await put('.git/config.txt', 'Hidden.')
      const outside = await mkdtemp(join(tmpdir(), 'privity-outside-'))
      await writeFile(join(outside, 'secret.txt'), 'Outside.')
      await symlink(join(outside, 'secret.txt'), join(folder, 'link.txt'))
      await symlink(outside, join(folder, 'linked'))
      await symlink(folder, join(folder, 'loop'))
      expect(await ingest()).toMatchObject({ created: 1, failed: 0 })
      expect(await names()).toEqual(['a.txt'])
      await rename(join(folder, 'a.txt'), join(folder, 'b.txt'))
      expect(await ingest()).toMatchObject({ created: 1 })
      expect(await names()).toEqual(['a.txt', 'b.txt'])
      await rm(outside, { recursive: true })
    })

    it('under one name for one file, however its letters are put together', async () => {
      await put('Schriftsätze/Erwiderung ü.txt'.normalize('NFD'), 'Text.')
      await put('日本/答弁書.txt', 'Another.')
      expect(await ingest()).toMatchObject({ created: 2, problems: [] })
      expect(await names()).toEqual(['Schriftsätze/Erwiderung ü.txt'.normalize('NFC'), '日本/答弁書.txt'])
      await put('twice é.txt'.normalize('NFC'), 'One.')
      await put('twice é.txt'.normalize('NFD'), 'Two.')
      const { created, problems } = await ingest()
      // A file system may take the two for one.
      expect([created, problems.length].toString()).toMatch(/^1,[01]$/)
    })

    it('and a broken file is told of while the rest goes on', async () => {
      await put('a.pdf', '%PDF-1.4 broken')
      await put('b.bin', new Uint8Array([0, 1, 2, 3, 255, 254]))
      await put(`c/${'x'.repeat(200)}.txt`, 'A name that is too long.')
      await put('d.txt', 'Text.')
      await put('e.txt', 'No reading.')
      await put('f.txt', '')
      await put('g.txt', 'It goes on.')
      const dry = await ingest({ dryRun: true })
      const { created, failed, problems } = await ingest()
      expect({ created, failed }).toEqual({ created: 3, failed: 4 })
      expect(problems).toEqual([
        'a.pdf: is damaged',
        'b.bin: is of a type that is not read',
        `c/${'x'.repeat(200)}.txt: its name with its folders is 210 bytes long, and may be 160: rename it, or call it something shorter`,
        'f.txt: the file is empty',
      ])
      // A dry run comes to the same, in the same words.
      expect({ readable: dry.readable, failed: dry.failed, problems: dry.problems }).toEqual({
        readable: created,
        failed,
        problems,
      })
    })

    it.skipIf(process.getuid?.() === 0)('nor does one that may not be read end it', async () => {
      await put('a.txt', 'Text.')
      await put('closed/b.txt', 'Text.')
      await chmod(join(folder, 'closed'), 0)
      expect(await ingest()).toMatchObject({ created: 1, failed: 1 })
      await chmod(join(folder, 'closed'), 0o700)
    })

    it('and a mailbox as its messages', async () => {
      const message = (at: number) =>
        `From ana@example.org Mon Jan  ${at} 10:00:00 2026\nFrom: ana@example.org\nTo: ben@example.org\nMessage-ID: <${at}@example.org>\nSubject: Letter ${at}\nDate: Mon, ${at} Jan 2026 10:00:00 +0000\n\nBody ${at}.\n\n`
      await put('mail/in.mbox', message(1) + message(2))
      expect(await ingest()).toMatchObject({ created: 2, problems: [] })
      await put('mail/in.mbox', message(1) + message(2) + message(3))
      expect(await ingest()).toMatchObject({ created: 1, unchanged: 2 })
      expect(await names()).toEqual(['1', '2', '3'].map(at => `mail/in.mbox/00000${at}.eml`))
    })

    it('with what is asked for, or kept to be read later; a dry run takes nothing', async () => {
      await put('a.txt', 'Text.')
      await put('b.bin', new Uint8Array([0, 1, 2, 255]))
      expect(await ingest({ dryRun: true })).toMatchObject({ readable: 1, failed: 1, created: 0 })
      expect((await hana.documents.sources()).sources).toEqual([])
      await rm(join(folder, 'b.bin'))
      await ingest({ extract: 'later', sensitivity: 'high', metadata: { caseNumber: '2:24-cv-01234' } })
      expect(await names()).toEqual([])
      const { card } = await hana.documents.extract({ document: 'box/a.txt' })
      expect(card?.sensitivity).toBe('high')
      expect((await hana.documents.get(card?.id ?? ''))?.fields.caseNumber).toBe('2:24-cv-01234')
    })

    it('one file alone, under its own name or another', async () => {
      await put('in/a.txt', 'Text.')
      const file = join(folder, 'in/a.txt')
      await ingestFolder(hana, file, { corpus: 'bank' })
      await ingestFolder(hana, file, { corpus: 'bank', document: 'briefs/first.txt' })
      expect(await allNames()).toEqual(['a.txt', 'briefs/first.txt'])
      await expect(ingestFolder(hana, join(folder, 'nowhere'), { corpus: 'bank' })).rejects.toMatchObject({
        code: 'not_found',
      })
    })

    it('each under its own name or another, so that equal names in two of them stay two documents', async () => {
      await put('motion.txt', 'The otter pleads at the river.')
      const second = join(place, 'second')
      await mkdir(second)
      await writeFile(join(second, 'motion.txt'), 'A heron waits for nobody else.')
      await ingest()
      const home = process.cwd()
      process.chdir(second)
      const here = await ingestFolder(hana, '.', { corpus: 'bank' }).finally(() => process.chdir(home))
      expect(here).toMatchObject({ created: 1, versioned: 0, unlike: 0 })
      await ingestFolder(hana, second, { corpus: 'bank', document: 'north/2024' })
      expect(await allNames()).toEqual(['box/motion.txt', 'north/2024/motion.txt', 'second/motion.txt'])
      expect(await ingest()).toMatchObject({ unchanged: 1, created: 0 })
    })

    it('and a version that has nothing of the one before is told of, and one that has is not', async () => {
      await put('motion.txt', 'The otter pleads at the river in the morning.')
      await ingest()
      await put('motion.txt', 'The otter pleads at the river in the evening.')
      expect(await ingest()).toMatchObject({ versioned: 1, unlike: 0, problems: [] })
      await put('motion.txt', 'A heron waits for nobody else.')
      const { versioned, unlike, problems } = await ingest()
      expect({ versioned, unlike }).toEqual({ versioned: 1, unlike: 1 })
      expect(problems).toEqual([`motion.txt: ${UNLIKE_BEFORE}`])
    })

    it('until a signal; running again finishes it', async () => {
      for (const at of [1, 2, 3, 4]) await put(`${at}.txt`, `Text ${at}.`)
      const stop = new AbortController()
      const onProgress = ({ created }: { created: number }) => created === 2 && stop.abort()
      expect(await ingest({ signal: stop.signal, onProgress })).toMatchObject({
        created: 2,
        stopped: true,
        reached: 'box/2.txt',
      })
      expect(await names()).toEqual(['1.txt', '2.txt'])
      expect(await ingest()).toMatchObject({ created: 2, unchanged: 2, stopped: false })
    })

    it('and what is wrong with the store ends it', async () => {
      await put('a.txt', 'Text.')
      const closed = await store.instance()
      await closed.close()
      const nobody = closed.as({ tenant: store.tenant(), actor: 'hana' })
      await expect(ingestFolder(nobody, folder, { corpus: 'bank' })).rejects.toMatchObject({
        code: 'closed',
      })
    })
  })

  describe('[BK-2] are watched', () => {
    /** A watcher whose looks a test waits for. */
    async function watch() {
      const existing = (await hana.bindings.list()).bindings[0]
      const binding =
        existing ??
        (await hana.bindings.create({
          name: 'inbox',
          kind: 'folder',
          location: folder,
          corpus: 'bank',
          defaults: { sensitivity: 'low' },
        }))
      const fires: FireEntry[][] = []
      const problems: string[] = []
      const stop = new AbortController()
      const ended = watchFolder(hana, binding, {
        intervalMs: 60,
        signal: stop.signal,
        onFire: entries => void fires.push([...entries]),
        onProblem: ({ document, problem }) =>
          void problems.push(`${document === null ? null : inBox(document)}: ${problem}`),
      })
      const seen = () => fires.flat().map(({ document, outcome }) => `${outcome} ${inBox(document)}`)
      const until = (...expected: string[]) =>
        expect.poll(seen, { timeout: 10_000, interval: 20 }).toEqual(expected)
      const ledger = async () =>
        Object.fromEntries(
          (await hana.bindings.contributions({ binding: binding.id })).contributions.map(one => [
            inBox(one.document),
            one.state,
          ]),
        )
      const end = async () => {
        stop.abort()
        await ended
      }
      return { binding, fires, problems, seen, until, ledger, end }
    }

    it('and what comes, changes and goes is written down, each look with news as one event', async () => {
      await put('a.txt', 'One.')
      await put('b.txt', 'Two.')
      const { fires, until, ledger, end, binding } = await watch()
      await until('created a.txt', 'created b.txt')
      expect(fires).toHaveLength(1)
      await put('a.txt', 'One, changed.')
      await until('created a.txt', 'created b.txt', 'versioned a.txt')
      await rm(join(folder, 'b.txt'))
      await until('created a.txt', 'created b.txt', 'versioned a.txt', 'removed b.txt')
      expect(await ledger()).toEqual({ 'a.txt': 'confirmed', 'b.txt': 'soft_deleted' })
      expect(await names()).toEqual(['a.txt', 'b.txt'])
      const { sources } = await hana.documents.sources()
      expect(sources.map(one => one.binding)).toEqual([binding.id, binding.id])
      expect(await hana.bindings.health({ binding: binding.id })).toMatchObject({ totalFires: 3 })
      await end()
    }, 60_000)

    it('and a file is taken once it stands still', async () => {
      const { until, end, fires } = await watch()
      for (let at = 0; at < 12; at++) {
        await put('slow.txt', 'x'.repeat(at + 1))
        await new Promise(resolve => setTimeout(resolve, 30))
        expect(fires).toEqual([])
      }
      await put('slow.txt', 'Whole.')
      await until('created slow.txt')
      const [card] = (await hana.documents.cards()).documents
      expect((await hana.documents.read(card?.id ?? ''))?.text).toBe('Whole.')
      await end()
    }, 60_000)

    it('and what happened while nobody watched is caught up with, once', async () => {
      await put('a.txt', 'One.')
      await put('b.txt', 'Two.')
      const first = await watch()
      await first.until('created a.txt', 'created b.txt')
      await first.end()
      await rm(join(folder, 'a.txt'))
      await put('c.txt', 'Three.')
      const second = await watch()
      await expect
        .poll(second.ledger, { timeout: 10_000 })
        .toEqual({ 'a.txt': 'soft_deleted', 'b.txt': 'confirmed', 'c.txt': 'confirmed' })
      await second.end()
      const third = await watch()
      await new Promise(resolve => setTimeout(resolve, 500))
      expect(third.fires).toEqual([])
      await third.end()
    }, 60_000)

    it('and a folder that is away takes nothing with it', async () => {
      await put('a.txt', 'One.')
      const { until, ledger, problems, end } = await watch()
      await until('created a.txt')
      await rename(folder, `${folder}-away`)
      await expect.poll(() => problems.length, { timeout: 5_000 }).toBeGreaterThan(1)
      expect(await ledger()).toEqual({ 'a.txt': 'confirmed' })
      await rename(`${folder}-away`, folder)
      await end()
    }, 60_000)

    it('and what was rejected is not brought back, nor is a broken file a reason to stop', async () => {
      await put('ad.txt', 'An advertisement.')
      await put('broken.pdf', '%PDF-1.4 broken')
      const { binding, seen, until, ledger, problems, end } = await watch()
      await until('created ad.txt', 'failed broken.pdf')
      expect(problems).toEqual(['broken.pdf: cannot be read (damaged)'])
      expect(await ledger()).toEqual({ 'ad.txt': 'confirmed', 'broken.pdf': 'extraction_failed' })
      const { contributions } = await hana.bindings.contributions({ binding: binding.id })
      const ad = contributions.find(({ document }) => document === 'box/ad.txt')
      await hana.bindings.judge({ contribution: ad?.contribution ?? '', verdict: 'reject' })
      await hana.documents.remove({ document: 'box/ad.txt' })
      await utimes(join(folder, 'ad.txt'), new Date(), new Date(Date.now() - 60_000))
      await put('other.txt', 'A motion.')
      // A look that began before the judgement brings it once more, and is told that it was rejected.
      const kept = () => seen().filter(line => line !== 'rejected ad.txt')
      await expect
        .poll(kept, { timeout: 10_000, interval: 20 })
        .toEqual(['created ad.txt', 'failed broken.pdf', 'created other.txt'])
      expect(await names()).toEqual(['other.txt'])
      await end()
    }, 60_000)

    it('and an error of the store is told of, and tried again', async () => {
      await put('a.txt', 'One.')
      const { binding, end, problems, until } = await watch()
      await hana.bindings.setState({ binding: binding.id, state: 'paused' })
      await expect
        .poll(() => problems.at(-1), { timeout: 5_000 })
        .toBe('null: the binding is paused; resume it first')
      await hana.bindings.setState({ binding: binding.id, state: 'active' })
      await until('unchanged a.txt')
      await end()
    }, 60_000)
  })
})
