import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import {
  accountOfViews,
  COLLABORATIVE_DEFAULTS,
  type DocumentScope,
  isSnapshot,
  meetViews,
  resolveSurfaces,
  SHARE_LINK_DEFAULTS,
  targetsOfScope,
} from '../../policy/shared-view.js'
import { corpusKey, sortedSet } from '../../policy/tuple.js'
import { SURFACES, TARGET_KINDS, TEMPORAL_MODES } from '../../policy/vocabulary.js'
import { changeTuple } from '../../runtime/change-tuple.js'
import { createdAt, nextCursor, schemaVersion, viewId } from '../../runtime/fields.js'
import { id, moment, name, principal } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { showTargets } from '../../runtime/operations/targets.js'
import { toSharedView } from '../../runtime/profile.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import {
  derivedMemorySharePolicy,
  hostAnnotationPolicy,
  sensitivity,
  visibilityClass,
} from '../../runtime/vocabulary.js'
import { ownTargetsOf } from '../../runtime/write-records.js'
import { retupleRecords } from '../../storage/queries/retuple-records.js'
import type { SharedViewRow } from '../../storage/queries/running-profile.js'
import {
  deleteView,
  findViews,
  insertScopedTargets,
  insertView,
  listViews,
  lockInScope,
  type ScopeTargets,
} from '../../storage/queries/shared-views.js'
import { countShownToRecipients, type ShownCounts } from '../count-shown-to-recipients.js'
import { effectiveView, shownByView, viewEffective } from '../effective-view.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import { LINK_SENSITIVITY } from '../share-link.js'
import { fixSnapshot } from '../share-views.js'

const refs = z.array(name).min(1).max(10_000)
const selectable = TARGET_KINDS.filter(kind => kind !== 'corpus') as [
  Exclude<(typeof TARGET_KINDS)[number], 'corpus'>,
]

const scopeKind = <Value extends string>(value: Value) =>
  z.literal(value).meta({ description: 'How the documents are chosen.' })

export const documentScope = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: scopeKind('all_documents'),
    }),
    /** Documents by name, or records by id. */
    z.strictObject({
      kind: scopeKind('explicit_document_list'),
      documentRefs: refs.meta({
        description: 'Documents by their names, or records by their ids.',
        example: ['letter-12'],
      }),
    }),
    z.strictObject({
      kind: scopeKind('filing_unit_version_list'),
      versionRefs: refs.meta({ description: 'Versions of filings, by their names.', example: ['v2'] }),
    }),
    /** Everything in any of these parts. */
    z.strictObject({
      kind: scopeKind('structural_selector'),
      selector: z
        .array(
          z.strictObject({
            kind: z.enum(selectable).meta({ description: 'What sort of thing is named.' }),
            ref: name.meta({ description: 'Its name.', example: 'letter-12' }),
          }),
        )
        .min(1)
        .max(10_000)
        .meta({ description: 'Everything that lies in any of these.' }),
    }),
  ])
  .meta({ id: 'DocumentScope', description: 'Which documents of a corpus are shown.' })

/** A scope without the ids of records that its reader does not see (NI-6). */
const shownScope = z.object({
  kind: z.string().meta({ description: 'How the documents are chosen.' }),
  documentRefs: z
    .array(z.string())
    .optional()
    .meta({ description: 'Documents by their names, or records by their ids.' }),
  versionRefs: z.array(z.string()).optional().meta({ description: 'Versions of filings, by their names.' }),
  selector: z
    .array(
      z.object({
        kind: z.string().meta({ description: 'What sort of thing is named.' }),
        ref: z.string().meta({ description: 'Its name.' }),
      }),
    )
    .optional()
    .meta({ description: 'Everything that lies in any of these.' }),
})

const surface = z.enum([...SURFACES, 'rulings_and_outcomes'])

const sharedView = z
  .object({
    view: z.string().meta({ description: 'The id of the view.' }),
    name: z.string().meta({ description: 'Its name.' }),
    corpus: z.string().meta({ description: 'The collection it shows.' }),
    owner: z.string().meta({ description: 'Who owns the collection.' }),
    ownerSessionRef: z
      .string()
      .nullable()
      .meta({ description: 'The session it was made in, by its id; null if none.' }),
    ...shownByView,
    snapshotAtTimestamp: z
      .string()
      .nullable()
      .meta({ description: 'When the snapshot was taken; null until it is first shared, or if it is live.' }),
    documentScope: shownScope.meta({ description: 'Which documents of the corpus it shows.' }),
    disclosesExclusions: z
      .boolean()
      .meta({ description: 'Whether recipients are told how many records it left out when it was shared.' }),
    // CV-4
    excludedCount: z
      .int()
      .nullable()
      .meta({ description: 'Number of records it left out when it was shared; 0 unless it discloses them.' }),
    sharedAt: z.string().nullable().meta({ description: 'When it was first shared; null until then.' }),
    createdAt,
    schemaVersion,
  })
  .meta({ id: 'View', description: 'What of a corpus is shown to others.' })

const view = (row: SharedViewRow, hidden: ReadonlySet<string>): z.input<typeof sharedView> => ({
  view: row.viewId,
  name: row.name,
  corpus: row.corpus,
  owner: row.owner,
  ownerSessionRef: row.ownerSessionRef,
  exposedSurfaces: [...row.exposedSurfaces],
  derivedMemorySharePolicy: row.derivedMemorySharePolicy,
  hostAnnotationPolicy: row.hostAnnotationPolicy,
  viewTemporalMode: row.viewTemporalMode,
  snapshotAtTimestamp: row.snapshotAt?.toISOString() ?? null,
  documentScope: withoutHidden(row.documentScope as DocumentScope, hidden),
  visibilityClassCeiling: row.visibilityClassCeiling,
  disclosesExclusions: row.disclosesExclusions,
  excludedCount: row.excludedCount,
  sharedAt: row.sharedAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  schemaVersion: 1,
})

/** Views as their reader sees them. */
async function viewAll(
  request: ReadRequest,
  rows: readonly SharedViewRow[],
): Promise<z.input<typeof sharedView>[]> {
  const named = rows.flatMap(({ owner, documentScope }) =>
    refsOf(documentScope as DocumentScope).map(ref => ({ targetKind: 'document', targetRef: ref, owner })),
  )
  const shown = await showTargets(request, named)
  const hidden = new Set(named.flatMap(({ targetRef }, at) => (shown[at]?.ref === null ? [targetRef] : [])))
  return rows.map(row => view(row, hidden))
}

const refsOf = (scope: DocumentScope): readonly string[] => scopeOf(scope)?.refs ?? []

function withoutHidden(scope: DocumentScope, hidden: ReadonlySet<string>): z.input<typeof shownScope> {
  const isShown = (ref: string) => !hidden.has(ref)
  switch (scope.kind) {
    case 'all_documents':
      return { kind: scope.kind }
    case 'explicit_document_list':
      return { kind: scope.kind, documentRefs: scope.documentRefs.filter(isShown) }
    case 'filing_unit_version_list':
      return { kind: scope.kind, versionRefs: scope.versionRefs.filter(isShown) }
    case 'structural_selector':
      return { kind: scope.kind, selector: scope.selector.filter(({ ref }) => isShown(ref)) }
  }
}

const ownersOf = ({ parts }: ReadRequest) => [...parts.identity.principals]

/**
 * Defines what of one corpus may be shared. Missing fields get the defaults for a share link, or for collaboration
 * (SV-1).
 */
export const createView = writeOperation({
  name: 'views.create',
  route: 'POST /views',
  summary: 'Create a view of a corpus to share',
  sample: world => ({
    corpus: world.pick([...world.corpora, 'fresh']),
    sharing: world.pick(['share_link', 'collaborative']),
    ...world.maybe(0.3, {
      documentScope: { kind: 'explicit_document_list', documentRefs: [world.record()] },
    }),
    ...world.maybe(0.3, { disclosesExclusions: true }),
    ...world.maybe(0.2, { owner: world.pick(['ana', 'ben', 'nobody']) }),
  }),
  callers: 'owner',
  effects: ['view_created'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    corpus: name.meta({ description: 'The collection to show.', example: 'letters' }),
    owner: principal.optional().meta({
      description: 'Whose collection: yours, or that of a group of yours. Default: yours.',
      example: 'ana',
    }),
    name: name.optional().meta({ description: 'A name for it.', example: 'weekly' }),
    sharing: z.enum(['share_link', 'collaborative']).default('share_link').meta({
      description: 'What to fill in for what you leave out: as for a share link, or for working together.',
    }),
    exposedSurfaces: z
      .array(surface)
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'The surfaces to show.', example: ['source_documents'] }),
    derivedMemorySharePolicy: derivedMemorySharePolicy
      .optional()
      .meta({ description: 'How much to show of what was derived from documents.' }),
    hostAnnotationPolicy: hostAnnotationPolicy
      .optional()
      .meta({ description: "How much to show of the host's notes on documents." }),
    viewTemporalMode: z
      .enum(TEMPORAL_MODES)
      .optional()
      .meta({ description: 'Whether to show what is there now, or what was there when it was shared.' }),
    snapshotAtTimestamp: moment
      .optional()
      .meta({ description: 'The moment of the snapshot. Default: when the view is first shared.' }),
    documentScope: documentScope.optional().meta({ description: 'Which documents of the corpus to show.' }),
    visibilityClassCeiling: visibilityClass
      .optional()
      .meta({ description: 'The highest visibility class to show.', example: 'privileged' }),
    disclosesExclusions: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether to tell recipients how many records it left out when it was shared.' }),
  }),
  output: sharedView,
  async run(request, input) {
    requireWholeCredential(request)
    const owner = input.owner ?? request.caller.actingFor
    request.requireOwner(owner)
    const defaults = input.sharing === 'collaborative' ? COLLABORATIVE_DEFAULTS : SHARE_LINK_DEFAULTS
    const viewTemporalMode = input.viewTemporalMode ?? defaults.viewTemporalMode
    const snapshotAt = input.snapshotAtTimestamp ?? null
    if (snapshotAt !== null && !isSnapshot(viewTemporalMode))
      throw new PrivityError(
        'invalid_input',
        'snapshotAtTimestamp: is only for snapshots; leave it out of a live view',
      )
    if (snapshotAt !== null && snapshotAt > request.now)
      throw new PrivityError('invalid_input', 'snapshotAtTimestamp: must not be in the future')
    const row: SharedViewRow = {
      viewId: request.parts.clock.newId('view'),
      owner,
      corpus: input.corpus,
      name: input.name ?? input.corpus,
      ownerSessionRef: request.parts.profile?.row.profileId ?? null,
      exposedSurfaces: resolveSurfaces(input.exposedSurfaces ?? defaults.exposedSurfaces),
      derivedMemorySharePolicy: input.derivedMemorySharePolicy ?? defaults.derivedMemorySharePolicy,
      hostAnnotationPolicy: input.hostAnnotationPolicy ?? defaults.hostAnnotationPolicy,
      viewTemporalMode,
      snapshotAt,
      documentScope: input.documentScope ?? defaults.documentScope,
      visibilityClassCeiling: input.visibilityClassCeiling ?? defaults.visibilityClassCeiling,
      disclosesExclusions: input.disclosesExclusions,
      excludedCount: null,
      sharedAt: null,
      createdAt: request.now,
    }
    const scope = scopeOf(row.documentScope as DocumentScope)
    await insertView(request.tx, request.tenant, row, scope)
    if (scope !== null) await nameInTuples(request, row, scope)
    request.changesFactsOf(owner)
    const [output] = await viewAll(request, [row])
    if (output === undefined) throw absent()
    return { output, refs: [row.viewId] }
  },
  async replay(request, refs) {
    const [found] = await viewAll(
      request,
      await findViews(request.tx, request.tenant, ownersOf(request), refs),
    )
    if (found === undefined) throw absent()
    return found
  },
})

/** A scope in stored form; null means all documents. */
function scopeOf(scope: DocumentScope): ScopeTargets | null {
  switch (scope.kind) {
    case 'all_documents':
      return null
    case 'explicit_document_list':
      return { kinds: scope.documentRefs.map(() => 'document'), refs: scope.documentRefs }
    case 'filing_unit_version_list':
      return { kinds: scope.versionRefs.map(() => 'version'), refs: scope.versionRefs }
    case 'structural_selector':
      return { kinds: scope.selector.map(({ kind }) => kind), refs: scope.selector.map(({ ref }) => ref) }
  }
}

/** Adds the targets of a scope to the tuples of its records, as for overlays, so that views can decide by them. */
async function nameInTuples(request: WriteRequest, row: SharedViewRow, scope: ScopeTargets): Promise<void> {
  const { tx, tenant } = request
  const targets = new Set(targetsOfScope(row.owner, row.documentScope as DocumentScope) ?? [])
  await insertScopedTargets(tx, tenant, [...targets])
  const rows = await lockInScope(tx, tenant, row.owner, row.corpus, scope)
  const moved = rows.flatMap(found => {
    const own = ownTargetsOf(row.owner, { ...found, corpus: row.corpus }, found.id)
    const before = found.tuple.scopeTargets ?? []
    const scopeTargets = sortedSet([...before, ...own.filter(target => targets.has(target))])
    return scopeTargets.length === before.length ? [] : [changeTuple(found, { ...found.tuple, scopeTargets })]
  })
  await retupleRecords(tx, tenant, moved, request.now)
}

export const getView = readOperation({
  name: 'views.get',
  route: 'GET /views/:view',
  summary: 'Read one of your views',
  positional: ['view'],
  sample: world => ({ view: world.madeOrOther('view') }),
  callers: 'owner',
  needsWholeSight: { otherwise: null },
  input: z.strictObject({ view: viewId }),
  output: sharedView.nullable(),
  async run(request, input) {
    const rows = await findViews(request.tx, request.tenant, ownersOf(request), [input.view])
    const [found = null] = await viewAll(request, rows)
    return found
  },
})

export const listViewsOf = readOperation({
  name: 'views.list',
  route: 'GET /views',
  summary: 'List your views',
  sample: world => ({
    limit: world.pick([1, 2, 50]),
    ...world.maybe(0.3, { corpus: world.corpus() }),
  }),
  callers: 'owner',
  needsWholeSight: { otherwise: { views: [], cursor: null } },
  input: z.strictObject({
    ...pageInput,
    corpus: name.optional().meta({ description: 'Only views of this collection.', example: 'letters' }),
  }),
  output: z.object({
    views: z.array(sharedView).meta({ description: 'The views, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { corpus = null, limit, cursor }) {
    const found = await listNewestFirst(
      request,
      ['views.list', corpus],
      { limit, cursor },
      (before, most) => listViews(request.tx, request.tenant, ownersOf(request), corpus, before, most),
      row => ({ createdAt: row.createdAt, id: row.viewId }),
    )
    return { views: await viewAll(request, found.rows), cursor: found.cursor }
  },
})

/** Deletes a view that was never shared. A shared view stays; revoke its links instead. */
export const deleteViewOf = writeOperation({
  name: 'views.delete',
  route: 'DELETE /views/:view',
  summary: 'Delete a view that was never shared',
  positional: ['view'],
  sample: world => ({ view: world.madeOrOther('view') }),
  callers: 'owner',
  effects: ['view_deleted'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ view: viewId }),
  output: z.object({
    deleted: z.boolean().meta({ description: 'Whether it was deleted; false if it was not there.' }),
  }),
  async run(request, input) {
    requireWholeCredential(request)
    const [row] = await findViews(request.tx, request.tenant, ownersOf(request), [input.view])
    if (row === undefined) throw absent()
    if (!(await deleteView(request.tx, request.tenant, ownersOf(request), input.view)))
      throw new PrivityError('conflict', 'the view is shared and cannot be deleted; revoke its links first')
    request.changesFactsOf(row.owner)
    return { output: { deleted: true }, refs: [input.view] }
  },
  replay: async () => ({ deleted: true }),
})

const account = z.object({
  field: z.string().meta({ description: 'The field of the effective view.' }),
  value: z.union([z.string(), z.number(), z.array(z.string()), z.null()]).meta({ description: 'Its value.' }),
  restrictedBy: z.array(z.string()).meta({ description: 'The views by which it holds, by their ids.' }),
})

const shownInCorpus = z.object({
  documents: z.int().meta({ description: 'Number of documents that a recipient would see now.' }),
  ofDocuments: z.int().meta({ description: 'Number of documents that you see.' }),
  records: z.int().meta({ description: 'Number of records that a recipient would see now.' }),
  ofRecords: z.int().meta({ description: 'Number of records that you see.' }),
})

const countsOf = (shown: ShownCounts | undefined): z.input<typeof shownInCorpus> => ({
  documents: shown?.documents.shown ?? 0,
  ofDocuments: shown?.documents.of ?? 0,
  records: shown?.records.shown ?? 0,
  ofRecords: shown?.records.of ?? 0,
})

/** What several views show together, how much that is, and which view restricted what (SV-2). */
export const effectiveViews = readOperation({
  name: 'views.effective',
  route: 'POST /views/effective',
  summary: 'See what several views show together, and why',
  positional: ['views'],
  sample: world => ({ views: [world.madeOrOther('view'), world.madeOrOther('view')] }),
  callers: 'owner',
  needsWholeSight: { otherwise: { corpora: [] } },
  input: z.strictObject({
    views: z.array(id).min(1).max(100).meta({ description: 'Views, by their ids.' }),
    maxSensitivity: sensitivity
      .default(LINK_SENSITIVITY)
      .meta({ description: 'What a recipient of a link to them would be trusted with.' }),
  }),
  output: z.object({
    corpora: z
      .array(
        effectiveView.extend({
          shows: shownInCorpus.meta({ description: 'How much a recipient would see.' }),
          account: z.array(account).meta({ description: 'Which view each value comes from.' }),
        }),
      )
      .meta({ description: 'What the views give together, for each corpus.' }),
  }),
  async run(request, { views: asked, maxSensitivity }) {
    const wanted = [...new Set(asked)]
    const rows = await findViews(request.tx, request.tenant, ownersOf(request), wanted)
    if (rows.length < wanted.length) throw absent()
    const views = rows.map(toSharedView)
    const accounts = accountOfViews(views)
    const shown = await countShownToRecipients(
      request,
      rows.map(row => fixSnapshot(row, request.now)),
      { maxSensitivity },
    )
    return {
      corpora: [...meetViews(views)].map(([key, effective]) => ({
        ...viewEffective(key, effective),
        shows: countsOf(shown.get(key)),
        account: accounts
          .filter(({ owner, corpus }) => corpusKey(owner, corpus) === key)
          .map(({ field, value, restrictedBy }) => ({
            field,
            value: typeof value === 'object' && value !== null ? [...value] : value,
            restrictedBy: [...restrictedBy],
          })),
      })),
    }
  },
})
