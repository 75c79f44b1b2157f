import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import {
  accountOfViews,
  COLLABORATIVE_DEFAULTS,
  type DocumentScope,
  exposed,
  isSnapshot,
  meetViews,
  SHARE_LINK_DEFAULTS,
  targetsOfScope,
} from '../../policy/shared-view.js'
import { corpusKey, sortedSet } from '../../policy/tuple.js'
import {
  DERIVED_MEMORY_SHARE_POLICIES,
  HOST_ANNOTATION_POLICIES,
  SENSITIVITIES,
  SURFACES,
  TARGET_KINDS,
  TEMPORAL_MODES,
  VISIBILITY_CLASSES,
} from '../../policy/vocabulary.js'
import { id, moment, name, principal } from '../../runtime/input.js'
import { newestFirst, page } from '../../runtime/newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { showTargets } from '../../runtime/operations/targets.js'
import { toSharedView } from '../../runtime/profile.js'
import { absent, type ReadRequest, type WriteRequest } from '../../runtime/request.js'
import { retupled } from '../../runtime/retuple.js'
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
import { effectiveView, viewEffective } from '../effective-view.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import { LINK_SENSITIVITY } from '../share-link.js'
import { asShared } from '../share-views.js'
import { type Shown, shownToRecipients } from '../shown-to-recipients.js'

const refs = z.array(name).min(1).max(10_000)
const selectable = TARGET_KINDS.filter(kind => kind !== 'corpus') as [
  Exclude<(typeof TARGET_KINDS)[number], 'corpus'>,
]

export const documentScope = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('all_documents') }),
  /** Documents by their names, or records by their ids. */
  z.strictObject({ kind: z.literal('explicit_document_list'), documentRefs: refs }),
  z.strictObject({ kind: z.literal('filing_unit_version_list'), versionRefs: refs }),
  /** Whatever lies in any of these. */
  z.strictObject({
    kind: z.literal('structural_selector'),
    selector: z
      .array(z.strictObject({ kind: z.enum(selectable), ref: name }))
      .min(1)
      .max(10_000),
  }),
])

/** A scope as it is shown: without ids of records that its reader does not see (NI-6). */
const shownScope = z.object({
  kind: z.string(),
  documentRefs: z.array(z.string()).optional(),
  versionRefs: z.array(z.string()).optional(),
  selector: z.array(z.object({ kind: z.string(), ref: z.string() })).optional(),
})

const surface = z.enum([...SURFACES, 'rulings_and_outcomes'])

const sharedView = z.object({
  view: z.string(),
  name: z.string(),
  corpus: z.string(),
  owner: z.string(),
  ownerSessionRef: z.string().nullable(),
  exposedSurfaces: z.array(z.string()),
  derivedMemorySharePolicy: z.string(),
  hostAnnotationPolicy: z.string(),
  viewTemporalMode: z.string(),
  /** Of a snapshot: when it was taken; null until it is shared for the first time. */
  snapshotAtTimestamp: z.string().nullable(),
  documentScope: shownScope,
  visibilityClassCeiling: z.string(),
  disclosesExclusions: z.boolean(),
  /** How many records of the corpus it left out when it was shared; 0 unless it discloses them (CV-4). */
  excludedCount: z.int().nullable(),
  sharedAt: z.string().nullable(),
  createdAt: z.string(),
  schemaVersion: z.literal(1),
})

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

/** Says what of one corpus may be shared. What is left out is filled in as for a share link, or for working together (SV-1). */
export const createView = writeOperation({
  name: 'views.create',
  summary: 'Make a view of a corpus that can be shared',
  callers: 'owner',
  effects: ['view_created'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    corpus: name,
    owner: principal.optional(),
    name: name.optional(),
    sharing: z.enum(['share_link', 'collaborative']).default('share_link'),
    exposedSurfaces: z.array(surface).min(1).max(20).optional(),
    derivedMemorySharePolicy: z.enum(DERIVED_MEMORY_SHARE_POLICIES).optional(),
    hostAnnotationPolicy: z.enum(HOST_ANNOTATION_POLICIES).optional(),
    viewTemporalMode: z.enum(TEMPORAL_MODES).optional(),
    /** For a snapshot of before; without it, it is taken when the view is first shared. */
    snapshotAtTimestamp: moment.optional(),
    documentScope: documentScope.optional(),
    visibilityClassCeiling: z.enum(VISIBILITY_CLASSES).optional(),
    /** Whether recipients are told how many records of the corpus the view left out when it was shared. */
    disclosesExclusions: z.boolean().default(false),
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
      throw new PrivityError('invalid_input', 'snapshotAtTimestamp: a live view has none')
    if (snapshotAt !== null && snapshotAt > request.now)
      throw new PrivityError('invalid_input', 'snapshotAtTimestamp: must not lie in the future')
    const row: SharedViewRow = {
      viewId: request.parts.clock.newId('view'),
      owner,
      corpus: input.corpus,
      name: input.name ?? input.corpus,
      ownerSessionRef: request.parts.profile?.row.profileId ?? null,
      exposedSurfaces: exposed(input.exposedSurfaces ?? defaults.exposedSurfaces),
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

/** A scope as the store has it; null for all documents. */
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

/** What stands in a scope is part of the tuple of what lies there, as it is with overlays: views then decide by it. */
async function nameInTuples(request: WriteRequest, row: SharedViewRow, scope: ScopeTargets): Promise<void> {
  const { tx, tenant } = request
  const targets = new Set(targetsOfScope(row.owner, row.documentScope as DocumentScope) ?? [])
  await insertScopedTargets(tx, tenant, [...targets])
  const rows = await lockInScope(tx, tenant, row.owner, row.corpus, scope)
  const moved = rows.flatMap(found => {
    const own = ownTargetsOf(row.owner, { ...found, corpus: row.corpus }, found.id)
    const before = found.tuple.scopeTargets ?? []
    const scopeTargets = sortedSet([...before, ...own.filter(target => targets.has(target))])
    return scopeTargets.length === before.length ? [] : [retupled(found, { ...found.tuple, scopeTargets })]
  })
  await retupleRecords(tx, tenant, moved, request.now)
}

export const getView = readOperation({
  name: 'views.get',
  summary: 'Read one of your views',
  callers: 'owner',
  input: z.strictObject({ view: id }),
  output: sharedView.nullable(),
  async run(request, input) {
    const rows = await findViews(request.tx, request.tenant, ownersOf(request), [input.view])
    const [found = null] = await viewAll(request, rows)
    return found
  },
})

export const listViewsOf = readOperation({
  name: 'views.list',
  summary: 'List your views',
  callers: 'owner',
  input: z.strictObject({ ...page, corpus: name.optional() }),
  output: z.object({ views: z.array(sharedView), cursor: z.string().nullable() }),
  async run(request, { corpus = null, limit, cursor }) {
    const found = await newestFirst(
      request,
      ['views.list', corpus],
      { limit, cursor },
      (before, most) => listViews(request.tx, request.tenant, ownersOf(request), corpus, before, most),
      row => ({ createdAt: row.createdAt, id: row.viewId }),
    )
    return { views: await viewAll(request, found.rows), cursor: found.cursor }
  },
})

/** Deletes a view that nobody was ever shown. One that was shared stays: its links are revoked instead. */
export const deleteViewOf = writeOperation({
  name: 'views.delete',
  summary: 'Delete a view that was never shared',
  callers: 'owner',
  effects: ['view_deleted'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ view: id }),
  output: z.object({ deleted: z.boolean() }),
  async run(request, input) {
    requireWholeCredential(request)
    const [row] = await findViews(request.tx, request.tenant, ownersOf(request), [input.view])
    if (row === undefined) throw absent()
    if (!(await deleteView(request.tx, request.tenant, ownersOf(request), input.view)))
      throw new PrivityError('conflict', 'the view was shared; revoke its links instead')
    request.changesFactsOf(row.owner)
    return { output: { deleted: true }, refs: [input.view] }
  },
  replay: async () => ({ deleted: true }),
})

const account = z.object({
  field: z.string(),
  value: z.union([z.string(), z.number(), z.array(z.string()), z.null()]),
  /** The views by which it holds. */
  restrictedBy: z.array(z.string()),
})

const shownInCorpus = z.object({
  /** What somebody would see who came by a link now, of as many as the asker sees. */
  documents: z.int(),
  ofDocuments: z.int(),
  records: z.int(),
  ofRecords: z.int(),
})

const countsOf = (shown: Shown | undefined): z.input<typeof shownInCorpus> => ({
  documents: shown?.documents.shown ?? 0,
  ofDocuments: shown?.documents.of ?? 0,
  records: shown?.records.shown ?? 0,
  ofRecords: shown?.records.of ?? 0,
})

/** What several views show together, how much that is, and which of them restricted what (SV-2). */
export const effectiveViews = readOperation({
  name: 'views.effective',
  summary: 'See what several views show together, and why',
  callers: 'owner',
  input: z.strictObject({
    views: z.array(id).min(1).max(100),
    /** Of whoever would come by a link to them. */
    maxSensitivity: z.enum(SENSITIVITIES).default(LINK_SENSITIVITY),
  }),
  output: z.object({
    corpora: z.array(effectiveView.extend({ shows: shownInCorpus, account: z.array(account) })),
  }),
  async run(request, { views: asked, maxSensitivity }) {
    const wanted = [...new Set(asked)]
    const rows = await findViews(request.tx, request.tenant, ownersOf(request), wanted)
    if (rows.length < wanted.length) throw absent()
    const views = rows.map(toSharedView)
    const accounts = accountOfViews(views)
    const shown = await shownToRecipients(
      request,
      rows.map(row => asShared(row, request.now)),
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
