import { createHash } from 'node:crypto'
import type { AuditEntryRow, ChainedEntry, EntryBindings } from '../storage/queries/audit-lane.js'

/** The hash before a lane's first entry. It is made from the lane itself, so entries cannot move to another lane. */
export function laneSeed(tenant: string, laneId: string): string {
  return sha256(JSON.stringify(['privity audit lane', tenant, laneId]))
}

/** The version of entries that are written now. They bind their pseudonyms' names and their operation's row. */
export const ENTRY_VERSION = 2

type BoundEntry = AuditEntryRow & EntryBindings

export function chain(entry: BoundEntry, seq: number, previous: string): ChainedEntry {
  return { ...entry, seq, previous, hash: entryHash(entry, seq, previous) }
}

export function entryHash(entry: BoundEntry, seq: number, previous: string): string {
  return sha256(
    JSON.stringify([
      previous,
      seq,
      entry.entryId,
      entry.at,
      entry.actorId,
      entry.forId,
      entry.audience,
      entry.authenticated,
      entry.operation,
      entry.outcome,
      entry.reason,
      entry.refs,
      Object.entries(entry.counts).sort(([a], [b]) => (a < b ? -1 : 1)),
      entry.operationId,
      // Entries from before there were bindings keep their hashes.
      ...(entry.version === 1
        ? []
        : [entry.version, entry.actorDigest, entry.forDigest, entry.operationDigest]),
      ...hashedLabel(entry),
    ]),
  )
}

/** Entries from before there were labels hash as they did. The order of the fields is fixed, because JSON has none. */
function hashedLabel({ label }: AuditEntryRow): unknown[] {
  if (label === null) return []
  const { sensitivity, scope, visibilityClass, participants, profile = null } = label
  return [[sensitivity, scope, visibilityClass, participants, profile]]
}

/** The last entry of a lane at some moment. */
export interface LaneHead {
  readonly laneId: string
  readonly seq: number
  readonly hash: string
}

/**
 * All lane heads at one moment under one hash, chained to the previous checkpoint. It can be kept outside and
 * verified later.
 */
export interface AuditCheckpoint {
  readonly checkpointId: string
  readonly at: string
  readonly heads: readonly LaneHead[]
  readonly previous: string
  readonly hash: string
}

export function makeCheckpoint(
  tenant: string,
  content: Omit<AuditCheckpoint, 'hash' | 'heads'> & { heads: readonly LaneHead[] },
): AuditCheckpoint {
  const heads = [...content.heads].sort((a, b) => (a.laneId < b.laneId ? -1 : 1))
  return { ...content, heads, hash: checkpointHash(tenant, { ...content, heads }) }
}

export function checkpointHash(tenant: string, content: Omit<AuditCheckpoint, 'hash'>): string {
  const heads = content.heads.map(({ laneId, seq, hash }) => [laneId, seq, hash])
  return sha256(JSON.stringify([tenant, content.checkpointId, content.at, heads, content.previous]))
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
