import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extracting, opening, watching } from '../built.js'
import { makeDrafts } from '../drafts.js'
import { startPostgres } from '../postgres.js'
import { makeRandom } from '../random.js'
import { share } from './goals.js'

/** @typedef {import('./goals.js').Run} Run */

const FILES = { quick: 100, plain: 2_000 }

/** A folder of small files of four formats taken in, against reading each with the same parsers. @param {Run} run */
export async function measureIngest({ seed, quick, engines, log, add }) {
  const folder = await mkdtemp(join(tmpdir(), 'privity-bench-'))
  const files = FILES[quick ? 'quick' : 'plain']
  try {
    const names = await writeFiles(join(folder, 'files'), seed, files)
    const parsed = await parseAll(names)
    log(`parsing alone: ${Math.round(parsed)} files/s`)
    for (const engine of engines) {
      const server = engine === 'postgres' ? await startPostgres() : null
      const place = server === null ? { dataDir: join(folder, 'store') } : { databaseUrl: server.url }
      const privity = await opening.open(place)
      try {
        const owner = privity.as({ tenant: 'bench', actor: 'owner' })
        const start = performance.now()
        const { created } = await watching.ingestFolder(owner, join(folder, 'files'), { corpus: 'files' })
        const rate = (created * 1000) / (performance.now() - start)
        if (created !== files) throw new Error(`${created} of ${files} files were taken in`)
        add(
          share({
            what: `ingest of ${files.toLocaleString('en-US')} small files`,
            store: engine,
            ours: rate,
            peer: parsed,
            unit: 'files/s',
            peerName: 'parsing alone',
            atLeast: 0.6,
          }),
        )
      } finally {
        await privity.close()
        await server?.dispose()
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Files per second, by one caller, one after the other, in the process that isolates parsers. @param {readonly string[]} files */
async function parseAll(files) {
  const extractor = new extracting.Extractor()
  try {
    const read = async (/** @type {string} */ file) => extractor.extract(await readFile(file), file)
    // The process starts with the first file.
    for (const file of files.slice(0, 20)) await read(file)
    const start = performance.now()
    for (const file of files) if ('problem' in (await read(file))) throw new Error('a file was not parsed')
    return (files.length * 1000) / (performance.now() - start)
  } finally {
    await extractor.close()
  }
}

/** @param {string} folder @param {number} seed @param {number} count */
async function writeFiles(folder, seed, count) {
  await mkdir(folder)
  const names = []
  for (const [at, { text }] of makeDrafts(makeRandom(seed), count).entries()) {
    const [extension, content] = /** @type {[string, string]} */ (
      [
        ['txt', `${text}\n\n${text}`],
        ['md', `# File ${at}\n\n${text}\n\n## More\n\n${text}`],
        ['html', `<title>File ${at}</title><h1>File ${at}</h1><p>${text}</p><p>${text}</p>`],
        [
          'eml',
          `From: a@example.org\r\nTo: b@example.org\r\nSubject: File ${at}\r\nDate: Mon, 5 Jan 2026 10:00:00 +0000\r\n\r\n${text}\r\n`,
        ],
      ][at % 4]
    )
    const name = join(folder, `${at}.${extension}`)
    await writeFile(name, content)
    names.push(name)
  }
  return names
}
