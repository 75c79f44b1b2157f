import { facts, opening, policy, requestReads } from './built.js'
import { medianTimes, rounded } from './measure.js'
import { makeRandom } from './random.js'

/**
 * @typedef {import('../src/policy/index.js').PolicyTuple} PolicyTuple
 * @typedef {import('../src/policy/index.js').Subject} Subject
 * @typedef {import('./run.js').Options} Options
 * @typedef {import('./run.js').Report} Report
 * @typedef {'few sets of people' | 'a set of people each' | 'all of its own each'} Shape
 */

const TENANT = 'bench'
const OWNER = 'ana'
const SESSIONLESS_KINDS = [...policy.MEMORY_KINDS, 'document', 'segment', 'note', 'ai_synthesis']
const PEOPLE = Array.from({ length: 500 }, (_, at) => ({
  id: `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
  name: `person ${at}`,
  consent: at % 10 === 9 ? 'pending' : 'granted',
}))

/**
 * Decides 10,000 and 100,000 compartments: by column as `decide` does, gate by gate for each compartment, and with
 * the slow reference for each record (a record per compartment).
 *
 * @param {Options} options
 * @returns {Promise<Report>}
 */
export async function benchDecide({ seed, quick, log }) {
  const times = quick ? { runs: 5, warmUp: 2 } : { runs: 15, warmUp: 3 }
  const subjects = await makeSubjects()
  /** @type {Shape[]} */
  const shapes = ['few sets of people', 'a set of people each', 'all of its own each']
  /** @type {Record<string, string | number>[]} */
  const figures = []
  for (const count of quick ? [10_000] : [10_000, 100_000]) {
    for (const shape of shapes) {
      log(`decide: ${count.toLocaleString('en-US')} compartments, ${shape}`)
      figures.push(measure(count, shape, makeTuples(count, shape, seed), subjects, times))
    }
  }
  return {
    name: 'decide',
    title: 'Deciding compartments, 11 gates',
    goal: '100,000 compartments decided in under 10 ms',
    figures,
    chart: {
      title: 'Deciding compartments, 11 gates',
      subtitle: 'Median time for one caller, shorter is better. Bars are scaled within each group.',
      unit: 'ms',
      groups: figures.map(row => ({
        label: `${Number(row.compartments).toLocaleString('en-US')} compartments, ${row.shape}`,
        bars: [
          { label: 'by column', value: Number(row['by column ms']) },
          { label: 'one by one', value: Number(row['one by one ms']), note: `${row['one by one ×']} ×` },
          { label: 'reference', value: Number(row['reference ms']), note: `${row['reference ×']} ×` },
        ],
      })),
    },
  }
}

/**
 * @param {number} count
 * @param {Shape} shape
 * @param {PolicyTuple[]} tuples
 * @param {Awaited<ReturnType<typeof makeSubjects>>} subjects
 * @param {{ runs: number, warmUp: number }} times
 */
function measure(count, shape, tuples, { plain, revoked, stored }, times) {
  const table = build(tuples)
  const records = tuples.map(tuple => ({ ...tuple, createdAt: 0, expiresAt: null }))
  requireSame(policy.decide(plain, table), oneByOne(plain, tuples), 'one by one')
  requireSame(policy.decide(plain, table), policy.decide(stored, table), 'with stored facts')
  requireSame(policy.decide(plain, table).map(shown), reference(plain, records), 'reference')

  const ms = medianTimes(times, {
    column: () => policy.decide(plain, table),
    revoked: () => policy.decide(revoked, table),
    stored: () => policy.decide(stored, table),
    oneByOne: () => oneByOne(plain, tuples),
    reference: () => reference(plain, records),
    build: () => build(tuples),
  })
  return {
    compartments: count,
    shape,
    'distinct sets': new Set(tuples.map(tuple => tuple.participants.join())).size,
    'by column ms': rounded(ms.column),
    'one by one ms': rounded(ms.oneByOne),
    'one by one ×': rounded(ms.oneByOne / ms.column),
    'reference ms': rounded(ms.reference),
    'reference ×': rounded(ms.reference / ms.column),
    'after a revocation ms': rounded(ms.revoked),
    'facts from the store ms': rounded(ms.stored),
    'table build ms': rounded(ms.build),
  }
}

/** @param {readonly PolicyTuple[]} tuples */
function build(tuples) {
  const table = new policy.CompartmentTable()
  for (const tuple of tuples) table.add(tuple)
  return table
}

/** The same gates without columns. @param {Subject} subject @param {readonly PolicyTuple[]} tuples */
function oneByOne(subject, tuples) {
  const faces = new Uint8Array(tuples.length)
  for (const [place, tuple] of tuples.entries()) {
    let face = policy.FULL
    for (const gate of policy.GATES) face &= policy.askGate(gate, subject, tuple).face
    faces[place] = policy.settle(face)
  }
  return faces
}

/** @param {Subject} subject @param {readonly (PolicyTuple & import('../src/policy/index.js').RecordTimes)[]} records */
function reference(subject, records) {
  const shownAs = new Uint8Array(records.length)
  for (const [place, record] of records.entries()) {
    const { form, level } = policy.referenceFace(subject, record)
    shownAs[place] = code(form, level)
  }
  return shownAs
}

/** @param {number} face */
const shown = face => code(policy.formOf(face), policy.levelOf(face))

/** @param {import('../src/policy/index.js').Form} form @param {import('../src/policy/index.js').Level} level */
const code = (form, level) =>
  level === 'none' ? 0 : policy.LEVELS.indexOf(level) + (form === 'original' ? policy.LEVELS.length : 0)

/** Times of ways that disagree would say nothing. @param {Uint8Array} a @param {Uint8Array} b @param {string} way */
function requireSame(a, b, way) {
  if (Buffer.compare(a, b) !== 0) throw new Error(`decide and ${way} differ`)
}

/** @param {number} count @param {Shape} shape @param {number} seed */
function makeTuples(count, shape, seed) {
  const random = makeRandom(seed)
  const people = PEOPLE.map(({ id }) => policy.personKey(OWNER, id))
  const owners = [OWNER, ...Array.from({ length: 8 }, (_, at) => `group:${at}`)]
  const few = Array.from({ length: 50 }, () => random.sample(people, 1 + random.integer(4)))
  const overlaid = Array.from({ length: 20 }, (_, at) =>
    policy.targetKey('document', OWNER, `overlaid ${at}`),
  )
  /** @type {Set<string>} */
  const used = new Set()
  const newSet = () => {
    for (;;) {
      const set = policy.sortedSet(random.sample(people, 2 + random.integer(3)))
      if (used.has(set.join())) continue
      used.add(set.join())
      return set
    }
  }
  /** @param {number} at @returns {PolicyTuple} */
  const tuple = at => ({
    tenant: TENANT,
    vessel: 'user',
    owner: random.pick(owners),
    session: null,
    relationship: null,
    kind: random.pick(SESSIONLESS_KINDS),
    contentType: null,
    confirmed: false,
    addressees: [],
    corpus: shape === 'all of its own each' ? `corpus ${at}` : random.next() < 0.3 ? 'briefs' : null,
    surface: random.next() < 0.3 ? random.pick(policy.SURFACES) : null,
    markedShareable: random.next() < 0.1,
    redacted: false,
    opening: false,
    sensitivity: random.pick(policy.SENSITIVITIES),
    scope: random.pick([null, null, 'work', 'health', 'health+work']),
    visibilityClass: random.pick(policy.VISIBILITY_CLASSES),
    participants: shape === 'few sets of people' ? policy.sortedSet(random.pick(few)) : newSet(),
    consentRecord: null,
    inputConsents: [],
    overlayTargets:
      shape === 'all of its own each'
        ? [policy.targetKey('document', OWNER, `document ${at}`)]
        : random.next() < 0.1
          ? [random.pick(overlaid)]
          : [],
    scopeTargets: [],
    citedPlaces: [],
    lifecycle: random.next() < 0.9 ? 'active' : 'superseded',
    endedAt: null,
  })
  return Array.from({ length: count }, (_, at) => tuple(at))
}

/** An agent: with facts in maps, the same after one person revoked, and with facts as the runtime reads them. */
async function makeSubjects() {
  const principals = new Set([OWNER, ...Array.from({ length: 6 }, (_, at) => `group:${at}`)])
  const people = new Map(
    PEOPLE.map(({ id, consent }) => [policy.personKey(OWNER, id), { consent, actor: null }]),
  )
  const restricted = policy.targetKey('document', OWNER, 'overlaid 0')
  /** @type {Subject} */
  const plain = {
    tenant: TENANT,
    actor: 'agent',
    actingFor: OWNER,
    audience: 'agent',
    principals,
    trust: { maxSensitivity: 'medium', scopes: new Set(['work', 'health']), authenticated: true },
    respectConsent: true,
    people,
    sessions: new Map(),
    contract: null,
    consents: new Map(),
    visibility: { ceiling: 'privileged', floor: null },
    views: null,
    overlays: new Map([[restricted, ['preview_only']]]),
    grants: new Set(),
    now: 1,
  }
  const first = policy.personKey(OWNER, PEOPLE[0]?.id ?? '')
  const revoked = { ...plain, people: new Map(people).set(first, { consent: 'revoked', actor: null }) }
  return { plain, revoked, stored: await readStored(plain, restricted) }
}

/** The same subject as `loadSubject` makes it from a store. @param {Subject} plain @param {string} restricted */
async function readStored(plain, restricted) {
  const db = await opening.openStore({})
  try {
    return await db.transaction(
      { access: 'write', role: null, settings: { 'privity.tenant': TENANT } },
      async tx => {
        await tx.query(`insert into privity.tenants values ($1, now())`, [TENANT])
        await tx.query(
          `insert into privity.people (tenant_id, person_id, owner, name, consent, created_at, updated_at)
         select $1, id, $2, name, consent, now(), now()
         from unnest($3::uuid[], $4::text[], $5::text[]) as person (id, name, consent)`,
          [
            TENANT,
            OWNER,
            PEOPLE.map(({ id }) => id),
            PEOPLE.map(({ name }) => name),
            PEOPLE.map(p => p.consent),
          ],
        )
        await tx.query(
          `insert into privity.overlays values ($1, gen_random_uuid(), $2, 'document', 'overlaid 0', $3, 'preview_only', now())`,
          [TENANT, OWNER, restricted],
        )
        /** @type {import('../src/runtime/caller.js').RequestCaller} */
        const caller = {
          tenant: TENANT,
          actor: 'agent',
          actingFor: OWNER,
          audience: 'agent',
          trust: plain.trust,
          heldTrust: plain.trust,
          respectConsent: true,
          session: '',
          policy: null,
          ceiling: 'privileged',
          floor: null,
          key: null,
          profile: null,
          profileIsBound: false,
          heldCeiling: 'firewalled',
          heldFloor: null,
          expiresAt: null,
        }
        const { subject } = await facts.loadSubject(
          requestReads.RequestReads.within(tx, caller, new Date()),
          new facts.FactsCache(),
          caller,
          {
            principals: plain.principals,
            sessions: new Map(),
            tenantGeneration: null,
            keyExpiresAt: null,
            views: null,
          },
          { owners: new Set(), consents: new Set() },
          1,
        )
        return subject
      },
    )
  } finally {
    await db.close()
  }
}
