import { z } from 'zod'
import { transition } from '../../policy/profile-state.js'
import { documentPermissions, sharedDocument } from '../../runtime/document-view.js'
import { nextCursor } from '../../runtime/fields.js'
import { moment } from '../../runtime/input.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { stateOf, storedState } from '../../runtime/profile.js'
import { limitsOf } from '../../runtime/rates.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import { gateCaller } from '../../runtime/tenant-facts.js'
import { revokeApiKey } from '../../storage/queries/api-keys.js'
import { type CorpusSince, listAdded } from '../../storage/queries/list-records.js'
import { findProfile } from '../../storage/queries/profiles.js'
import { driftOf } from '../drift.js'
import { effectiveView, noticesOf, viewEffective } from '../effective-view.js'
import { governanceFor } from '../governance.js'
import { showDocumentRows } from './documents.js'
import { saveChangedProfile } from './profiles.js'

const manifest = z.object({
  profile: z
    .string()
    .nullable()
    .meta({ description: 'The profile, by its id; null for a caller without one.' }),
  sessionKind: z.string().meta({ description: 'What sort of session it is.' }),
  identityMode: z.string().meta({ description: 'How whoever uses the session proves who they are.' }),
  profileState: z.string().meta({ description: 'The state of the profile.' }),
  sessionProfileHash: z
    .string()
    .nullable()
    .meta({ description: 'A digest of the profile and its policies; null without a profile.' }),
  expiresAt: z.string().nullable().meta({ description: 'When it expires; null if it does not.' }),
  endsAt: z
    .string()
    .nullable()
    .meta({ description: 'When the session ends because its link was revoked; null if it was not.' }),
  endsReasonCode: z.string().nullable().meta({ description: 'Why it ends, as a code; null if it does not.' }),
  actions: z.array(z.string()).meta({ description: 'What of sharing the session may do.' }),
  limits: z
    .object({
      maxQueriesPerHour: z.int().nullable().meta({ description: 'Most searches per hour.' }),
      maxDocumentViewsPerHour: z
        .int()
        .nullable()
        .meta({ description: 'Most documents opened or downloaded per hour.' }),
      maxUploadsPerDay: z.int().nullable().meta({ description: 'Most files uploaded per day.' }),
      maxResultCount: z.int().nullable().meta({ description: 'Most results on a page.' }),
      maxContextTokens: z.int().nullable().meta({ description: 'Most tokens given to a model.' }),
      maxDocumentBytes: z
        .int()
        .nullable()
        .meta({ description: 'Most bytes shown of a document; the rest is cut off.' }),
    })
    .meta({ description: 'How much the session may ask for; null for no limit.' }),
  corpora: z
    .array(
      effectiveView.extend({
        // SV-5
        notices: z.array(z.string()).meta({ description: 'Sentences to show to whoever reads the corpus.' }),
        drifted: z.boolean().nullable().meta({
          description:
            'Whether something changed that a live view would show; null if the view does not say.',
        }),
      }),
    )
    .nullable()
    .meta({ description: 'What it sees of each corpus; null for a caller bound by no views.' }),
  excludedCountTotal: z.int().nullable().meta({
    description:
      'Number of records its views left out when they were shared; null for a caller bound by none.',
  }),
  fileRequest: z
    .object({
      requestedBy: z.string().meta({ description: 'Who asks.' }),
      message: z.string().meta({ description: 'What they ask for, in their words; may be empty.' }),
    })
    .nullable()
    .meta({
      description: 'What files are asked for; null unless you came by a link that only takes files in.',
    }),
  governance: z
    .object({
      session: z.boolean().meta({ description: 'Whether session policies govern it.' }),
      corpus: z.boolean().meta({ description: 'Whether corpus policies govern it.' }),
    })
    .meta({ description: 'What governs the session.' }),
})

const ACTIONS = [
  'search.plan',
  'search.execute',
  'search.expand',
  'search.bundle',
  'search.complete',
  'document_view.list',
  'document_view.open',
  'document_view.file',
  'document_download.fetch',
  'upload.send',
]

/** Describes how the caller currently reads: the manifest of its profile (SV-2). */
export const currentProfile = readOperation({
  name: 'profiles.current',
  route: 'GET /session',
  summary: 'Read your current session, its views and limits',
  positional: [],
  policies: ['agent', 'reader', 'recipient'],
  sample: () => ({}),
  callers: 'anyone',
  input: z.strictObject({}),
  output: manifest,
  async run(request) {
    const { parts, now } = request
    const { profile, identity, caller, tenantFacts } = parts
    const { mayView, mayDownload } = documentPermissions(request)
    const withheld = [
      ...(mayView ? [] : ['document_view.open', 'search.bundle']),
      ...(mayDownload ? [] : ['document_download.fetch']),
      ...(request.deliveryRights.mayCopy ? [] : ['document_view.file']),
      // Only who came by a link has somebody to send files to.
      ...(profile?.link == null ? ['upload.send'] : []),
    ]
    const drift = await driftOf(request)
    const { session, corpus } = governanceFor(request)
    const limit = (rate: 'query' | 'view' | 'upload') => {
      const limits = profile === null ? [] : limitsOf(profile, rate).map(one => one.limit)
      return limits.length === 0 ? null : Math.min(...limits)
    }
    const finite = (value: number | undefined) =>
      value === undefined || !Number.isFinite(value) ? null : value
    return {
      profile: profile?.row.profileId ?? null,
      sessionKind:
        profile?.row.sessionKind ?? (caller.audience === 'agent' ? 'subagent_session' : 'host_session'),
      identityMode: profile?.row.identityMode ?? (caller.audience === 'agent' ? 'system_agent' : 'host_user'),
      profileState: profile === null ? 'active' : stateOf(profile.row, now),
      sessionProfileHash: profile?.row.hash ?? null,
      expiresAt: profile?.row.expiresAt?.toISOString() ?? null,
      endsAt: profile?.row.endsAt?.toISOString() ?? null,
      endsReasonCode: profile?.row.endsReason ?? null,
      actions: ACTIONS.filter(
        action =>
          !withheld.includes(action) &&
          gateCaller(action, caller, tenantFacts, 'not_needed', profile).permitted,
      ),
      limits: {
        maxQueriesPerHour: limit('query'),
        maxDocumentViewsPerHour: limit('view'),
        maxUploadsPerDay: limit('upload'),
        maxResultCount: finite(profile?.most.results),
        maxContextTokens: finite(profile?.most.tokens),
        maxDocumentBytes: finite(profile?.most.bytes),
      },
      corpora:
        identity.views === null
          ? null
          : [...identity.views].map(([key, view]) => ({
              ...viewEffective(key, view),
              notices: noticesOf(view),
              drifted: drift.get(key) ?? null,
            })),
      excludedCountTotal:
        identity.views === null || profile === null
          ? null
          : profile.viewRows.reduce((sum, { excludedCount }) => sum + (excludedCount ?? 0), 0),
      fileRequest:
        profile?.link?.requestMessage == null
          ? null
          : { requestedBy: profile.row.owner, message: profile.link.requestMessage },
      governance: { session, corpus },
    }
  },
})

/** Ends the caller's own profile, which frees its place for another. */
export const leaveProfile = writeOperation({
  name: 'profiles.leave',
  route: 'POST /session/leave',
  summary: 'End your own session',
  positional: [],
  policies: ['recipient'],
  sample: () => ({}),
  callers: 'anyone',
  effects: ['profile_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({}),
  output: z.object({
    left: z.boolean().meta({ description: 'Whether a session was left; false if there was none.' }),
  }),
  async run(request) {
    const { profile } = request.parts
    if (profile === null || !request.caller.profileIsBound) throw absent()
    const { profileId, owner } = profile.row
    const row = await findProfile(request.tx, request.tenant, [owner], profileId, { lock: true })
    if (row === undefined) throw absent()
    transition(storedState(row), 'revoked', request.now.getTime(), 'session.profile_revoked')
    await saveChangedProfile(request, {
      ...row,
      state: 'revoked',
      revokedAt: request.now,
      revokedReasonCode: 'session.profile_revoked',
    })
    if (request.caller.key !== null)
      await revokeApiKey(request.tx, request.tenant, request.caller.key, request.now)
    return { output: { left: true }, refs: [profileId] }
  },
  replay: async () => ({ left: true }),
})

/** The corpora whose views list their changes, each from when it was first shared with the caller or from `since`. */
function corporaWithLog(
  { parts: { identity, profile } }: ReadRequest,
  since: Date | undefined,
): CorpusSince[] {
  const logged = [...(identity.views ?? [])].filter(
    ([, view]) => view.temporalMode === 'live_view_with_change_log',
  )
  return logged.map(([key]) => {
    const [, owner, corpus] = JSON.parse(key) as [string, string, string]
    const views = (profile?.viewRows ?? []).filter(view => view.owner === owner && view.corpus === corpus)
    const shared = views.map(({ sharedAt, createdAt }) => Number(sharedAt ?? createdAt))
    return { owner, corpus, since: since ?? new Date(Math.min(...shared)) }
  })
}

/**
 * What was added to the caller's views since they were shared or since a given time, limited to what it sees now;
 * newest first (SV-4). An older record that only became visible later is not listed, because that would reveal a
 * decision.
 */
export const viewChanges = readOperation({
  name: 'views.changes',
  route: 'GET /session/changes',
  summary: 'See what came to views that list their changes',
  policies: ['recipient'],
  sample: world => ({ limit: world.pick([1, 50]), ...world.maybe(0.3, { since: world.moment() }) }),
  callers: 'anyone',
  input: z.strictObject({
    ...pageInput,
    since: moment
      .optional()
      .meta({ description: 'Only what came after this moment. Default: when the views were shared.' }),
  }),
  output: z.object({
    changes: z
      .array(
        z.object({
          change: z.literal('added').meta({ description: 'What happened.' }),
          at: z.string().meta({ description: 'When it happened.' }),
          document: sharedDocument.meta({ description: 'The document.' }),
        }),
      )
      .meta({ description: 'What was added, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { since, limit, cursor }) {
    const logged = corporaWithLog(request, since)
    if (logged.length === 0) return { changes: [], cursor: null }
    const found = await listNewestFirst(
      request,
      ['views.changes', since?.toISOString() ?? null],
      { limit, cursor },
      (before, most) => listAdded(request.tx, request.tenant, logged, before, most),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return {
      changes: (await showDocumentRows(request, found.rows)).map(({ row, document }) => ({
        change: 'added' as const,
        at: row.createdAt.toISOString(),
        document,
      })),
      cursor: found.cursor,
    }
  },
})
