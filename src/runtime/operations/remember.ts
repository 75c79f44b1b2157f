import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { shownLevel } from '../../policy/faces.js'
import { joinLabels, LEAST_LABEL } from '../../policy/labels.js'
import { foldName } from '../../policy/person-name.js'
import { isAgentAudience } from '../../policy/subject.js'
import { personKey, sortedSet } from '../../policy/tuple.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { type Draft, draft } from '../draft.js'
import { shownToWriter } from '../labels-of-writes.js'
import { findNamedEntities } from '../named-entities.js'
import { writeOperation } from '../operation.js'
import { type ProposedLabel, proposeLabels, whyOf } from '../propose-labels.js'
import { raisesOf, rememberedRecord } from '../raised-labels.js'
import { absent, type DecidedRecord, type WriteRequest } from '../request.js'
import { loadSpans } from '../search/router/spans.js'
import { nameInRecords, type WrittenRecord, writeSources } from '../write-records.js'
import { replayStored } from './stored.js'

const MOST_RECORDS = 1_000
const MOST_BATCH_BYTES = 32 * 1_048_576

/** Stores new records, all or none. */
export const remember = writeOperation({
  name: 'memory.remember',
  route: 'POST /records',
  summary: 'Store one record or many',
  positional: ['records'],
  answers: 'records',
  policies: ['agent'],
  sample: world => ({
    records: [
      {
        kind: 'episodic',
        text: `what the viewer thinks of ${world.word()}`,
        sensitivity: 'public',
        visibilityClass: 'public_open',
        ...world.maybe(0.5, { derivedFrom: [world.record()] }),
        ...world.maybe(0.2, { owner: world.pick(['ana', 'ben', 'nobody']) }),
        ...world.maybe(0.2, { participants: [world.person()] }),
        ...world.maybe(0.1, { redactedOf: world.record() }),
        ...world.maybe(0.2, { mentions: [world.record()] }),
        ...world.maybe(0.3, { linkEntities: true }),
      },
    ],
  }),
  callers: 'anyone',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  onlyAdds: ({ records }) =>
    !records.some(record => isCiting(record) || (record.participants ?? []).length > 0),
  input: z.strictObject({
    records: z
      .array(draft)
      .min(1)
      .max(MOST_RECORDS)
      .meta({ description: 'The records to keep: all of them or none.' }),
  }),
  output: z.object({
    records: z
      .array(rememberedRecord)
      .meta({ description: 'The records that were written, in the same order.' }),
  }),
  async run(request, { records }) {
    requireModestSize(records)
    const owners = records.map(record => record.owner ?? request.caller.actingFor)
    for (const [at, record] of records.entries()) requirePlace(request, record, owners[at] ?? '')

    const found = await findNamedEntities(request, records, owners)
    const quoted = await citedBy(request, records, owners)
    const named = records.flatMap(({ derivedFrom = [], redactedOf, mentions = [] }) => [
      ...derivedFrom,
      ...(redactedOf ? [redactedOf] : []),
      ...mentions,
    ])
    const cited = [...new Set([...named, ...found.flat(), ...quoted.flat()])]
    // The input and the audience alone say which statements run, whatever there is (NI-5).
    const areCiting = records.some(isCiting)
    if (areCiting) await lockRecords(request.tx, request.tenant, cited, 'shared')
    const shown = await shownToWriter(request)
    const isLooking = areCiting || isAgentAudience(request.caller.audience)
    const visible = isLooking
      ? await request.fetchVisible([...new Set([...cited, ...shown.records])])
      : new Map<string, DecidedRecord>()
    const seen = (id: string) => {
      const decided = visible.get(id)
      return decided?.level === 'full' ? decided.row : null
    }
    for (const id of named) if (seen(id) === null) throw absent()
    for (const id of records.flatMap(({ mentions = [] }) => mentions))
      if (seen(id)?.tuple.kind !== 'entity') throw absent()
    const proposed = await proposedFor(request, records, owners)
    const sources = records.map(({ derivedFrom = [] }, at) =>
      [...new Set([...derivedFrom, ...(quoted[at] ?? [])])].flatMap(id => seen(id) ?? []),
    )

    const stored = await writeSources(
      request,
      records.map((record, at) => ({
        draft: record,
        owner: owners[at] ?? '',
        sources: sources[at] ?? [],
        cited: (quoted[at] ?? []).every(id => seen(id) !== null)
          ? (quoted[at] ?? []).flatMap(id => seen(id) ?? [])
          : [],
        // Leaves out entities that were forgotten or relabelled since they were found.
        namedEntities: (found[at] ?? []).filter(id => seen(id) !== null),
        atLeast: joinLabels(shown.label, proposed[at]?.label ?? LEAST_LABEL),
      })),
    )
    const readable = await canReadBack(request, stored, records)
    const causes = shown.records.flatMap(id => visible.get(id)?.row ?? [])
    return {
      output: {
        records: stored.map(({ id, tuple, asked }, at) => ({
          id,
          sensitivity: tuple.sensitivity,
          scope: tuple.scope,
          visibilityClass: tuple.visibilityClass,
          readable: readable[at] === true,
          raised: raisesOf(asked, tuple, [
            { because: 'source', records: sources[at] ?? [] },
            { because: 'shown', label: shown.label, records: causes },
            ...(proposed[at] === undefined
              ? []
              : [
                  {
                    because: 'content',
                    label: proposed[at].label,
                    why: whyOf(proposed[at]),
                    records: [],
                  } as const,
                ]),
          ]),
        })),
      },
      refs: stored.map(({ id }) => id),
    }
  },
  async replay(request, refs) {
    const { records } = await replayStored(request, refs)
    // Whoever can repeat the answer sees the records; what raised their labels is in the past.
    return { records: records.map(record => ({ ...record, readable: true, raised: [] })) }
  },
})

/** Whether it names other records, or some are looked for in its text or its spans. */
const isCiting = ({ derivedFrom = [], redactedOf, mentions = [], linkEntities, spans = [] }: Draft) =>
  linkEntities === true ||
  redactedOf !== undefined ||
  [derivedFrom, mentions, spans].some(({ length }) => length > 0)

/**
 * The records that the spans of each draft cite: its text rests on theirs, so they are its sources. None of a draft of
 * which one span leads to something that the writer does not see, whether or not it exists (NI-6).
 */
async function citedBy(
  request: WriteRequest,
  records: readonly Draft[],
  owners: readonly string[],
): Promise<string[][]> {
  const asked = records.map(({ spans = [] }, at) => ({ owner: owners[at] ?? '', spans }))
  if (asked.every(({ spans }) => spans.length === 0)) return asked.map(() => [])
  const resolved = await loadSpans(request, asked)
  return resolved.map((found, at) =>
    found.length < (asked[at]?.spans.length ?? 0)
      ? []
      : [...new Set(found.flatMap(({ from }) => from.map(({ id }) => id)))],
  )
}

/**
 * The labels that the texts call for, where the tenant wants labels raised by them (WR-6). Whoever a text names is
 * named as if the writer had said so, unless it has (NI-10).
 */
export async function proposedFor(
  request: WriteRequest,
  records: readonly Pick<Draft, 'text' | 'title' | 'participants'>[],
  owners: readonly string[],
  policy = request.parts.tenantFacts.labelPolicy,
): Promise<(ProposedLabel | undefined)[]> {
  if (policy.mode === 'off') return []
  const texts = records.map(({ title, text }, at) => ({
    owner: owners[at] ?? '',
    text: [title, text].filter(Boolean).join('\n'),
  }))
  const proposed = await proposeLabels(request, texts, policy)
  const found: ProposedLabel[] = []
  for (const [at, one] of proposed.entries()) {
    const said = new Set((records[at]?.participants ?? []).map(foldName))
    const people = one.people.filter(
      ({ name, aliases }) => ![name, ...aliases].some(by => said.has(foldName(by))),
    )
    const owner = owners[at] ?? ''
    const ids =
      people.length === 0
        ? []
        : [
            ...(
              await nameInRecords(
                request,
                owner,
                people.map(person => person.found),
              )
            ).values(),
          ]
    const participants = sortedSet(ids.map(id => personKey(owner, id)))
    found.push({ ...one, label: joinLabels(one.label, { ...LEAST_LABEL, participants }), people })
  }
  return found
}

/** Whether the writer sees what it wrote in full: what was shown to it may be hidden from it by now (WR-6). */
export async function canReadBack(
  request: WriteRequest,
  stored: readonly WrittenRecord[],
  records: readonly Pick<Draft, 'expiresAt'>[],
): Promise<boolean[]> {
  if (request.seesEverything) return stored.map(() => true)
  const createdAt = request.now.getTime()
  const faces = await request.faces(
    stored.map(({ tuple }, at) => ({
      tuple,
      times: { createdAt, expiresAt: records[at]?.expiresAt?.getTime() ?? null },
    })),
  )
  return faces.map(face => shownLevel(face) === 'full')
}

/**
 * Requires a vessel and an owner that the writer may write to (WR-1). Records of a mediation have their own
 * operations.
 */
function requirePlace(request: WriteRequest, record: Draft, owner: string): void {
  if (record.vessel !== 'user') throw absent()
  request.requireOwner(owner)
}

function requireModestSize(records: readonly Draft[]): void {
  const bytes = records.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (bytes > MOST_BATCH_BYTES)
    throw new PrivityError('too_large', `records: must be at most ${MOST_BATCH_BYTES} bytes of text together`)
}
