import { z } from 'zod'
import { lowers } from '../../policy/labels.js'
import { CONTENT_CLASSES } from '../../policy/recognise/classes.js'
import { sortedSet } from '../../policy/tuple.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { saveLabelPolicy } from '../../storage/queries/label-policy.js'
import { type ListKey, listRecords, NO_FILTER } from '../../storage/queries/list-records.js'
import { findPeopleOf } from '../../storage/queries/people.js'
import { cursorBoundary } from '../cursor-boundary.js'
import { deliver, isDocument } from '../deliver.js'
import { nextCursor, pageCursor } from '../fields.js'
import { principal, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { type ProposedLabel, proposeLabels } from '../propose-labels.js'
import { absent } from '../request.js'
import { sensitivity } from '../vocabulary.js'
import { changeTenantFacts, noReplay } from './tenant-registrations.js'

const reason = z
  .object({
    class: z.enum(CONTENT_CLASSES).meta({ description: 'What sort of content it is.' }),
    what: z.string().meta({ description: 'What was recognised, for example `IBAN`.' }),
    start: z.int().meta({ description: 'Where it begins in the text, in UTF-16 units.' }),
    end: z.int().meta({ description: 'Where it ends.' }),
  })
  .meta({ id: 'LabelReason', description: 'What in a text calls for a stricter label.' })

const proposal = {
  sensitivity: sensitivity.meta({ description: 'The least sensitivity that the text calls for.' }),
  participants: z.array(z.string()).meta({ description: 'Known people who are named in the text, by name.' }),
  reasons: z.array(reason).meta({ description: 'Why.' }),
}

const viewProposal = ({ label, recognised, people }: ProposedLabel) => ({
  sensitivity: label.sensitivity as z.output<typeof sensitivity>,
  participants: people.map(({ name }) => name).sort(),
  reasons: recognised.map(({ of, name, start, end }) => ({ class: of, what: name, start, end })),
})

/** Says which label a text calls for. Nothing is kept. */
export const proposeLabel = readOperation({
  name: 'labels.propose',
  route: 'POST /labels/propose',
  summary: 'Propose a label for a text, with reasons',
  positional: ['text', '...'],
  policies: ['agent'],
  sample: world => ({ text: `${world.person()} has the PIN 4821, says ${world.word()}` }),
  callers: 'anyone',
  input: z.strictObject({
    text: text(1_048_576).meta({ description: 'The text.', example: 'The PIN is 4821.' }),
    owner: principal
      .optional()
      .meta({ description: 'Whose people to look for. Default: yours.', example: 'ana' }),
  }),
  output: z.object(proposal),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    if (!request.parts.identity.principals.has(owner)) throw absent()
    const [found] = await proposeLabels(request, [{ owner, text: input.text }], {
      ...request.parts.tenantFacts.labelPolicy,
      mode: 'raise',
    })
    if (found === undefined) throw absent()
    return viewProposal(found)
  },
})

const proposedRecord = z
  .object({
    record: z.string().meta({ description: 'The record, by its id.' }),
    text: z.string().meta({
      description: 'The beginning of its text; empty if the profile does not let documents be read.',
    }),
    current: z.string().meta({ description: 'Its sensitivity now.' }),
    ...proposal,
  })
  .meta({ id: 'LabelProposal', description: 'A record whose text calls for a stricter label.' })

/** Texts may be long, and all of them are in memory at once. */
const MOST_LOOKED_AT = 100

/** Lists records whose texts call for a stricter label than they have: a queue for their owner to work through. */
export const reviewLabels = readOperation({
  name: 'labels.review',
  route: 'GET /labels/review',
  summary: 'List your records that may need a stricter label, newest first',
  sample: world => ({ limit: world.pick([1, 5]) }),
  callers: 'owner',
  needsWholeSight: { otherwise: { proposals: [], cursor: null } },
  input: z.strictObject({
    owner: principal.optional().meta({ description: 'Whose records. Default: yours.', example: 'ana' }),
    limit: z.int().min(1).max(100).default(20).meta({ description: 'Most proposals on the page.' }),
    cursor: pageCursor,
  }),
  output: z.object({
    proposals: z
      .array(proposedRecord)
      .meta({ description: 'The proposals. Accept one with `memory.relabel`.' }),
    cursor: nextCursor,
  }),
  async run(request, input) {
    const owner = input.owner ?? request.caller.actingFor
    if (!request.parts.identity.principals.has(owner)) return { proposals: [], cursor: null }
    const { secrets, tenantFacts } = request.parts
    const boundTo = cursorBoundary(request, 'labels.review', owner)
    let after: ListKey | null = null
    if (input.cursor !== undefined) {
      const key = JSON.parse(secrets.open(input.cursor, boundTo)) as { createdAt: string; id: string }
      after = { createdAt: new Date(key.createdAt), id: key.id }
    }
    const rows = await listRecords(
      request.tx,
      request.tenant,
      { ...NO_FILTER, owner },
      'newest',
      after,
      MOST_LOOKED_AT,
    )
    const decided = await request.decide(rows)
    const found = await proposeLabels(
      request,
      rows.map(row => ({ owner, text: row.text })),
      { ...tenantFacts.labelPolicy, mode: 'raise' },
    )
    const named = sortedSet(found.flatMap(({ people }) => people.map(({ personId }) => personId)))
    const held = new Map(named.map(person => [person, new Set<string>()]))
    for (const { at, personId } of await findPeopleOf(request.tx, request.tenant, [owner], named))
      held.get(named[at] ?? '')?.add(personId)
    const names = ({ participantIds }: RecordRow, person: string) =>
      participantIds.some(id => held.get(person)?.has(id) === true)
    const proposals: z.input<typeof proposedRecord>[] = []
    let last: ListKey | null = null
    for (const [at, { row, level }] of decided.entries()) {
      const proposed = found[at]
      if (proposals.length >= input.limit) break
      last = { createdAt: row.createdAt, id: row.id }
      if (level !== 'full' || proposed === undefined) continue
      if (!lowers(proposed.label, row.tuple) && proposed.people.every(({ personId }) => names(row, personId)))
        continue
      const text = deliver(request, row, 'full', 'text')?.text ?? ''
      request.showRow(row, 'full')
      if (isDocument(row.tuple) && text !== '') request.noteView()
      proposals.push({
        record: row.id,
        text: text.slice(0, 200),
        current: row.tuple.sensitivity,
        ...viewProposal(proposed),
      })
    }
    const more = last !== null && (rows.length === MOST_LOOKED_AT || last.id !== rows.at(-1)?.id)
    return { proposals, cursor: more ? secrets.seal(JSON.stringify(last), boundTo) : null }
  },
})

const classes = z.partialRecord(z.enum(CONTENT_CLASSES), sensitivity.nullable())
const policyFields = {
  mode: z.enum(['off', 'raise']).meta({
    description: 'Whether labels are raised when something is written.',
    example: 'raise',
  }),
  classes: classes.default({}).meta({
    description:
      'The least sensitivity of a class of content, where it is not the default; null leaves it alone.',
    example: { contact: 'high' },
  }),
  people: z
    .boolean()
    .default(true)
    .meta({ description: 'Whether known people who are named in a text become participants.' }),
}

/** Sets what a tenant does about what is recognised in texts. */
export const setLabelPolicy = writeOperation({
  name: 'labels.set_policy',
  route: 'POST /labels/policy',
  summary: 'Set how labels of new records are raised by what their texts say',
  sample: () => ({ mode: 'raise' }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['label_policy_set'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject(policyFields),
  output: z.object(policyFields),
  async run(request, policy) {
    await changeTenantFacts(request)
    await saveLabelPolicy(request.tx, request.tenant, policy)
    return { output: policy, refs: [] }
  },
  replay: noReplay,
})

export const getLabelPolicy = readOperation({
  name: 'labels.policy',
  route: 'GET /labels/policy',
  summary: 'Read how labels of new records are raised',
  sample: () => ({}),
  callers: 'host',
  input: z.strictObject({}),
  output: z.object(policyFields),
  run: async request => {
    const { mode, classes, people } = request.parts.tenantFacts.labelPolicy
    return { mode, classes: classes as z.input<typeof policyFields.classes>, people }
  },
})
