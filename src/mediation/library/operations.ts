import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { cursorBoundary } from '../../runtime/cursor-boundary.js'
import { nextCursor } from '../../runtime/fields.js'
import { id, name, text } from '../../runtime/input.js'
import { pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import {
  approveContribution,
  type ContributionKey,
  countStanding,
  insertContribution,
  listOwn,
  listWaiting,
  loadOwn,
  type OwnContributionRow,
  removeContribution,
  withdrawContribution,
} from '../../storage/queries/library-contributions.js'
import { lockOwners } from '../../storage/queries/lock.js'
import { listPeople } from '../../storage/queries/people.js'
import { NEED_CATEGORIES, needCategory } from '../needs.js'
import { screen } from '../screen.js'
import { stripInvisible } from '../words.js'
import { anonymise, REPLACED } from './anonymise.js'
import { CURATED_ENTRIES, standingEntries, type TrustedEntry } from './entries.js'
import { forgetVectors } from './suggest-experiments.js'

const MOST_STANDING = 100
const MOST_PEOPLE = 100_000

const words = {
  title: z.string().meta({ description: 'A short name for it.' }),
  text: z.string().meta({ description: 'What to do, in a few sentences.' }),
  needs: z.array(z.string()).meta({ description: 'The needs it is good for, the most important first.' }),
  durationDays: z.int().meta({ description: 'Days it takes to try.' }),
}
const sharedEntry = z
  .object({
    id: z.string().meta({ description: 'The id of the entry.' }),
    ...words,
    source: z
      .enum(['curated', 'contributed'])
      .meta({ description: 'Whether it was curated or contributed by a member.' }),
  })
  .meta({ id: 'LibraryEntry', description: 'Something to try, from the library.' })
const ownEntry = z
  .object({
    id: z.string().meta({ description: 'The id of the entry.' }),
    ...words,
    state: z
      .enum(['waiting', 'standing', 'withdrawn'])
      .meta({ description: 'Whether it waits for a host, others can find it, or it was taken out.' }),
    optedInAt: z.string().meta({ description: 'When you agreed to share it.' }),
    withdrawnAt: z
      .string()
      .nullable()
      .meta({ description: 'When you withdrew it, or a host removed it; null while it stands.' }),
  })
  .meta({ id: 'OwnLibraryEntry', description: 'Something you contributed to the library.' })

const sharedView = ({ id, title, text, needs, durationDays, source }: TrustedEntry) => ({
  id,
  title,
  text,
  needs: [...needs],
  durationDays,
  source,
})

const ownView = (row: OwnContributionRow): z.input<typeof ownEntry> => ({
  id: row.entryId,
  title: row.title,
  text: row.text,
  needs: [...row.needs],
  durationDays: row.durationDays,
  state: row.withdrawnAt !== null ? 'withdrawn' : row.approvedAt === null ? 'waiting' : 'standing',
  optedInAt: row.optedInAt.toISOString(),
  withdrawnAt: row.withdrawnAt?.toISOString() ?? null,
})

/** Lists the experiments that everyone in the tenant may read: the curated ones, then contributions, newest first. */
export const listLibrary = readOperation({
  name: 'library.list',
  route: 'GET /library',
  summary: 'List small things that two people could try',
  policies: ['agent', 'reader'],
  sample: world => ({ limit: world.pick([1, 50, 200]), ...world.maybe(0.3, { need: 'FAIRNESS' }) }),
  callers: 'anyone',
  input: z.strictObject({
    need: needCategory
      .optional()
      .meta({ description: 'Only what is good for this need.', example: 'CONNECTION' }),
    ...pageInput,
  }),
  output: z.object({
    entries: z.array(sharedEntry).meta({ description: 'The entries.' }),
    cursor: nextCursor,
  }),
  async run(request, { need, limit, cursor }) {
    const { secrets } = request.parts
    const boundTo = cursorBoundary(request, 'library.list', need)
    const after = cursor === undefined ? null : secrets.open(cursor, boundTo)
    const isOfTheirs = after !== null && !after.startsWith('curated/')
    const curated = isOfTheirs
      ? []
      : CURATED_ENTRIES.slice(1 + CURATED_ENTRIES.findIndex(({ id }) => id === after))
    const before = isOfTheirs ? readKey(after) : null
    const standing = await standingEntries(request.tx, request.tenant, need ?? null, before, limit + 1)
    const all = [
      ...curated
        .filter(({ needs }) => need === undefined || needs.includes(need))
        .map(entry => ({ entry, key: entry.id })),
      ...standing.map(({ entry, key }) => ({ entry, key: writeKey(key) })),
    ]
    const last = all[limit - 1]
    const more = all.length > limit && last !== undefined
    return {
      entries: all.slice(0, limit).map(({ entry }) => sharedView(entry)),
      cursor: more ? secrets.seal(last.key, boundTo) : null,
    }
  },
})

const writeKey = ({ optedInAt, entryId }: ContributionKey) =>
  `${String(optedInAt.getTime()).padStart(16, '0')}${entryId}`
const readKey = (key: string): ContributionKey => ({
  optedInAt: new Date(Number(key.slice(0, 16))),
  entryId: key.slice(16),
})

/** The author's own words, and nothing that could name a record (RC-14). */
const draft = {
  title: name.meta({
    description: 'A short name for it. What is kept is anonymised.',
    example: 'Tea at four',
  }),
  text: text(8_000).meta({
    description: 'What to do, in a few sentences. What is kept is anonymised.',
    example: 'For a week, have tea together at four and leave your phones in the kitchen.',
  }),
  durationDays: z.int().min(1).max(90).default(7).meta({ description: 'Days it takes to try.' }),
}

const distinct = (needs: readonly string[]) => new Set(needs).size === needs.length
const needsOfDraft = z
  .array(needCategory)
  .max(NEED_CATEGORIES.length)
  .refine(distinct, { message: 'must not repeat one' })

/** Text that addresses a model instead of people. */
const ADDRESSES_A_MODEL =
  /\b(?:ignore|disregard|forget|override)\b[^.!?]{0,40}\b(?:instructions?|prompts?|rules|messages?)\b|\b(?:system prompt|you are now|as an ai|jailbreak)\b/iu

/** Refuses what attacks, accuses or instructs a model: everybody in the tenant would read it (RC-14). */
function requirePublishable({ title, text }: { readonly title: string; readonly text: string }): void {
  for (const [field, words] of Object.entries({ title, text })) {
    const screened = screen(stripInvisible(words), '', { kind: 'library' })
    if (!screened.ok)
      throw new PrivityError(
        'invalid_input',
        `${field}: cannot be published as it is; reason says what to change`,
        {
          reason: screened.reason,
        },
      )
    if (ADDRESSES_A_MODEL.test(stripInvisible(words)))
      throw new PrivityError('invalid_input', `${field}: must be written for people, not instruct a model`)
  }
}

/** Shows what would be shared. Nothing is stored. */
export const previewContribution = readOperation({
  name: 'library.preview',
  route: 'POST /library/preview',
  summary: 'Show what a contribution to the library would look like, anonymised',
  sample: world => ({
    title: 'a walk',
    text: `talk with ${world.person()} of ${world.word()}`,
  }),
  callers: 'owner',
  needsWholeSight: 'absent',
  input: z.strictObject({
    ...draft,
    needs: needsOfDraft
      .default([])
      .meta({ description: 'The needs it is good for, the most important first.', example: ['CONNECTION'] }),
  }),
  output: z.object({
    ...words,
    replaced: z
      .record(z.enum(REPLACED), z.int())
      .meta({ description: 'Number of names and the like that were replaced, by sort.' }),
  }),
  async run(request, { needs, durationDays, ...wording }) {
    requirePublishable(wording)
    return { ...anonymise(wording, await knownNames(request)), needs, durationDays }
  },
})

/** The names that could identify the caller: their own, those of their people and of their partners in sessions. */
async function knownNames({ tx, tenant, caller, parts: { identity } }: ReadRequest): Promise<string[]> {
  const names = [caller.actingFor]
  for (const owner of identity.principals)
    for (const { name, aliases } of await listPeople(tx, tenant, owner, null, MOST_PEOPLE))
      names.push(name, ...aliases)
  for (const { participants } of identity.sessions.values()) names.push(...participants)
  return names
}

/**
 * Contributes an experiment to the tenant's library, only on its author's request and only as the author has seen it.
 * It waits until a host has read it, unless the installation lets contributions in at once (RC-14).
 */
export const contribute = writeOperation({
  name: 'library.contribute',
  route: 'POST /library/contributions',
  summary: 'Contribute something to try to the library, anonymised',
  sample: world => {
    const words = { title: 'a walk', text: `walk for ${world.pick(['ten', 'twenty'])} minutes` }
    return { ...words, needs: ['FAIRNESS'], optIn: true, seen: words }
  },
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['library_entry_contributed'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    ...draft,
    needs: needsOfDraft
      .min(1)
      .meta({ description: 'The needs it is good for, the most important first.', example: ['CONNECTION'] }),
    optIn: z
      .literal(true)
      .meta({ description: 'That you agree to share it, anonymised, with everybody in the tenant.' }),
    seen: z
      .strictObject({
        title: text(1_000).meta({ description: 'The title in the preview.', example: 'Tea at four' }),
        text: text(8_000).meta({
          description: 'The text in the preview.',
          example: 'For a week, have tea together at four and leave your phones in the kitchen.',
        }),
      })
      .meta({
        description: 'Title and text of the preview, as you read them.',
        example: {
          title: 'Tea at four',
          text: 'For a week, have tea together at four and leave your phones in the kitchen.',
        },
      }),
  }),
  output: ownEntry,
  async run(request, { title, text, needs, durationDays, seen }) {
    const { tx, tenant, now, parts } = request
    requirePublishable({ title, text })
    const shared = anonymise({ title, text }, await knownNames(request))
    if (shared.title !== seen.title || shared.text !== seen.text)
      throw new PrivityError(
        'conflict',
        'seen: does not match the current preview; call the preview again and pass its text',
      )
    await lockOwners(tx, tenant, [`library contributions of ${parts.forId}`], 'exclusive')
    if ((await countStanding(tx, tenant, parts.forId)) >= MOST_STANDING)
      throw new PrivityError(
        'conflict',
        `there are already ${MOST_STANDING} contributions, which is the maximum; withdraw one first`,
      )
    const entry = {
      entryId: parts.clock.newId('library_entry'),
      title: shared.title,
      text: shared.text,
      needs,
      durationDays,
      optedInAt: now,
      approvedAt: parts.mediation.approveContributions ? null : now,
    }
    await insertContribution(tx, tenant, parts.forId, entry)
    return { output: ownView({ ...entry, withdrawnAt: null }), refs: [entry.entryId] }
  },
  replay: async (request, [entry = '']) => ownView(await requireOwn(request, entry)),
})

/** Contributions that wait, for a host to read. Who made them is not told. */
export const listWaitingContributions = readOperation({
  name: 'library.waiting',
  route: 'GET /library/waiting',
  summary: 'List contributions to the library that wait for your approval, oldest first',
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'host',
  needsWholeSight: { otherwise: { entries: [], cursor: null } },
  input: z.strictObject(pageInput),
  output: z.object({
    entries: z
      .array(
        z
          .object({
            id: z.string().meta({ description: 'The id of the entry.' }),
            ...words,
            optedInAt: z.string().meta({ description: 'When its author agreed to share it.' }),
          })
          .meta({ id: 'WaitingLibraryEntry', description: 'A contribution that waits for a host.' }),
      )
      .meta({ description: 'The contributions, oldest first. Names and the like are already replaced.' }),
    cursor: nextCursor,
  }),
  async run(request, { limit, cursor }) {
    const { secrets } = request.parts
    const boundTo = cursorBoundary(request, 'library.waiting', null)
    const after = cursor === undefined ? null : readKey(secrets.open(cursor, boundTo))
    const rows = await listWaiting(request.tx, request.tenant, after, limit + 1)
    const last = rows[limit - 1]
    const more = rows.length > limit && last !== undefined
    return {
      entries: rows.slice(0, limit).map(({ entryId, needs, optedInAt, ...row }) => ({
        ...row,
        id: entryId,
        needs: [...needs],
        optedInAt: optedInAt.toISOString(),
      })),
      cursor: more ? secrets.seal(writeKey(last), boundTo) : null,
    }
  },
})

/** Lets a contribution into the library, or takes one out, waiting or not. */
export const reviewContribution = writeOperation({
  name: 'library.review',
  route: 'POST /library/contributions/:entry/review',
  summary: 'Approve or remove a contribution to the library; the words of what is removed are deleted',
  sample: world => ({ entry: world.made('library_entry'), decision: world.pick(['approve', 'remove']) }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['library_entry_reviewed'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    entry: id.meta({ description: 'A contribution, by its id.' }),
    decision: z
      .enum(['approve', 'remove'])
      .meta({ description: 'Whether everybody may read it, or nobody any more.', example: 'approve' }),
  }),
  output: z.object({
    entry: z.string().meta({ description: 'The id of the contribution.' }),
    state: z.enum(['standing', 'withdrawn']).meta({ description: 'What became of it.' }),
  }),
  async run(request, { entry, decision }) {
    const { tx, tenant, now } = request
    const decide = decision === 'approve' ? approveContribution : removeContribution
    if (!(await decide(tx, tenant, entry, now))) throw absent()
    forgetVectors(request)
    return { output: reviewed(entry, decision), refs: [entry] }
  },
  replay: async (_request, [entry = ''], { decision }) => reviewed(entry, decision),
})

const reviewed = (entry: string, decision: 'approve' | 'remove') => ({
  entry,
  state: decision === 'approve' ? ('standing' as const) : ('withdrawn' as const),
})

export const listOwnContributions = readOperation({
  name: 'library.mine',
  route: 'GET /library/contributions',
  summary: 'List what you contributed to the library, newest first',
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'owner',
  input: z.strictObject(pageInput),
  output: z.object({
    entries: z.array(ownEntry).meta({ description: 'What you contributed, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { limit, cursor }) {
    const { secrets, forId } = request.parts
    const boundTo = cursorBoundary(request, 'library.mine', null)
    const before = cursor === undefined ? null : readKey(secrets.open(cursor, boundTo))
    const rows = await listOwn(request.tx, request.tenant, forId, before, limit + 1)
    const last = rows[limit - 1]
    const more = rows.length > limit && last !== undefined
    return {
      entries: rows.slice(0, limit).map(ownView),
      cursor: more ? secrets.seal(writeKey(last), boundTo) : null,
    }
  },
})

/** Withdraws a contribution. Its text is deleted, and nobody sees it from the next request on (AU-4). */
export const withdraw = writeOperation({
  name: 'library.withdraw',
  route: 'DELETE /library/contributions/:entry',
  summary: 'Withdraw what you contributed to the library; its words are deleted',
  positional: ['entry'],
  sample: world => ({ entry: world.made('library_entry') }),
  callers: 'owner',
  effects: ['library_entry_withdrawn'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ entry: id.meta({ description: 'Something you contributed, by its id.' }) }),
  output: ownEntry,
  async run(request, { entry }) {
    const { tx, tenant, now, parts } = request
    await withdrawContribution(tx, tenant, parts.forId, entry, now)
    const row = await requireOwn(request, entry)
    forgetVectors(request)
    return { output: ownView(row), refs: [entry] }
  },
  replay: async (request, [entry = '']) => ownView(await requireOwn(request, entry)),
})

async function requireOwn({ tx, tenant, parts }: ReadRequest, entry: string): Promise<OwnContributionRow> {
  const row = await loadOwn(tx, tenant, parts.forId, entry)
  if (row === undefined) throw absent()
  return row
}
