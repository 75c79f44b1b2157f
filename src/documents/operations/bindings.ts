import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { isUnrestricted } from '../../runtime/caller.js'
import { labelFields } from '../../runtime/draft.js'
import { id, name, principal, text } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import {
  type BindingRow,
  deleteBinding,
  insertBinding,
  listBindings,
  lockBinding,
  updateBindingState,
} from '../../storage/queries/bindings.js'
import { askedFields, placeFields } from '../file-input.js'

export const BINDING_KINDS = ['folder', 'feed'] as const
export const BINDING_STATES = ['active', 'paused'] as const

/** What is asked for with every file; what a single file is called or about is its own. */
const defaults = z.strictObject({
  language: askedFields.language,
  partKind: askedFields.partKind,
  surface: askedFields.surface,
  tags: askedFields.tags,
  timeZone: askedFields.timeZone,
  ...placeFields,
  sensitivity: labelFields.sensitivity,
  scope: labelFields.scope,
  visibilityClass: labelFields.visibilityClass,
})

const binding = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(BINDING_KINDS),
  location: z.string(),
  corpus: z.string(),
  owner: z.string(),
  defaults,
  state: z.enum(BINDING_STATES),
  createdAt: z.string(),
})

const view = (row: BindingRow): z.input<typeof binding> => ({
  id: row.bindingId,
  name: row.name,
  kind: row.kind as (typeof BINDING_KINDS)[number],
  location: row.location,
  corpus: row.corpus,
  owner: row.owner,
  defaults: row.defaults,
  state: row.state as (typeof BINDING_STATES)[number],
  createdAt: row.createdAt.toISOString(),
})

/** Names a folder or a feed to be watched. Whatever watches it runs beside the store: `privity watch` does. */
export const createBinding = writeOperation({
  name: 'bindings.create',
  summary: 'Name a folder or a feed to be watched',
  callers: 'owner',
  effects: ['binding_created'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z
    .strictObject({
      name,
      kind: z.enum(BINDING_KINDS),
      /** The path of the folder, or the address of the feed. */
      location: text(2_000).refine(value => value.trim().length > 0, { message: 'must not be empty' }),
      corpus: name,
      owner: principal.optional(),
      defaults: defaults.optional(),
    })
    .refine(({ kind, location }) => kind === 'folder' || isWebAddress(location), {
      message: 'must be an address that begins with http: or https:',
      path: ['location'],
    }),
  output: binding,
  async run(request, input) {
    const row: BindingRow = {
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
    requireKeeper(request, row)
    if (!(await insertBinding(request.tx, request.tenant, row)))
      throw new PrivityError('conflict', 'name: a binding of this name is there already')
    return { output: view(row), refs: [row.bindingId] }
  },
  replay: async (request, [bindingId = '']) => view(await lockOwn(request, bindingId)),
})

const isWebAddress = (location: string): boolean =>
  URL.canParse(location) && /^https?:$/.test(new URL(location).protocol)

/**
 * What is watched. Its places and corpora are nothing that a narrower credential need know, so that one is told of none.
 */
export const listBindingsOf = readOperation({
  name: 'bindings.list',
  summary: 'List the folders and feeds that are watched',
  callers: 'owner',
  input: z.strictObject({}),
  output: z.object({ bindings: z.array(binding) }),
  async run(request) {
    if (!isUnrestricted(request.caller)) return { bindings: [] }
    const owners = [...request.parts.identity.principals]
    return { bindings: (await listBindings(request.tx, request.tenant, owners)).map(view) }
  },
})

/** A paused binding takes no fire. */
export const setBindingState = writeOperation({
  name: 'bindings.set_state',
  summary: 'Pause a binding, or let it go on',
  callers: 'owner',
  effects: ['binding_state_set'],
  reversibility: 'reversible',
  changesFacts: false,
  input: z.strictObject({ binding: id, state: z.enum(BINDING_STATES) }),
  output: binding,
  async run(request, { binding: bindingId, state }) {
    const row = await lockOwn(request, bindingId)
    await updateBindingState(request.tx, request.tenant, bindingId, state)
    return { output: view({ ...row, state }), refs: [bindingId] }
  },
  replay: async (request, [bindingId = '']) => view(await lockOwn(request, bindingId)),
})

/** Ends a binding and its ledger. The documents that it brought stay. */
export const removeBinding = writeOperation({
  name: 'bindings.remove',
  summary: 'End a binding; what it brought stays',
  callers: 'owner',
  effects: ['binding_removed'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ binding: id }),
  output: z.object({ removed: z.boolean() }),
  async run(request, { binding: bindingId }) {
    await lockOwn(request, bindingId)
    await deleteBinding(request.tx, request.tenant, bindingId)
    return { output: { removed: true }, refs: [bindingId] }
  },
  replay: async () => ({ removed: true }),
})

async function lockOwn(request: WriteRequest, bindingId: string): Promise<BindingRow> {
  const row = await lockBinding(request.tx, request.tenant, bindingId)
  if (row === undefined) throw absent()
  requireKeeper(request, row)
  return row
}

function requireKeeper(request: WriteRequest, { owner }: BindingRow): void {
  request.requireOwner(owner)
  if (!isUnrestricted(request.caller)) throw absent()
}
