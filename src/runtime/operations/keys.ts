import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { clampTrust } from '../../policy/claims.js'
import { isAgentAudience, type Trust } from '../../policy/subject.js'
import { rank, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import {
  type ApiKeyRow,
  holdApiKey,
  insertApiKey,
  listApiKeys,
  loadApiKey,
  revokeApiKey,
} from '../../storage/queries/api-keys.js'
import { hashSecret, SECRET_BYTES, writeKey } from '../api-key.js'
import { type RequestCaller, readCredential, trustContext, visibilityBounds } from '../caller.js'
import { cursorBoundary } from '../cursor-boundary.js'
import { unauthenticated } from '../facts.js'
import { createdAt, nextCursor } from '../fields.js'
import { id, isActorName, moment, name, principal } from '../input.js'
import { pageInput } from '../list-newest-first.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'
import { audience, sensitivity, visibilityClass } from '../vocabulary.js'

/** The credential that a key stands for; the tenant and the key's own id are not repeated. */
const said = z.object({
  actor: z.string().meta({ description: 'Who the key speaks as.' }),
  audience: audience.meta({ description: 'What sort of caller it is.' }),
  for: z.string().meta({ description: 'The person it works for.' }),
  trust: z
    .object({
      maxSensitivity: sensitivity.meta({ description: 'The highest sensitivity that is shown in full.' }),
      scopes: z.array(z.string()).meta({ description: 'The scopes it is trusted with; empty for all.' }),
    })
    .meta({ description: 'What it is trusted with; null if nothing narrows it.' }),
  policy: z
    .string()
    .nullable()
    .meta({ description: 'The capability policy it is under; null for the built-in one.' }),
  visibility: z
    .object({
      ceiling: visibilityClass.meta({ description: 'The highest visibility class that is shown.' }),
      floor: visibilityClass
        .nullable()
        .meta({ description: 'The lowest visibility class that is shown; null for no bound.' }),
    })
    .meta({ description: 'Between which visibility classes it is shown records; null for all.' }),
  session: z.string().meta({ description: 'The conversation it is for.' }),
  choosesSession: z.boolean().meta({ description: 'Whether a request may name its own conversation.' }),
  profile: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: 'The profile that every request with it runs under; null if none.' }),
})
export type KeyLimits = z.output<typeof said>

const key = said
  .extend({
    id: z.string().meta({ description: 'The id of the key.' }),
    name: z.string().meta({ description: 'Its name.' }),
    createdBy: z.string().meta({ description: 'Who made it.' }),
    createdAt,
    expiresAt: z.string().nullable().meta({ description: 'When it expires; null if it does not.' }),
    revokedAt: z.string().nullable().meta({ description: 'When it was revoked; null while it is valid.' }),
    lastUsedAt: z.string().nullable().meta({ description: 'When it was last used; null if it never was.' }),
  })
  .meta({ id: 'ApiKey', description: 'An API key and what it may do, without its secret.' })

const view = (row: ApiKeyRow): z.input<typeof key> => ({
  ...said.parse(row.credential),
  id: row.keyId,
  name: row.name,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

/** A host sees every key of its tenant; an owner sees those that act for them. */
const keysOf = ({ caller }: ReadRequest) => (caller.audience === 'host' ? null : caller.actingFor)

async function replayKey(request: WriteRequest, [keyId = '']: readonly string[]) {
  const row = await loadApiKey(request.tx, request.tenant, keysOf(request), keyId)
  if (row === undefined) throw absent()
  return view(row)
}

const input = z.strictObject({
  name: name.meta({ description: 'A name for it.', example: 'weekly' }),
  actor: principal.optional().meta({
    description: 'Whose key it is; for an agent, its name. Default: the caller.',
    example: 'helper',
  }),
  audience: audience.default('owner').meta({ description: 'What sort of caller it is for.' }),
  for: principal
    .optional()
    .meta({ description: 'The person an agent works for. Default: the caller.', example: 'ana' }),
  trust: trustContext
    .pick({ maxSensitivity: true, scopes: true })
    .optional()
    .meta({
      description: 'What it is trusted with. Required for agents and recipients.',
      example: { maxSensitivity: 'low' },
    }),
  policy: name.optional().meta({ description: 'A capability policy, by its name.', example: 'reading' }),
  visibility: visibilityBounds
    .optional()
    .meta({ description: 'Between which visibility classes it is shown records.' }),
  session: name.optional().meta({ description: 'The conversation or run it is for.', example: 'planning' }),
  choosesSession: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether a request may name its own conversation.' }),
  expiresAt: moment
    .optional()
    .meta({ description: 'When it expires. Never later than the key it is made with.' }),
})
type Input = z.output<typeof input>

/**
 * Creates an API key. Its secret is in the answer and nowhere else. A key never allows more than the credential that
 * made it, expires no later, and is revoked with it (DE-3).
 */
export const createKey = writeOperation({
  name: 'keys.create',
  route: 'POST /keys',
  summary: 'Create an API key; its secret is shown once',
  answeredOnce: true,
  sample: world => ({
    name: world.pick(['laptop', 'phone']),
    ...world.maybe(0.5, { audience: 'agent', actor: 'helper', trust: { maxSensitivity: 'medium' } }),
  }),
  callers: 'owner',
  effects: ['key_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input,
  output: z.object({
    key: key.meta({ description: 'The key.' }),
    secret: z.string().nullable().meta({
      description: 'The secret to send with requests. It is shown once: null when a request is repeated.',
    }),
  }),
  async run(request, asked) {
    const { caller, now } = request
    const { clock, identity } = request.parts
    // The maker's key may be revoked at this moment; then the new key is revoked with it, or not created.
    if (caller.key !== null && !(await holdApiKey(request.tx, request.tenant, caller.key)))
      throw unauthenticated()
    const credential = credentialFor(caller, asked)
    const expiresAt = earlier(earlier(asked.expiresAt ?? null, identity.keyExpiresAt), caller.expiresAt)
    if (expiresAt !== null && expiresAt <= now)
      throw new PrivityError('invalid_input', 'expiresAt: must be in the future')
    const keyId = clock.newId('key')
    const secret = clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES)
    const made = await insertApiKey(request.tx, request.tenant, {
      keyId,
      owner: credential.for,
      name: asked.name,
      secretHash: hashSecret(secret),
      credential,
      madeWith: caller.key,
      createdBy: caller.actor,
      createdAt: now,
      expiresAt,
      label: request.clearance,
      makerDigest: request.credential,
    })
    if (!made) throw new PrivityError('conflict', 'a key with this name already exists; choose another name')
    return {
      output: {
        key: await replayKey(request, [keyId]),
        secret: writeKey({ tenant: request.tenant, keyId, secret }),
      },
      refs: [keyId],
    }
  },
  replay: async (request, refs) => ({ key: await replayKey(request, refs), secret: null }),
})

/** The credential of the new key: what was asked for, clamped to what its maker may do. */
function credentialFor(caller: RequestCaller, asked: Input): KeyLimits {
  const { audience } = asked
  const worksFor = isAgentAudience(audience) && audience !== 'recipient'
  const isHost = caller.audience === 'host'
  // Unless a host makes it, an agent's name contains its owner, so that it cannot be mistaken for somebody else's.
  const named =
    worksFor && !isHost && asked.actor !== undefined ? `${caller.actingFor}/${asked.actor}` : asked.actor
  const actor = named ?? caller.actingFor
  const actingFor = worksFor ? (asked.for ?? caller.actingFor) : actor
  if (!worksFor && asked.for !== undefined && asked.for !== actor)
    throw new PrivityError('invalid_input', 'for: only an agent works for someone else')
  if (!isActorName(actor) || !isActorName(actingFor))
    throw new PrivityError('invalid_input', 'actor: must not be the name of a group or role')
  if (caller.profile !== null && actor !== caller.actor)
    throw new PrivityError(
      'not_allowed',
      'actor: a request under a profile cannot create keys for others; use agents.spawn',
      {
        reason: 'session.audience_not_allowed',
      },
    )
  if (worksFor && asked.actor === undefined)
    throw new PrivityError('invalid_input', 'actor: an agent needs a name that no person has')
  // Callers may make keys only for the one they act for, and must not learn whether others exist (NI-5).
  if (!isHost && (actingFor !== caller.actingFor || audience === 'host' || audience === 'recipient'))
    throw new PrivityError(
      'not_allowed',
      'only a host may create keys for somebody else; create one for yourself or an agent of yours, or ask the host',
      {
        reason: 'session.audience_not_allowed',
      },
    )
  if (isAgentAudience(audience) && asked.trust === undefined)
    throw new PrivityError(
      'trust_required',
      'trust: an agent needs a trust context, for example {"maxSensitivity":"low"}',
    )
  const held: Trust = caller.heldTrust ?? {
    maxSensitivity: 'public',
    scopes: new Set(),
    authenticated: false,
  }
  const trust = clampTrust(held, asked.trust)
  if (trust.scopes !== 'all' && trust.scopes.size === 0)
    throw new PrivityError(
      'invalid_input',
      'trust.scopes: must include at least one scope that you hold yourself',
    )
  // The capability policy of the maker also binds the keys it makes.
  if (caller.policy !== null && asked.policy !== undefined && asked.policy !== caller.policy)
    throw new PrivityError(
      'not_allowed',
      'policy: a key that you create has the capability policy of your own; leave it out',
      {
        reason: 'session.audience_not_allowed',
      },
    )
  const own = readCredential({
    tenant: caller.tenant,
    actor,
    audience,
    ...(asked.visibility === undefined ? {} : { visibility: asked.visibility }),
  })
  return said.parse({
    actor,
    audience,
    for: actingFor,
    trust: {
      maxSensitivity: trust.maxSensitivity,
      scopes: trust.scopes === 'all' ? [] : [...trust.scopes].sort(),
    },
    policy: caller.policy ?? asked.policy ?? null,
    visibility: {
      ceiling: lowest(own.ceiling, caller.ceiling),
      floor: highest(own.floor, caller.floor),
    },
    session: asked.session ?? '',
    choosesSession: asked.choosesSession,
    // A key made under a profile stays under it.
    profile: caller.profile,
  })
}

const classRank = (visibilityClass: string) => rank(VISIBILITY_CLASSES, visibilityClass)
const lowest = (a: string, b: string) => (classRank(a) <= classRank(b) ? a : b)
function highest(a: string | null, b: string | null): string | null {
  if (a === null || b === null) return a ?? b
  return classRank(a) >= classRank(b) ? a : b
}
const earlier = (a: Date | null, b: Date | null) => (a === null || (b !== null && b < a) ? b : a)

/** Lists the keys that act for the caller (for a host, all of its tenant), newest first, without secrets. */
export const listKeys = readOperation({
  name: 'keys.list',
  route: 'GET /keys',
  summary: 'List API keys and their last use',
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'owner',
  input: z.strictObject({ ...pageInput }),
  output: z.object({
    keys: z.array(key).meta({ description: 'The keys, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { limit, cursor }) {
    const { secrets } = request.parts
    const boundTo = cursorBoundary(request, 'keys.list', null)
    const before = cursor === undefined ? null : readPlace(secrets.open(cursor, boundTo))
    const { key: presented } = request.caller
    const rows = await listApiKeys(request.tx, request.tenant, keysOf(request), presented, before, limit + 1)
    const seen = new Set(await request.seen(rows))
    const page = rows.slice(0, limit).filter(row => seen.has(row) || row.keyId === presented)
    const last = page.at(-1)
    const more = rows.length > limit && last !== undefined
    return { keys: page.map(view), cursor: more ? secrets.seal(writePlace(last), boundTo) : null }
  },
})

const writePlace = ({ createdAt, keyId }: ApiKeyRow) =>
  `${String(createdAt.getTime()).padStart(16, '0')}${keyId}`
const readPlace = (place: string) => ({ at: new Date(Number(place.slice(0, 16))), id: place.slice(16) })

/** A restricted credential may revoke itself and the keys it made, but no other keys of its owner. */
const mayRevoke = ({ caller, seesEverything }: ReadRequest, { keyId, madeWith }: ApiKeyRow) =>
  seesEverything || (caller.key !== null && (keyId === caller.key || madeWith === caller.key))

/** Revokes a key and every key made with it, from the next request on. */
export const revokeKey = writeOperation({
  name: 'keys.revoke',
  route: 'DELETE /keys/:key',
  summary: 'Revoke an API key and every key made with it',
  positional: ['key'],
  sample: world => ({ key: world.other() }),
  callers: 'owner',
  effects: ['key_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ key: id.meta({ description: 'The key, by its id.' }) }),
  output: key,
  async run(request, { key: keyId }) {
    const row = await loadApiKey(request.tx, request.tenant, keysOf(request), keyId)
    if (row === undefined || !mayRevoke(request, row)) throw absent()
    await revokeApiKey(request.tx, request.tenant, keyId, request.now)
    // All answers rest on the tenant's facts, so running requests decide again and find that their key is revoked.
    request.changesFactsOf('')
    return { output: await replayKey(request, [keyId]), refs: [keyId] }
  },
  replay: replayKey,
})
