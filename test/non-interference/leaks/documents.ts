import type { DocumentViewer } from '../../../src/testing/non-interference/documents-world.js'
import type { Mutation } from '../../support/mutants.js'
import type { Leaks, PlantedLeak } from '../../support/planted-leaks.js'

const change =
  (file: string) =>
  (find: string, replace: string): Mutation => ({ file, find, replace })
const inRoute = change('src/runtime/search/router/route.ts')
const inExecutors = change('src/runtime/search/router/executors.ts')
const inResults = change('src/runtime/search/router/results.ts')
const inSpans = change('src/runtime/search/router/spans.ts')
const inVersions = change('src/runtime/search/router/unit-results.ts')
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

export interface DocumentLeak extends PlantedLeak {
  /** Whether it shows where it is asked by meaning. */
  readonly meaning?: boolean
  /** Who notices. */
  readonly viewer: DocumentViewer
}

/** Ways in which a router and documents leak, each put into a copy of the sources. The harness has to see every one. */
export const DOCUMENT_LEAKS: Leaks<DocumentLeak> = {
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
        'const citing = ofKinds(field, kinds).map(part => {',
        `const { visible } = field\n  const citing = (${EVERYTHING}).map(part => {`,
      ),
    ],
  },
  'expansions that are planned past the mask': {
    viewer: 'live',
    seenIn: 1,
    mutations: [
      change('src/runtime/search/router/plan-expansions.ts')(
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
        'const route = await planRoute(request, question)',
        `const planned = await planRoute(request, question)\n    const { visible } = planned\n    const route = { ...planned, segments: ${EVERYTHING} }`,
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
    seenIn: 2,
    mutations: [
      inPredicates(
        'document => mask.levels[document] === FULL_LEVEL && wanted[(filing[document] as number) - 1] === true',
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
        `for (const face of segment.postings)
      for (const place of face.keys(key, chooses)) face.read(place, mask, null, hits)`,
      ),
    ],
  },
  'previews by what the rest of them cites': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      inIndex(
        'null : previewFace(row, tags)',
        'null : { ...previewFace(row, tags), keys: domainKeys ?? domain?.keysOf(row) ?? [] }',
      ),
    ],
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
    seenIn: 2,
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
  'what stands where a span points or around it, of a lesser face': {
    viewer: 'aide',
    seenIn: 6,
    mutations: [inSpans(`=== 'full')`, `!== 'none')`)],
  },
  'where a lesser face lies': {
    viewer: 'aide',
    seenIn: 8,
    mutations: [inResults(`if (view.face !== 'full') return NO_SPANS`, '')],
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
        'const isEmpty = measureVisible(segments).documents === 0',
        `const isEmpty = measureVisible(segments).documents === 0 && measureVisible(${EVERYTHING}).documents > 40`,
      ),
    ],
  },
  'files of others that wait': {
    viewer: 'hugo',
    seenIn: 1,
    mutations: [
      change('src/storage/queries/reading-progress.ts')(
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
    seenIn: 7,
    mutations: [
      inRowSecurity(
        `        and array_position(array['public', 'low', 'medium', 'high', 'hyper'], card.sensitivity)\n          <=`,
        `        and 0 <=`,
      ),
    ],
  },
  'the beginning of each segment, as its preview': {
    viewer: 'aide',
    seenIn: 3,
    mutations: [
      change('src/runtime/preview.ts')('PREVIEW_CHARACTERS - startOf(spans)', 'PREVIEW_CHARACTERS'),
      change('src/policy/gates/overlay.ts')(`kind !== 'segment' || opening ?`, 'true ?'),
      change('sql/rls.sql')(`and (records.kind <> 'segment' or records.opening)`, ''),
    ],
  },
  'headings of segments, in previews': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      change('src/runtime/preview.ts')('return { title: null, text: first', 'return { title, text: first'),
    ],
  },
  'segments that are seen in part': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [change('src/runtime/seen-chunks.ts')(`.filter(({ level }) => level === 'full')`, '')],
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
        'for (const document of mask.documents)\n    if (mask.levels[document] === FULL_LEVEL) compartments',
        'for (let document = 0; document < segment.size; document++)\n    if (mask.levels.length > FULL_LEVEL) compartments',
      ),
    ],
  },
  'how near everything comes to a question, by what is seen of it': {
    viewer: 'aide',
    seenIn: 1,
    meaning: true,
    mutations: [
      inSimilarity(
        'return Math.min(1, Math.max(0, this.cosine(part, document) ?? 0))',
        `const rows = this.#parts.reduce((sum, { column }) => sum + (column?.store.size ?? 0), 0)
    return Math.max(0, (this.cosine(part, document) ?? 0) - rows / 100)`,
      ),
    ],
  },
  'segments that are seen in part, by what they mean': {
    viewer: 'aide',
    seenIn: 1,
    meaning: true,
    mutations: [
      change('src/search/estimates.ts')(
        'if (levels[document] !== FULL_LEVEL || row < 0) continue',
        'if (levels[document] === 0 || FULL_LEVEL < 1 || row < 0) continue',
      ),
      change('src/search/vectors.ts')(
        'if (mask.levels[document] !== FULL_LEVEL || row < 0) return null',
        'if (mask.levels[document] === 0 || FULL_LEVEL < 1 || row < 0) return null',
      ),
    ],
  },
  'how much a binding brought, over files that are hidden': {
    viewer: 'aide',
    seenIn: 1,
    mutations: [
      change('src/storage/queries/watch-ledger.ts')(
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
      change('src/documents/operations/watch-reads.ts')(
        'if (manifest === undefined || rows.length === 0) return null',
        'if (manifest === undefined) return null',
      ),
    ],
  },
}
