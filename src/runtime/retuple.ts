import { joinLabels, type Label, sameLabel } from '../policy/labels.js'
import { type PolicyTuple, personIdOf, sortedSet } from '../policy/tuple.js'
import { findOverlaidTargets } from '../storage/queries/overlaid-targets.js'
import {
  loadDescendants,
  type Retupled,
  retupleRecords,
  type TupleRow,
} from '../storage/queries/retuple-records.js'
import { compartmentId } from './compartment-id.js'
import type { WriteRequest } from './request.js'

/** A record under another tuple, with the faces that show the difference. */
export function retupled(
  row: TupleRow,
  tuple: PolicyTuple,
  more: Partial<Omit<Retupled, 'changes'>> = {},
): Retupled {
  const { tuple: before } = row
  const metadata =
    before.sensitivity !== tuple.sensitivity ||
    before.scope !== tuple.scope ||
    more.tags !== undefined ||
    more.salience !== undefined ||
    more.pinned !== undefined ||
    more.confidence !== undefined
  const preview = metadata || before.lifecycle !== tuple.lifecycle
  const full =
    preview ||
    !sameLabel(before, tuple) ||
    before.markedShareable !== tuple.markedShareable ||
    before.confirmed !== tuple.confirmed ||
    more.contestedReason !== undefined ||
    more.expiresAt !== undefined
  return {
    id: row.id,
    compartmentId: compartmentId(tuple),
    tuple,
    participantIds: tuple.participants.map(personIdOf),
    ...more,
    changes: { full, preview, metadata },
  }
}

/**
 * Lets what was derived from these records follow them (TR-7): it takes up at least their labels and lies under what
 * they lie under; where they changed in content, it becomes stale (SR-11). It is only ever narrowed.
 */
export async function followSources(
  request: WriteRequest,
  sources: readonly {
    readonly id: string
    readonly label: Label
    readonly targets: readonly string[]
    readonly inputConsents: readonly string[]
  }[],
  options: { readonly stale: boolean },
): Promise<void> {
  const { tx, tenant, now } = request
  const descendants = await loadDescendants(
    tx,
    tenant,
    sources.map(source => source.id),
  )
  const atLeast = joinLabels(...sources.map(source => source.label))
  const targets = sources.flatMap(source => source.targets)
  const inputConsents = sources.flatMap(source => source.inputConsents)
  const overlaid = await findOverlaidTargets(tx, tenant, sortedSet(targets))
  const moved = descendants.flatMap((row): Retupled[] => {
    const tuple: PolicyTuple = {
      ...row.tuple,
      ...joinLabels(row.tuple, atLeast),
      overlayTargets: sortedSet([
        ...row.tuple.overlayTargets,
        ...targets.filter(target => overlaid.has(target)),
      ]),
      inputConsents: sortedSet([...row.tuple.inputConsents, ...inputConsents]),
      lifecycle: options.stale && isCurrent(row.tuple.lifecycle) ? 'stale' : row.tuple.lifecycle,
    }
    const after = retupled(row, tuple, { targets: sortedSet([...row.targets, ...targets]) })
    return after.compartmentId === compartmentId(row.tuple) && after.targets?.length === row.targets.length
      ? []
      : [after]
  })
  await retupleRecords(tx, tenant, moved, now)
}

const isCurrent = (lifecycle: string) => lifecycle === 'active' || lifecycle === 'contested'
