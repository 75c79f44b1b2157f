import { setTimeout } from 'node:timers/promises'

/** Opens a store in the folder given, waits until it is quiet, and prints the resident bytes of this process. */

const [kind, folder = ''] = process.argv.slice(2)
const SETTLED_MS = 2_000

const close = await (kind === 'bare' ? openBare() : openPrivity())
await setTimeout(SETTLED_MS)
console.log(process.memoryUsage.rss())
await close()

async function openBare() {
  const { PGlite } = await import('@electric-sql/pglite')
  const db = new PGlite(folder)
  await db.query('select 1')
  return () => db.close()
}

async function openPrivity() {
  /** @type {typeof import('../../src/index.js')} */
  const { open } = await import(new URL('../../dist/index.js', import.meta.url).href)
  const privity = await open({ dataDir: folder })
  return () => privity.close()
}
