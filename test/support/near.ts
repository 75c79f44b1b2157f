import { posix } from 'node:path'
import type { Area } from './areas.js'
import { importsOf } from './source-rules.js'

/** One mutant or planted leak that a change should meet. */
export interface Near {
  readonly area: string
  readonly test: string
  readonly name: string
}

/** The text of a file of the project, or null where there is none. */
export type Read = (path: string) => string | null

/**
 * What a change should meet, the most direct first: `touched` breaks a file that changed; `judged` is held by a law, a
 * harness or a list that changed.
 */
export function nearTo(
  changed: readonly string[],
  areas: readonly Area[],
  read: Read,
): { readonly touched: readonly Near[]; readonly judged: readonly Near[] } {
  const touched: Near[] = []
  const judged: Near[] = []
  for (const { name: area, test, broken } of areas) {
    const judges = judgesOf(test, read)
    const isJudged = changed.some(file => judges.has(file))
    for (const { name, files } of broken) {
      const near = { area, test, name }
      if (files.some(file => changed.includes(file))) touched.push(near)
      else if (isJudged) judged.push(near)
    }
  }
  return { touched, judged }
}

/** A test and what it imports, as far as that is there for tests only. */
function judgesOf(test: string, read: Read): ReadonlySet<string> {
  const judges = new Set([test])
  for (const file of judges)
    for (const path of importsOf(read(file) ?? '')) {
      const imported = posix.join(posix.dirname(file), path).replace(/\.js$/, '.ts')
      if (path.startsWith('.') && /^(?:test|src\/testing)\//.test(imported)) judges.add(imported)
    }
  return judges
}
