import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isAgentAudience } from '../../policy/subject.js'
import { changeTuple } from '../../runtime/change-tuple.js'
import { draft, labelFields } from '../../runtime/draft.js'
import { createdAt, nextCursor } from '../../runtime/fields.js'
import { id, moment, name, text } from '../../runtime/input.js'
import { writerLabel } from '../../runtime/labels-of-writes.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import { writeRecords } from '../../runtime/write-records.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { listUserVessel } from '../../storage/queries/mediation-records.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import { saveIntensity } from '../../storage/queries/sessions.js'
import { askForStage } from '../ask-for-consent.js'
import { categoryOf, isSubNeed, type NeedCategory, needCategory, subNeed } from '../needs.js'
import {
  changeSession,
  enterContract,
  lockOpenSession,
  requireSession,
  requireStage,
  sessionId,
} from '../session.js'

const VESSEL_TYPES = ['user_event', 'emotional_reading', 'need', 'boundary', 'empathy_draft'] as const

const content = text(65_536).refine(value => value.trim().length > 0, { message: 'must not be empty' })

const common = {
  ...labelFields,
  // CB-2
  ask: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether to ask its owner to share it, once it belongs to their stage.' }),
  occurredAt: moment.optional().meta({ description: 'When it happened.' }),
  derivedFrom: z
    .array(id)
    .max(100)
    .optional()
    .meta({ description: 'What of your own in this session it comes from, by ids.' }),
}

const intensity = z.int().min(1).max(10)

const itemType = <Value extends string>(value: Value) =>
  z.literal(value).meta({ description: 'What sort of item it is.' })

const item = z.discriminatedUnion('type', [
  z.strictObject({
    type: itemType('user_event'),
    text: content.meta({ description: 'What was said.', example: 'I felt alone with the move.' }),
    ...common,
  }),
  z.strictObject({
    type: itemType('emotional_reading'),
    intensity: intensity.meta({ description: 'How strong the feeling is, from 1 to 10.', example: 6 }),
    emotion: name.optional().meta({ description: 'The feeling, by its name.', example: 'lonely' }),
    text: content.optional().meta({ description: 'What was said.', example: 'I felt alone with the move.' }),
    ...common,
  }),
  z.strictObject({
    type: itemType('need'),
    category: needCategory.meta({ description: 'What the need is about.', example: 'CONNECTION' }),
    need: subNeed.optional().meta({
      description: 'The more particular need; it must belong to the category.',
      example: 'CLOSENESS',
    }),
    text: content.meta({ description: 'What was said.', example: 'I felt alone with the move.' }),
    ...common,
  }),
  z.strictObject({
    type: itemType('boundary'),
    text: content.meta({ description: 'What was said.', example: 'I felt alone with the move.' }),
    ...common,
  }),
])
type Item = z.output<typeof item>

const MOST_ITEMS = 100

/** Stores what a participant says in their own vessel of a session. Nobody else's retrieval ever reads it (RC-5). */
export const writeVessel = writeOperation({
  name: 'vessel.write',
  route: 'POST /sessions/:session/vessel',
  summary: 'Store events, feelings, needs and boundaries in your own vessel of a session',
  policies: ['agent'],
  sample: world => ({
    session: world.made('session'),
    items: [
      {
        type: 'user_event',
        text: world.word(),
        ...world.maybe(0.3, { derivedFrom: [world.record()] }),
      },
    ],
  }),
  callers: 'anyone',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    session: sessionId,
    items: z.array(item).min(1).max(MOST_ITEMS).meta({ description: 'What was said, felt or found out.' }),
  }),
  output: z.object({
    items: z
      .array(
        z.object({
          id: z.string().meta({ description: 'The id of the item.' }),
          type: z.string().meta({ description: 'What sort of item it is.' }),
        }),
      )
      .meta({ description: 'What was written, in the same order.' }),
  }),
  async run(request, { session, items }) {
    const { tx, tenant, caller, now } = request
    requireSubNeeds(items)
    const row = await lockOpenSession(request, session)
    enterContract(request, row, isAgentAudience(request.caller.audience) ? 'turn' : 'browse')
    const named = [...new Set(items.flatMap(({ derivedFrom = [] }) => derivedFrom))]
    await lockRecords(request.tx, request.tenant, named, 'shared')
    const sources = new Map((await request.requireFull(named)).map(source => [source.id, source]))
    for (const { tuple } of sources.values())
      if (tuple.vessel !== 'user' || tuple.session !== session) throw absent()
    const atLeast = await writerLabel(request)
    const stored = await writeRecords(
      request,
      items.map(each => ({
        draft: draftOf(each),
        owner: request.caller.actingFor,
        sources: [...new Set(each.derivedFrom)].flatMap(source => sources.get(source) ?? []),
        atLeast,
        mediation: { vessel: 'user' as const, session, relationship: row.relationship },
      })),
    )
    const reading = items.findLast(each => each.type === 'emotional_reading')
    if (reading !== undefined)
      await saveIntensity(tx, tenant, session, caller.actingFor, reading.intensity, now)
    await askForStage(request, row)
    return {
      output: { items: stored.map((kept, at) => ({ id: kept.id, type: items[at]?.type ?? '' })) },
      refs: stored.map(kept => kept.id),
    }
  },
  replay: async (_request, refs, { items }) => ({
    items: refs.map((kept, at) => ({ id: kept, type: items[at]?.type ?? '' })),
  }),
})

/** A particular need must belong to the category that it is given with. */
function requireSubNeeds(items: readonly Item[]): void {
  for (const [at, each] of items.entries())
    if (each.type === 'need' && each.need !== undefined && categoryOf(each.need) !== each.category)
      throw new PrivityError(
        'invalid_input',
        `items.${at}.need: ${each.need} belongs to ${categoryOf(each.need)}, not to ${each.category}`,
      )
}

/** Converts an item to a record: its type becomes the kind, and everything but the text goes into fields. */
function draftOf(given: Item) {
  const { type, derivedFrom: _, ask, ...rest } = given
  const fields = { ...fieldsOf(given), ...(ask ? {} : { ask }) }
  const {
    intensity: __,
    emotion: ___,
    category: ____,
    need: _____,
    ...record
  } = rest as Partial<ItemFields> & typeof rest
  return draft.parse({ ...record, kind: type, text: textOf(given), fields })
}

type ItemFields = { intensity: number; emotion: string; category: string; need: string }

const textOf = (given: Item): string =>
  given.type === 'emotional_reading'
    ? (given.text ?? given.emotion ?? `intensity ${given.intensity}`)
    : given.text

function fieldsOf(given: Item): Partial<ItemFields> {
  switch (given.type) {
    case 'emotional_reading': {
      const { intensity: felt, emotion } = given
      return { intensity: felt, ...(emotion === undefined ? {} : { emotion }) }
    }
    case 'need':
      return { category: given.category, ...(given.need === undefined ? {} : { need: given.need }) }
    default:
      return {}
  }
}

const vesselItem = z
  .object({
    id: z.string().meta({ description: 'The id of the item.' }),
    type: z.enum(VESSEL_TYPES).meta({ description: 'What sort of item it is.' }),
    text: z
      .string()
      .nullable()
      .meta({ description: "What was said; null where the caller's trust does not reach." }),
    intensity: z
      .int()
      .nullable()
      .meta({ description: 'How strong the feeling is, from 1 to 10; null for other items.' }),
    emotion: z
      .string()
      .nullable()
      .meta({ description: 'The feeling, by its name; null if it was not named.' }),
    category: needCategory.nullable().meta({ description: 'What the need is about; null for other items.' }),
    need: subNeed.nullable().meta({ description: 'The more particular need; null if it was not given.' }),
    confirmed: z.boolean().meta({ description: 'Whether its owner has confirmed it.' }),
    occurredAt: z.string().nullable().meta({ description: 'When it happened; null if that is not known.' }),
    createdAt,
  })
  .meta({ id: 'VesselItem', description: 'Something in your own vessel.' })

export const listVessel = readOperation({
  name: 'vessel.list',
  route: 'GET /sessions/:session/vessel',
  summary: 'List what your own vessel of a session holds, newest first',
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  input: z.strictObject({
    session: sessionId,
    types: z
      .array(z.enum(VESSEL_TYPES))
      .min(1)
      .max(VESSEL_TYPES.length)
      .optional()
      .meta({ description: 'Only items of these types.', example: ['need'] }),
    ...pageInput,
  }),
  output: z.object({
    items: z.array(vesselItem).meta({ description: 'What is in your vessel, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { session, types, limit, cursor }) {
    const row = await requireSession(request, session)
    enterContract(request, row, 'browse')
    const filter = {
      relationship: row.relationship,
      session,
      kinds: types ?? VESSEL_TYPES,
    }
    const { rows, cursor: next } = await listNewestFirst(
      request,
      ['vessel.list', session, types],
      { limit, cursor },
      (before, most) =>
        listUserVessel(request.tx, request.tenant, request.caller.actingFor, filter, before, most),
      ({ createdAt, id }) => ({ createdAt, id }),
    )
    return { items: await viewItems(request, rows), cursor: next }
  },
})

async function viewItems(
  request: ReadRequest,
  rows: readonly RecordRow[],
): Promise<z.input<typeof vesselItem>[]> {
  const views = await request.view(rows)
  return rows.flatMap((row, at) => {
    const view = views[at]
    if (view == null) return []
    request.show(view)
    const shown = view.face === 'full'
    const { intensity: felt, emotion, category, need } = shown ? row.fields : {}
    return [
      {
        id: row.id,
        type: row.tuple.kind as (typeof VESSEL_TYPES)[number],
        text: view.payload?.text ?? null,
        intensity: typeof felt === 'number' ? felt : null,
        emotion: typeof emotion === 'string' ? emotion : null,
        category: (category as NeedCategory | undefined) ?? null,
        need: isSubNeed(need) ? need : null,
        confirmed: shown && row.tuple.confirmed,
        occurredAt: shown ? (row.occurredAt?.toISOString() ?? null) : null,
        createdAt: row.createdAt.toISOString(),
      },
    ]
  })
}

/** A need counts once its owner has confirmed it (RC-6). */
export const confirmNeeds = writeOperation({
  name: 'vessel.confirm_needs',
  route: 'POST /sessions/:session/needs/confirm',
  summary: 'Confirm needs as your own, or take that back',
  sample: world => ({
    session: world.made('session'),
    needs: [world.record()],
  }),
  callers: 'owner',
  effects: ['need_confirmed'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    needs: z.array(id).min(1).max(MOST_ITEMS).meta({ description: 'Needs of yours, by their ids.' }),
    confirmed: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether to confirm them, or to take that back.' }),
  }),
  output: z.object({
    needs: z
      .array(
        z.object({
          id: z.string().meta({ description: 'The id of the need.' }),
          confirmed: z.boolean().meta({ description: 'Whether it is confirmed.' }),
        }),
      )
      .meta({ description: 'The needs.' }),
  }),
  async run(request, { session, needs, confirmed }) {
    const { tx, tenant, now } = request
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 3)
    enterContract(request, row, 'browse')
    const ids = [...new Set(needs)].sort()
    await lockRecords(tx, tenant, ids, 'exclusive')
    const rows = await request.requireFull(ids)
    for (const { tuple } of rows)
      if (tuple.kind !== 'need' || tuple.vessel !== 'user' || tuple.session !== session) throw absent()
    await changeSession(request, row, () =>
      retupleRecords(
        tx,
        tenant,
        rows.map(need => changeTuple(need, { ...need.tuple, confirmed })),
        now,
      ),
    )
    await askForStage(request, row)
    return { output: { needs: ids.map(need => ({ id: need, confirmed })) }, refs: ids }
  },
  replay: async (_request, refs, { confirmed }) => ({ needs: refs.map(need => ({ id: need, confirmed })) }),
})
