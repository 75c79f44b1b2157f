import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { joinLabels, LEAST_LABEL } from '../../policy/labels.js'
import { foldName } from '../../policy/person-name.js'
import { findCaptured, loadLastTurn } from '../../storage/queries/find-captured.js'
import { lockRecords } from '../../storage/queries/lock.js'
import { insertRelations } from '../../storage/queries/relations.js'
import { setRole } from '../../storage/queries/set-role.js'
import { factsByRules } from '../capture/facts-by-rules.js'
import type { KeptTurn } from '../capture/found-fact.js'
import { CAPTURED, type KeptFact, keepFacts, messageKey } from '../capture/keep-facts.js'
import { type Draft, draft, labelFields } from '../draft.js'
import { moment, name, personName, principal, text } from '../input.js'
import { shownToWriter } from '../labels-of-writes.js'
import { writeOperation } from '../operation.js'
import { knownPeople } from '../propose-labels.js'
import type { ReadRequest, WriteRequest } from '../request.js'
import { type WrittenRecord, writeSources } from '../write-records.js'
import { capturedFact, viewFacts } from './captured-fact.js'
import { leaveToModel } from './captures.js'
import { canReadBack, proposedFor } from './remember.js'

const MOST_MESSAGES = 500
const MOST_MESSAGE_BYTES = 262_144
const MOST_BYTES = 4 * 1_048_576
const ROLES = ['user', 'assistant', 'system', 'tool'] as const

const message = z
  .strictObject({
    text: text(MOST_MESSAGE_BYTES)
      .refine(value => value.trim().length > 0, { message: 'must not be empty' })
      .meta({ description: 'What was said.', example: 'I moved to Graz.' }),
    role: z.enum(ROLES).default('user').meta({
      description: 'Whose turn it is. Facts are made of what users say, not of what assistants or tools do.',
    }),
    speaker: personName
      .optional()
      .meta({ description: 'Who said it, by name. Default for users: the owner.', example: 'ben' }),
    at: moment.optional().meta({ description: 'When it was said. Default: now.' }),
    id: name.optional().meta({
      description: 'Your own id of the message. One that was captured before is not kept twice.',
      example: 'm-12',
    }),
    replyTo: name.optional().meta({ description: 'The id of the message that it answers.', example: 'm-11' }),
  })
  .meta({ id: 'CapturedMessage', description: 'A message of a conversation.' })
type Message = z.output<typeof message>

const input = z.strictObject({
  messages: z
    .array(message)
    .min(1)
    .max(MOST_MESSAGES)
    .meta({ description: 'The messages, in their order: all are kept or none.' }),
  conversation: name.optional().meta({
    description: 'The conversation that they belong to; it goes on where it ended. Default: a new one.',
    example: 'call-2026-05-03',
  }),
  about: z
    .array(personName)
    .max(100)
    .optional()
    .meta({
      description: 'People whom all of it is about, by name. Their consent counts.',
      example: ['ben'],
    }),
  owner: principal
    .optional()
    .meta({ description: 'Whose memory it is. Default: the caller.', example: 'ana' }),
  facts: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether to make facts of what was said, beside keeping the turns.' }),
  sensitivity: labelFields.sensitivity,
  scope: labelFields.scope,
  visibilityClass: labelFields.visibilityClass,
})
type Input = z.output<typeof input>

const turn = z
  .object({
    id: z.string().meta({ description: 'The id of the record.' }),
    isNew: z.boolean().meta({ description: 'Whether it was kept now; false if it was captured before.' }),
    readable: z.boolean().meta({ description: 'Whether you can read it back.' }),
  })
  .meta({ id: 'CapturedTurn', description: 'A message that is kept as a record.' })

/** Keeps a conversation: its turns as episodes, in order, and the facts that they state (WR-5). */
export const capture = writeOperation({
  name: 'memory.capture',
  route: 'POST /capture',
  summary: 'Keep a conversation and the facts that it states',
  policies: ['agent'],
  sample: world => ({
    messages: [
      { text: `I live in ${world.word()}.`, id: world.pick(['m-1', world.key]) },
      {
        text: `${world.person()} likes ${world.word()}, and I like ${world.word()}.`,
        ...world.maybe(0.5, { speaker: world.person() }),
      },
    ],
    conversation: world.pick(['talk', world.key]),
    sensitivity: 'public',
    visibilityClass: 'public_open',
    ...world.maybe(0.2, { about: [world.person()] }),
    ...world.maybe(0.2, { owner: world.pick(['ana', 'ben', 'nobody']) }),
  }),
  callers: 'anyone',
  effects: ['record_created', 'record_revised'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input,
  output: z.object({
    conversation: z.string().meta({ description: 'The conversation, to go on with.' }),
    turns: z.array(turn).meta({ description: 'The turns, in the order of the messages.' }),
    facts: z.array(capturedFact).meta({ description: 'The facts that were made of them.' }),
  }),
  async run(request, asked) {
    requireModestSize(asked)
    const owner = asked.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const conversation = asked.conversation ?? request.parts.clock.newId('conversation')
    const { known, last } = await readConversation(request, owner, conversation, asked.messages)
    const { label: shown } = await shownToWriter(request)
    const fresh = asked.messages.flatMap((each, at) =>
      known.has(keyOf(conversation, each)) ? [] : [{ each, at }],
    )
    const drafts = fresh.map(({ each }, nth) => turnOf(asked, each, owner, conversation, last + 1 + nth))
    const proposed = await proposedFor(
      request,
      drafts,
      drafts.map(() => owner),
    )
    // Before anything gets an id: a request that has to wait for the index starts again (NI-5).
    const people = asked.facts ? await knownPeople(request, owner) : []
    const names = people.flatMap(({ name, aliases }) => [name, ...aliases])
    const written = await writeSources(
      request,
      drafts.map((made, nth) => ({
        draft: made,
        owner,
        sources: [],
        atLeast: joinLabels(shown, proposed[nth]?.label ?? LEAST_LABEL),
      })),
    )
    const ids = asked.messages.map(
      (each, at) =>
        known.get(keyOf(conversation, each)) ?? written[fresh.findIndex(one => one.at === at)]?.id ?? '',
    )
    await insertReplies(request, asked.messages, ids)
    const turns = fresh.map(({ each }, nth) => keptTurn(each, written[nth] as WrittenRecord, owner, request))
    const facts = asked.facts ? await makeFacts(request, owner, turns, names, joinLabels(shown)) : []
    if (asked.facts) await leaveToModel(request, owner, conversation, turns)
    const readable = await canReadBack(request, written, [])
    const canRead = new Map(written.map(({ id }, at) => [id, readable[at] === true]))
    for (const id of known.values()) canRead.set(id, true)
    return {
      output: {
        conversation,
        turns: ids.map(id => ({
          id,
          isNew: written.some(one => one.id === id),
          readable: canRead.get(id) ?? false,
        })),
        facts: await viewFacts(request, facts),
      },
      refs: [...new Set([...ids, ...facts.map(({ record }) => record)])],
    }
  },
  /** The turns again; what became of the facts is in the past. */
  async replay(request, refs, asked) {
    const found = await request.fetchVisible(refs)
    const seen = (id: string) => found.get(id)?.level === 'full'
    const ids = refs.slice(0, asked.messages.length)
    const conversation =
      asked.conversation ?? ids.flatMap(id => found.get(id)?.row.conversation ?? [])[0] ?? ''
    return { conversation, turns: ids.map(id => ({ id, isNew: false, readable: seen(id) })), facts: [] }
  },
})

function requireModestSize({ messages }: Input): void {
  const bytes = messages.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0)
  if (bytes > MOST_BYTES)
    throw new PrivityError('too_large', `messages: must be at most ${MOST_BYTES} bytes of text together`)
  const ids = messages.flatMap(({ id }) => id ?? [])
  if (new Set(ids).size < ids.length)
    throw new PrivityError('invalid_input', 'messages: two of them have the same id')
}

const keyOf = (conversation: string, { id }: Message): string =>
  id === undefined ? '' : messageKey(conversation, id)

/** The messages that were captured before, by their keys, and the last place in the conversation: what the caller sees. */
async function readConversation(
  request: WriteRequest,
  owner: string,
  conversation: string,
  messages: readonly Message[],
): Promise<{ known: Map<string, string>; last: number }> {
  const { tx, tenant } = request
  await setRole(tx, 'privity_app')
  const keys = messages
    .flatMap(({ id, replyTo }) => [id, replyTo])
    .flatMap(id => (id === undefined ? [] : [messageKey(conversation, id)]))
  const rows = await findCaptured(tx, tenant, owner, [...new Set(keys)])
  const last = await loadLastTurn(tx, tenant, owner, conversation)
  await setRole(tx, 'privity_writer')
  const ids = rows.map(({ id }) => id)
  await lockRecords(tx, tenant, ids, 'shared')
  const visible = await request.fetchVisible(ids)
  const known = new Map(
    rows.flatMap(({ id, key }) => (visible.get(id)?.level === 'full' ? [[key, id] as const] : [])),
  )
  return { known, last: last ?? 0 }
}

function turnOf(asked: Input, each: Message, owner: string, conversation: string, place: number): Draft {
  const speaker = speakerOf(each, owner)
  const spoken = each.role === 'user' && foldName(speaker) !== foldName(owner) ? [speaker] : []
  return draft.parse({
    kind: 'episodic',
    text: each.text,
    conversation,
    turn: place,
    speaker,
    participants: [...new Set([...spoken, ...(asked.about ?? [])])],
    occurredAt: each.at,
    fields: {
      role: each.role,
      ...(each.id !== undefined && { captureKey: keyOf(conversation, each) }),
    },
    provenance: { source: CAPTURED },
    sensitivity: asked.sensitivity,
    scope: asked.scope,
    visibilityClass: asked.visibilityClass,
  })
}

/** Assistants and tools are no people: their names are not looked up, and nobody's consent is asked for them. */
const speakerOf = ({ role, speaker }: Message, owner: string): string =>
  speaker ?? (role === 'user' ? owner : role)

const keptTurn = (each: Message, source: WrittenRecord, owner: string, request: ReadRequest): KeptTurn => ({
  source,
  text: each.text,
  speaker: speakerOf(each, owner),
  at: each.at ?? request.now,
  language: null,
  states: each.role === 'user',
})

async function insertReplies(
  request: WriteRequest,
  messages: readonly Message[],
  ids: readonly string[],
): Promise<void> {
  const places = new Map(
    messages.flatMap(({ id }, at) => (id === undefined ? [] : [[id, ids[at] ?? ''] as const])),
  )
  const replies = messages.flatMap(({ replyTo }, at) => {
    const to = replyTo === undefined ? undefined : places.get(replyTo)
    const from = ids[at]
    return to === undefined || from === undefined || to === from
      ? []
      : [{ from, to, type: 'replies_to', sources: [] }]
  })
  await insertRelations(request.tx, request.tenant, replies, request.now)
}

async function makeFacts(
  request: WriteRequest,
  owner: string,
  turns: readonly KeptTurn[],
  names: readonly string[],
  atLeast: ReturnType<typeof joinLabels>,
): Promise<KeptFact[]> {
  return keepFacts(request, owner, turns, await factsByRules(turns, names), atLeast, null)
}
