import { posix } from 'node:path'

/** One source: its path from the project's root, and its text. */
export interface Source {
  readonly file: string
  readonly text: string
}

const DOORS = ['http', 'mcp', 'cli']
const PURE = ['policy', 'search']

const WHOLE = ['open', 'handle', 'operations']
/** What each folder of `src` may import besides itself and `errors.ts`. One that is not here is a capability. */
const KNOWS: Readonly<Record<string, readonly string[] | 'all'>> = {
  errors: [],
  policy: [],
  search: [],
  embedding: ['search'],
  storage: PURE,
  runtime: ['embedding', 'storage', ...PURE],
  mail: ['runtime', 'storage'],
  mediation: ['notifications', 'runtime', 'embedding', 'storage', ...PURE],
  sharing: ['mail', 'notifications', 'runtime', 'embedding', 'storage', ...PURE],
  // What puts everything together, and what uses the whole as anybody could.
  index: 'all',
  ...Object.fromEntries(WHOLE.map(whole => [whole, 'all'] as const)),
  authentication: ['runtime', ...PURE, ...WHOLE],
  transfer: ['runtime', 'storage', ...PURE, ...WHOLE],
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
