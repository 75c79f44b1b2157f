import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { id } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { listSharedVessel } from '../../storage/queries/mediation-records.js'
import { FIRST_PLACES, type SessionRow } from '../../storage/queries/sessions.js'
import { setRole } from '../../storage/queries/set-role.js'
import { loadRankings, setRanking } from '../../storage/queries/strategy-rankings.js'
import { requireStatement, statement } from '../require-statement.js'
import {
  changeSession,
  enterContract,
  lockOpenSession,
  requireSession,
  requireStage,
  sessionId,
} from '../session.js'
import { share } from '../share.js'
import { MOST_SHARED, requireInSession, requireRecordForReplay } from '../shared-records.js'
import { findStandingConsents } from '../staleness.js'
import { transformBuiltIn } from '../transformation.js'

const MOST_RANKED = 50

export const submitStrategy = writeOperation({
  name: 'strategies.submit',
  route: 'POST /sessions/:session/strategies',
  summary: 'Propose a strategy: it enters the pool without your name',
  sample: world => ({
    session: world.made('session'),
    content: world.word(),
    ...world.maybe(0.3, { commonGround: [world.record()] }),
  }),
  callers: 'owner',
  effects: ['consent_decided', 'record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    content: statement.meta({
      description: 'What to do, in a few sentences.',
      example: 'We could cook together on Sundays.',
    }),
    commonGround: z
      .array(id)
      .max(20)
      .optional()
      .meta({ description: 'The common ground it rests on, by ids.' }),
  }),
  output: z.object({
    id: z.string().meta({ description: 'The id of the strategy.' }),
    consentRecordId: z.string().meta({
      description: 'The decision by which it is shared; pass it to `bridge.revoke` to take it back.',
    }),
  }),
  async run(request, { session, content, commonGround = [] }) {
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 4)
    const sources = await requireInSession(request, row, [...new Set(commonGround)], 'common_ground')
    const words = await requireStatement(request, row, content)
    const { record, contentId } = await share(request, row, {
      kind: 'strategy_proposal',
      contentType: 'STRATEGY_PROPOSAL',
      description: transformBuiltIn(words, 'STRATEGY_PROPOSAL').description,
      text: words,
      sources,
      original: null,
    })
    const output = { id: contentId, consentRecordId: record.consentRecordId }
    return { output, refs: [output.id, output.consentRecordId] }
  },
  async replay(request, [made = '', consentRecordId = ''], { session }) {
    await requireRecordForReplay(request, session, made, 'strategy_proposal')
    return { id: made, consentRecordId }
  },
})

const ranking = z.array(
  z.object({
    position: z.int().meta({ description: 'The place, counted from 1.' }),
    // CB-7
    proposal: z
      .string()
      .nullable()
      .meta({ description: 'The strategy, by its id; null once it has left the pool.' }),
    stale: z.boolean().meta({ description: 'Whether it has left the pool.' }),
  }),
)

/** The current proposals as the caller sees them. Their order reveals neither who made them nor when. */
export async function poolOf(request: ReadRequest, session: SessionRow): Promise<RecordRow[]> {
  const { tx, tenant, caller } = request
  enterContract(request, session, 'browse')
  const filter = {
    relationship: session.relationship,
    session: session.sessionId,
    kinds: ['strategy_proposal'],
    inFull: true,
  }
  await setRole(tx, 'privity_app')
  const rows = await listSharedVessel(
    tx,
    tenant,
    caller.actingFor,
    'addressed or own',
    filter,
    null,
    MOST_SHARED,
  )
  await setRole(tx, request.role)
  const seen = (await request.decide(rows)).filter(({ level }) => level === 'full')
  // Owners still see what they revoked, but it is no longer in the pool.
  const standing = await findStandingConsents(
    request,
    rows.flatMap(({ tuple }) => tuple.consentRecord ?? []),
  )
  return seen
    .map(({ row }) => row)
    .filter(({ tuple }) => standing.has(tuple.consentRecord ?? ''))
    .sort((one, other) => (one.id < other.id ? -1 : 1))
}

/** A ranking as its owner sees it now. */
function rankingView(proposals: readonly string[], pool: ReadonlySet<string>): z.input<typeof ranking> {
  return proposals.map((proposal, at) => {
    const stale = !pool.has(proposal)
    return { position: at + 1, proposal: stale ? null : proposal, stale }
  })
}

/** The strategies that everybody ranked among their first; empty until everybody has ranked. */
function overlapOf(
  { members }: SessionRow,
  rankings: readonly { readonly proposals: readonly string[] }[],
  pool: ReadonlySet<string>,
): string[] {
  if (rankings.length < members.length) return []
  const firsts = rankings.map(({ proposals }) => proposals.slice(0, FIRST_PLACES))
  return [...pool].filter(proposal => firsts.every(first => first.includes(proposal)))
}

export const strategyPool = readOperation({
  name: 'strategies.pool',
  route: 'GET /sessions/:session/strategies',
  summary: 'List the strategies of the pool, your ranking of them, and what all of you put first',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  input: z.strictObject({ session: sessionId }),
  output: z.object({
    strategies: z
      .array(
        z.object({
          id: z.string().meta({ description: 'The id of the strategy.' }),
          content: z.string().meta({ description: 'What to do.' }),
        }),
      )
      .meta({ description: 'The strategies, without their authors, in no telling order.' }),
    ranking: ranking.nullable().meta({ description: 'Your ranking; null until you have ranked.' }),
    overlap: z.array(z.string()).meta({
      description:
        'Strategies among the first three of everybody. An empty list does not tell whether the others have ranked.',
    }),
  }),
  async run(request, { session }) {
    const { tx, tenant, caller } = request
    const row = await requireSession(request, session)
    const pool = await poolOf(request, row)
    const views = await request.view(pool)
    for (const view of views) if (view !== null) request.show(view)
    const rankings = await loadRankings(tx, tenant, session)
    const ids = new Set(pool.map(proposal => proposal.id))
    const own = rankings.find(({ actor }) => actor === caller.actingFor)
    return {
      strategies: pool.map(proposal => ({ id: proposal.id, content: proposal.text })),
      ranking: own === undefined ? null : rankingView(own.proposals, ids),
      overlap: overlapOf(row, rankings, ids),
    }
  },
})

/**
 * Refuses a new ranking until the others' strategies have changed, and returns the consents that the ranking rests
 * on. If callers could rank again at will, they could read the others' rankings from the overlap; this way each try
 * needs an act of somebody else. A refusal does not reveal whether the others have ranked (NI-8).
 */
async function requireUnsettled(
  request: ReadRequest,
  session: SessionRow,
  pool: readonly RecordRow[],
): Promise<string[]> {
  const { tx, tenant, caller } = request
  const rankings = await loadRankings(tx, tenant, session.sessionId)
  const own = rankings.find(({ actor }) => actor === caller.actingFor)
  const before = own?.seen ?? []
  const standing = await findStandingConsents(request, before)
  const others = pool.filter(({ tuple }) => tuple.owner !== caller.actingFor)
  const seen = new Set([...standing, ...others.flatMap(({ tuple }) => tuple.consentRecord ?? [])])
  const isSame = seen.size === before.length && before.every(consent => seen.has(consent))
  if (own !== undefined && isSame)
    throw new PrivityError(
      'conflict',
      'your ranking cannot be changed until the other person adds or withdraws a strategy',
    )
  return [...seen].sort()
}

/** Ranks the strategies of the pool in the caller's order. Nobody else sees the ranking. */
export const rankStrategies = writeOperation({
  name: 'strategies.rank',
  route: 'POST /sessions/:session/strategies/rank',
  summary: 'Rank strategies of the pool, the best first; anew once others changed the pool',
  sample: world => ({
    session: world.made('session'),
    proposals: [world.record()],
  }),
  callers: 'owner',
  effects: ['strategies_ranked'],
  reversibility: 'reversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    proposals: z
      .array(id)
      .min(1)
      .max(MOST_RANKED)
      .refine(ids => new Set(ids).size === ids.length, { message: 'must all differ' })
      .meta({ description: 'Strategies of the pool, by their ids, the best first.' }),
  }),
  output: z.object({ ranking: ranking.meta({ description: 'Your ranking.' }) }),
  async run(request, { session, proposals }) {
    const { tx, tenant, caller, now } = request
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 4)
    const pool = await poolOf(request, row)
    const ids = new Set(pool.map(proposal => proposal.id))
    if (!proposals.every(proposal => ids.has(proposal))) throw absent()
    const seen = await requireUnsettled(request, row, pool)
    await changeSession(request, row, () =>
      setRanking(tx, tenant, session, { actor: caller.actingFor, proposals, seen }, now),
    )
    return { output: { ranking: rankingView(proposals, ids) }, refs: proposals }
  },
  async replay(request, refs, { session }) {
    const pool = await poolOf(request, await requireSession(request, session))
    return { ranking: rankingView(refs, new Set(pool.map(proposal => proposal.id))) }
  },
})
