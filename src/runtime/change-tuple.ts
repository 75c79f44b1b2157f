import { joinLabels, type Label, labelFor, sameLabel } from '../policy/labels.js'
import { type PolicyTuple, personIdOf, sortedSet, targetKey } from '../policy/tuple.js'
import { findNamedTargets } from '../storage/queries/named-targets.js'
import {
  loadDescendants,
  loadReplaced,
  retupleRecords,
  type TupleChange,
  type TupleRow,
} from '../storage/queries/retuple-records.js'
import { compartmentId } from './compartment-id.js'
import type { WriteRequest } from './request.js'

/** The change that gives a record another tuple, with the faces on which the difference shows. */
export function changeTuple(
  row: TupleRow,
  tuple: PolicyTuple,
  more: Partial<Omit<TupleChange, 'changes'>> = {},
): TupleChange {
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
    more.expiresAt !== undefined ||
    more.validTo !== undefined
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
 * Updates what was derived from these records (TR-7): it gets at least their labels and falls under their overlay
 * targets and input consents. If their content changed, it becomes stale (SR-11); `endedAt` is when they were
 * replaced, or null if they were retracted. Access is only ever narrowed.
 */
export async function followSources(
  request: WriteRequest,
  sources: readonly {
    readonly id: string
    readonly label: Label
    readonly targets: readonly string[]
    readonly inputConsents: readonly string[]
  }[],
  { stale = false, endedAt = null }: { readonly stale?: boolean; readonly endedAt?: string | null } = {},
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
  const { overlaid } = await findNamedTargets(tx, tenant, sortedSet(targets))
  const moved = descendants.flatMap((row): TupleChange[] => {
    // What was shared has a label of its own, and lies under no overlay of what it was made from.
    const under = row.tuple.vessel === 'shared' ? [] : targets
    const tuple: PolicyTuple = {
      ...row.tuple,
      ...joinLabels(row.tuple, labelFor(row.tuple.vessel, atLeast)),
      overlayTargets: sortedSet([
        ...row.tuple.overlayTargets,
        ...under.filter(target => overlaid.has(target)),
      ]),
      inputConsents: sortedSet([...row.tuple.inputConsents, ...inputConsents]),
      lifecycle: stale && isCurrent(row.tuple.lifecycle) ? 'stale' : row.tuple.lifecycle,
      // What was current until its source was replaced stays in the history; nothing derived from a retracted source
      // is shown.
      endedAt: !stale
        ? row.tuple.endedAt
        : isCurrent(row.tuple.lifecycle)
          ? endedAt
          : endedAt && row.tuple.endedAt,
    }
    const after = changeTuple(row, tuple, { targets: sortedSet([...row.targets, ...under]) })
    return after.compartmentId === compartmentId(row.tuple) && after.targets?.length === row.targets.length
      ? []
      : [after]
  })
  await retupleRecords(tx, tenant, moved, now)
}

/**
 * Updates the records that these replaced, which may still be seen in a snapshot (SV-4): they get at least the labels
 * of their successors, and can no longer be seen once those were retracted.
 */
export async function followSuccessors(
  request: WriteRequest,
  successors: readonly Pick<TupleRow, 'id' | 'tuple'>[],
  { takenBack = false, expiresAt }: { readonly takenBack?: boolean; readonly expiresAt?: string | null } = {},
): Promise<void> {
  const { tx, tenant, now } = request
  const ids = successors.map(({ id }) => id)
  const label = joinLabels(...successors.map(({ tuple }) => tuple))
  const shareable = successors.every(({ tuple }) => tuple.markedShareable)
  const moved = (await loadReplaced(tx, tenant, ids)).map(row =>
    changeTuple(
      row,
      {
        ...row.tuple,
        ...joinLabels(row.tuple, label),
        markedShareable: row.tuple.markedShareable && shareable,
        endedAt: takenBack ? null : row.tuple.endedAt,
      },
      expiresAt === undefined ? {} : { expiresAt },
    ),
  )
  await retupleRecords(tx, tenant, moved, now)
}

/** Makes an overlay on a record's id apply to the records that it replaced as well. */
export async function nameInReplaced(
  request: WriteRequest,
  successors: readonly { readonly id: string }[],
): Promise<void> {
  const { tx, tenant, now } = request
  for (const { id } of successors) {
    const moved = (await loadReplaced(tx, tenant, [id])).map(row =>
      changeTuple(row, row.tuple, {
        targets: sortedSet([...row.targets, targetKey('document', row.tuple.owner, id)]),
      }),
    )
    await retupleRecords(tx, tenant, moved, now)
  }
}

const isCurrent = (lifecycle: string) => lifecycle === 'active' || lifecycle === 'contested'
