import type { CompartmentTable } from '../../policy/compartments.js'
import { decide, faceOf, timesDecideAll } from '../../policy/decide.js'
import { type Face, type Level, NONE, shownLevel } from '../../policy/faces.js'
import type { Subject } from '../../policy/subject.js'
import { ownerOfKey, sortedSet } from '../../policy/tuple.js'
import type { CompartmentDecision } from '../../search/compartment-decision.js'
import {
  FULL_LEVEL,
  HIDDEN_LEVEL,
  type Mask,
  type MaskLevel,
  METADATA_LEVEL,
  PREVIEW_LEVEL,
} from '../../search/mask.js'
import type { Segment } from '../../search/segment.js'
import { type DecisionInput, facesOf } from '../faces-of.js'
import type { ReadRequest } from '../request.js'
import { type CellPart, type CellView, GLOBAL_CELL } from './cell.js'
import type { PartVectors } from './part-vectors.js'

/** A segment with the mask of what a caller may see in it. */
export interface VisibleSegment {
  readonly segment: Segment
  readonly mask: Mask
  readonly vectors: PartVectors
  /** The table in which its compartments are looked up. */
  readonly table: CompartmentTable
  readonly cell: string
}

const MASK_LEVELS: Readonly<Record<Level, MaskLevel>> = {
  none: HIDDEN_LEVEL,
  metadata: METADATA_LEVEL,
  preview: PREVIEW_LEVEL,
  full: FULL_LEVEL,
}

/**
 * The cells in which a caller could see anything: those of its principals, its views, or a relationship's sessions.
 */
export function cellsOf({ parts: { identity }, caller, contract }: ReadRequest): string[] {
  // Records of a mediation are visible only inside of it, and nothing else is visible there.
  if (contract === null && identity.views !== null)
    return sortedSet([...identity.views.keys()].map(corpus => `user:${ownerOfKey(corpus)}`)).slice()
  if (contract === null)
    return [...[...identity.principals].map(principal => `user:${principal}`), GLOBAL_CELL].sort()
  const sessions = [...identity.sessions].filter(
    ([, { relationship }]) => relationship === contract.relationship,
  )
  return [`user:${caller.actingFor}`, ...sessions.map(([session]) => `shared:${session}`)].sort()
}

/** What the caller may see in this snapshot, decided before anything is looked for (NI-1). */
export class VisibleSet {
  readonly segments: readonly VisibleSegment[]
  readonly #views: readonly CellView[]
  readonly #subject: Subject
  readonly #request: ReadRequest

  private constructor(request: ReadRequest, views: readonly CellView[], subject: Subject) {
    this.#request = request
    this.#views = views
    this.#subject = subject
    this.segments = this.seenAs({})
  }

  static async of(request: ReadRequest): Promise<VisibleSet> {
    const { cells, reads } = request.parts
    const views = await reads.cells(cells, cellsOf(request), request.role)
    const cited = {
      owners: new Set(views.flatMap(({ table }) => [...table.cited.owners])),
      consents: new Set(views.flatMap(({ table }) => [...table.cited.consents])),
    }
    return new VisibleSet(request, views, await request.subjectForCells(cited))
  }

  /** The faces of stored records, decided by the facts that this set was decided by. */
  faces(records: readonly DecisionInput[]): Face[] {
    return facesOf(this.#subject, records)
  }

  /** The same set for another subject. It is used for figures shown only to callers who could look for themselves. */
  seenAs(
    other: Partial<Pick<Subject, 'audience' | 'trust' | 'respectConsent' | 'visibility' | 'views'>>,
  ): VisibleSegment[] {
    const subject = { ...this.#subject, ...other }
    const signature = signatureOf(subject, this.#request)
    return this.#views.flatMap(view => this.#request.parts.decisions.segments(view, subject, signature))
  }
}

/** Everything that a decision rests on except time: equal signatures mean equal decisions. */
function signatureOf(subject: Subject, { restsOn }: ReadRequest): string {
  // People, overlays and grants are facts of owners, and each change of them moves the owner's generation.
  const { people: _, overlays: __, grants: ___, now: ____, ...rest } = subject
  return JSON.stringify([rest, restsOn], spellOut)
}

/** JSON.stringify writes every Map and Set as `{}`, so they are converted to arrays. */
function spellOut(_key: string, value: unknown): unknown {
  if (value instanceof Set) return ['set', ...[...value].sort()]
  if (value instanceof Map) return ['map', ...[...value].sort(([a], [b]) => (String(a) < String(b) ? -1 : 1))]
  return value
}

interface KeptDecision {
  /** How many compartments were decided. */
  readonly size: number
  readonly faces: Uint8Array
  readonly levels: Uint8Array
  /** Masks by the deletion flags of a part, because a new vector does not change what is visible. */
  readonly masks: WeakMap<CellPart['dead'], { mask: Mask; from: number; until: number }>
}

/** How many callers' decisions are cached per table. */
const MOST_KEPT = 24

/**
 * A cache of decisions, keyed by everything they rest on: it changes timing and nothing else (NI-7, NI-8). A
 * revocation moves a generation and with it the signature.
 */
export class Decisions {
  readonly #tables = new WeakMap<CompartmentTable, Map<string, KeptDecision>>()

  segments({ name, parts, table }: CellView, subject: Subject, signature: string): VisibleSegment[] {
    const kept = this.#decide(table, subject, signature)
    return parts.map(part => ({
      segment: part.segment,
      mask: maskOf(part, kept, table, subject),
      vectors: part.vectors,
      table,
      cell: name,
    }))
  }

  #decide(table: CompartmentTable, subject: Subject, signature: string): KeptDecision {
    const known = this.#tables.get(table) ?? new Map<string, KeptDecision>()
    this.#tables.set(table, known)
    let kept = known.get(signature)
    if (kept === undefined || kept.size !== table.size) {
      const faces = decide(subject, table)
      kept = {
        size: table.size,
        faces,
        levels: faces.map(face => MASK_LEVELS[shownLevel(face)]),
        masks: new WeakMap(),
      }
    }
    known.delete(signature)
    known.set(signature, kept)
    if (known.size > MOST_KEPT) {
      const oldest = known.keys().next()
      if (!oldest.done) known.delete(oldest.value)
    }
    return kept
  }
}

function maskOf(part: CellPart, kept: KeptDecision, table: CompartmentTable, subject: Subject): Mask {
  const known = kept.masks.get(part.dead)
  if (known !== undefined && known.from <= subject.now && subject.now < known.until) return known.mask
  const decision: CompartmentDecision = {
    levels: kept.levels,
    refine: (compartment, times) => {
      const face: Face = kept.faces[compartment] ?? NONE
      return MASK_LEVELS[shownLevel(faceOf(face, subject, table.tuple(compartment), times))]
    },
    refinesAll: timesDecideAll(subject),
  }
  const { mask, standsUntil } = part.segment.mask(part.dead, decision, subject.now)
  kept.masks.set(part.dead, { mask, from: subject.now, until: standsUntil })
  return mask
}
