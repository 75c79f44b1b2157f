import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { median } from '../measure.js'
import { times } from './goals.js'

const PROGRAM = fileURLToPath(new URL('memory-child.js', import.meta.url))
const MEBIBYTE = 2 ** 20
const ROUNDS = 3

/**
 * How much memory a process holds that has opened an empty store, which another process made; on the embedded store
 * alone, because of Postgres most is in the server.
 *
 * @param {import('./goals.js').Run} run
 */
export async function measureMemory({ engines, add }) {
  if (!engines.includes('pglite')) return
  /** @type {Record<string, number>} */
  const sizes = {}
  for (const kind of ['bare', 'privity']) {
    const folder = await mkdtemp(join(tmpdir(), 'privity-bench-'))
    try {
      await sizeOf(kind, folder)
      const rounds = []
      for (let round = 0; round < ROUNDS; round++) rounds.push(await sizeOf(kind, folder))
      sizes[kind] = median(rounds) / MEBIBYTE
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  add(
    times({
      what: 'resident memory of an open, empty store',
      store: 'pglite',
      ours: sizes.privity ?? Number.NaN,
      peer: sizes.bare ?? Number.NaN,
      unit: 'MiB',
      peerName: 'bare PGlite',
      atMost: 1.3,
    }),
  )
}

/** @param {string} kind @param {string} folder */
async function sizeOf(kind, folder) {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, kind, join(folder, 'store')])
  return Number(stdout)
}
