import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { builtIn } from '../../src/embedding/built-in.js'
import type * as Open from '../../src/open.js'
import type { Connect } from '../../src/testing/index.js'
import { checkDocumentNonInterference } from '../../src/testing/non-interference/documents.js'
import type { Viewer } from '../../src/testing/non-interference/documents-world.js'
import { type Mutation, makeMutant } from '../support/mutants.js'
import { freshDatabase } from '../support/privity.js'

const change =
  (file: string) =>
  (find: string, replace: string): Mutation => ({ file, find, replace })
const inRoute = change('src/runtime/search/router/route.ts')
const inExecutors = change('src/runtime/search/router/executors.ts')
const inResults = change('src/runtime/search/router/results.ts')
const inSpans = change('src/runtime/search/router/spans.ts')
const inVersions = change('src/runtime/search/router/versions.ts')
const inPredicates = change('src/runtime/search/predicates.ts')
const inIndex = change('src/runtime/index/document.ts')
const inRouter = change('src/runtime/operations/router.ts')
const inSimilarity = change('src/search/similarity.ts')
const inRowSecurity = change('sql/rls.sql')

/** What the owner sees, for whoever works for them. */
const EVERYTHING = `visible.seenAs({
  audience: 'owner',
  respectConsent: false,
  trust: { maxSensitivity: 'hyper', scopes: 'all', authenticated: true },
  visibility: { ceiling: 'firewalled', floor: null },
  views: null,
})`

/** Every document of a segment, dead or alive, seen or not. */
const EVERY_DOCUMENT = 'routed.segments.reduce((sum, { segment }) => sum + segment.size, 0)'

interface Planted {
  /** Whether it shows where it is asked by meaning. */
  readonly meaning?: boolean
  /** Who notices, in which world to begin with: if worlds change, the search goes on from there. */
  readonly viewer: Viewer
  readonly seenIn: number
  readonly mutations: readonly Mutation[]
}

/** Ways in which a router and documents leak, each put into a copy of the sources. The harness has to see every one. */
const LEAKS: Readonly<Record<string, Planted>> = {
  'executors that are given what the owner sees': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inRoute(
        'const field = { request, plan: valid, visible, segments,',
        `const field = { request, plan: valid, visible, segments: ${EVERYTHING},`,
      ),
    ],
  },
  'a citation executor past the mask': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inExecutors(
        'async function byCitation({ plan, segments }: Field, { heed }: Allowance): ReturnType<Executor> {',
        `async function byCitation({ plan, visible }: Field, { heed }: Allowance): ReturnType<Executor> {\n  const segments = ${EVERYTHING}`,
      ),
    ],
  },
  'expansions that are planned past the mask': {
    viewer: 'live',
    seenIn: 1,
    mutations: [
      change('src/runtime/search/router/planned-expansions.ts')(
        'readTerm(part, term, false, seen)',
        `for (const { key, spelled, chooses } of term.keys ?? [])
      for (const _ of part.segment.full.keys(key, chooses)) seen.set(spelled, 'key')`,
      ),
    ],
  },
  'what a question would be taken for, of everything': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inRouter(
        'const { plan, question, segments, failure } = await planRoute(request, asked)',
        `const { plan, question, visible, failure } = await planRoute(request, asked)\n    const segments = ${EVERYTHING}`,
      ),
    ],
  },
  'words that are suggested from everything': {
    viewer: 'live',
    seenIn: 1,
    mutations: [change('src/search/suggest.ts')('if (hits.length === 0) return', '')],
  },
  'scopes that find by filing metadata which no view exposes': {
    viewer: 'live',
    seenIn: 1,
    mutations: [
      inPredicates(
        'return new Set(hits.documents.subarray(0, hits.length).filter(shown))',
        'return new Set(hits.documents.subarray(0, hits.length).filter(document => shown(document) || true))',
      ),
    ],
  },
  'lesser faces by the unit they were filed in': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inPredicates(
        'document => mask.surfaces[document] === FULL && wanted[(filing[document] as number) - 1] === true',
        'document => wanted[(filing[document] as number) - 1] === true',
      ),
    ],
  },
  'lesser faces by their dates': {
    viewer: 'aide',
    seenIn: 3,
    mutations: [
      inIndex(
        `metadata: { parts: [...tags], language: 'und', keys: [] }`,
        `metadata: { parts: [...tags], language: 'und', keys: [...dateKeys(row.fields)] }`,
      ),
      inPredicates(
        'for (const place of segment.full.keys(key, chooses)) segment.full.read(place, mask, null, hits)',
        `for (const face of segment.surfaces)
      for (const place of face.keys(key, chooses)) face.read(place, mask, null, hits)`,
      ),
    ],
  },
  'previews by what the rest of them cites': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [inIndex('\n            keys: [],', '\n            keys: legalKeys(row.text),')],
  },
  'versions that are hidden, by what gives way to them': {
    viewer: 'aide',
    seenIn: 2,
    mutations: [
      change('src/search/match.ts')(
        'const filing = filingOf(parts[part] as VisiblePart, document)\n      return filing === undefined || filing.rank === strongest.get(filing.unit)',
        `const filing = filingOf(parts[part] as VisiblePart, document)
      const all = parts.flatMap(({ segment }) => segment.data.filings.filter(({ unit }) => unit === filing?.unit))
      return filing === undefined || filing.rank === Math.min(...all.map(({ rank }) => rank))`,
      ),
    ],
  },
  'versions that are hidden, by name': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inVersions(
        '...ofUnit.map(one => one.filing.version),\n    ]',
        `...ofUnit.map(one => one.filing.version),
      ...segments.flatMap(({ segment }) => segment.data.filings.filter(({ unit }) => unit === filing.unit).map(({ version }) => version)),
    ]`,
      ),
    ],
  },
  'lesser faces gathered by their filing unit': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inVersions(
        'const filing = filingOf(segments[one.item.part] as VisibleSegment, one.item.document) ?? null',
        `const { data } = (segments[one.item.part] as VisibleSegment).segment
    const filing = data.filings[(data.filing[one.item.document] as number) - 1] ?? null`,
      ),
    ],
  },
  'of which filing a lesser face is a version': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      change('src/runtime/search/run.ts')(
        'const own = filingOf(segments[part] as VisibleSegment, document)',
        `const { data } = (segments[part] as VisibleSegment).segment
  const own = data.filings[(data.filing[document] as number) - 1]`,
      ),
    ],
  },
  'how many records a filing unit has': {
    viewer: 'live',
    seenIn: 1,
    mutations: [
      inResults(
        'unitMatches: 1 + one.others.length,',
        `unitMatches: routed.segments.reduce((sum, { segment }) => sum + segment.data.filing.filter(at => segment.data.filings[at - 1]?.unit === filing?.unit).length, 0),`,
      ),
    ],
  },
  'what stands where a span points, of a lesser face': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [inSpans(`=== 'full')\n  return records.map(`, `!== 'none')\n  return records.map(`)],
  },
  'what stands around a span, of a lesser face': {
    viewer: 'aide',
    seenIn: 4,
    mutations: [
      inSpans(
        `=== 'full')\n  return spans.map(({ owner, document`,
        `!== 'none')\n  return spans.map(({ owner, document`,
      ),
    ],
  },
  'where a lesser face lies': {
    viewer: 'aide',
    seenIn: 8,
    mutations: [
      inResults(
        `if (row === undefined || view === undefined || view.face !== 'full') return NO_SPANS`,
        'if (row === undefined || view === undefined) return NO_SPANS',
      ),
    ],
  },
  'a count of everything': {
    viewer: 'snapshot',
    seenIn: 1,
    mutations: [inRouter('count: routed.matches,', `count: routed.matches + ${EVERY_DOCUMENT},`)],
  },
  'what is hidden, by whether a narrow search is one of nothing': {
    viewer: 'bound',
    seenIn: 2,
    mutations: [
      inRoute(
        'const isEmpty = sizeOf(segments).documents === 0',
        `const isEmpty = sizeOf(segments).documents === 0 && sizeOf(${EVERYTHING}).documents > 40`,
      ),
    ],
  },
  'files of others that wait': {
    viewer: 'hugo',
    seenIn: 1,
    mutations: [
      change('src/storage/queries/reading-of.ts')(
        'and s.owner = any ($2::text[])',
        'and cardinality($2::text[]) > 0',
      ),
      inRowSecurity(
        `for select to privity_app using (\n  (\n    owner = privity.setting('principal')\n    or exists (\n      select 1\n      from privity.memberships m\n      where m.tenant_id = sources.tenant_id`,
        `for select to privity_app using (\n  true or (\n    owner = privity.setting('principal')\n    or exists (\n      select 1\n      from privity.memberships m\n      where m.tenant_id = sources.tenant_id`,
      ),
    ],
  },
  'files that wait, to whoever may not see them': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inRowSecurity(
        `      record_id is null\n      and privity.setting('audience') in ('owner', 'host')`,
        `      record_id is null\n      or privity.setting('audience') in ('owner', 'host')`,
      ),
    ],
  },
  'files that wait to take the place of what is seen in part': {
    viewer: 'aide',
    seenIn: 5,
    mutations: [
      inRowSecurity(
        `        and array_position(array['public', 'low', 'medium', 'high', 'hyper'], card.sensitivity)\n          <=`,
        `        and 0 <=`,
      ),
    ],
  },
  'segments that are seen in part': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      change('src/runtime/segments.ts')(
        `if (level !== 'full' || span?.start`,
        `if (level === 'none' || span?.start`,
      ),
    ],
  },
  'what was made from versions that were replaced': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      change('src/documents/operations/fields.ts')(
        `if (shownLevel(faces[at] ?? NONE) !== 'full') return []`,
        `if (shownLevel(faces[at] ?? NONE) === 'none') return []`,
      ),
    ],
  },
  'corpora of which nothing is seen': {
    viewer: 'aide',
    seenIn: 2,
    mutations: [
      change('src/runtime/search/execute.ts')(
        'for (const document of mask.documents)\n    if (mask.surfaces[document] === FULL) compartments',
        'for (let document = 0; document < segment.size; document++)\n    if (mask.surfaces.length > FULL) compartments',
      ),
    ],
  },
  'how near everything comes to a question, by what is seen of it': {
    viewer: 'aide',
    seenIn: 1,
    meaning: true,
    mutations: [
      inSimilarity(
        'return cosine === null ? 0 : normalise(cosine, this.lowest, this.highest)',
        `const rows = this.#parts.reduce((sum, { column }) => sum + (column?.store.size ?? 0), 0)
    return cosine === null ? 0 : normalise(cosine, this.lowest - rows / 100, this.highest)`,
      ),
    ],
  },
  'segments that are seen in part, by what they mean': {
    viewer: 'aide',
    seenIn: 1,
    meaning: true,
    mutations: [
      change('src/search/estimates.ts')(
        'if (surfaces[document] !== FULL || row < 0) continue',
        'if (surfaces[document] === 0 || FULL < 1 || row < 0) continue',
      ),
      change('src/search/vectors.ts')(
        'if (mask.surfaces[document] !== FULL || row < 0) return null',
        'if (mask.surfaces[document] === 0 || FULL < 1 || row < 0) return null',
      ),
    ],
  },
  'how much a binding brought, over files that are hidden': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      change('src/storage/queries/binding-ledger.ts')(
        'then r.record_id is not null and',
        'then true or r.record_id is not null and',
      ),
      inRowSecurity(
        'when record_id is not null then exists (',
        'when record_id is not null then true or exists (',
      ),
    ],
  },
  'an event at which nothing came that is seen': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      change('src/documents/operations/binding-reads.ts')(
        'if (manifest === undefined || rows.length === 0) return null',
        'if (manifest === undefined) return null',
      ),
    ],
  },
}

/** Worlds to look through before a leak counts as unseen. */
const WORLDS = 12

async function leaksOf({ viewer, seenIn, mutations, meaning = false }: Planted, worlds: number) {
  const mutant = await makeMutant(mutations)
  // Files are read by a process of their own, which is the built one and unbroken.
  await symlink(fileURLToPath(new URL('../../dist', import.meta.url)), join(mutant.dir, 'dist'))
  const database = await freshDatabase()
  try {
    const { openStore, assemble } = (await mutant.import('src/open.ts')) as typeof Open
    const connect: Connect = async (clock, observe) => {
      const db = await openStore({ databaseUrl: database.url, poolSize: 2, observe })
      return {
        db,
        privity: await assemble(db, clock, { embedding: meaning ? [builtIn()] : [], sweeps: false }),
      }
    }
    let seen = seenIn
    const leaks = await checkDocumentNonInterference({
      connect,
      seed: seenIn,
      worlds,
      viewers: () => [viewer],
      meaning,
      failFast: true,
      onViewer: ({ world }) => {
        seen = world
      },
    })
    return { leaks, seen }
  } finally {
    await database.drop()
    await mutant.dispose()
  }
}

describe('planted leaks of the router and of documents', () => {
  it.each(Object.entries(LEAKS))(
    '[NI-1, NI-2, NI-3, NI-4, NI-5, NI-6, QX-2, SC-4, SR-4, SR-10, BK-1] the harness sees %s',
    async (name, planted) => {
      const { leaks, seen } = await leaksOf(planted, WORLDS)
      const [leak] = leaks
      if (seen !== planted.seenIn)
        console.info(`${name} is seen in world ${seen}: ${leak?.kind} of ${leak?.request.operation}`)
      expect(leaks.length).toBeGreaterThan(0)
    },
    1_200_000,
  )

  it('[NI-3] and nothing in an unbroken copy', async () => {
    expect((await leaksOf({ viewer: 'aide', seenIn: 1, meaning: true, mutations: [] }, 1)).leaks).toEqual([])
  }, 600_000)
})
