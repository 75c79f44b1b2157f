import type { Mutation } from '../../support/mutants.js'
import type { Leaks } from '../../support/planted-leaks.js'

const change =
  (file: string) =>
  (find: string, replace: string): Mutation => ({ file, find, replace })
const inConsentGate = change('src/policy/gates/consent.ts')
const inContractGate = change('src/policy/gates/contract.ts')
const inVesselGate = change('src/policy/gates/vessel.ts')
const inRowSecurity = change('sql/rls.sql')
const inBridge = change('src/mediation/operations/bridge.ts')
const inBridgeQueries = change('src/storage/queries/bridge.ts')
const inSessionQueries = change('src/storage/queries/sessions.ts')
const inVessels = change('src/mediation/operations/vessels.ts')
const inRetrieve = change('src/mediation/retrieve.ts')

/** Both locks of vessels open: whoever asks, every vessel of a mediation is theirs. */
const OPEN_VESSELS = [
  inVesselGate(
    `if (record.owner === subject.actingFor) return full('access.own_vessel')`,
    `if (record.session !== null || record.owner === subject.actingFor) return full('access.own_vessel')`,
  ),
  inRowSecurity(
    `    when 'user' then
      owner = privity.setting('principal')`,
    `    when 'user' then
      session is not null or owner = privity.setting('principal')`,
  ),
]

/** The second lock of what somebody is asked, and of their turns, open. */
const OPEN_REQUESTS = inRowSecurity(
  `create policy owner on privity.bridge_requests as restrictive for select to privity_app
  using (owner = privity.setting('principal'));`,
  '',
)
const OPEN_TURNS = inRowSecurity(
  `create policy actor on privity.turns as restrictive for select to privity_app
  using (actor = privity.setting('principal'));`,
  '',
)

/** Ways in which one partner could learn what the other keeps, each put into a copy of the sources. The harness has to see every one. */
export const MEDIATION_LEAKS: Leaks = {
  // Both locks at once: each alone would leave it out.
  'content whose consent was taken back': {
    seenIn: 2,
    mutations: [
      inConsentGate(
        `facts !== undefined && facts.decision === 'GRANTED' && !facts.revoked && facts.active`,
        'facts !== undefined',
      ),
      inRowSecurity(
        `          and c.consent_record_id = records.consent_record
          and c.decision = 'GRANTED'
          and c.revoked_at is null
          and c.consent_active`,
        '          and c.consent_record_id = records.consent_record',
      ),
    ],
  },
  'what is shared before everybody is there': {
    seenIn: 26,
    mutations: [
      inContractGate('own || (facts.leastStage >= SHARED_STAGE && isAddressed', 'own || (isAddressed'),
      change('src/mediation/operations/shared.ts')(
        `leastStage >= 2 ? 'addressed or own' : 'own'`,
        `leastStage >= -1 ? 'addressed or own' : 'own'`,
      ),
    ],
  },
  'what the partner is asked': {
    seenIn: 8,
    mutations: [OPEN_REQUESTS, inBridgeQueries('    and b.owner = $3`', '    and $3::text is not null`')],
  },
  // Whose request it is that cannot be decided is seen in too few worlds: test/mediation/bridge.test.ts shows it (NI-5).
  'a denial': {
    seenIn: 8,
    mutations: [
      inBridge(
        '? { record: await deny(request, asked), contentId: null }',
        `? (await notifyIfSeen(request, row, 'consent.revoked'),
          { record: await deny(request, asked), contentId: null })`,
      ),
    ],
  },
  'needs that are not confirmed, in a gate': {
    seenIn: 4,
    mutations: [inSessionQueries(`\n        and r.confirmed) as "needsConfirmed"`, `) as "needsConfirmed"`)],
  },
  'how sensitive an original is': {
    seenIn: 1,
    mutations: [
      change('src/policy/labels.ts')(`if (vessel !== 'shared') return`, `if (vessel !== 'elsewhere') return`),
    ],
  },
  'the vessel of the partner, in a list': {
    seenIn: 4,
    mutations: [
      ...OPEN_VESSELS,
      inContractGate('return own && OWN_KINDS.has(record.kind)', 'return OWN_KINDS.has(record.kind)'),
      change('src/storage/queries/mediation-records.ts')(
        `select('user', 'r.owner = $2')`,
        `select('user', '$2::text is not null')`,
      ),
    ],
  },
  'the vessel of the partner, in a turn by meaning': {
    seenIn: 26,
    mutations: [
      ...OPEN_VESSELS,
      inContractGate(`if (record.vessel === 'user') return record.owner === subject.actingFor`, ''),
    ],
  },
  'limits that count what is hidden': {
    seenIn: 15,
    mutations: [
      inRetrieve('light: 5, full: 20', 'light: 1, full: 1'),
      inRetrieve(
        `  const rows =
    vessel === 'user'`,
        `  await tx.query('set local role privity_writer')
  filter.inFull = false
  const rows =
    vessel === 'user'`,
      ),
      inRetrieve(
        `  return itemsOf(request, plan, rows, () => ({ type, source: 'structured' }))`,
        `  await tx.query('set local role privity_app')
  return itemsOf(request, plan, rows, () => ({ type, source: 'structured' }))`,
      ),
    ],
  },
  'when something was last kept': {
    seenIn: 7,
    mutations: [
      inVessels(
        `    return {
      output: { items: stored`,
        `    await request.tx.query(
      'update privity.sessions set updated_at = $3 where tenant_id = $1 and session_id = $2',
      [request.tenant, session, request.now],
    )
    return {
      output: { items: stored`,
      ),
    ],
  },
  'a vessel, through the library': {
    seenIn: 5,
    mutations: [
      inVessels(
        `    return {
      output: { items: stored`,
        `    await request.tx.query(
      \`insert into privity.library_contributions
         (tenant_id, entry_id, author_id, title, text, needs, duration_days, opted_in_at, approved_at)
       values ($1, $2::uuid, $3::uuid, 'heard', 'of late', '{FAIRNESS}', 7, $4, $4)\`,
      [request.tenant, stored[0].id, request.parts.forId, request.now],
    )
    return {
      output: { items: stored`,
      ),
    ],
  },
  'whether the partner had turns': {
    seenIn: 1,
    mutations: [
      OPEN_TURNS,
      change('src/storage/queries/turns.ts')(
        `\n        and actor = $3\n        and not queries`,
        `\n        and not queries`,
      ),
    ],
  },
  'a session that nobody was invited to': {
    seenIn: 4,
    mutations: [
      inSessionQueries(
        `    and ($2::text is null or \${isKnownTo('$2')})\n    and ($3::text[] is null`,
        `    and ($2::text is null or \${isKnownTo('$2')} or $2 = any (s.members))\n    and ($3::text[] is null`,
      ),
    ],
  },
  'how the partner ranks': {
    seenIn: 8,
    mutations: [
      change('src/mediation/operations/strategies.ts')(
        'rankings.find(({ actor }) => actor === caller.actingFor)\n    return {',
        'rankings.find(({ actor }) => actor !== caller.actingFor)\n    return {',
      ),
    ],
  },
  'statements that depend on what the partner is asked': {
    seenIn: 5,
    mutations: [
      OPEN_REQUESTS,
      change('src/mediation/operations/stages.ts')(
        '  const progress = await progressOf(request, session)\n  const own',
        `  const progress = await progressOf(request, session)
  const asked = await request.tx.query(
    'select 1 from privity.bridge_requests where tenant_id = $1 and session_id = $2 and owner <> $3',
    [request.tenant, session.sessionId, actor],
  )
  if (asked.length % 2 === 1) await request.tx.query('select 1')
  const own`,
      ),
    ],
  },
}
