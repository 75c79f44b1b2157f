import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { labelFields } from '../../runtime/draft.js'
import { bindingId, createdAt } from '../../runtime/fields.js'
import { name, principal, text } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import {
  deleteWatch,
  insertWatch,
  listWatches,
  lockWatch,
  updateWatchState,
  type WatchRow,
} from '../../storage/queries/watches.js'
import { fileRequestFields, filingFields } from '../file-input.js'

export const WATCH_KINDS = ['folder', 'feed'] as const
export const WATCH_STATES = ['active', 'paused'] as const

/** Options that apply to every file of a watch. Title and metadata belong to each single file. */
const defaults = z.strictObject({
  language: fileRequestFields.language,
  partKind: fileRequestFields.partKind,
  surface: fileRequestFields.surface,
  tags: fileRequestFields.tags,
  timeZone: fileRequestFields.timeZone,
  ...filingFields,
  sensitivity: labelFields.sensitivity,
  scope: labelFields.scope,
  visibilityClass: labelFields.visibilityClass,
})

const watch = z
  .object({
    id: z.string().meta({ description: 'The id of the binding.' }),
    name: z.string().meta({ description: 'Its name; there is one of each name.' }),
    kind: z.enum(WATCH_KINDS).meta({ description: 'Whether it is a folder or a feed.' }),
    location: z.string().meta({ description: 'The path of the folder, or the address of the feed.' }),
    corpus: z.string().meta({ description: 'The collection that its documents are filed in.' }),
    owner: z.string().meta({ description: 'Who owns its documents.' }),
    defaults: defaults.meta({ description: 'What is set on every file that does not say otherwise.' }),
    state: z.enum(WATCH_STATES).meta({ description: 'Whether it is active or paused.' }),
    createdAt,
  })
  .meta({ id: 'Binding', description: 'A folder or a feed whose files are taken in.' })

const view = (row: WatchRow): z.input<typeof watch> => ({
  id: row.bindingId,
  name: row.name,
  kind: row.kind as (typeof WATCH_KINDS)[number],
  location: row.location,
  corpus: row.corpus,
  owner: row.owner,
  defaults: row.defaults,
  state: row.state as (typeof WATCH_STATES)[number],
  createdAt: row.createdAt.toISOString(),
})

/** Registers a folder or feed to watch. The watcher is a separate program: `privity watch`. */
export const createWatch = writeOperation({
  name: 'bindings.create',
  route: 'POST /bindings',
  summary: 'Watch a folder or a feed',
  sample: world => ({
    name: world.word(),
    kind: 'folder',
    location: '/watched',
    corpus: world.pick(['fresh', ...world.corpora]),
  }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['binding_created'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z
    .strictObject({
      name: name.meta({ description: 'A name for it; there is one of each name.', example: 'inbox' }),
      kind: z.enum(WATCH_KINDS).meta({ description: 'Whether it is a folder or a feed.', example: 'folder' }),
      location: text(2_000)
        .refine(value => value.trim().length > 0, { message: 'must not be empty' })
        .meta({ description: 'The path of the folder, or the address of the feed.', example: '/srv/inbox' }),
      corpus: name.meta({
        description: 'The collection that its documents are filed in.',
        example: 'briefs',
      }),
      owner: principal
        .optional()
        .meta({ description: 'Who owns its documents. Default: you.', example: 'ana' }),
      defaults: defaults.optional().meta({ description: 'What to set on every file.' }),
    })
    .refine(({ kind, location }) => kind === 'folder' || isWebAddress(location), {
      message: 'must be an address that begins with http: or https:',
      path: ['location'],
    }),
  output: watch,
  async run(request, input) {
    const row: WatchRow = {
      bindingId: request.parts.clock.newId('watched'),
      owner: input.owner ?? request.caller.actingFor,
      name: input.name,
      kind: input.kind,
      location: input.location,
      corpus: input.corpus,
      defaults: input.defaults ?? {},
      state: 'active',
      createdAt: request.now,
    }
    request.requireOwner(row.owner)
    if (!(await insertWatch(request.tx, request.tenant, row)))
      throw new PrivityError('conflict', 'name: a binding with this name already exists; choose another name')
    return { output: view(row), refs: [row.bindingId] }
  },
  replay: async (request, [bindingId = '']) => view(await lockOwn(request, bindingId)),
})

const isWebAddress = (location: string): boolean =>
  URL.canParse(location) && /^https?:$/.test(new URL(location).protocol)

/**
 * Lists the caller's watches. A restricted credential gets none, because it need not know their folders and corpora.
 */
export const listWatchesOf = readOperation({
  name: 'bindings.list',
  route: 'GET /bindings',
  summary: 'List the folders and feeds that are watched',
  sample: () => ({}),
  callers: 'owner',
  needsWholeSight: { otherwise: { bindings: [] } },
  input: z.strictObject({}),
  output: z.object({ bindings: z.array(watch).meta({ description: 'The bindings, by name.' }) }),
  async run(request) {
    const owners = [...request.parts.identity.principals]
    return { bindings: (await listWatches(request.tx, request.tenant, owners)).map(view) }
  },
})

/** Pauses or resumes a watch. A paused watch accepts no events. */
export const setWatchState = writeOperation({
  name: 'bindings.set_state',
  route: 'POST /bindings/:binding/state',
  summary: 'Pause or resume a binding',
  sample: world => ({
    binding: world.madeOrOther('watched'),
    state: world.pick(['active', 'paused']),
  }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['binding_state_set'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({
    binding: bindingId,
    state: z.enum(WATCH_STATES).meta({
      description: '`active` takes files in; `paused` takes in nothing for now.',
      example: 'paused',
    }),
  }),
  output: watch,
  async run(request, { binding: bindingId, state }) {
    const row = await lockOwn(request, bindingId)
    await updateWatchState(request.tx, request.tenant, bindingId, state)
    return { output: view({ ...row, state }), refs: [bindingId] }
  },
  replay: async (request, [bindingId = '']) => view(await lockOwn(request, bindingId)),
})

/** Deletes a watch and its ledger. The documents that it brought stay. */
export const removeWatch = writeOperation({
  name: 'bindings.remove',
  route: 'DELETE /bindings/:binding',
  summary: 'End a binding; what it brought stays',
  positional: ['binding'],
  sample: world => ({ binding: world.madeOrOther('watched') }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['binding_removed'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ binding: bindingId }),
  output: z.object({
    removed: z.boolean().meta({ description: 'Whether it was removed; false if it was not there.' }),
  }),
  async run(request, { binding: bindingId }) {
    await lockOwn(request, bindingId)
    await deleteWatch(request.tx, request.tenant, bindingId)
    return { output: { removed: true }, refs: [bindingId] }
  },
  replay: async () => ({ removed: true }),
})

async function lockOwn(request: WriteRequest, bindingId: string): Promise<WatchRow> {
  const row = await lockWatch(request.tx, request.tenant, bindingId)
  if (row === undefined) throw absent()
  request.requireOwner(row.owner)
  return row
}
