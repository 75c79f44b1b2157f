import { posix } from 'node:path'

/** One source: its path from the project's root, and its text. */
export interface Source {
  readonly file: string
  readonly text: string
}

const DOORS = ['http', 'mcp', 'cli']
const PURE = ['policy', 'search']

const WHOLE = ['open', 'handle', 'generated', 'operation-table-row', 'operations']
/** What each folder of `src` may import besides itself and `errors.ts`. One that is not here is a capability. */
const KNOWS: Readonly<Record<string, readonly string[] | 'all'>> = {
  errors: [],
  policy: [],
  search: [],
  embedding: ['search'],
  storage: PURE,
  runtime: ['embedding', 'storage', ...PURE],
  mail: ['runtime', 'storage'],
  legal: ['documents', 'runtime', ...PURE],
  mediation: ['notifications', 'runtime', 'embedding', 'storage', ...PURE],
  sharing: ['mail', 'notifications', 'runtime', 'embedding', 'storage', ...PURE],
  // What puts everything together, and what uses the whole as anybody could.
  index: 'all',
  ...Object.fromEntries(WHOLE.map(whole => [whole, 'all'] as const)),
  authentication: ['runtime', ...PURE, ...WHOLE],
  // Files are read in one way, whether they become records or documents.
  transfer: ['documents', 'runtime', 'storage', ...PURE, ...WHOLE],
  // What recipients send in becomes documents.
  uploads: ['documents', 'sharing', 'runtime', 'storage', ...PURE],
  watching: ['documents', 'notifications', 'runtime', ...WHOLE],
  'example-world': ['runtime', ...WHOLE],
  client: ['runtime', 'http', ...WHOLE],
  adapters: ['runtime', 'client', ...WHOLE],
  testing: 'all',
  ...Object.fromEntries(DOORS.map(door => [door, 'all'] as const)),
}
const CAPABILITY_KNOWS = ['runtime', 'embedding', 'storage', ...PURE]

/** The folder of a file under `src`, or the name of a file that stands at its top. */
const layerOf = (file: string) => /^src\/([^/.]+)/.exec(file)?.[1] ?? ''

const QUOTED = /'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/
const COMMENT = /\/\/.*|\/\*[\s\S]*?\*\//
const CODE = new RegExp(`(${QUOTED.source}|\`(?:\\\\.|[^\`\\\\])*\`)|${COMMENT.source}`, 'g')

const withoutComments = (text: string) => text.replace(CODE, (_, kept: string | undefined) => kept ?? ' ')
/** Templates stay: there may be code in them. */
const withoutQuotes = (text: string) => text.replace(new RegExp(QUOTED, 'g'), "''")

const IMPORT =
  /\b(?:import|export)\b[^'"`;]*?\bfrom\s*(['"])(?<from>[^'"]+)\1|\bimport\s*(['"])(?<bare>[^'"]+)\3|\b(?:import|require)\s*\(\s*(?<dynamic>[^)]*)\)/g

/** What a file imports, as written; of a computed import, the expression. */
export function importsOf(text: string): string[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(({ groups }) => {
    const dynamic = groups?.dynamic?.trim()
    const literal = dynamic && /^(['"`])([^'"`$]+)\1$/.exec(dynamic)?.[2]
    return groups?.from ?? groups?.bare ?? literal ?? `(${dynamic})`
  })
}

/** Imports that point the wrong way, and reading the environment anywhere but at a door. */
export function directionViolations({ file, text }: Source): string[] {
  const layer = layerOf(file)
  const knows = KNOWS[layer] ?? CAPABILITY_KNOWS
  const wrong = importsOf(text).flatMap(path => {
    if (!path.startsWith('.')) return []
    const target = posix.join(posix.dirname(file), path)
    const to = layerOf(target)
    if (to === layer) return []
    if (to === 'testing') return [`${file} imports testing`]
    if (to === 'errors' || knows === 'all' || knows.includes(to)) return []
    return [`${file} imports ${target}`]
  })
  const code = withoutQuotes(withoutComments(text))
  const reads = /\bprocess\s*(?:\.|\?\.)\s*env\b|\bprocess\s*\[|\{[^}]*\benv\b[^}]*\}\s*=\s*process\b/.test(
    code,
  )
  const imports = importsOf(text).some(path => /^(?:node:)?process$/.test(path))
  return [
    ...wrong,
    ...((reads || imports) && !DOORS.includes(layer) ? [`${file} reads the environment`] : []),
  ]
}

/** Whatever could make the same question get two answers. */
const IMPURE = [
  /\bDate\.now\b/,
  /\bnew Date\b(?!\s*\(\s*[^)\s])/,
  /(?<!new )\bDate\(/,
  /\bMath\.random\b/,
  /\bprocess\b/,
  /\bglobalThis\b/,
  /\bset(?:Timeout|Interval|Immediate)\b/,
  /\bqueueMicrotask\b/,
  /\bperformance\b/,
  /\bcrypto\b/,
  /\bfetch\b/,
  /\bconsole\b/,
  /\beval\b/,
  /\bFunction\(/,
  /\bawait\b/,
]

/** Packages that are functions of their arguments themselves. */
const PURE_PACKAGES = /^@orama\/stemmers\//

/** What keeps a file of `policy` or `search` from being a function of its arguments. */
export function purityViolations({ file, text }: Source): string[] {
  const layer = layerOf(file)
  if (!PURE.includes(layer)) return []
  const imports = importsOf(text).filter(path => {
    if (!path.startsWith('.')) return !PURE_PACKAGES.test(path)
    const to = layerOf(posix.join(posix.dirname(file), path))
    return to !== layer && to !== 'errors'
  })
  const code = withoutQuotes(withoutComments(text))
  const mentions = IMPURE.map(pattern => pattern.exec(code)?.[0]).filter(found => found !== undefined)
  return [
    ...imports.map(path => `${file} imports ${path}`),
    ...mentions.map(found => `${file} mentions ${found}`),
  ]
}

const EXPORTED = new RegExp(
  [
    /^export (?:(?:default|declare|abstract|async) )*(?:const|let|function\*?|class|interface|type|enum) (?<one>[\w$]+)/,
    /^export (?:const|let) \{(?<several>[^}]*)\}/,
    /^export (?:type )?\{(?<listed>[^}]*)\}(?!\s*from)/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
)

/** What a file exports of its own; what it imports and passes on is another's. */
export function exportsOf(text: string): string[] {
  const code = withoutComments(text)
  const imported = new Set(
    [...code.matchAll(/^import (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => namesIn(list)),
  )
  const names = [...code.matchAll(EXPORTED)].flatMap(({ groups }) => [
    ...(groups?.one === undefined ? [] : [groups.one]),
    ...namesIn(groups?.several),
    ...namesIn(groups?.listed).filter(name => !imported.has(name)),
  ])
  return [...new Set(names)]
}

const namesIn = (list = '') => list.split(',').flatMap(item => /[\w$]+(?=\s*$)/.exec(item)?.[0] ?? [])

/** Names that several files have to export, and who asks for them. */
const AGREED: Readonly<Record<string, string>> = {
  load: 'each model that runs in a thread; embedding/worker.ts calls it by this name',
  ...Object.fromEntries(
    ['IndexSnapshot', 'Receipt', 'SharedDocument', 'Span', 'TemporalScope', 'TrustContext'].map(name => [
      name,
      'the type of a schema, and the public one that is generated from it',
    ]),
  ),
  ...Object.fromEntries(
    ['Capability', 'CapabilityPattern', 'CapabilityPolicy', 'DocumentScope'].map(name => [
      name,
      'what policy decides on, and the same as it is sent',
    ]),
  ),
}

/** Names that two files export, each for a thing of its own: whoever reads one cannot tell which is meant. */
export function nameClashes(sources: readonly Source[]): string[] {
  const files = new Map<string, string[]>()
  for (const { file, text } of sources)
    for (const name of exportsOf(text)) files.set(name, [...(files.get(name) ?? []), file])
  return [...files]
    .filter(([name, exporting]) => exporting.length > 1 && !Object.hasOwn(AGREED, name))
    .map(([name, exporting]) => `${name}: ${exporting.sort().join(', ')}`)
    .sort()
}
