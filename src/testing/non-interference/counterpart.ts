import type { Level } from '../../policy/faces.js'
import { ownerOfKey, targetKey } from '../../policy/tuple.js'
import type { BornRecord, InspectedRecord } from './inspect.js'
import { type Step, TALKS, type Who } from './world.js'

/**
 * The other history: the same steps without what discloses nothing to the viewer. (a) Records that the viewer cannot
 * see at all are left out with the operations that made them; policy facts that decisions on visible records cite
 * stay. (b) Content that a lesser face does not show is replaced by other content (NI-3).
 */
export function counterpart(
  steps: readonly Step[],
  succeeded: ReadonlySet<string>,
  born: ReadonlyMap<string, BornRecord>,
  records: ReadonlyMap<string, InspectedRecord>,
  viewer: Who,
  principals: ReadonlySet<string>,
): Step[] {
  const kept = keptRecords(steps, born, records, viewer)
  const cited = citedOwners(records, kept)
  return steps.flatMap((step): Step[] => {
    if (step.isAside) return []
    const own = isOwn(step, viewer)
    if (own) return [step]
    if (!succeeded.has(step.key)) return []
    if (step.factOf !== null) return principals.has(step.factOf) || cited.has(step.factOf) ? [step] : []
    if (step.creates !== null)
      return creation(step, born.get(step.creates), records.get(step.creates)?.level ?? 'none', kept)
    if (!step.names.every(id => kept.has(id))) return []
    return showsIn(step, records) ? [step] : []
  })
}

/**
 * Whether the viewer did a step itself. An owner may know its own steps, from the audit; an agent cannot read the
 * audit.
 */
function isOwn(step: Step, viewer: Who): boolean {
  const audits = viewer.audience === undefined || viewer.audience === 'owner' || viewer.audience === 'host'
  // A key that holds less is told of no step, because everybody who takes part holds more (NI-10).
  const isNarrowed = viewer.trust !== undefined || viewer.visibility !== undefined
  return audits && !isNarrowed && (step.by.for ?? step.by.actor) === (viewer.for ?? viewer.actor)
}

/** Visible records, the viewer's own records, and hidden sources that a visible record depends on. */
function keptRecords(
  steps: readonly Step[],
  born: ReadonlyMap<string, BornRecord>,
  records: ReadonlyMap<string, InspectedRecord>,
  viewer: Who,
): Set<string> {
  const kept = new Set<string>()
  const keep = (id: string) => {
    if (kept.has(id)) return
    kept.add(id)
    const step = steps.find(({ creates }) => creates === id)
    const record = born.get(id)
    const plain = step !== undefined && !isOwn(step, viewer) && record !== undefined && isPlain(record)
    if (!plain) for (const source of step?.names ?? []) keep(source)
  }
  for (const step of steps) {
    if (isOwn(step, viewer)) {
      for (const id of step.names) keep(id)
      if (step.creates !== null) keep(step.creates)
    }
  }
  for (const record of records.values()) if (record.level !== 'none') keep(record.id)
  return kept
}

/** Whether a record could have been written as it is without its sources. */
function isPlain({ id, tuple, targets }: BornRecord): boolean {
  const own = new Set([
    targetKey('document', tuple.owner, id),
    ...(tuple.corpus === null ? [] : [targetKey('corpus', tuple.owner, tuple.corpus)]),
  ])
  return (
    (tuple.scope === null || !tuple.scope.includes('+')) &&
    tuple.participants.every(key => ownerOfKey(key) === tuple.owner) &&
    targets.every(target => own.has(target))
  )
}

function citedOwners(records: ReadonlyMap<string, InspectedRecord>, kept: ReadonlySet<string>): Set<string> {
  const owners = new Set<string>()
  for (const id of kept) {
    const record = records.get(id)
    if (record === undefined) continue
    owners.add(record.tuple.owner)
    for (const key of [...record.tuple.participants, ...record.targets]) owners.add(ownerOfKey(key))
  }
  return owners
}

function creation(
  step: Step,
  record: BornRecord | undefined,
  level: Level,
  kept: ReadonlySet<string>,
): Step[] {
  if (step.creates === null || record === undefined || !kept.has(step.creates)) return []
  const whole = step.names.every(id => kept.has(id))
  if (whole && (level === 'full' || level === 'none')) return [step]
  if (!isPlain(record)) return [step]
  const draft = { ...rewritten(record, level), ...(level === 'full' ? mentionsIn(step, kept) : {}) }
  return [{ ...step, operation: 'memory.remember', input: { records: [draft] }, names: [] }]
}

/** The mentions of a record, without records that are left out. */
function mentionsIn({ input }: Step, kept: ReadonlySet<string>): Record<string, unknown> {
  const [draft] = (input.records ?? []) as { mentions?: string[]; linkEntities?: boolean }[]
  return {
    mentions: draft?.mentions?.filter(id => kept.has(id)) ?? [],
    linkEntities: draft?.linkEntities ?? false,
  }
}

/** The record by itself, with other content wherever its face shows nothing. */
function rewritten(record: BornRecord, level: Level): Record<string, unknown> {
  const { tuple } = record
  return {
    kind: tuple.kind,
    owner: tuple.owner,
    ...(tuple.corpus === null ? {} : { corpus: tuple.corpus }),
    title: level === 'metadata' ? `another title of another length, ${record.id}` : record.title,
    text: otherText(record, level),
    tags: record.tags,
    fields: level === 'full' ? record.fields : { other: true },
    provenance: level === 'full' ? record.provenance : { note: 'elsewhere' },
    salience: record.salience,
    // A lesser face does not show `pinned`, but reveals it by how the salience changes.
    pinned: record.pinned,
    confidence: record.confidence,
    sensitivity: tuple.sensitivity,
    visibilityClass: tuple.visibilityClass,
    ...(tuple.scope === null ? {} : { scope: tuple.scope }),
    participants: record.participantNames,
    ...occurrence(record, level),
    ...turnOf(record, level),
    ...(record.expiresAt === null ? {} : { expiresAt: record.expiresAt.toISOString() }),
  }
}

/** A lesser face does not show when a record happened, so it gets another time. */
function occurrence({ occurredAt, createdAt }: BornRecord, level: Level): { occurredAt?: string } {
  if (level !== 'full') return { occurredAt: new Date(createdAt.getTime() - 7 * 60_000).toISOString() }
  return occurredAt === null ? {} : { occurredAt: occurredAt.toISOString() }
}

/** Nor does it show the conversation that a record is part of, so it gets another place in another one. */
function turnOf({ conversation, turn, speaker }: BornRecord, level: Level): Record<string, unknown> {
  if (level !== 'full') return { conversation: TALKS[0], turn: 1, speaker: 'somebody else' }
  return {
    ...(conversation === null ? {} : { conversation }),
    ...(turn === null ? {} : { turn }),
    ...(speaker === null ? {} : { speaker }),
  }
}

function otherText({ text }: BornRecord, level: Level): string {
  switch (level) {
    case 'full':
      return text
    case 'preview':
      return `${[...text].slice(0, 200).join('')} and then something else entirely, at another length`
    case 'metadata':
    case 'none':
      return 'other words'
  }
}

/** Whether a change of a record is visible in the viewer's face of it. */
function showsIn(step: Step, records: ReadonlyMap<string, InspectedRecord>): boolean {
  const level = records.get(step.names[0] ?? '')?.level ?? 'none'
  if (step.operation === 'memory.relate') return level === 'full'
  if (step.operation === 'memory.revise' && step.input.how === 'contest') return level !== 'metadata'
  return true
}
