import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * A hash of files and of everything in folders. Times of change say nothing after a clone or a checkout, so they do not
 * count.
 *
 * @param {readonly string[]} paths
 * @param {(path: string) => boolean} [counts]
 */
export function contentHash(paths, counts = () => true) {
  const hash = createHash('sha256')
  for (const file of paths.flatMap(filesOf).filter(counts).sort())
    hash.update(`${file}\0`).update(createHash('sha256').update(readFileSync(file)).digest())
  return hash.digest('hex')
}

/** @param {string} path @returns {string[]} */
function filesOf(path) {
  if (!statSync(path).isDirectory()) return [path]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .map(name => join(path, name))
    .filter(file => statSync(file).isFile())
}
