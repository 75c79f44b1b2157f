import type { Level } from '../../policy/faces.js'
import { referenceFace } from '../../policy/reference.js'
import type { PersonFacts, Subject } from '../../policy/subject.js'
import { type PolicyTuple, personKey } from '../../policy/tuple.js'
import { clampCaller, readCredential } from '../../runtime/caller.js'
import type { Database } from '../../storage/database.js'
import type { Who } from './world.js'

/** A record as it is stored. */
export interface BornRecord {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly title: string | null
  readonly text: string
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly provenance: Readonly<Record<string, unknown>>
  readonly salience: number
  readonly pinned: boolean
  readonly confidence: number
  readonly spans: readonly { readonly start?: number }[]
  readonly targets: readonly string[]
  readonly createdAt: Date
  readonly occurredAt: Date | null
  readonly conversation: string | null
  readonly turn: number | null
  readonly speaker: string | null
  readonly expiresAt: Date | null
  readonly participantNames: readonly string[]
}

export interface InspectedRecord extends BornRecord {
  /** How much of it the viewer may see, by the reference. */
  readonly level: Level
}

const READ_RECORDS = `
  select
    r.record_id as "id", c.tuple, r.title, r.text, r.tags, r.fields, r.provenance, r.salience, r.pinned, r.confidence,
    r.spans, r.targets, r.created_at as "createdAt", r.occurred_at as "occurredAt", r.expires_at as "expiresAt",
    r.conversation, r.turn, r.speaker,
    array(
      select p.name
      from privity.people p
      join privity.people root on root.tenant_id = p.tenant_id and root.person_id = coalesce(p.same_as, p.person_id)
      where p.tenant_id = r.tenant_id
        and p.person_id = any (r.participants)
        and root.removed_at is null) as "participantNames"
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and ($2::uuid is null or r.record_id = $2)`

/** Reads a record as it is now, without any policy. */
export async function readRecord(db: Database, tenant: string, id: string): Promise<BornRecord | undefined> {
  const [row] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
    tx.query<BornRecord>(READ_RECORDS, [tenant, id]),
  )
  return row
}

/** An edge as stored, once for each assertion of it. */
export interface StoredEdge {
  readonly from: string
  readonly to: string
  readonly type: string
  readonly sources: readonly string[]
}

/** Everything that a tenant holds, read without any policy. */
export interface Contents {
  readonly edges: readonly StoredEdge[]
  /** What the viewer may see at this moment, according to the slow reference. */
  seenAt(now: Date): { records: ReadonlyMap<string, InspectedRecord>; subject: Subject }
}

/**
 * Reads the tables with the connecting role and joins facts in plain code, so that it shares nothing with the code
 * under test.
 */
export async function inspect(db: Database, tenant: string, viewer: Who): Promise<Contents> {
  const caller = clampCaller(readCredential({ ...viewer, tenant }), {})
  const stored = await db.transaction({ access: 'read', role: null, settings: {} }, async tx => ({
    rows: await tx.query<BornRecord>(READ_RECORDS, [tenant, null]),
    edges: await tx.query<StoredEdge>(
      `select from_id as "from", to_id as "to", type, sources from privity.relations where tenant_id = $1
       union all
       select record_id, source_id, 'derived_from', '{}' from privity.derivations where tenant_id = $1`,
      [tenant],
    ),
    people: await tx.query<{ owner: string; id: string } & PersonFacts>(
      'select owner, person_id as "id", consent, actor from privity.people where tenant_id = $1',
      [tenant],
    ),
    overlays: await tx.query<{ target: string; restriction: string }>(
      'select target, restriction from privity.overlays where tenant_id = $1',
      [tenant],
    ),
    grants: await tx.query<{ target: string; grantee: string }>(
      'select target, grantee from privity.grants where tenant_id = $1',
      [tenant],
    ),
    memberships: await tx.query<{ groupId: string; role: string }>(
      'select group_id as "groupId", role from privity.memberships where tenant_id = $1 and member = $2',
      [tenant, caller.actingFor],
    ),
  }))
  const principals = new Set([
    caller.actingFor,
    ...stored.memberships.flatMap(({ groupId, role }) => [`group:${groupId}`, `role:${groupId}/${role}`]),
  ])
  const subjectAt = (now: Date): Subject => ({
    tenant,
    actor: caller.actor,
    actingFor: caller.actingFor,
    audience: caller.audience,
    principals,
    trust: caller.trust,
    respectConsent: caller.respectConsent,
    people: new Map(stored.people.map(person => [personKey(person.owner, person.id), person])),
    sessions: new Map(),
    contract: null,
    consents: new Map(),
    visibility: { ceiling: caller.ceiling, floor: caller.floor },
    views: null,
    overlays: {
      get: key =>
        stored.overlays.filter(({ target }) => target === key).map(({ restriction }) => restriction),
    },
    grants: new Set(
      stored.grants.filter(({ grantee }) => principals.has(grantee)).map(({ target }) => target),
    ),
    now: now.getTime(),
  })
  return {
    edges: stored.edges,
    seenAt(now) {
      const subject = subjectAt(now)
      const decided = stored.rows.map((row): InspectedRecord => {
        const times = { createdAt: row.createdAt.getTime(), expiresAt: row.expiresAt?.getTime() ?? null }
        // This uses all targets instead of the tuple's overlays, because choosing those is the job of the code under
        // test.
        const record = { ...row.tuple, ...times, overlayTargets: row.targets }
        const { form, level } = referenceFace(subject, record)
        return { ...row, level: form === 'original' ? level : 'none' }
      })
      return { records: new Map(decided.map(record => [record.id, record])), subject }
    },
  }
}
