import { randomBytes, randomInt } from 'node:crypto'
import { enqueueMail, mayMailTo } from '../mail/enqueue.js'
import { ADDRESS } from '../mail/mailer.js'
import { notify } from '../notifications/notify.js'
import { admitsAddress, foldAddress } from '../policy/address-rules.js'
import { hashSecret } from '../runtime/api-key.js'
import { absent, type WriteRequest } from '../runtime/request.js'
import {
  countCodeFailure,
  deleteLinkCodes,
  loadLinkCode,
  saveLinkCode,
} from '../storage/queries/link-codes.js'
import { countUse } from '../storage/queries/profile-uses.js'
import {
  countWaiting,
  insertLinkRequest,
  type LinkRequestRow,
  lockRequestByTicket,
  type OpenableLink,
  saveAttempts,
  saveRequestState,
} from '../storage/queries/share-links.js'
import { isPasscodeOf } from './passcode.js'
import { addressOf } from './recipient-address.js'
import { openRules } from './share-link.js'
import { tellHost } from './tell-host.js'

/** After this many wrong passcodes the link is locked for a while, whoever guesses and from wherever. */
export const MOST_FAILURES = 5
export const LOCKED_SECONDS = 900
const CODE_SECONDS = 600
const CODE_DIGITS = 8
const MOST_CODES_AN_HOUR = 5
/**
 * Code requests with a wrong address have a limit of their own, so that they cannot keep the owner from getting a
 * code.
 */
const MOST_OTHERS_AN_HOUR = 20
/** A link for several people sends more codes. */
const MOST_CODES_OF_LIST_AN_HOUR = 100
const MOST_WAITING = 20
const TICKET_BYTES = 32
const NOBODY = 'nobody@example.invalid'

/** What somebody presents who has the token of a link. */
export interface Presented {
  readonly email?: string | undefined
  readonly code?: string | undefined
  readonly passcode?: string | undefined
  readonly name?: string | undefined
  readonly ticket?: string | undefined
}

/** Somebody has proved that a link is for them. */
export interface Proof {
  readonly status: 'proved'
  /** The address that they proved. */
  readonly email: string | null
  /** The request by which the host let them in. */
  readonly approved: LinkRequestRow | null
  /** Makes sure that what proved it proves nothing again. */
  use(): Promise<void>
}

/** The reason is for the host, and is not told to whoever guesses. */
export interface Refused {
  readonly status: 'refused'
  readonly reason: 'share_link_refused' | 'share_link_locked'
}

/** What is asked for next. */
export type Asked =
  | { readonly status: 'email_needed' | 'passcode_needed' | 'name_needed' }
  | { readonly status: 'code_sent'; readonly expiresAt: string }
  | { readonly status: 'waiting'; readonly ticket: string | null }

type Answer = Proof | Asked | Refused

const REFUSED = { status: 'refused', reason: 'share_link_refused' } as const
const LOCKED = { status: 'refused', reason: 'share_link_locked' } as const
const proved = (more: Partial<Proof> = {}): Proof => ({
  status: 'proved',
  email: null,
  approved: null,
  use: async () => {},
  ...more,
})

/** Whether somebody has shown what a link asks for: all of it, each time (ST-2). */
export async function proveRecipient(
  request: WriteRequest,
  link: OpenableLink,
  given: Presented,
): Promise<Answer> {
  if (link.passcodeHash !== null) {
    const answer = await byPasscode(request, link, link.passcodeHash, given)
    if (answer.status !== 'proved') return answer
  }
  switch (link.recipientIdentityMode) {
    case 'anonymous_share_token':
      return proved()
    case 'email_bound':
      return byCode(request, link, given)
    case 'passcode_required':
      return link.passcodeHash === null ? { status: 'passcode_needed' } : proved()
    case 'host_approved_named_external':
      return byApproval(request, link, given)
    default:
      // An identity mode that this build does not know (DE-2).
      throw absent()
  }
}

/** Whether the hourly limit of a link allows one more use. */
export async function countHourly(
  request: WriteRequest,
  { linkId }: OpenableLink,
  kind: string,
  limit: number,
): Promise<boolean> {
  const use = {
    id: request.parts.clock.newId('use'),
    since: inSeconds(request.now, -3_600),
    at: request.now,
  }
  const counted = [{ subject: linkId, limit }]
  return (await countUse(request.tx, request.tenant, kind, counted, linkId, use)).counted
}

/**
 * The slow comparison runs outside of the transaction, but its result counts only here, where guesses take turns:
 * however many come at once, only a few are ever evaluated.
 */
async function byPasscode(
  request: WriteRequest,
  link: OpenableLink,
  passcodeHash: string,
  { passcode }: Presented,
): Promise<Answer> {
  const { tx, tenant, now } = request
  if (passcode === undefined) return { status: 'passcode_needed' }
  if (link.lockedUntil !== null && link.lockedUntil > now) return LOCKED
  const { clock } = request.parts
  const isLocked = () => (lockedHere.get(link.linkId) ?? 0) > clock.now().getTime()
  const isRight = request.parts.prepared.of(`passcode ${passcodeHash}`, () =>
    isPasscodeOf(passcodeHash, passcode, isLocked),
  )
  if (isRight) {
    await saveAttempts(tx, tenant, link.linkId, { failures: 0, lockedUntil: null })
    return proved()
  }
  const failures = link.failures + 1
  const locks = failures % MOST_FAILURES === 0
  const lockedUntil = locks ? inSeconds(now, LOCKED_SECONDS) : link.lockedUntil
  await saveAttempts(tx, tenant, link.linkId, { failures, lockedUntil })
  if (!locks || lockedUntil === null) return REFUSED
  noteLocked(link, lockedUntil)
  await tellHost(request, link, { event: 'locked' })
  return LOCKED
}

/**
 * Until when links are locked, as far as this process locked them. It saves comparing guesses that are still waiting.
 */
const lockedHere = new Map<string, number>()
const MOST_LOCKED_HERE = 1_000

function noteLocked({ linkId }: OpenableLink, until: Date): void {
  if (lockedHere.size >= MOST_LOCKED_HERE) lockedHere.clear()
  lockedHere.set(linkId, until.getTime())
}

async function byCode(
  request: WriteRequest,
  link: OpenableLink,
  { email, code }: Presented,
): Promise<Answer> {
  if (email === undefined) return { status: 'email_needed' }
  const { parts } = request
  const address = foldAddress(email)
  const meant = link.recipientEmail === null ? null : parts.secrets.open(link.recipientEmail, addressOf(link))
  const isAdmitted = ADDRESS.test(address) && admitsAddress(address, openRules(parts, link), meant)
  if (code !== undefined) return byCodeSent(request, link, address, isAdmitted, code)
  const expiresAt = inSeconds(request.now, CODE_SECONDS)
  const mostCodes = link.addressRules === null ? MOST_CODES_AN_HOUR : MOST_CODES_OF_LIST_AN_HOUR
  const [kind, most] = isAdmitted ? ['code', mostCodes] : ['other', MOST_OTHERS_AN_HOUR]
  // Whoever is not admitted counts as well, and is kept a code that nobody gets: the answer takes as long, so that its
  // time does not reveal whose link it is.
  if ((await countHourly(request, link, kind, most)) && (await mayMailTo(request, address)))
    await sendCode(request, link, address, isAdmitted, expiresAt)
  if (!isAdmitted) parts.outbox.noteRefused(request.tenant, link.linkId)
  return { status: 'code_sent', expiresAt: expiresAt.toISOString() }
}

async function sendCode(
  request: WriteRequest,
  link: OpenableLink,
  address: string,
  isAdmitted: boolean,
  expiresAt: Date,
): Promise<void> {
  const { tx, tenant, now, parts } = request
  const sent = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
  const codeHash = parts.secrets.keep(boundCode(link, address, sent))
  await saveLinkCode(tx, tenant, link.linkId, digestOf(request, address), { codeHash, expiresAt }, now)
  await enqueueMail(request, {
    to: isAdmitted ? address : NOBODY,
    subject: `Your code: ${sent}`,
    text: `Your one-time code to open “${link.name}” is ${sent}.\n\nIt is valid for ten minutes. ${link.createdBy} shared this with you. If you did not ask for a code, ignore this mail: nothing was opened.\n`,
    // What has expired is never sent.
    expiresAt: isAdmitted ? expiresAt : now,
    fromName: link.createdBy,
    about: isAdmitted ? { owner: link.owner, link: link.linkId, purpose: 'code' } : null,
  })
}

/** A code is compared only a few times, and opens one profile. */
async function byCodeSent(
  request: WriteRequest,
  link: OpenableLink,
  address: string,
  isAdmitted: boolean,
  code: string,
): Promise<Answer> {
  const { tx, tenant, now, parts } = request
  const digest = digestOf(request, address)
  const kept = await loadLinkCode(tx, tenant, link.linkId, digest)
  if (kept === undefined || kept.expiresAt <= now || kept.failures >= MOST_FAILURES) return REFUSED
  const isRight = parts.secrets.isKeptOf(kept.codeHash, boundCode(link, address, code.replace(/[\s-]/g, '')))
  if (!isRight || !isAdmitted) {
    await countCodeFailure(tx, tenant, link.linkId, digest)
    return REFUSED
  }
  return proved({ email: address, use: () => deleteLinkCodes(tx, tenant, link.linkId, digest) })
}

const boundCode = ({ linkId }: OpenableLink, address: string, code: string) =>
  JSON.stringify(['code of a link', linkId, address, code])

/** Stands for an address where a code is kept, so that the store does not tell who asked. */
const digestOf = ({ parts, tenant }: WriteRequest, address: string): Buffer =>
  parts.secrets.digest(JSON.stringify(['code for', tenant, address]))

async function byApproval(request: WriteRequest, link: OpenableLink, given: Presented): Promise<Answer> {
  if (given.ticket !== undefined) return byTicket(request, link, given.ticket)
  if (given.name === undefined) return { status: 'name_needed' }
  const { tx, tenant, now } = request
  if ((await countWaiting(tx, tenant, link.linkId, inSeconds(now, -3_600))) >= MOST_WAITING) return REFUSED
  const { clock } = request.parts
  const ticket = Buffer.from(clock.newSecret?.(TICKET_BYTES) ?? randomBytes(TICKET_BYTES))
  const requestId = clock.newId('link_request')
  await insertLinkRequest(tx, tenant, {
    requestId,
    linkId: link.linkId,
    name: given.name,
    state: 'pending',
    createdAt: now,
    ticketHash: hashSecret(ticket),
  })
  await notify(request, [
    {
      recipient: link.createdBy,
      type: 'share.requested',
      session: null,
      refs: { link: link.linkId, request: requestId },
    },
  ])
  return { status: 'waiting', ticket: ticket.toString('base64url') }
}

async function byTicket(request: WriteRequest, link: OpenableLink, ticket: string): Promise<Answer> {
  const { tx, tenant, now } = request
  const hash = hashSecret(Buffer.from(ticket, 'base64url'))
  const asked = await lockRequestByTicket(tx, tenant, link.linkId, hash)
  if (asked?.state === 'pending') return { status: 'waiting', ticket: null }
  if (asked?.state !== 'approved') return REFUSED
  const use = () => saveRequestState(tx, tenant, asked.requestId, 'used', now)
  return proved({ approved: asked, use })
}

const inSeconds = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1_000)
