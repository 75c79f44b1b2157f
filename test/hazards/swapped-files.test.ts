import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFile, withFile } from '../../src/documents/read-file-within.js'
import type { Handle } from '../../src/handle.js'
import { readFolder } from '../../src/transfer/readers/folder.js'
import { ingestFolder } from '../../src/watching/ingest-folder.js'
import { watchFolder } from '../../src/watching/watch-folder.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { anyEngine } from '../support/stores.js'

describe('a file that is swapped for a symbolic link while it is taken in', () => {
  let store: TestPrivity
  let base: string
  beforeAll(async () => {
    store = await openTestPrivity(anyEngine)
    base = await mkdtemp(join(tmpdir(), 'swapped-'))
  })
  afterAll(async () => {
    await store.dispose()
    await rm(base, { recursive: true })
  })

  let made = 0
  /** A folder to take in, and one outside of it with secrets under the same names. */
  async function folders() {
    const inside = join(base, `${++made}`, 'inside')
    const outside = join(base, `${made}`, 'outside')
    for (const folder of [inside, outside]) await mkdir(join(folder, 'sub'), { recursive: true })
    for (const name of ['a.txt', 'b.txt', 'sub/c.txt', 'sub/d.txt', 'z.txt']) {
      await writeFile(join(inside, name), `plain words in ${name}`)
      // As long as the other, so that its size gives nothing away.
      await writeFile(join(outside, name), `the secrets in ${name}`)
    }
    const ana = store.privity.as({ tenant: store.tenant(), actor: 'ana' })
    return { inside, outside, ana }
  }
  const textsOf = async (ana: Handle) => {
    const { records } = await ana.list({ limit: 200 })
    return records.flatMap(({ payload }) => payload?.text ?? [])
  }
  /** What may be swapped after `a.txt` was taken in, when the folder has been listed already. */
  const SWAPS = {
    async file(inside: string, outside: string) {
      await rm(join(inside, 'b.txt'))
      await symlink(join(outside, 'b.txt'), join(inside, 'b.txt'))
    },
    async 'another file'(inside: string, outside: string) {
      await rename(join(outside, 'b.txt'), join(inside, 'b.txt'))
    },
    async folder(inside: string, outside: string) {
      await rm(join(inside, 'sub'), { recursive: true })
      await symlink(join(outside, 'sub'), join(inside, 'sub'))
    },
    async pipe(inside: string) {
      await rm(join(inside, 'b.txt'))
      execFileSync('mkfifo', [join(inside, 'b.txt')])
    },
  }

  // Ingest looks at a file right before it opens it, so another file in its place is simply the file there.
  const { 'another file': _, ...LEADING_OUT } = SWAPS
  it.each(Object.entries(LEADING_OUT))('ingest takes in nothing by way of a swapped %s', async (_, swap) => {
    const again = await folders()
    const signalled: string[] = []
    let swapped: Promise<void> | null = null
    const handle = {
      ...again.ana,
      documents: {
        ...again.ana.documents,
        async ingest(...asked: Parameters<Handle['documents']['ingest']>) {
          const answer = await again.ana.documents.ingest(...asked)
          swapped ??= swap(again.inside, again.outside)
          await swapped
          return answer
        },
      },
    } as Handle
    await ingestFolder(handle, again.inside, {
      corpus: 'files',
      onProblem: ({ document, problem }) => signalled.push(`${document} ${problem}`),
    })
    expect(signalled.join('\n')).toMatch(/was replaced/)
    const texts = await textsOf(again.ana)
    expect(texts.join()).toContain('plain words in z.txt')
    expect(texts.join()).not.toContain('the secrets')
  })

  it('ingest does not go on through a folder that was swapped after it was listed', async () => {
    const { inside, outside, ana } = await folders()
    let swapped: Promise<void> | null = null
    const handle = {
      ...ana,
      documents: {
        ...ana.documents,
        async ingest(...asked: Parameters<Handle['documents']['ingest']>) {
          const answer = await ana.documents.ingest(...asked)
          if (asked[0].document.endsWith('c.txt')) swapped ??= SWAPS.folder(inside, outside)
          await swapped
          return answer
        },
      },
    } as Handle
    const problems: string[] = []
    await ingestFolder(handle, inside, {
      corpus: 'files',
      onProblem: ({ document }) => problems.push(document),
    })
    expect(problems).toEqual(['inside/sub/d.txt'])
    expect((await textsOf(ana)).join()).not.toContain('the secrets')
  })

  it.each(Object.entries(SWAPS))('a watch takes in nothing by way of a swapped %s', async (name, swap) => {
    const { inside, outside, ana } = await folders()
    const binding = await ana.bindings.create({
      name: 'watched',
      kind: 'folder',
      location: inside,
      corpus: 'files',
    })
    const stop = new AbortController()
    const problems: string[] = []
    let swapped: Promise<void> | null = null
    const handle = {
      ...ana,
      documents: {
        ...ana.documents,
        async ingest(...asked: Parameters<Handle['documents']['ingest']>) {
          const answer = await ana.documents.ingest(...asked)
          swapped ??= swap(inside, outside)
          await swapped
          if (asked[0].document.endsWith('z.txt')) stop.abort()
          return answer
        },
      },
    } as Handle
    await watchFolder(handle, binding, {
      intervalMs: 20,
      signal: stop.signal,
      onProblem: ({ document, problem }) => problems.push(`${document} ${problem}`),
    })
    const texts = (await textsOf(ana)).join()
    expect(texts).toContain('plain words in a.txt')
    expect(texts).not.toContain('the secrets')
    expect(problems.join('\n'), name).toMatch(/was replaced/)
  })

  it.each(
    Object.entries(SWAPS),
  )('a swapped %s is not opened, however late it is swapped', async (_, swap) => {
    const { inside, outside } = await folders()
    const within = { root: inside, realRoot: await realpath(inside) }
    const path = join(inside, swap === SWAPS.folder ? 'sub/c.txt' : 'b.txt')
    const found = await findFile(path, within)
    expect((await withFile(found, opened => opened.read())).toString()).toMatch(/^plain words/)
    await swap(inside, outside)
    await expect(withFile(found, opened => opened.read())).rejects.toMatchObject({ name: 'FileMoved' })
  })

  it('import reads nothing by way of a link that takes the place of a file or a folder', async () => {
    for (const swap of [SWAPS.file, SWAPS.folder, SWAPS.pipe]) {
      const { inside, outside } = await folders()
      const items = []
      for await (const item of readFolder(inside)) {
        items.push(item)
        if (items.length === 1) await swap(inside, outside)
      }
      expect(JSON.stringify(items)).toContain('plain words in a.txt')
      expect(JSON.stringify(items)).not.toContain('the secrets')
    }
  })

  it('a link that somebody names is followed once, and a linked root stays where it was', async () => {
    const { inside, outside, ana } = await folders()
    const linked = join(inside, '..', 'linked')
    await symlink(inside, linked)
    expect(await ingestFolder(ana, linked, { corpus: 'files' })).toMatchObject({ created: 5, failed: 0 })
    const one = join(inside, '..', 'one.txt')
    await symlink(join(outside, 'a.txt'), one)
    expect(await ingestFolder(ana, one, { corpus: 'files' })).toMatchObject({ created: 1, failed: 0 })
  })
})
