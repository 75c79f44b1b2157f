import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { clampTrust } from '../../policy/claims.js'
import { isAgentAudience, type Trust } from '../../policy/subject.js'
import { AUDIENCES, rank, SENSITIVITIES, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import {
  type ApiKey,
  holdApiKey,
  insertApiKey,
  listApiKeys,
  loadApiKey,
  revokeApiKey,
} from '../../storage/queries/api-keys.js'
import { hashSecret, SECRET_BYTES, writeKey } from '../api-key.js'
import {
  isUnrestricted,
  type RequestCaller,
  readCredential,
  trustContext,
  visibilityBounds,
} from '../caller.js'
import { unauthenticated } from '../facts.js'
import { id, isActorName, moment, name, principal, text } from '../input.js'
import { readOperation, writeOperation } from '../operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../request.js'

/** What a key says: a credential of its tenant, but for the key's own id. */
const said = z.object({
  actor: z.string(),
  audience: z.enum(AUDIENCES),
  for: z.string(),
  trust: z.object({ maxSensitivity: z.enum(SENSITIVITIES), scopes: z.array(z.string()) }),
  policy: z.string().nullable(),
  visibility: z.object({ ceiling: z.enum(VISIBILITY_CLASSES), floor: z.enum(VISIBILITY_CLASSES).nullable() }),
  session: z.string(),
  choosesSession: z.boolean(),
  /** The profile that every request with it runs under. */
  profile: z.string().nullable().default(null),
})
export type Said = z.output<typeof said>

const key = said.extend({
  id: z.string(),
  name: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  lastUsedAt: z.string().nullable(),
})

const view = (row: ApiKey): z.input<typeof key> => ({
  ...said.parse(row.credential),
  id: row.keyId,
  name: row.name,
  createdBy: row.createdBy,
  createdAt: row.createdAt.toISOString(),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  revokedAt: row.revokedAt?.toISOString() ?? null,
  lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
})

/** A host sees every key of its tenant, an owner those that act for them. */
const keysOf = ({ caller }: ReadRequest) => (caller.audience === 'host' ? null : caller.actingFor)

async function replayKey(request: WriteRequest, [keyId = '']: readonly string[]) {
  const row = await loadApiKey(request.tx, request.tenant, keysOf(request), keyId)
  if (row === undefined) throw absent()
  return view(row)
}

const input = z.strictObject({
  name,
  /** Whose it is; for an agent what it is called, to which an owner's name is added. The caller at first. */
  actor: principal.optional(),
  audience: z.enum(AUDIENCES).default('owner'),
  /** The person an agent works for. The caller at first. */
  for: principal.optional(),
  /** What it is trusted with; an agent or recipient must have it said. */
  trust: trustContext.pick({ maxSensitivity: true, scopes: true }).optional(),
  policy: name.optional(),
  visibility: visibilityBounds.optional(),
  session: name.optional(),
  choosesSession: z.boolean().default(false),
  expiresAt: moment.optional(),
})
type Input = z.output<typeof input>

/**
 * Makes a key, whose secret is in the answer and nowhere else. A key never holds more than the credential that it was
 * made with, does not outlast it, and falls with it (DE-3).
 */
export const createKey = writeOperation({
  name: 'keys.create',
  summary: 'Make an API key; its secret is shown once',
  callers: 'owner',
  effects: ['key_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input,
  output: z.object({
    key,
    /** To be kept by whoever is to use it. A repeated request does not get it again. */
    secret: z.string().nullable(),
  }),
  async run(request, asked) {
    const { caller, now } = request
    const { clock, identity } = request.parts
    // It may be revoked at this moment: then the new key falls with it, or is not made.
    if (caller.key !== null && !(await holdApiKey(request.tx, request.tenant, caller.key)))
      throw unauthenticated()
    const credential = credentialFor(caller, asked)
    const expiresAt = earlier(earlier(asked.expiresAt ?? null, identity.keyExpiresAt), caller.expiresAt)
    if (expiresAt !== null && expiresAt <= now)
      throw new PrivityError('invalid_input', 'expiresAt: must lie in the future')
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
    })
    if (!made) throw new PrivityError('conflict', 'there is a key of this name already')
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

/** What the new key says: what was asked for, clamped to what its maker holds. */
function credentialFor(caller: RequestCaller, asked: Input): Said {
  const { audience } = asked
  const worksFor = isAgentAudience(audience) && audience !== 'recipient'
  const isHost = caller.audience === 'host'
  // Who is no host says whose agent it is, so that nobody's agent is taken for somebody else.
  const named =
    worksFor && !isHost && asked.actor !== undefined ? `${caller.actingFor}/${asked.actor}` : asked.actor
  const actor = named ?? caller.actingFor
  const actingFor = worksFor ? (asked.for ?? caller.actingFor) : actor
  if (!worksFor && asked.for !== undefined && asked.for !== actor)
    throw new PrivityError('invalid_input', 'for: only an agent works for someone else')
  if (!isActorName(actor) || !isActorName(actingFor))
    throw new PrivityError('invalid_input', 'actor: must not be the name of a group or role')
  if (caller.profile !== null && actor !== caller.actor)
    throw new PrivityError('not_allowed', 'under a profile, agents.spawn makes keys for others', {
      reason: 'session.audience_not_allowed',
    })
  if (worksFor && asked.actor === undefined)
    throw new PrivityError('invalid_input', 'actor: an agent needs a name of its own')
  // Whom they act for is theirs to hand on; that others exist is not theirs to learn (NI-5).
  if (!isHost && (actingFor !== caller.actingFor || audience === 'host' || audience === 'recipient'))
    throw new PrivityError('not_allowed', 'only a host makes keys for others', {
      reason: 'session.audience_not_allowed',
    })
  if (isAgentAudience(audience) && asked.trust === undefined)
    throw new PrivityError('trust_required', 'trust: an agent must be told what it may see')
  const held: Trust = caller.heldTrust ?? {
    maxSensitivity: 'public',
    scopes: new Set(),
    authenticated: false,
  }
  const trust = clampTrust(held, asked.trust)
  if (trust.scopes !== 'all' && trust.scopes.size === 0)
    throw new PrivityError('invalid_input', 'trust.scopes: none of these can be handed on')
  // What a policy withholds from the maker it withholds from what is made.
  if (caller.policy !== null && asked.policy !== undefined && asked.policy !== caller.policy)
    throw new PrivityError('not_allowed', 'a key made under a capability policy is under the same', {
      reason: 'session.audience_not_allowed',
    })
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
    // What is made under a profile stays under it.
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

/** Keys that act for the caller, or for a host all of its tenant, newest first. Never a secret. */
export const listKeys = readOperation({
  name: 'keys.list',
  summary: 'List API keys and their last use',
  callers: 'owner',
  input: z.strictObject({ limit: z.int().min(1).max(200).default(50), cursor: text(2_000).optional() }),
  output: z.object({ keys: z.array(key), cursor: z.string().nullable() }),
  async run(request, { limit, cursor }) {
    const { secrets, actorId, forId } = request.parts
    const boundTo = JSON.stringify(['keys.list', actorId, forId, request.caller.audience])
    const before = cursor === undefined ? null : readPlace(secrets.open(cursor, boundTo))
    const rows = await listApiKeys(request.tx, request.tenant, keysOf(request), before, limit + 1)
    const page = rows.slice(0, limit)
    const last = page.at(-1)
    const more = rows.length > limit && last !== undefined
    return { keys: page.map(view), cursor: more ? secrets.seal(writePlace(last), boundTo) : null }
  },
})

const writePlace = ({ createdAt, keyId }: ApiKey) =>
  `${String(createdAt.getTime()).padStart(16, '0')}${keyId}`
const readPlace = (place: string) => ({ at: new Date(Number(place.slice(0, 16))), id: place.slice(16) })

/** A credential that holds less than its owner ends itself and what it made, and nothing of its owner's. */
const mayRevoke = (caller: RequestCaller, { keyId, madeWith }: ApiKey) =>
  isUnrestricted(caller) || (caller.key !== null && (keyId === caller.key || madeWith === caller.key))

/** Ends a key, and every key made with it, from the next request on. */
export const revokeKey = writeOperation({
  name: 'keys.revoke',
  summary: 'Revoke an API key and every key made with it',
  callers: 'owner',
  effects: ['key_revoked'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ key: id }),
  output: key,
  async run(request, { key: keyId }) {
    const { caller } = request
    const row = await loadApiKey(request.tx, request.tenant, keysOf(request), keyId)
    if (row === undefined || !mayRevoke(caller, row)) throw absent()
    await revokeApiKey(request.tx, request.tenant, keyId, request.now)
    // Whatever runs now decides again, and finds its key gone: all answers rest on the tenant's own facts.
    request.changesFactsOf('')
    return { output: await replayKey(request, [keyId]), refs: [keyId] }
  },
  replay: replayKey,
})
