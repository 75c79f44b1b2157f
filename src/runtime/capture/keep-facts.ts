import { z } from 'zod'
import { joinLabels, type Label, lowers } from '../../policy/labels.js'
import { foldName } from '../../policy/person-name.js'
import { personIdOf } from '../../policy/tuple.js'
import { raiseSalience } from '../../search/salience.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { findCaptured } from '../../storage/queries/find-captured.js'
import { lockOwners, lockRecords } from '../../storage/queries/lock.js'
import { insertRelations, type NewRelation } from '../../storage/queries/relations.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { setRole } from '../../storage/queries/set-role.js'
import { changeTuple, followSources, nameInReplaced } from '../change-tuple.js'
import { draft } from '../draft.js'
import { endRecords } from '../end-records.js'
import type { WriteRequest } from '../request.js'
import { type PlannedRecord, type Source, type WrittenRecord, writeSources } from '../write-records.js'
import type { FoundFact, KeptTurn } from './found-fact.js'

/** The source that captured records name. */
export const CAPTURED = 'capture'

/** What became of a stated fact. */
export const FACT_OUTCOMES = ['new', 'reinforced', 'superseded', 'contested', 'past'] as const
export type FactOutcome = (typeof FACT_OUTCOMES)[number]

export interface KeptFact {
  readonly record: string
  readonly text: string
  readonly outcome: FactOutcome
  readonly turns: readonly string[]
  readonly written: WrittenRecord | null
}

const storedFact = z.object({ subject: z.string(), attribute: z.string(), value: z.string(), by: z.string() })

const citation = z.object({ document: z.string() })

/** How much a statement that is repeated adds to a fact. */
const STEP = 0.1
const CONTESTED = 'another turn of a conversation says otherwise'

/** A fact as stated once or several times in these turns. */
interface Stated extends FoundFact {
  readonly key: string
  readonly by: string
  readonly at: Date
  readonly turns: readonly number[]
}

/** A fact that the caller sees, and what it says. */
interface Known {
  readonly row: RecordRow
  readonly fact: z.output<typeof storedFact>
}

export const messageKey = (conversation: string, id: string): string => `message:${conversation}:${id}`

/**
 * Keeps the facts of some turns: the same fact again reinforces the one that is known, a changed one supersedes it and
 * ends its validity, and one that cannot be true beside it contests both (WR-5). Known are facts that this caller sees
 * in full. What a stricter turn says changes none that others may see: it stands beside them (NI-1).
 */
export async function keepFacts(
  request: WriteRequest,
  owner: string,
  turns: readonly KeptTurn[],
  found: readonly FoundFact[],
  atLeast: Label,
  model: string | null,
): Promise<KeptFact[]> {
  const stated = statedFacts(turns, found)
  const known = await knownFacts(request, owner, stated)
  const kept: KeptFact[] = []
  const relations: NewRelation[] = []
  /** What was written for each key in this capture: another speaker may contradict it. */
  const here = new Map<string, Contested[]>()
  for (const fact of stated) {
    const sources = fact.turns.flatMap(at => turns[at]?.source ?? [])
    const label = joinLabels(atLeast, ...sources.map(({ tuple }) => tuple))
    const all: Known[] = known.get(fact.key) ?? []
    // Rules and a model may read the same turn: what was made of it first stands, and is not said twice.
    if (all.some(({ row }) => citesAny(row, sources))) continue
    const comparable = all.filter(({ row }) => !lowers(label, row.tuple))
    const isSame = (each: Known) => foldName(each.fact.value) === foldName(fact.value)
    const same = comparable.find(isSame)
    const others = comparable.filter(each => !isSame(each))
    const contradicts = (each: Known) => !isSame(each) && (fact.fixed || each.fact.by !== fact.by)
    const keep = (outcome: FactOutcome, record: string, written: WrittenRecord | null) => {
      kept.push({ record, text: fact.text, outcome, turns: sources.map(({ id }) => id), written })
    }
    const write = async (replaces: readonly RecordRow[] = [], validTo: Date | null = fact.validTo) => {
      const planned = plan(owner, fact, turns, { replaces, validTo, atLeast, model })
      const [written] = await writeSources(request, [planned])
      if (written === undefined) throw new Error('a fact was not written')
      here.set(fact.key, [...(here.get(fact.key) ?? []), asRow(written)])
      return written
    }

    if (same !== undefined) {
      await reinforce(request, same.row, fact)
      relations.push(
        ...sources.map(({ id }) => ({ from: same.row.id, to: id, type: 'stated_in', sources: [id] })),
      )
      keep('reinforced', same.row.id, null)
      continue
    }
    const later = others.find(({ row }) => (row.occurredAt ?? row.createdAt) > fact.at)
    const contradicted = all.filter(contradicts).map(({ row }) => row)
    const saidHere = here.get(fact.key) ?? []
    if (contradicted.length + saidHere.length > 0) {
      const written = await write()
      // Others may see what is less strict than this turn: it stays as it is, and the new fact alone is contested.
      const marked = [...contradicted, ...saidHere].filter(({ tuple }) => !lowers(label, tuple))
      await contest(request, [...marked, asRow(written)])
      relations.push(
        ...[...contradicted, ...saidHere].map(({ id }) => ({
          from: written.id,
          to: id,
          type: 'contradicts',
          sources: [],
        })),
      )
      keep('contested', written.id, written)
    } else if (others.length === 0) {
      const written = await write()
      keep('new', written.id, written)
    } else if (later !== undefined) {
      const ended = later.row.validFrom ?? later.row.occurredAt
      const written = await write(
        [],
        ended !== null && (fact.validFrom ?? fact.at) <= ended ? ended : fact.validTo,
      )
      keep('past', written.id, written)
    } else {
      const replaced = others.map(({ row }) => row)
      const until = fact.validFrom ?? fact.at
      await endRecords(request, replaced, 'superseded', row =>
        row.validTo === null && (row.validFrom === null || row.validFrom <= until) ? until : null,
      )
      const written = await write(replaced)
      await nameInReplaced(request, [written])
      keep('superseded', written.id, written)
    }
  }
  await insertRelations(request.tx, request.tenant, relations, request.now)
  return kept
}

/**
 * The statements in the order of time, each once: the same again adds its turn, and one that the same speaker changes
 * later in the conversation is not a fact any more.
 */
function statedFacts(turns: readonly KeptTurn[], found: readonly FoundFact[]): Stated[] {
  const byKey = new Map<string, Stated[]>()
  const inOrder = [...found].sort(
    (a, b) => timeOf(turns, a) - timeOf(turns, b) || a.turn - b.turn || a.start - b.start,
  )
  for (const fact of inOrder) {
    const { speaker, at } = turns[fact.turn] as KeptTurn
    const key = `fact:${foldName(fact.subject)}:${fact.attribute}`
    const before = byKey.get(key) ?? []
    const stated: Stated = { ...fact, key, by: foldName(speaker), at, turns: [fact.turn] }
    const same = before.find(({ value }) => foldName(value) === foldName(fact.value))
    if (same !== undefined)
      byKey.set(
        key,
        before.map(each =>
          each === same ? { ...each, turns: [...new Set([...each.turns, fact.turn])] } : each,
        ),
      )
    else byKey.set(key, [...before.filter(({ by, fixed }) => fixed || by !== stated.by), stated])
  }
  return [...byKey.values()].flat()
}

const citesAny = ({ spans }: RecordRow, sources: readonly Source[]): boolean =>
  spans.some(span => sources.some(({ id }) => citation.safeParse(span).data?.document === id))

const timeOf = (turns: readonly KeptTurn[], { turn }: FoundFact) => (turns[turn] as KeptTurn).at.getTime()

/** The current facts under the same keys that the caller sees and may change, locked. */
async function knownFacts(
  request: WriteRequest,
  owner: string,
  stated: readonly Stated[],
): Promise<Map<string, Known[]>> {
  const { tx, tenant } = request
  // Two captures at once would each find nothing and keep the same fact twice.
  await lockOwners(tx, tenant, [`capture:${owner}`], 'exclusive')
  await setRole(tx, 'privity_app')
  const rows = await findCaptured(tx, tenant, owner, [...new Set(stated.map(({ key }) => key))])
  await setRole(tx, 'privity_writer')
  const ids = rows.map(({ id }) => id)
  await lockRecords(tx, tenant, ids, 'exclusive')
  const visible = await request.fetchVisible(ids)
  const known = new Map<string, Known[]>()
  for (const { id, key } of rows) {
    const decided = visible.get(id)
    if (decided?.level !== 'full' || decided.row.provenance.source !== CAPTURED) continue
    const fact = storedFact.safeParse(decided.row.fields.fact)
    // What a fact said of a time that is over contradicts nothing.
    const isOver = decided.row.validTo !== null && decided.row.validTo <= request.now
    if (fact.success && !isOver)
      known.set(key, [...(known.get(key) ?? []), { row: decided.row, fact: fact.data }])
  }
  return known
}

function plan(
  owner: string,
  fact: Stated,
  turns: readonly KeptTurn[],
  {
    replaces,
    validTo,
    atLeast,
    model,
  }: { replaces: readonly RecordRow[]; validTo: Date | null; atLeast: Label; model: string | null },
): PlannedRecord {
  const sources = fact.turns.flatMap(at => turns[at]?.source ?? [])
  const { subject, attribute, value, by, validFrom } = fact
  const made = draft.parse({
    kind: fact.kind,
    text: fact.text,
    ...(fact.isPerson && foldName(subject) !== foldName(owner) && { participants: [subject] }),
    fields: {
      captureKey: fact.key,
      fact: { subject, attribute, value, by },
      ...(fact.due !== null && { due: fact.due.toISOString() }),
    },
    confidence: fact.confidence,
    provenance: { source: CAPTURED, ...(model !== null && { model }) },
    spans: sources.map(({ id }) => ({ document: id, start: fact.start, end: fact.end })).slice(0, 1),
    occurredAt: fact.at,
    ...(validFrom !== null && { validFrom }),
    ...(validTo !== null && (validFrom === null || validFrom <= validTo) && { validTo }),
    ...(turns[fact.turn]?.language != null && { language: turns[fact.turn]?.language }),
    // The least label: `writeSources` raises it to that of the turns.
    sensitivity: 'public',
    visibilityClass: 'public_open',
  })
  return { draft: made, owner, sources: [...replaces, ...sources], atLeast }
}

/** A fact that is stated again is more certain, and matters more. */
async function reinforce(request: WriteRequest, row: RecordRow, { confidence }: Stated): Promise<void> {
  const change = changeTuple(row, row.tuple, {
    salience: raiseSalience(request.salienceOf(row), STEP),
    confidence: 1 - (1 - row.confidence) * (1 - confidence / 2),
  })
  await retupleRecords(request.tx, request.tenant, [change], request.now)
}

type Contested = Pick<RecordRow, 'id' | 'tuple' | 'targets' | 'participantIds'>

const asRow = ({ id, tuple, targets }: WrittenRecord): Contested => ({
  id,
  tuple,
  targets,
  participantIds: tuple.participants.map(personIdOf),
})

async function contest(request: WriteRequest, rows: readonly Contested[]): Promise<void> {
  const changes = rows.map(row =>
    changeTuple(row, { ...row.tuple, lifecycle: 'contested' }, { contestedReason: CONTESTED }),
  )
  await retupleRecords(request.tx, request.tenant, changes, request.now)
  const moved = changes.map(({ id, tuple }) => ({ id, label: tuple, targets: [], inputConsents: [] }))
  await followSources(request, moved)
}
