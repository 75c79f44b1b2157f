import { type Face, type Level, NONE, shownLevel } from '../policy/faces.js'
import { joinLabels, type Label } from '../policy/labels.js'
import type { PolicyTuple } from '../policy/tuple.js'
import type { EdgeRow } from '../storage/queries/fetch-edges.js'

/** An edge of a record that its caller may know of, if the record itself is seen in full. */
export interface KnownEdge {
  readonly record: string
  readonly type: string
  readonly direction: 'out' | 'in'
  readonly other: string
  /** Of the record at its other end. */
  readonly level: Level
  readonly kind: string
  /** Of those who tell of it, the first if several do: to be shown the edge is to be shown something of them (WR-2). */
  readonly label: Label
}

/**
 * The edges that may be known: the other end is seen, and whoever tells of the edge is seen in full (NI-6, PC-5). What
 * is not there is not seen. `faces` are of what each row cites.
 */
export function knownEdges(rows: readonly EdgeRow[], faces: readonly Face[]): KnownEdge[] {
  const cited = new Map<string, { level: Level; tuple: PolicyTuple }>()
  for (const [at, { cited: id, tuple }] of rows.entries())
    cited.set(id, { level: shownLevel(faces[at] ?? NONE), tuple })
  const known = new Map<string, KnownEdge>()
  for (const { record, type, direction, other, sources } of rows) {
    const end = cited.get(other)
    if (end === undefined) continue
    // An edge is part of what it starts from: seen from its end, it shows only if its start shows everything.
    if (direction === 'out' ? end.level === 'none' : end.level !== 'full') continue
    const tellers = sources.map(id => cited.get(id))
    if (tellers.some(teller => teller?.level !== 'full')) continue
    const key = JSON.stringify([record, type, direction, other])
    if (known.has(key)) continue
    const label = joinLabels(...tellers.flatMap(teller => teller?.tuple ?? []))
    known.set(key, { record, type, direction, other, level: end.level, kind: end.tuple.kind, label })
  }
  return [...known.values()]
}
