import { type Label, LEAST_LABEL, lowers } from '../../policy/labels.js'
import { SENSITIVITIES } from '../../policy/vocabulary.js'
import type { InspectedRecord, StoredEdge } from './inspect.js'
import type { Request } from './requests.js'
import { marks } from './world.js'

/** The result of a request, as text and value. */
export interface Answer {
  readonly ok: boolean
  readonly value: unknown
  readonly text: string
}

/** A difference that a caller could notice, or something that it should not have been shown. */
export type LeakKind =
  | 'bytes'
  | 'statements'
  | 'hidden id'
  | 'hidden content'
  | 'wrong face'
  | 'incomplete list'
  | 'wrong count'
  | 'pages differ'
  | 'wrong graph'
  | 'readable cursor'
  | 'lowered label'
  /** No leak but a defect, and never an equal answer. */
  | 'internal error'

export type Report = (kind: LeakKind, detail: string) => void

/** No answer names a hidden record, quotes a hidden word or shows a face that the reference does not allow. */
export function checkAnswer(
  answer: Answer,
  request: Request,
  at: number,
  records: ReadonlyMap<string, InspectedRecord>,
  leak: Report,
): void {
  // A writer gets the ids of what it writes, even if it may not read it back; a repeated request is decided again.
  const own = [...records.values()].filter(({ createdAt }) => createdAt.getTime() === at).map(({ id }) => id)
  const asked = JSON.stringify([request.input, own])
  for (const record of records.values()) {
    if (record.level === 'none' && answer.text.includes(record.id) && !asked.includes(record.id))
      leak('hidden id', record.id)
    const mark = marks(record.id)
    const allowed = {
      title: record.level === 'full' || record.level === 'preview',
      early: record.level === 'full' || record.level === 'preview',
      late: record.level === 'full',
      field: record.level === 'full',
      provenance: record.level === 'full',
    }
    for (const [where, word] of Object.entries(mark))
      if (answer.text.includes(word) && !allowed[where as keyof typeof allowed])
        leak('hidden content', `${where} of ${record.id}`)
  }
  for (const { id, face } of facesIn(answer.value)) {
    const level = records.get(id)?.level ?? 'none'
    if (face !== level) leak('wrong face', `${id} is shown as ${face}, the reference says ${level}`)
  }
  if (request.operation === 'memory.get' && answer.ok && answer.value === null) {
    const level = records.get(String(request.input.record))?.level ?? 'none'
    if (level !== 'none')
      leak('wrong face', `${String(request.input.record)} is absent, the reference says ${level}`)
  }
}

/** Conditions of a search. Without any, everything visible is searched. */
const CONDITIONS = ['kinds', 'tags', 'corpus', 'people', 'fields', 'asOf', 'minSalience'] as const

/** Conditions on what only a full face shows, so lesser faces must not match them. */
const OF_THE_PAYLOAD = ['corpus', 'people', 'fields'] as const

/** A search covers exactly the visible records (NI-1), and matches a face only by what it shows (NI-4). */
export function checkSearch(
  { value }: Answer,
  { input }: Request,
  records: ReadonlyMap<string, InspectedRecord>,
  leak: Report,
): void {
  if (OF_THE_PAYLOAD.some(condition => input[condition] !== undefined))
    for (const { id, face } of facesIn(resultsIn(value)))
      if (face !== 'full') leak('wrong face', `${id} is found by what its ${face} face does not show`)
  if (CONDITIONS.some(condition => input[condition] !== undefined)) return
  const visible = [...records.values()].filter(({ level }) => level !== 'none').length
  const searched = (value as { receipt?: { searchedCount?: unknown } } | null)?.receipt?.searchedCount
  if (searched !== visible) leak('wrong count', `${String(searched)} searched, ${visible} visible`)
}

interface Graph {
  readonly nodes: readonly { record: { id: string; face: string }; hop: number }[]
  readonly edges: readonly Omit<StoredEdge, 'sources'>[]
  readonly truncated: { edges: boolean }
}

/**
 * A graph holds exactly the edges from what is seen in full to what is seen at all, whose sources are seen in full, and
 * leads on only from what is seen in full (TR-6).
 */
export function checkGraph(
  { value }: Answer,
  { input }: Request,
  records: ReadonlyMap<string, InspectedRecord>,
  stored: readonly StoredEdge[],
  leak: Report,
): void {
  const { nodes, edges, truncated } = value as Graph
  const full = (id: string) => records.get(id)?.level === 'full'
  const visible = (id: string) => (records.get(id)?.level ?? 'none') !== 'none'
  const hops = new Map(nodes.map(({ record, hop }) => [record.id, hop]))
  const types = input.relationTypes as string[] | undefined
  const known = stored.filter(
    ({ from, to, type, sources }) =>
      [from, ...sources].every(full) && visible(to) && (types === undefined || types.includes(type)),
  )
  for (const { record, hop } of nodes) {
    const leads = ([a, b]: [string, string]) => a === record.id && hops.get(b) === hop - 1 && full(b)
    if (hop > 0 && !known.some(({ from, to }) => leads([from, to]) || leads([to, from])))
      leak('wrong graph', `nothing that may be known leads to ${record.id}`)
  }
  const spell = ({ from, to, type }: Omit<StoredEdge, 'sources'>) => `${from} ${type} ${to}`
  const expected = new Set(known.filter(({ from, to }) => hops.has(from) && hops.has(to)).map(spell))
  if (edges.some(edge => !expected.has(spell(edge))) || (!truncated.edges && edges.length !== expected.size))
    leak('wrong graph', `${edges.length} edges, ${expected.size} may be known`)
}

/** The results of a search, without what differs from page to page. */
export const resultsIn = (value: unknown): unknown[] =>
  (value as { results?: unknown[] } | null)?.results ?? []

/** What an agent wrote has at least the label of everything that it was shown (WR-2). */
export function checkWritten(
  value: unknown,
  records: ReadonlyMap<string, InspectedRecord>,
  shown: Label,
  leak: Report,
): void {
  for (const { id } of writtenIn(value)) {
    const record = records.get(id)
    if (record !== undefined && lowers(shown, record.tuple)) leak('lowered label', id)
  }
}

/** The labels of all content in an answer. A metadata face counts as one level lower in sensitivity (TR-1). */
export function contentShown(value: unknown, records: ReadonlyMap<string, InspectedRecord>): Label[] {
  return facesIn(value).flatMap(({ id, face, tags, scope }) => {
    const tuple = records.get(id)?.tuple
    if (tuple === undefined) return []
    if (face !== 'metadata') return [tuple]
    if (tags.length === 0 && scope === null) return []
    const below = SENSITIVITIES.indexOf(tuple.sensitivity as (typeof SENSITIVITIES)[number]) - 1
    return [{ ...LEAST_LABEL, sensitivity: SENSITIVITIES[below] ?? tuple.sensitivity, scope: tuple.scope }]
  })
}

/** The labels of the records that have a word which completions told (WR-2). */
export function wordsTold(value: unknown, records: ReadonlyMap<string, InspectedRecord>): Label[] {
  const { completions = [] } = (value ?? {}) as { completions?: readonly { word?: string }[] }
  const words = new Set(completions.map(({ word }) => word))
  if (words.size === 0) return []
  return [...records.values()]
    .filter(({ level, text }) => level === 'full' && text.split(/[^a-z0-9]+/i).some(one => words.has(one)))
    .map(({ tuple }) => tuple)
}

interface ShownFace {
  readonly id: string
  readonly face: string
  readonly tags: readonly unknown[]
  readonly scope: unknown
}

/** All record views anywhere in an answer. */
export function facesIn(value: unknown): ShownFace[] {
  if (Array.isArray(value)) return value.flatMap(facesIn)
  if (typeof value !== 'object' || value === null) return []
  const { id, face, tags, scope = null } = value as Record<string, unknown>
  const here =
    typeof id === 'string' && typeof face === 'string'
      ? [{ id, face, tags: Array.isArray(tags) ? tags : [], scope }]
      : []
  return [...here, ...Object.values(value).flatMap(facesIn)]
}

function writtenIn(value: unknown): { id: string }[] {
  const records = (value as { records?: unknown } | null)?.records
  return Array.isArray(records) ? records.filter(record => typeof record?.id === 'string') : []
}

export const cursorOf = (value: unknown): string | null => {
  const cursor = (value as { cursor?: unknown } | null)?.cursor
  return typeof cursor === 'string' ? cursor : null
}

/** A title of a few letters occurs in sealed bytes by chance. */
const LEAST_TITLE = 6

/** Whether a cursor holds anything readable, which it must not (NI-9). */
export function isReadable(cursor: string, records: ReadonlyMap<string, InspectedRecord>): boolean {
  const plain = Buffer.from(cursor, 'base64url').toString('latin1')
  return [...records.values()].some(
    ({ id, title }) =>
      plain.includes(id) || (title !== null && title.length >= LEAST_TITLE && plain.includes(title)),
  )
}
