import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { canMail, enqueueMail } from '../../mail/enqueue.js'
import { id, text } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { listSessionsOfLink, saveProfile } from '../../storage/queries/profiles.js'
import { linkOwner, type ProfileRow, profileOwner } from '../../storage/queries/running-profile.js'
import {
  countDownloads,
  findLinks,
  invalidateWatermarks,
  type LinkRow,
  loadOpenableLink,
  saveRevocation,
} from '../../storage/queries/share-links.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import { addressOf } from '../share-link.js'

const GRACE_SECONDS = 300
/** How long a session may go on that has no end of its own. */
const LONGEST_SECONDS = 24 * 3_600

const input = z.strictObject({
  link: id,
  reason: text(2_000).refine(value => value.trim().length > 0, { message: 'must not be empty' }),
  activeSessionDisposition: z
    .enum(['terminate_immediately', 'allow_session_complete', 'terminate_after_grace'])
    .default('terminate_immediately'),
  activeSessionGracePeriodSeconds: z.int().min(1).max(LONGEST_SECONDS).optional(),
  downloadedCopiesDisposition: z
    .enum(['no_recall_attempt', 'best_effort_recall_request'])
    .default('no_recall_attempt'),
  cachedResponseDisposition: z
    .enum(['session_local_invalidate', 'no_action'])
    .default('session_local_invalidate'),
})
type Input = z.output<typeof input>

const summary = z.object({
  link: z.string(),
  revokedAt: z.string(),
  revokeReason: z.string(),
  activeSessionDisposition: z.string(),
  downloadedCopiesDisposition: z.string(),
  cachedResponseDisposition: z.string(),
  /** How many sessions ended with it, and how many go on for a while. */
  sessionsTerminated: z.int(),
  sessionsEnding: z.int(),
  /** When the last of them ends. */
  sessionsEndAt: z.string().nullable(),
  downloads: z.int(),
  recall: z.enum(['not_attempted', 'requested', 'no_address']),
  /** What to tell the host. */
  message: z.string(),
})
type Summary = z.input<typeof summary>

/** Ends a link: nobody comes in by it any more, and who is in leaves as it is said (ST-5). */
export const revokeLink = writeOperation({
  name: 'links.revoke',
  summary: 'Revoke a share link',
  callers: 'owner',
  effects: ['share_link_revoke'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input,
  output: summary,
  async run(request, asked) {
    requireWholeCredential(request)
    const { tx, tenant, now } = request
    const link = await lockLink(request, asked.link)
    if (link.revokedAt !== null)
      throw new PrivityError('conflict', 'the link was revoked before', {
        reason: 'share_token_already_revoked',
      })
    const sessions = await listSessionsOfLink(tx, tenant, link.linkId, now, { lock: true })
    const ends = sessions.map(session => endOf(session, asked, now))
    for (const [at, session] of sessions.entries()) await endSession(request, session, ends[at] ?? now)
    const downloads = await countDownloads(tx, tenant, link.linkId)
    const recall = await recallCopies(request, link, asked, downloads)
    const later = ends.filter(end => end > now)
    const done: Omit<Summary, 'message'> = {
      link: link.linkId,
      revokedAt: now.toISOString(),
      revokeReason: asked.reason,
      activeSessionDisposition: asked.activeSessionDisposition,
      downloadedCopiesDisposition: asked.downloadedCopiesDisposition,
      cachedResponseDisposition: asked.cachedResponseDisposition,
      sessionsTerminated: ends.length - later.length,
      sessionsEnding: later.length,
      sessionsEndAt: later.length === 0 ? null : new Date(Math.max(...later.map(Number))).toISOString(),
      downloads,
      recall,
    }
    const output = { ...done, message: messageOf(link.name, done) }
    await saveRevocation(tx, tenant, link.linkId, {
      ...output,
      revokedAt: now,
      revokeReason: asked.reason,
    })
    request.changesFactsOf(linkOwner(link.linkId))
    return { output, refs: [link.linkId, ...sessions.map(({ profileId }) => profileId)] }
  },
  async replay(request, [linkId = '']) {
    const [row] = await findLinks(
      request.tx,
      request.tenant,
      [...request.parts.identity.principals],
      [linkId],
    )
    if (row?.revocation == null) throw absent()
    return summary.parse(row.revocation)
  },
})

/** Locked as whoever opens it locks it: a session is either seen here, or not opened. */
async function lockLink(request: WriteRequest, linkId: string): Promise<LinkRow> {
  const row = await loadOpenableLink(request.tx, request.tenant, linkId, { lock: true })
  if (row === undefined || !request.parts.identity.principals.has(row.owner)) throw absent()
  return row
}

/** When a session is over. */
function endOf(
  { expiresAt }: ProfileRow,
  { activeSessionDisposition, activeSessionGracePeriodSeconds }: Input,
  now: Date,
): Date {
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
  const earlier = (at: Date) => (expiresAt !== null && expiresAt < at ? expiresAt : at)
  switch (activeSessionDisposition) {
    case 'terminate_immediately':
      return now
    case 'allow_session_complete':
      return expiresAt ?? inSeconds(LONGEST_SECONDS)
    case 'terminate_after_grace':
      return earlier(inSeconds(activeSessionGracePeriodSeconds ?? GRACE_SECONDS))
  }
}

async function endSession(request: WriteRequest, session: ProfileRow, endsAt: Date): Promise<void> {
  const { now } = request
  const isOver = endsAt <= now
  const reason = isOver ? 'share_token_revoked' : reasonLater(session, endsAt)
  await saveProfile(request.tx, request.tenant, {
    ...session,
    ...(isOver
      ? { state: 'revoked', revokedAt: now, revokedReasonCode: reason }
      : { endsAt, endsReason: reason }),
    version: session.version + 1,
    policyGeneration: request.generation,
  })
  request.changesFactsOf(profileOwner(session.profileId))
}

/** One that may run to its own end is let finish; any other is cut when its time has run out. */
const reasonLater = ({ expiresAt }: ProfileRow, endsAt: Date) =>
  expiresAt !== null && expiresAt <= endsAt
    ? 'share_token_revoked_grace'
    : 'share_token_revoked_grace_expired'

/** Copies that left cannot be fetched back; whoever has them can be asked (ST-5). */
async function recallCopies(
  request: WriteRequest,
  link: LinkRow,
  asked: Input,
  downloads: number,
): Promise<Summary['recall']> {
  if (asked.downloadedCopiesDisposition === 'no_recall_attempt') return 'not_attempted'
  await invalidateWatermarks(request.tx, request.tenant, link.linkId, request.now)
  if (link.recipientEmail === null || !canMail(request)) return 'no_address'
  await enqueueMail(request, {
    to: request.parts.secrets.open(link.recipientEmail, addressOf(link)),
    subject: 'Share link revoked: please delete what you downloaded',
    text: `Whoever shared “${link.name}” with you has revoked the link and asks you to delete ${downloads} downloaded files.\n\nReason: ${asked.reason}\n\nNobody can fetch them back from where you keep them: this is a request.\n`,
  })
  return 'requested'
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function messageOf(name: string, done: Omit<Summary, 'message'>): string {
  const sentences = [
    `The share link “${name}” is revoked: nobody can open it any more.`,
    `${counted(done.sessionsTerminated, 'active session')} ended.`,
    ...(done.sessionsEnding === 0
      ? []
      : [`${counted(done.sessionsEnding, 'session')} may go on until ${done.sessionsEndAt} at the latest.`]),
    ...(done.recall === 'requested'
      ? [`The recipient was asked to delete ${counted(done.downloads, 'downloaded file')}.`]
      : done.recall === 'no_address'
        ? [`No address is known to ask for the deletion of ${counted(done.downloads, 'downloaded file')}.`]
        : []),
    ...(done.cachedResponseDisposition === 'session_local_invalidate'
      ? ['Answers kept for its sessions are not used again.']
      : []),
    'Copies that were downloaded cannot be recalled: they stay until whoever has them deletes them.',
  ]
  return sentences.join(' ')
}
