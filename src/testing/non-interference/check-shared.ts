import type { Answer, Report } from './probes.js'
import type { Request } from './requests.js'
import { disclosesDrift } from './sharing-counterpart.js'
import type { SeenByLink, SeenRecord } from './sharing-reference.js'
import { marksOf } from './sharing-world.js'

interface Question {
  readonly at: number
  readonly request: Request
  readonly told: readonly Answer[]
  readonly seen: SeenByLink
}

interface CheckContext {
  /** How many records the viewer's views left out when they were shared. */
  readonly excluded: number
  readonly others: readonly string[]
}

/** Checks a recipient's answers against the reference: no hidden id or word, the right faces, complete lists. */
export function checkShared(question: Question, beside: CheckContext, leak: Report): void {
  const { request, told, seen } = question
  for (const answer of told) {
    checkWords(answer, request, seen, beside.others, leak)
    for (const { document, face } of documentsIn(answer.value)) {
      const level = seen.records.get(document)?.level ?? 'none'
      if (face !== level) leak('wrong face', `${document} is shown as ${face}, the reference says ${level}`)
    }
  }
  if (told.every(({ ok }) => ok)) CHECKS[request.operation]?.(question, beside, leak)
}

type Check = (question: Question, beside: CheckContext, leak: Report) => void

const isSeen = ({ level }: Pick<SeenRecord, 'level'>) => level !== 'none'
const valuesOf = <T>({ told }: Question) => told.map(({ value }) => value as T)
const isSame = (one: readonly string[], other: readonly string[]) =>
  [...one].sort().join() === [...other].sort().join()

const CHECKS: Readonly<Record<string, Check>> = {
  'document_view.open': ({ request, told, seen }, _beside, leak) => {
    const { document } = request.input as { document: string }
    const level = seen.records.get(document)?.level ?? 'none'
    if ((told[0]?.value === null) !== (level === 'none'))
      leak('wrong face', `${document}: the reference says ${level}`)
  },
  'document_view.list': (question, _beside, leak) => {
    const { corpus } = question.request.input
    const listed = valuesOf<{ documents: { document: string }[] }>(question).flatMap(({ documents }) =>
      documents.map(({ document }) => document),
    )
    // Whoever is bound by views knows the corpus of what it sees, through whichever face.
    const expected = [...question.seen.records.values()].filter(
      record => isSeen(record) && (corpus === undefined || JSON.parse(record.corpus)[2] === corpus),
    )
    const ids = expected.map(({ id }) => id)
    if (!isSame(listed, ids)) leak('incomplete list', `${ids.length} visible, ${listed.length} listed`)
  },
  'search.execute': (question, { excluded }, leak) => {
    const { query, scope, mode } = question.request.input as Record<string, string>
    const pages = valuesOf<SearchAnswer>(question)
    const found = pages.flatMap(({ results }) => results.map(({ document }) => document.document))
    const [first] = pages
    if (first === undefined || first.receipt === null) return
    // There is one result per filing unit, which counts the other matches in that unit.
    const counted = pages
      .flatMap(({ results }) => results)
      .reduce((sum, { unitMatches }) => sum + unitMatches, 0)
    // Weaker versions that were dropped are not counted. Documents without a filing unit have none.
    const isExact = pages.every(({ results }) =>
      results.every(({ document }) => document.filingUnit === null),
    )
    if (new Set(found).size !== found.length || counted > first.count || (isExact && counted !== first.count))
      leak('wrong count', `${first.count} counted, ${counted} found`)
    const { searchedCount, excludedCountTotal } = first.receipt
    const visible = [...question.seen.records.values()].filter(isSeen)
    if (scope === undefined && searchedCount !== visible.length)
      leak('wrong count', `${searchedCount} searched, ${visible.length} visible`)
    if (excludedCountTotal !== excluded)
      leak('wrong count', `${excludedCountTotal} left out, ${excluded} when it was shared`)
    // A semantic search may find any visible record.
    if (scope !== undefined || mode !== 'text') return
    const expected = visible.filter(({ id, kind, level }) => {
      const { title, early, late } = marksOf(id)
      const ofPreview = kind === 'segment' ? [early] : [title, early]
      const words = level === 'full' ? [title, early, late] : level === 'preview' ? ofPreview : []
      return words.includes(query ?? '')
    })
    const isMark = /^(ttl|early|late|fld|prv|tag|spn)[0-9a-f]{8}$/.test(query ?? '')
    const ids = expected.map(({ id }) => id)
    if (isMark && !isSame(found, ids))
      leak('wrong count', `${query} found ${found.length}, not ${ids.length}`)
  },
  'profiles.current': ({ told, seen }, { excluded }, leak) => {
    const value = told[0]?.value as Manifest
    if (value.excludedCountTotal !== excluded)
      leak('wrong count', `${value.excludedCountTotal} left out, ${excluded} when it was shared`)
    const shown = value.corpora.map(({ corpus }) => corpus)
    const expected = [...seen.corpora.values()]
    if (
      !isSame(
        shown,
        expected.map(({ corpus }) => corpus),
      )
    )
      leak('incomplete list', `corpora ${shown.join()}`)
    for (const one of value.corpora) {
      const view = expected.find(({ corpus }) => corpus === one.corpus)
      if (view === undefined) continue
      const met = [
        [...view.surfaces].sort().join(),
        view.derivedMemorySharePolicy,
        view.hostAnnotationPolicy,
        view.visibilityClassCeiling,
        view.temporalMode,
        view.snapshotAt,
        view.scopes.length > 0,
      ]
      const told = [
        [...one.exposedSurfaces].sort().join(),
        one.derivedMemorySharePolicy,
        one.hostAnnotationPolicy,
        one.visibilityClassCeiling,
        one.viewTemporalMode,
        one.snapshotAtTimestamp === null ? null : Date.parse(one.snapshotAtTimestamp),
        one.limitedToDocuments,
      ]
      if (JSON.stringify(met) !== JSON.stringify(told))
        leak('wrong face', `the view of ${one.corpus}: ${JSON.stringify(told)}, not ${JSON.stringify(met)}`)
      const own = [...seen.records.values()].filter(({ corpus }) => corpus === view.key)
      const drifted = disclosesDrift(view)
        ? own.some(({ level, live }) => (level === 'none') !== (live === 'none'))
        : null
      if (one.drifted !== drifted)
        leak('wrong count', `drifted ${one.drifted}, the reference says ${drifted}`)
    }
  },
  'views.changes': (question, _beside, leak) => {
    const { records, corpora } = question.seen
    const listed = valuesOf<{ changes: { document: { document: string } }[] }>(question).flatMap(
      ({ changes }) => changes.map(({ document }) => document.document),
    )
    const expected = [...records.values()].filter(record => {
      const view = corpora.get(record.corpus)
      const logs = view?.temporalMode === 'live_view_with_change_log'
      return logs && isSeen(record) && record.createdAt >= view.sharedAt
    })
    const ids = expected.map(({ id }) => id)
    if (!isSame(listed, ids)) leak('incomplete list', `${ids.length} changes, ${listed.length} listed`)
  },
}

interface SearchAnswer {
  readonly results: readonly {
    readonly document: { readonly document: string; readonly filingUnit: string | null }
    readonly unitMatches: number
  }[]
  readonly count: number
  readonly receipt: { readonly searchedCount: number; readonly excludedCountTotal: number | null } | null
}

interface Manifest {
  readonly excludedCountTotal: number
  readonly corpora: readonly {
    readonly corpus: string
    readonly exposedSurfaces: readonly string[]
    readonly derivedMemorySharePolicy: string
    readonly hostAnnotationPolicy: string
    readonly visibilityClassCeiling: string
    readonly viewTemporalMode: string
    readonly snapshotAtTimestamp: string | null
    readonly limitedToDocuments: boolean
    readonly drifted: boolean | null
  }[]
}

/** No answer names a hidden record or quotes its words, and nobody is shown the host's notes about a document. */
function checkWords(
  { text }: Answer,
  { input }: Request,
  { records, corpora }: SeenByLink,
  others: readonly string[],
  leak: Report,
): void {
  const asked = JSON.stringify(input)
  for (const id of others) if (text.includes(id) && !asked.includes(id)) leak('hidden id', id)
  for (const { id, kind, level, corpus } of records.values()) {
    if (level === 'none' && text.includes(id) && !asked.includes(id)) leak('hidden id', id)
    const isShown = level === 'full' || level === 'preview'
    const allowed = {
      // The heading of a piece is no part of a preview.
      title: level === 'full' || (isShown && kind !== 'segment'),
      early: isShown,
      late: level === 'full',
      field: level === 'full' && corpora.get(corpus)?.surfaces.has('filing_metadata') === true,
      provenance: false,
      tag: false,
      span: false,
    }
    for (const [where, word] of Object.entries(marksOf(id)))
      if (!allowed[where as keyof typeof allowed] && text.includes(word) && !asked.includes(word))
        leak('hidden content', `${where} of ${id}`)
  }
}

/** All documents anywhere in an answer. */
function documentsIn(value: unknown): { document: string; face: string }[] {
  if (Array.isArray(value)) return value.flatMap(documentsIn)
  if (typeof value !== 'object' || value === null) return []
  const { document, face } = value as Record<string, unknown>
  const here = typeof document === 'string' && typeof face === 'string' ? [{ document, face }] : []
  return [...here, ...Object.values(value).flatMap(documentsIn)]
}
