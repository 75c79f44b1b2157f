import { type Face, type Level, NONE, shownLevel } from '../policy/faces.js'
import { joinLabels, type Label } from '../policy/labels.js'
import type { PolicyTuple } from '../policy/tuple.js'
import type { EdgeRow } from '../storage/queries/fetch-edges.js'

/** An edge that a caller who sees the record in full may know of. */
export interface KnownEdge {
  readonly record: string
  readonly type: string
  readonly direction: 'out' | 'in'
  readonly other: string
  /** The level of the record at the other end. */
  readonly level: Level
  readonly kind: string
  /**
   * The label of the records that state the edge (the first if several do): showing the edge shows something of them
   * (WR-2).
   */
  readonly label: Label
}

/**
 * Selects the edges that may be known: the other end is visible, and the records that state the edge are visible in
 * full (NI-6, PC-5). Records that do not exist count as not visible. `faces` are those of the record that each row
 * cites.
 */
export function knownEdges(rows: readonly EdgeRow[], faces: readonly Face[]): KnownEdge[] {
  const cited = new Map<string, { level: Level; tuple: PolicyTuple }>()
  for (const [at, { cited: id, tuple }] of rows.entries())
    cited.set(id, { level: shownLevel(faces[at] ?? NONE), tuple })
  const known = new Map<string, KnownEdge>()
  for (const { record, type, direction, other, sources } of rows) {
    const end = cited.get(other)
    if (end === undefined) continue
    // An edge is part of the record it starts from. From its end, it is visible only if the start is visible in full.
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
