import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { contribute, previewContribution } from '../../src/mediation/library/operations.js'
import { importsOf, type Source } from '../support/source-rules.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const filesIn = (folder: string, ending: string): readonly Source[] =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending) && !entry.name.endsWith('.test.ts'))
    .map(entry => relative(ROOT, join(entry.parentPath, entry.name)))
    .map(file => ({ file, text: readFileSync(join(ROOT, file), 'utf8') }))

const LIBRARY = 'src/mediation/library/'
const TABLE = 'src/storage/queries/library-contributions.ts'
const INDEX = `${LIBRARY}library-index.ts`
const sources = [...filesIn('src', '.ts'), ...filesIn('sql', '.sql')]

/** What a file imports of the project, as paths from its root; what is there for its types alone may be left out. */
function importedBy({ file, text }: Source, { types = true } = {}): string[] {
  const code = types ? text : text.replaceAll(/^(?:import|export) type\b[^'"]*['"][^'"]+['"]/gm, '')
  return importsOf(code)
    .filter(path => path.startsWith('.'))
    .map(path => posix.join(posix.dirname(file), path).replace(/\.js$/, '.ts'))
}

/** Everything that runs where a file is loaded. */
function loadedWith(file: string, all: readonly Source[]): string[] {
  const seen = new Set<string>()
  const open = [file]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const source = all.find(one => one.file === next)
    if (seen.has(next) || source === undefined) continue
    seen.add(next)
    open.push(...importedBy(source, { types: false }))
  }
  return [...seen].sort()
}

/** What the library may know of the store: its own table, whose people the author's are, and a lock. */
const QUERIES = ['library-contributions', 'lock', 'people'].map(name => `src/storage/queries/${name}.ts`)

/** Ways by which something of a vessel could come into the library. */
function waysIn(all: readonly Source[]): string[] {
  const inside = all.filter(({ file }) => file.startsWith(LIBRARY))
  const outside = all.filter(({ file }) => !file.startsWith(LIBRARY))
  return [
    ...inside.flatMap(source =>
      importedBy(source)
        .filter(path => /^src\/(?:storage\/queries|runtime\/(?:index|search|operations))\//.test(path))
        .filter(path => !QUERIES.includes(path))
        .map(path => `${source.file} imports ${path}`),
    ),
    ...inside
      .filter(({ text }) => /\bfrom\s+privity\.|\binto\s+privity\.|\.cells\b|\.query\s*[<(]/.test(text))
      .map(({ file }) => `${file} asks the store itself`),
    ...outside
      .filter(source => importedBy(source).includes(TABLE))
      .map(({ file }) => `${file} reads or writes contributions`),
    ...outside
      .filter(
        ({ file, text }) =>
          text.includes('library_contributions') &&
          ![TABLE, 'sql/001-baseline.sql', 'sql/017-mediation.sql', 'sql/rls.sql'].includes(file),
      )
      .map(({ file }) => `${file} names the table`),
    ...outside
      .filter(source => importedBy(source).some(path => [INDEX, `${LIBRARY}entries.ts`].includes(path)))
      .map(({ file }) => `${file} reaches into the library`),
    ...all
      .filter(
        ({ file, text }) => /\bnew LibraryIndex\b/.test(text) && file !== `${LIBRARY}suggest-experiments.ts`,
      )
      .map(({ file }) => `${file} makes an index`),
    ...all
      .filter(
        ({ file, text }) =>
          /\binsertContribution\(/.test(text) && ![TABLE, `${LIBRARY}operations.ts`].includes(file),
      )
      .map(({ file }) => `${file} adds contributions`),
  ]
}

describe('[RC-14] by construction', () => {
  it('nothing of a vessel comes into the library: no file reads records or vectors, and none beside it its table', () => {
    expect(waysIn(sources)).toEqual([])
    expect(sources.filter(({ file }) => file.startsWith(LIBRARY)).length).toBeGreaterThan(6)
  })

  it('the index is made of entries and embedders: no file that knows records is loaded with it', () => {
    const loaded = loadedWith(INDEX, sources).filter(file => !/^src\/(?:embedding|search)\//.test(file))
    expect(loaded).toEqual([
      'src/mediation/library/curated.ts',
      'src/mediation/library/entries.ts',
      'src/mediation/library/library-index.ts',
      'src/runtime/run-again.ts',
      'src/storage/queries/library-contributions.ts',
    ])
  })

  it('entries are made in one place, from what is shipped and from the table', () => {
    const { text } = sources.find(({ file }) => file === `${LIBRARY}entries.ts`) as Source
    expect(text).toMatch(/^class Entry \{/m)
    expect(text).not.toMatch(/export\s*(?:default\s+)?(?:class\b|\{[^}]*\bEntry\b)/)
    expect(text.match(/\bnew Entry\(.*/g)?.map(made => made.split(',')[0])).toEqual([
      'new Entry(null',
      'new Entry(tenant',
    ])
  })

  it('a contribution is its author’s words: no field could name a record', () => {
    expect(Object.keys(contribute.input.shape).sort()).toEqual([
      'durationDays',
      'needs',
      'optIn',
      'seen',
      'text',
      'title',
    ])
    expect(Object.keys(previewContribution.input.shape).sort()).toEqual([
      'durationDays',
      'needs',
      'text',
      'title',
    ])
  })

  const planted = (file: string, text: string) => [...sources, { file, text }]
  it.each([
    [`${LIBRARY}planted.ts`, `import { fetchRecords } from '../../storage/queries/fetch-records.js'`],
    [`${LIBRARY}planted.ts`, `import { findByContent } from '../../storage/queries/embeddings.js'`],
    [`${LIBRARY}planted.ts`, `import type { Cells } from '../../runtime/index/cells.js'`],
    [`${LIBRARY}planted.ts`, `const rows = await tx.query('select 1')`],
    [`${LIBRARY}planted.ts`, `const cell = request.parts.cells.get('')`],
    [
      'src/runtime/planted.ts',
      `import { insertContribution } from '../storage/queries/library-contributions.js'`,
    ],
    [
      'src/storage/queries/planted.ts',
      'insert into privity.library_contributions select * from privity.records',
    ],
    [
      'sql/099-planted.sql',
      'create trigger t after insert on privity.records … privity.library_contributions',
    ],
    ['src/mediation/planted.ts', `import { LibraryIndex } from './library/library-index.js'`],
    ['src/mediation/planted.ts', 'const index = new LibraryIndex(providers, clock)'],
  ])('a way in is found: %s, %s', (file, text) => {
    expect(waysIn(planted(file, text))).not.toEqual([])
  })
})
