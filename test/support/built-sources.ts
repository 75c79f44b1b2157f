import { dirname, join, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vitest/config'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = join(ROOT, 'src') + sep

/** The folder of what `npm run build` makes: Vitest leaves it to Node, which loads and runs it as users do. */
const BUILT = join(ROOT, 'dist') + sep

/** Tests that cross modules import the built sources: Node loads them once a worker, several times faster than Vite. */
export const builtSources: Plugin = {
  name: 'privity-built-sources',
  enforce: 'pre',
  resolveId(source, importer) {
    if (importer === undefined || !source.startsWith('.')) return null
    const path = resolve(dirname(importer), source)
    return path.startsWith(SOURCES) ? join(BUILT, path.slice(SOURCES.length)) : null
  },
}
