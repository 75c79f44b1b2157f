import type { Transaction } from '../storage/database.js'
import { hasUnrecordedOperations } from '../storage/queries/audit-bindings.js'
import {
  type CheckpointRow,
  loadCheckpoints,
  loadHeads,
  loadLaneEntries,
  loadLanes,
  type StoredEntry,
} from '../storage/queries/audit-read.js'
import { checkpointHash, entryHash, laneSeed } from './audit-chain.js'

/** A problem found in the audit, and where it is. */
export interface AuditProblem {
  readonly kind:
    | 'altered'
    | 'removed_or_reordered'
    | 'truncated'
    | 'missing_lane'
    | 'unregistered_lane'
    | 'checkpoint_altered'
    | 'checkpoint_missing'
    /** The name behind a pseudonym is not the one that the entry was written under. */
    | 'actor_altered'
    /** The row of an operation is not the one that the entry was written for, or is gone. */
    | 'operation_altered'
    | 'operation_missing'
    /** Some operations are marked as audited and have no entry. */
    | 'operation_unrecorded'
  readonly laneId: string | null
  readonly seq: number | null
  readonly checkpointId: string | null
}

export interface AuditVerification {
  readonly ok: boolean
  readonly lanes: number
  readonly entries: number
  readonly checkpoints: number
  /** How many pseudonyms stand for nobody any more, because their names were erased (OP-5). */
  readonly erased: number
  readonly problems: readonly AuditProblem[]
}

const PAGE = 1000
const MOST_PROBLEMS = 100

/**
 * Recomputes every lane of a tenant in batches and compares it with the register, with all checkpoints and with a
 * checkpoint that was kept outside. If entries after the last checkpoint were cut off from a lane that was never
 * closed, no trace remains and it cannot be proven (AU-1).
 */
export async function verifyAudit(
  tx: Transaction,
  tenant: string,
  kept: CheckpointRow | null,
  onProgress?: (entries: number) => void,
): Promise<AuditVerification> {
  const problems: AuditProblem[] = []
  const report = (problem: Partial<AuditProblem> & Pick<AuditProblem, 'kind'>) => {
    if (problems.length < MOST_PROBLEMS)
      problems.push({ laneId: null, seq: null, checkpointId: null, ...problem })
  }

  const register = await loadLanes(tx, tenant)
  const registered = new Set(register.map(lane => lane.laneId))
  const heads = await loadHeads(tx, tenant)
  for (const { laneId } of heads) if (!registered.has(laneId)) report({ kind: 'unregistered_lane', laneId })

  const checkpoints = await loadCheckpoints(tx, tenant)
  const expected = expectedHeads(checkCheckpoints(tenant, checkpoints, kept, report))
  for (const laneId of expected.keys()) if (!registered.has(laneId)) report({ kind: 'missing_lane', laneId })

  let entries = 0
  const bindings = new Bindings(report)
  const lanes = new Set([...registered, ...heads.map(head => head.laneId)])
  for (const laneId of [...lanes].sort()) {
    const marks = expected.get(laneId) ?? new Map<number, string>()
    let seq = 0
    let head = laneSeed(tenant, laneId)
    for (;;) {
      const page = await loadLaneEntries(tx, tenant, laneId, seq, PAGE)
      for (const entry of page) {
        if (entry.seq !== seq + 1 || entry.previous !== head)
          report({ kind: 'removed_or_reordered', laneId, seq: entry.seq })
        else if (entry.hash !== entryHash(entry, entry.seq, entry.previous))
          report({ kind: 'altered', laneId, seq: entry.seq })
        else bindings.check(entry, laneId)
        const mark = marks.get(entry.seq)
        if (mark !== undefined && mark !== entry.hash) report({ kind: 'altered', laneId, seq: entry.seq })
        seq = entry.seq
        head = entry.hash
      }
      entries += page.length
      onProgress?.(entries)
      if (page.length < PAGE) break
    }
    const closed = register.find(lane => lane.laneId === laneId)
    const last = Math.max(0, closed?.closedSeq ?? 0, ...marks.keys())
    if (seq < last) report({ kind: 'truncated', laneId, seq })
    else if (closed?.closedSeq != null && (closed.closedSeq !== seq || closed.closedHash !== head))
      report({ kind: 'altered', laneId, seq })
  }
  if (await hasUnrecordedOperations(tx, tenant)) report({ kind: 'operation_unrecorded' })
  return {
    ok: problems.length === 0,
    lanes: lanes.size,
    entries,
    checkpoints: checkpoints.length,
    erased: bindings.erased,
    problems,
  }
}

/** Compares what entries bind with what is stored now. Each pseudonym is reported once. */
class Bindings {
  readonly #report: (problem: Partial<AuditProblem> & Pick<AuditProblem, 'kind'>) => void
  readonly #erased = new Set<string>()
  readonly #altered = new Set<string>()

  constructor(report: (problem: Partial<AuditProblem> & Pick<AuditProblem, 'kind'>) => void) {
    this.#report = report
  }

  get erased(): number {
    return this.#erased.size
  }

  check(entry: StoredEntry, laneId: string): void {
    if (entry.version === 1) return
    const { seq, now } = entry
    this.#checkActor(entry.actorId, entry.actorDigest, now.actorDigest, laneId, seq)
    this.#checkActor(entry.forId, entry.forDigest, now.forDigest, laneId, seq)
    if (entry.operationDigest === null || entry.operationDigest === now.operationDigest) return
    const kind = now.operationDigest === null ? 'operation_missing' : 'operation_altered'
    this.#report({ kind, laneId, seq })
  }

  #checkActor(id: string, bound: string | null, now: string | null, laneId: string, seq: number): void {
    // Without its row, a pseudonym stands for nobody: that is what erasing a person leaves.
    if (now === null) this.#erased.add(id)
    else if (now !== bound && !this.#altered.has(id)) {
      this.#altered.add(id)
      this.#report({ kind: 'actor_altered', laneId, seq })
    }
  }
}

/** Checks the chain of checkpoints and returns them, including the one kept outside. */
function checkCheckpoints(
  tenant: string,
  stored: readonly CheckpointRow[],
  kept: CheckpointRow | null,
  report: (problem: Partial<AuditProblem> & Pick<AuditProblem, 'kind'>) => void,
): readonly CheckpointRow[] {
  const inOrder = new Set(checkpointsInOrder(tenant, stored))
  for (const checkpoint of stored)
    if (!inOrder.has(checkpoint))
      report({ kind: 'checkpoint_altered', checkpointId: checkpoint.checkpointId })
  if (kept === null) return stored
  if (kept.hash !== checkpointHash(tenant, kept)) {
    report({ kind: 'checkpoint_altered', checkpointId: kept.checkpointId })
    return stored
  }
  const twin = stored.find(checkpoint => checkpoint.checkpointId === kept.checkpointId)
  if (twin === undefined) report({ kind: 'checkpoint_missing', checkpointId: kept.checkpointId })
  else if (twin.hash !== kept.hash) report({ kind: 'checkpoint_altered', checkpointId: kept.checkpointId })
  return [...stored, kept]
}

/** The unbroken run of checkpoints from the first on: each contains the hash of the one before. */
export function checkpointsInOrder(tenant: string, stored: readonly CheckpointRow[]): CheckpointRow[] {
  const followers = new Map(stored.map(checkpoint => [checkpoint.previous, checkpoint]))
  const order: CheckpointRow[] = []
  let next = followers.get(firstCheckpoint(tenant))
  while (next !== undefined && order.length < stored.length && next.hash === checkpointHash(tenant, next)) {
    order.push(next)
    next = followers.get(next.hash)
  }
  return order
}

/** The hash before the first checkpoint. */
export const firstCheckpoint = (tenant: string) => laneSeed(tenant, 'checkpoints')

/** For each lane, the hash that each checkpoint saw at a sequence number. */
function expectedHeads(checkpoints: readonly CheckpointRow[]): Map<string, Map<number, string>> {
  const expected = new Map<string, Map<number, string>>()
  for (const { heads } of checkpoints) {
    for (const { laneId, seq, hash } of heads) {
      const marks = expected.get(laneId) ?? new Map<number, string>()
      expected.set(laneId, marks.set(seq, hash))
    }
  }
  return expected
}
