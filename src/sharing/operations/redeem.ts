import { randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { enqueueMail, mayMailTo } from '../../mail/enqueue.js'
import { notify } from '../../notifications/notify.js'
import { hashSecret, readKey, TOKEN_PREFIX } from '../../runtime/api-key.js'
import { name, text } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { countUse } from '../../storage/queries/profile-uses.js'
import {
  type Attempts,
  countWaiting,
  insertLinkRequest,
  type LinkRequestRow,
  lockRequestByTicket,
  type OpenableLink,
  saveAttempts,
  saveRequestState,
} from '../../storage/queries/share-links.js'
import { findOpenableLink } from '../find-openable-link.js'
import { openProfile } from '../open-profile.js'
import { isPasscodeOf } from '../passcode.js'
import { addressOf } from '../share-link.js'

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
const MOST_OPENED_AN_HOUR = 120
const MOST_WAITING = 20
const TICKET_BYTES = 32

const input = z.strictObject({
  token: text(400).meta({
    description: 'The token of the link, as it was handed over.',
    example: 'privshare_…',
  }),
  email: text(254).optional().meta({
    description: 'Your address, for a link bound to one. A code is sent there.',
    example: 'berg@example.com',
  }),
  code: text(20)
    .optional()
    .meta({ description: 'The code that was sent to the address.', example: '12345678' }),
  passcode: text(200)
    .optional()
    .meta({ description: 'The passcode, for a link that asks for one.', example: 'open sesame' }),
  name: name
    .optional()
    .meta({ description: 'Your name, for a link whose host lets people in by name.', example: 'Berg' }),
  ticket: text(100).optional().meta({
    description: 'The ticket that was answered to the name. Ask again with it until the host has decided.',
    example: 'b3BlbiBzZXNhbWU',
  }),
})
type Input = z.output<typeof input>

const nextStep = <Value extends string>(value: Value) =>
  z.literal(value).meta({ description: 'What comes next.' })

const output = z.discriminatedUnion('status', [
  z.object({
    status: nextStep('open'),
    key: z
      .string()
      .meta({ description: 'The key of the session, to be sent in place of an API key. It is shown once.' }),
    profile: z.string().meta({ description: 'The session, by its id.' }),
    expiresAt: z.string().meta({ description: 'When it expires.' }),
  }),
  z.object({ status: nextStep('email_needed') }),
  /** Sent for any address: only the mail itself tells whether it was the right one. */
  z.object({
    status: nextStep('code_sent'),
    expiresAt: z.string().meta({ description: 'When it expires.' }),
  }),
  z.object({ status: nextStep('passcode_needed') }),
  z.object({ status: nextStep('name_needed') }),
  z.object({
    status: nextStep('waiting'),
    ticket: z
      .string()
      .nullable()
      .meta({ description: 'Ask again with it until the host has decided; null if you asked with one.' }),
  }),
  /** The input is wrong or has expired, or there were too many guesses. */
  z.object({ status: nextStep('refused') }),
])
/** An answer. The reason of a refusal is for the host, and is not told to whoever guesses. */
type Answer =
  | Exclude<z.input<typeof output>, { status: 'refused' }>
  | { readonly status: 'refused'; readonly reason: 'share_link_refused' | 'share_link_locked' }
const REFUSED = { status: 'refused', reason: 'share_link_refused' } as const
const LOCKED = { status: 'refused', reason: 'share_link_locked' } as const

/**
 * Opens a profile with a link. A link that is unknown, revoked, expired or full gives the same answer (ST-3). A wrong
 * guess is an answer and not an error, because it must be counted.
 */
export const redeemLink = writeOperation({
  name: 'links.redeem',
  route: 'POST /links/redeem',
  summary: 'Open a session by a share link',
  policies: ['recipient'],
  answeredOnce: true,
  isPublic: true,
  // A real token appears in only one answer, which a sample cannot read, so this one is made up.
  sample: world => ({ token: world.pick(['privshare_x', `privshare_${world.madeOrOther('link')}`]) }),
  callers: 'anyone',
  effects: ['share_link_redeemed'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input,
  output,
  async run(request, given) {
    const link = await requireOpenable(request, given.token)
    const answer = await answerTo(request, link, given)
    if (answer.status === 'refused')
      return { output: { status: 'refused' as const }, refs: [link.linkId], refused: answer.reason }
    const refs = answer.status === 'open' ? [link.linkId, answer.profile] : [link.linkId]
    return { output: answer, refs }
  },
  // A profile is opened once, and its key is shown once.
  replay: async () => {
    throw new PrivityError('conflict', 'this request was already answered; open another session')
  },
})

/** Checks the link again under a lock, so that requests for it take turns. */
async function requireOpenable(request: WriteRequest, token: string): Promise<OpenableLink> {
  const presented = readKey(token, TOKEN_PREFIX)
  if (presented === null || presented.tenant !== request.tenant) throw absent()
  const link = await findOpenableLink(request.tx, presented, request.now, { lock: true })
  if (link === undefined) throw absent()
  return link
}

function answerTo(request: WriteRequest, link: OpenableLink, given: Input): Promise<Answer> {
  switch (link.recipientIdentityMode) {
    case 'anonymous_share_token':
      return opened(request, link)
    case 'email_bound':
      return byCode(request, link, given)
    case 'passcode_required':
      return byPasscode(request, link, given)
    case 'host_approved_named_external':
      return byApproval(request, link, given)
    default:
      // An identity mode that this build does not know (DE-2).
      throw absent()
  }
}

/** Whether the hourly limit of a link allows one more use. */
async function countHourly(
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

async function opened(request: WriteRequest, link: OpenableLink, approved?: LinkRequestRow): Promise<Answer> {
  // Each opened profile leaves rows behind, so opening and leaving without end must be limited.
  if (!(await countHourly(request, link, 'open', MOST_OPENED_AN_HOUR))) throw absent()
  const { profile, key, expiresAt } = await openProfile(request, link, approved)
  return { status: 'open', key, profile, expiresAt: expiresAt.toISOString() }
}

async function note(request: WriteRequest, link: OpenableLink, changed: Partial<Attempts>): Promise<void> {
  await saveAttempts(request.tx, request.tenant, link.linkId, { ...link, ...changed })
}

/**
 * The slow comparison runs outside of the transaction, but its result counts only here, where guesses take turns:
 * however many come at once, only a few are ever evaluated.
 */
async function byPasscode(request: WriteRequest, link: OpenableLink, { passcode }: Input): Promise<Answer> {
  const { passcodeHash } = link
  if (passcode === undefined || passcodeHash === null) return { status: 'passcode_needed' }
  if (link.lockedUntil !== null && link.lockedUntil > request.now) return LOCKED
  const { clock } = request.parts
  const isLocked = () => (lockedHere.get(link.linkId) ?? 0) > clock.now().getTime()
  const isRight = request.parts.prepared.of(`passcode ${passcodeHash}`, () =>
    isPasscodeOf(passcodeHash, passcode, isLocked),
  )
  if (isRight) {
    await note(request, link, { failures: 0, lockedUntil: null })
    return opened(request, link)
  }
  const failures = link.failures + 1
  const locks = failures % MOST_FAILURES === 0
  const lockedUntil = locks ? inSeconds(request.now, LOCKED_SECONDS) : link.lockedUntil
  await note(request, link, { failures, lockedUntil })
  if (!locks || lockedUntil === null) return REFUSED
  noteLocked(link, lockedUntil)
  await notify(request, [
    { recipient: link.createdBy, type: 'share.locked', session: null, refs: { link: link.linkId } },
  ])
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

async function byCode(request: WriteRequest, link: OpenableLink, { email, code }: Input): Promise<Answer> {
  if (email === undefined) return { status: 'email_needed' }
  const address =
    link.recipientEmail === null ? null : request.parts.secrets.open(link.recipientEmail, addressOf(link))
  const isTheirs = address === email.trim().toLowerCase()
  if (code !== undefined) return byCodeSent(request, link, isTheirs ? code : null)
  const expiresAt = inSeconds(request.now, CODE_SECONDS)
  const [kind, most] = isTheirs ? ['code', MOST_CODES_AN_HOUR] : ['other', MOST_OTHERS_AN_HOUR]
  const isWithin = address !== null && (await countHourly(request, link, kind, most))
  // Whoever is not asked for counts as well, so that the answer takes as long.
  if (isWithin && (await mayMailTo(request, isTheirs ? address : email.trim().toLowerCase()))) {
    const sent = String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
    const codeHash = request.parts.secrets.keep(boundCode(link, sent))
    // A wrong address leads to the same writes without effect, so that the response time does not reveal whose link
    // it is.
    await note(request, link, isTheirs ? { codeHash, codeExpiresAt: expiresAt, codeFailures: 0 } : {})
    await enqueueMail(request, {
      to: address,
      subject: `Your code: ${sent}`,
      text: `Your one-time code to open “${link.name}” is ${sent}.\n\nIt is valid for ten minutes. ${link.createdBy} shared this with you. If you did not ask for a code, ignore this mail: nothing was opened.\n`,
      expiresAt: isTheirs ? expiresAt : request.now,
      fromName: link.createdBy,
      about: isTheirs ? { owner: link.owner, link: link.linkId, purpose: 'code' } : null,
    })
  }
  return { status: 'code_sent', expiresAt: expiresAt.toISOString() }
}

/** A code is compared only a few times, and opens one profile. */
async function byCodeSent(request: WriteRequest, link: OpenableLink, code: string | null): Promise<Answer> {
  const { codeHash, codeExpiresAt, codeFailures } = link
  const isOver = codeExpiresAt === null || codeExpiresAt <= request.now || codeFailures >= MOST_FAILURES
  if (codeHash === null || isOver) return REFUSED
  const isRight =
    code !== null && request.parts.secrets.isKeptOf(codeHash, boundCode(link, code.replace(/[\s-]/g, '')))
  if (!isRight) {
    await note(request, link, { codeFailures: codeFailures + 1 })
    return REFUSED
  }
  await note(request, link, { codeHash: null, codeExpiresAt: null, codeFailures: 0 })
  return opened(request, link)
}

const boundCode = ({ linkId }: OpenableLink, code: string) => JSON.stringify(['code of a link', linkId, code])

async function byApproval(request: WriteRequest, link: OpenableLink, given: Input): Promise<Answer> {
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
  await saveRequestState(tx, tenant, asked.requestId, 'used', now)
  return opened(request, link, asked)
}

const inSeconds = (from: Date, seconds: number) => new Date(from.getTime() + seconds * 1_000)
