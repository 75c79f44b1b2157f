import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { readKey, TOKEN_PREFIX } from '../../runtime/api-key.js'
import { name, text } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import type { OpenableLink } from '../../storage/queries/share-links.js'
import { findOpenableLink } from '../find-openable-link.js'
import { openProfile } from '../open-profile.js'
import { countHourly, type Proof, proveRecipient, type Refused } from '../prove-recipient.js'
import { hashAgreement } from '../share-link.js'
import { tellHost } from '../tell-host.js'

const MOST_OPENED_AN_HOUR = 120

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
  agreement: text(64).optional().meta({
    description: 'The SHA-256 of the text that you agree to, as `agreement_needed` told it.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
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
  /** The last step: what was proved so far stays proved, and is sent again with the hash. */
  z.object({
    status: nextStep('agreement_needed'),
    text: z.string().meta({ description: 'What to agree to.' }),
    sha256: z.string().meta({ description: 'SHA-256 of the text, to be sent back as `agreement`.' }),
  }),
  /** The input is wrong or has expired, or there were too many guesses. */
  z.object({ status: nextStep('refused') }),
])
/** An answer. The reason of a refusal is for the host, and is not told to whoever guesses. */
type Answer = Exclude<z.input<typeof output>, { status: 'refused' }> | Refused

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
    if (answer.status === 'refused') {
      if (answer.reason === 'share_link_refused') await tellHost(request, link, { event: 'refused' })
      return { output: { status: 'refused' as const }, refs: [link.linkId], refused: answer.reason }
    }
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
  const { link } = await findOpenableLink(request.tx, presented, request.now, { lock: true })
  if (link === undefined) throw absent()
  return link
}

async function answerTo(request: WriteRequest, link: OpenableLink, given: Input): Promise<Answer> {
  const proof = await proveRecipient(request, link, given)
  if (proof.status !== 'proved') return proof
  const { agreement } = link
  if (agreement === null) return await opened(request, link, proof, null)
  const sha256 = hashAgreement(agreement)
  if (given.agreement?.toLowerCase() !== sha256)
    return { status: 'agreement_needed', text: agreement, sha256 }
  return await opened(request, link, proof, sha256)
}

async function opened(
  request: WriteRequest,
  link: OpenableLink,
  proof: Proof,
  agreementHash: string | null,
): Promise<Answer> {
  // Each opened profile leaves rows behind, so opening and leaving without end must be limited.
  if (!(await countHourly(request, link, 'open', MOST_OPENED_AN_HOUR))) throw absent()
  await proof.use()
  const { profile, key, expiresAt } = await openProfile(request, link, { ...proof, agreementHash })
  const who = proof.approved?.name ?? proof.email
  await tellHost(request, link, { event: 'opened', who, refs: { profile } })
  return { status: 'open', key, profile, expiresAt: expiresAt.toISOString() }
}
