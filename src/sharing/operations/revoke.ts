import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { canMail, enqueueMail } from '../../mail/enqueue.js'
import { linkId } from '../../runtime/fields.js'
import { text } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { deleteLinkCodes } from '../../storage/queries/link-codes.js'
import { findOperationsAbout } from '../../storage/queries/operations.js'
import { lockProfilesOfLink, saveProfile } from '../../storage/queries/profiles.js'
import { linkOwner, type ProfileRow, profileOwner } from '../../storage/queries/running-profile.js'
import {
  countDownloads,
  findLinks,
  type LinkRow,
  listDownloaders,
  loadOpenableLink,
  type OpenableLink,
  saveRevocation,
} from '../../storage/queries/share-links.js'
import { invalidateWatermarks } from '../../storage/queries/watermarks.js'
import { provedAddress } from '../recipient-address.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import { linkRevocation } from '../share-link.js'

const GRACE_SECONDS = 300
/** How long a profile without an expiry of its own may continue. */
const LONGEST_SECONDS = 24 * 3_600

const input = z.strictObject({
  link: linkId,
  reason: text(2_000)
    .refine(value => value.trim().length > 0, { message: 'must not be empty' })
    .meta({
      description: 'Why. A recipient who is asked to delete what they downloaded reads it.',
      example: 'The matter is closed.',
    }),
  activeSessionDisposition: z
    .enum(['terminate_immediately', 'allow_session_complete', 'terminate_after_grace'])
    .default('terminate_immediately')
    .meta({ description: 'What becomes of the sessions that are open.' }),
  activeSessionGracePeriodSeconds: z.int().min(1).max(LONGEST_SECONDS).optional().meta({
    description: 'Seconds that open sessions may go on, with `terminate_after_grace`.',
    example: 600,
  }),
  downloadedCopiesDisposition: z
    .enum(['no_recall_attempt', 'best_effort_recall_request'])
    .default('no_recall_attempt')
    .meta({ description: 'Whether to ask the recipient to delete what they downloaded.' }),
  cachedResponseDisposition: z
    .enum(['session_local_invalidate', 'no_action'])
    .default('session_local_invalidate')
    .meta({ description: 'Whether answers that were kept for its sessions may be used again.' }),
})
type Input = z.output<typeof input>

const summary = z.object({
  link: z.string().meta({ description: 'The link, by its id.' }),
  ...linkRevocation.shape,
  sessionsTerminated: z.int().meta({ description: 'Number of sessions that ended with it.' }),
  sessionsEnding: z.int().meta({ description: 'Number of sessions that go on for a while.' }),
  sessionsEndAt: z
    .string()
    .nullable()
    .meta({ description: 'When the last of them ends; null if none goes on.' }),
  downloads: z.int().meta({ description: 'Number of downloads.' }),
  downloadedFiles: z.int().meta({ description: 'Number of files that were downloaded.' }),
  recall: z
    .enum(['not_attempted', 'nothing_downloaded', 'requested', 'no_address', 'no_mailer'])
    .meta({ description: 'Whether the recipient was asked to delete what they downloaded.' }),
  recallMails: z.array(z.string()).meta({
    description: 'The mails that ask for it, by their ids; `mail.list` tells whether they arrived.',
  }),
  message: z.string().meta({ description: 'What to tell the host.' }),
})
type Summary = z.input<typeof summary>

/** Revokes a link: nobody can open it any more, and open profiles end as the caller chooses (ST-5). */
export const revokeLink = writeOperation({
  name: 'links.revoke',
  route: 'POST /links/:link/revoke',
  summary: 'Revoke a share link',
  sample: world => ({
    link: world.madeOrOther('link'),
    reason: world.word(),
    activeSessionDisposition: world.pick(['terminate_immediately', 'terminate_after_grace']),
  }),
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
      throw new PrivityError('conflict', 'the link is already revoked', {
        reason: 'share_token_already_revoked',
      })
    const profiles = await lockProfilesOfLink(tx, tenant, link.linkId, now)
    const ends = profiles.map(profile => endOf(profile, asked, now))
    for (const [at, profile] of profiles.entries()) await endProfile(request, profile, ends[at] ?? now)
    const { downloads, files } = await countDownloads(tx, tenant, link.linkId)
    const { recall, addresses, mails } = await recallCopies(request, link, asked, files)
    const later = ends.filter(end => end > now)
    const done: Omit<Summary, 'message'> = {
      link: link.linkId,
      revocationId: request.parts.clock.newId('revocation'),
      revokedAt: now.toISOString(),
      revokeReason: asked.reason,
      activeSessionDisposition: asked.activeSessionDisposition,
      activeSessionGracePeriodSeconds: graceOf(asked),
      downloadedCopiesDisposition: asked.downloadedCopiesDisposition,
      cachedResponseDisposition: asked.cachedResponseDisposition,
      sessionsTerminated: ends.length - later.length,
      sessionsEnding: later.length,
      sessionsEndAt: later.length === 0 ? null : new Date(Math.max(...later.map(Number))).toISOString(),
      downloads,
      downloadedFiles: files,
      recall,
      recallMails: mails,
    }
    await deleteLinkCodes(tx, tenant, link.linkId, null)
    await saveRevocation(tx, tenant, link.linkId, now, done)
    const output = { ...done, message: messageOf(link.name, done, addresses) }
    request.changesFactsOf(linkOwner(link.linkId))
    return {
      output,
      refs: [link.linkId, ...profiles.map(({ profileId }) => profileId), ...mails],
      causes: await findGrants(request, link.linkId),
      effects: [
        `recall_${recall}`,
        ...(asked.downloadedCopiesDisposition === 'best_effort_recall_request' && files > 0
          ? ['watermarks_invalidated']
          : []),
      ],
    }
  },
  async replay(request, [linkId = '']) {
    const [row] = await findLinks(
      request.tx,
      request.tenant,
      [...request.parts.identity.principals],
      [linkId],
    )
    if (row?.revocation == null) throw absent()
    const done = summary.omit({ message: true }).parse({ recallMails: [], ...row.revocation })
    const askedThem = [...(await copiesByAddress(request, row)).keys()].sort()
    return { ...done, message: messageOf(row.name, done, askedThem) }
  },
})

/** Takes the same lock as opening a link does: a profile is either seen here or not opened. */
export async function lockLink(request: WriteRequest, linkId: string): Promise<OpenableLink> {
  const row = await loadOpenableLink(request.tx, request.tenant, linkId, { lock: true })
  if (row === undefined || !request.parts.identity.principals.has(row.owner)) throw absent()
  return row
}

/** The operations by which a link was granted. */
export const findGrants = ({ tx, tenant }: WriteRequest, linkId: string): Promise<string[]> =>
  findOperationsAbout(tx, tenant, ['links.grant', 'links.copy'], [linkId])

/** How long profiles may continue, if they get a grace period. */
const graceOf = ({ activeSessionDisposition, activeSessionGracePeriodSeconds }: Input): number | null =>
  activeSessionDisposition === 'terminate_after_grace'
    ? (activeSessionGracePeriodSeconds ?? GRACE_SECONDS)
    : null

/** When a profile ends. */
function endOf({ expiresAt }: ProfileRow, asked: Input, now: Date): Date {
  const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1_000)
  const earlier = (at: Date) => (expiresAt !== null && expiresAt < at ? expiresAt : at)
  switch (asked.activeSessionDisposition) {
    case 'terminate_immediately':
      return now
    case 'allow_session_complete':
      return expiresAt ?? inSeconds(LONGEST_SECONDS)
    case 'terminate_after_grace':
      return earlier(inSeconds(graceOf(asked) ?? GRACE_SECONDS))
  }
}

async function endProfile(request: WriteRequest, profile: ProfileRow, endsAt: Date): Promise<void> {
  const { now } = request
  const isOver = endsAt <= now
  const reason = isOver ? 'share_token_revoked' : reasonLater(profile, endsAt)
  await saveProfile(request.tx, request.tenant, {
    ...profile,
    ...(isOver
      ? { state: 'revoked', revokedAt: now, revokedReasonCode: reason }
      : { endsAt, endsReason: reason }),
    version: profile.version + 1,
    policyGeneration: request.generation,
  })
  request.changesFactsOf(profileOwner(profile.profileId))
}

/** A profile may run to its own expiry if that comes first; any other is cut off when the grace period is over. */
const reasonLater = ({ expiresAt }: ProfileRow, endsAt: Date) =>
  expiresAt !== null && expiresAt <= endsAt
    ? 'share_token_revoked_grace'
    : 'share_token_revoked_grace_expired'

/** How many files were downloaded by each address that is known; those of unknown addresses count to nobody. */
async function copiesByAddress(request: WriteRequest, link: LinkRow): Promise<Map<string, number>> {
  const files = new Map<string, Set<string>>()
  for (const row of await listDownloaders(request.tx, request.tenant, link.linkId)) {
    const session = { ...row, linkId: link.linkId, linkEmail: link.recipientEmail }
    const address = provedAddress(request.parts, session)
    if (address !== null) files.set(address, new Set([...(files.get(address) ?? []), ...row.records]))
  }
  return new Map([...files].map(([address, records]) => [address, records.size]))
}

/** Downloaded copies cannot be taken back, but whoever has them can be asked to delete them (ST-5). */
async function recallCopies(
  request: WriteRequest,
  link: LinkRow,
  asked: Input,
  files: number,
): Promise<{ recall: Summary['recall']; addresses: string[]; mails: string[] }> {
  const nobody = { addresses: [], mails: [] }
  if (asked.downloadedCopiesDisposition === 'no_recall_attempt') return { recall: 'not_attempted', ...nobody }
  if (files === 0) return { recall: 'nothing_downloaded', ...nobody }
  await invalidateWatermarks(request.tx, request.tenant, link.linkId, request.now)
  const copies = await copiesByAddress(request, link)
  const addresses = [...copies.keys()].sort()
  if (addresses.length === 0) return { recall: 'no_address', ...nobody }
  if (!canMail(request)) return { recall: 'no_mailer', addresses, mails: [] }
  const mails: string[] = []
  for (const to of addresses)
    mails.push(
      await enqueueMail(request, {
        to,
        subject: 'Share link revoked: please delete what you downloaded',
        fromName: link.createdBy,
        about: { owner: link.owner, link: link.linkId, purpose: 'recall' },
        text: `${link.createdBy} shared “${link.name}” with you, has revoked the link and asks you to delete ${counted(copies.get(to) ?? 0, 'downloaded file')}.\n\nReason: ${asked.reason}\n\nNobody can fetch them back from where you keep them: this is a request.\n`,
      }),
    )
  return { recall: 'requested', addresses, mails }
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

function messageOf(name: string, done: Omit<Summary, 'message'>, addresses: readonly string[]): string {
  const sentences = [
    `The share link “${name}” is revoked: nobody can open it any more.`,
    `${counted(done.sessionsTerminated, 'active session')} ended.`,
    ...(done.sessionsEnding === 0
      ? []
      : [`${counted(done.sessionsEnding, 'session')} may go on until ${done.sessionsEndAt} at the latest.`]),
    ...recallSentences(done, addresses),
    ...(done.cachedResponseDisposition === 'session_local_invalidate'
      ? ['Answers kept for its sessions are not used again.']
      : []),
    'Copies that were downloaded cannot be recalled: they stay until whoever has them deletes them.',
  ]
  return sentences.join(' ')
}

function recallSentences(
  { recall, downloadedFiles }: Omit<Summary, 'message'>,
  addresses: readonly string[],
): string[] {
  const files = counted(downloadedFiles, 'downloaded file')
  const they = addresses.length === 1 ? (addresses[0] ?? '') : `${addresses.length} recipients`
  const were = addresses.length === 1 ? 'was' : 'were'
  switch (recall) {
    case 'not_attempted':
      return []
    case 'nothing_downloaded':
      return ['Nothing was downloaded, so nobody was asked to delete anything.']
    case 'requested':
      return [`${they} ${were} asked to delete ${files}.`]
    case 'no_address':
      return [`No address is known to ask for the deletion of ${files}.`]
    case 'no_mailer':
      return [`No mailer is configured, so ${they} ${were} not asked to delete ${files}.`]
  }
}
