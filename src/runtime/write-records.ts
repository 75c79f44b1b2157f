import { PrivityError } from '../errors.js'
import { joinLabels, type Label, labelFor } from '../policy/labels.js'
import { nameInRecording } from '../policy/person-name.js'
import { isAgentAudience } from '../policy/subject.js'
import { type PolicyTuple, personIdOf, personKey, placeKey, sortedSet, targetKey } from '../policy/tuple.js'
import type { TargetKind } from '../policy/vocabulary.js'
import { DEFAULT_SALIENCE } from '../search/salience.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import type { NewRecord } from '../storage/queries/insert-records.js'
import { namePeople } from '../storage/queries/people.js'
import { insertRelations, type NewRelation } from '../storage/queries/relations.js'
import { compartmentId } from './compartment-id.js'
import { type Draft, withTyped } from './draft.js'
import { isOpening } from './preview.js'
import type { WriteRequest } from './request.js'

/** A record to be written, with its sources and the label it cannot go below. */
export interface PlannedRecord {
  readonly draft: Draft
  readonly mediation?: MediationPlace
  readonly owner: string
  readonly sources: readonly Source[]
  /** The records that its spans cite, if the writer sees all of what they cite; otherwise none. */
  readonly cited?: readonly Source[]
  /** Entities whose names occur in its text. */
  readonly namedEntities?: readonly string[]
  readonly atLeast: Label
}

/** A record that another one is derived from. */
export type Source = Pick<RecordRow, 'id' | 'tuple' | 'targets'>

/** Where a record belongs in a mediation, and by whose consent. */
export interface MediationPlace {
  readonly vessel: 'user' | 'shared'
  readonly session: string
  readonly relationship: string
  readonly contentType?: string
  readonly confirmed?: boolean
  /** If nobody is named, all participants are addressed. */
  readonly addressees?: readonly string[]
  readonly consentRecord?: string
}

/** A written record with the label that its writer asked for, which may be less strict than the one it got. */
export interface WrittenRecord extends Source {
  readonly asked: Label
}

/** What a writer is told about a written record: its id and the label it got. */
export interface WrittenLabel {
  readonly id: string
  readonly sensitivity: string
  readonly scope: string | null
  readonly visibilityClass: string
}

export const DEFAULT_SENSITIVITY = 'medium'
export const DEFAULT_VISIBILITY_CLASS = 'party_confidential'

/**
 * Writes records with labels joined from what was asked for, the sources, and what the writer was shown (TR-7, WR-2).
 */
export async function writeRecords(
  request: WriteRequest,
  planned: readonly PlannedRecord[],
): Promise<WrittenLabel[]> {
  return (await writeSources(request, planned)).map(({ id, tuple }) => ({
    id,
    sensitivity: tuple.sensitivity,
    scope: tuple.scope,
    visibilityClass: tuple.visibilityClass,
  }))
}

/** Does the same, but returns the records as sources for deriving others. */
export async function writeSources(
  request: WriteRequest,
  planned: readonly PlannedRecord[],
): Promise<WrittenRecord[]> {
  for (const { draft } of planned) {
    requireOwnersActs(request, draft)
    if (draft.expiresAt !== undefined && draft.expiresAt <= request.now)
      throw new PrivityError('invalid_input', 'expiresAt: must be in the future')
  }
  const named = planned.map(plan => ({ ...plan, id: request.parts.clock.newId('record') }))
  const people = await findPeople(request, named)
  const withOwn = named.map(plan => ({ ...plan, targets: targetsOf(plan) }))
  // Nobody knew the ids of new records, so nothing is named by one.
  const own = new Set(withOwn.map(({ owner, id }) => targetKey('document', owner, id)))
  const { overlaid, scoped } = await request.namedTargets(
    sortedSet(withOwn.flatMap(({ targets }) => targets.filter(target => !own.has(target)))),
  )

  const asked: Label[] = []
  const records = withOwn.map((plan): NewRecord => {
    const participantIds = participantNames(plan).map(name => people.get(plan.owner)?.get(name) ?? missing())
    const own = joinLabels({
      sensitivity: plan.draft.sensitivity ?? DEFAULT_SENSITIVITY,
      scope: plan.draft.scope ?? null,
      visibilityClass: plan.draft.visibilityClass ?? DEFAULT_VISIBILITY_CLASS,
      participants: participantIds.map(id => personKey(plan.owner, id)),
    })
    asked.push(own)
    const label = joinLabels(own, plan.atLeast, ...plan.sources.map(source => labelInherited(plan, source)))
    const tuple = tupleOf(request.tenant, plan, label, {
      overlayTargets: plan.targets.filter(target => overlaid.has(target)),
      scopeTargets: ownTargetsOf(plan.owner, plan.draft, plan.id).filter(target => scoped.has(target)),
    })
    return toNewRecord(request, plan, tuple)
  })

  await request.add(records)
  await insertRelations(request.tx, request.tenant, withOwn.flatMap(mentionsOf), request.now)
  request.noteWritten(records.map(({ recordId }) => recordId))
  return records.map(({ recordId, tuple, targets }, at) => ({
    id: recordId,
    tuple,
    targets,
    asked: asked[at] ?? tuple,
  }))
}

/** The label that a source passes on to what is derived from it (TR-7). */
const labelInherited = ({ mediation }: PlannedRecord, { tuple }: Source): Label =>
  labelFor(mediation?.vessel ?? 'user', tuple)

/** Marking a record as shareable or as a redacted twin opens it to others, so only an owner may do it (WR-4). */
function requireOwnersActs(request: WriteRequest, draft: Draft): void {
  if (!isAgentAudience(request.caller.audience)) return
  if (draft.markedShareable === true || draft.redactedOf !== undefined)
    throw new PrivityError(
      'not_allowed',
      'only an owner may mark a record as shareable or as a redacted twin; leave that out, or ask the person you work for',
      {
        reason: 'session.audience_not_allowed',
      },
    )
}

async function findPeople(
  request: WriteRequest,
  planned: readonly (PlannedRecord & { readonly id: string })[],
): Promise<Map<string, ReadonlyMap<string, string>>> {
  const found = new Map<string, ReadonlyMap<string, string>>()
  for (const owner of sortedSet(planned.map(plan => plan.owner))) {
    const ofOwner = planned.filter(plan => plan.owner === owner)
    const names = sortedSet(ofOwner.flatMap(participantNames))
    if (names.length === 0) continue
    found.set(owner, await nameInRecords(request, owner, names))
  }
  return found
}

/**
 * The ids of the names with which records are written. A name that is new to the owner's facts may have a consent
 * already, so what this request decides from here on takes it into account.
 */
export async function nameInRecords(
  request: WriteRequest,
  owner: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { tx, tenant, now } = request
  const people = names.map(name => ({ name, newId: request.parts.clock.newId('person') }))
  const sight = request.knowsEverybodyOf(owner) ? 'whole' : 'part'
  const { ids, changesFacts } = await namePeople(tx, tenant, owner, people, now, sight)
  if (changesFacts) await request.renewFactsOf(owner)
  return ids
}

/** The people that a draft names. Unknown speakers are those of its recording, or else of the record alone (PC-7). */
const participantNames = ({ draft, id }: PlannedRecord & { readonly id: string }): readonly string[] =>
  (draft.participants ?? []).map(name => nameInRecording(name, draft.conversation ?? draft.document ?? id))

function missing(): never {
  throw new PrivityError('internal', 'a person could not be resolved')
}

/** The targets of a record and of its sources: an overlay on any of them applies to it (OV-2). */
function targetsOf({
  draft,
  owner,
  sources,
  mediation,
  id,
}: PlannedRecord & { id: string }): readonly string[] {
  return sortedSet([
    ...ownTargetsOf(owner, draft, id),
    ...(mediation?.vessel === 'shared' ? [] : sources.flatMap(source => source.targets)),
  ])
}

/**
 * The targets that name a record itself: what contains it, and its own id, which serves as a document's name if it
 * has none.
 */
export function ownTargetsOf(
  owner: string,
  at: { readonly [K in (typeof PLACES)[number][1]]?: string | null | undefined },
  id: string,
): readonly string[] {
  const within = PLACES.flatMap(([kind, field]) => {
    const ref = at[field] ?? null
    return ref === null ? [] : [targetKey(kind, owner, ref)]
  })
  return sortedSet([...within, targetKey('document', owner, id)])
}
const PLACES = [
  ['corpus', 'corpus'],
  ['filing_unit', 'filingUnit'],
  ['version', 'version'],
  ['part', 'part'],
  ['document', 'document'],
  ['segment', 'segment'],
] as const satisfies readonly [TargetKind, string][]

/** A detected mention also reveals the entity's name, so the entity counts as one of the edge's sources (PC-5). */
function mentionsOf({ id, draft, namedEntities = [] }: PlannedRecord & { id: string }): NewRelation[] {
  const mention = { from: id, type: 'mentions' }
  return [
    ...[...new Set(draft.mentions)].map(to => ({ ...mention, to, sources: [] })),
    ...namedEntities.map(to => ({ ...mention, to, sources: [to] })),
  ]
}

function tupleOf(
  tenant: string,
  { draft, owner, sources, cited = [], mediation }: PlannedRecord,
  label: Label,
  named: Pick<PolicyTuple, 'overlayTargets' | 'scopeTargets'>,
): PolicyTuple {
  return {
    tenant,
    vessel: mediation?.vessel ?? draft.vessel,
    owner,
    session: mediation?.session ?? null,
    relationship: mediation?.relationship ?? null,
    kind: draft.kind,
    contentType: mediation?.contentType ?? null,
    confirmed: mediation?.confirmed ?? false,
    addressees: sortedSet(mediation?.addressees ?? []),
    corpus: draft.corpus ?? null,
    surface: draft.surface ?? null,
    markedShareable: draft.markedShareable ?? false,
    redacted: draft.redactedOf !== undefined,
    opening: isOpening(draft.kind, draft.spans ?? []),
    ...label,
    consentRecord: mediation?.consentRecord ?? null,
    inputConsents: sortedSet(
      sources.flatMap(({ tuple }) => [
        ...tuple.inputConsents,
        ...(tuple.consentRecord === null ? [] : [tuple.consentRecord]),
      ]),
    ),
    ...named,
    // Only views of derived memories look at it; elsewhere it would only split compartments.
    citedPlaces:
      draft.surface === 'derived_memories'
        ? sortedSet(cited.map(({ tuple, targets }) => placeKey({ surface: tuple.surface, targets })))
        : [],
    lifecycle: 'active',
    endedAt: null,
  }
}

function toNewRecord(
  request: WriteRequest,
  { draft, id, sources, targets }: PlannedRecord & { id: string; targets: readonly string[] },
  tuple: PolicyTuple,
): NewRecord {
  return {
    recordId: id,
    compartmentId: compartmentId(tuple),
    tuple,
    author: request.caller.actor,
    filingUnit: draft.filingUnit ?? null,
    version: draft.version ?? null,
    versionKind: draft.versionKind ?? null,
    part: draft.part ?? null,
    document: draft.document ?? null,
    segment: draft.segment ?? null,
    conversation: draft.conversation ?? null,
    turn: draft.turn ?? null,
    speaker: draft.speaker ?? null,
    targets,
    redactedOf: draft.redactedOf ?? null,
    participantIds: tuple.participants.map(personIdOf),
    title: draft.title ?? null,
    text: draft.text,
    language: draft.language ?? null,
    tags: sortedSet(draft.tags ?? []),
    fields: withTyped(draft),
    salience: draft.salience ?? DEFAULT_SALIENCE,
    pinned: draft.pinned ?? false,
    confidence: draft.confidence ?? 1,
    provenance: draft.provenance ?? {},
    spans: draft.spans ?? [],
    occurredAt: draft.occurredAt?.toISOString() ?? null,
    validFrom: draft.validFrom?.toISOString() ?? null,
    validTo: draft.validTo?.toISOString() ?? null,
    expiresAt: draft.expiresAt?.toISOString() ?? null,
    createdAt: request.now.toISOString(),
    sources: sources.map(source => source.id),
  }
}
