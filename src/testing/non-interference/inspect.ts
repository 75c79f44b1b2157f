import type { Level } from '../../policy/faces.js'
import { referenceFace } from '../../policy/reference.js'
import type { PersonFacts, Subject } from '../../policy/subject.js'
import { type PolicyTuple, personKey } from '../../policy/tuple.js'
import { clampCaller, readCredential } from '../../runtime/caller.js'
import type { Database } from '../../storage/database.js'
import type { Who } from './world.js'

/** A record as it really is. */
export interface BornRecord {
  readonly id: string
  readonly tuple: PolicyTuple
  readonly title: string | null
  readonly text: string
  readonly tags: readonly string[]
  readonly fields: Readonly<Record<string, unknown>>
  readonly provenance: Readonly<Record<string, unknown>>
  readonly salience: number
  readonly confidence: number
  readonly targets: readonly string[]
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly participantNames: readonly string[]
}

export interface StoredRecord extends BornRecord {
  /** How much of it the viewer may see, by the reference. */
  readonly level: Level
}

const READ_RECORDS = `
  select
    r.record_id as "id", c.tuple, r.title, r.text, r.tags, r.fields, r.provenance, r.salience, r.confidence, r.targets,
    r.created_at as "createdAt", r.expires_at as "expiresAt",
    array(
      select p.name
      from privity.people p
      where p.tenant_id = r.tenant_id
        and p.person_id = any (r.participants)) as "participantNames"
  from privity.records r
  join privity.compartments c using (tenant_id, compartment_id)
  where r.tenant_id = $1
    and ($2::uuid is null or r.record_id = $2)`

/** A record as it stands now, past every policy. */
export async function readRecord(db: Database, tenant: string, id: string): Promise<BornRecord | undefined> {
  const [row] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
    tx.query<BornRecord>(READ_RECORDS, [tenant, id]),
  )
  return row
}

/**
 * Everything a tenant holds, past every policy, and what the slow reference says a caller may see of it. Shares
 * nothing with the paths it is compared with: it reads the tables as the connecting role and joins facts plainly.
 */
export async function inspect(
  db: Database,
  tenant: string,
  viewer: Who,
  now: Date,
): Promise<{ records: ReadonlyMap<string, StoredRecord>; subject: Subject }> {
  return db.transaction({ access: 'read', role: null, settings: {} }, async tx => {
    const rows = await tx.query<BornRecord>(READ_RECORDS, [tenant, null])
    const people = await tx.query<{ owner: string; id: string } & PersonFacts>(
      `select owner, person_id as "id", consent, actor from privity.people where tenant_id = $1`,
      [tenant],
    )
    const overlays = await tx.query<{ target: string; restriction: string }>(
      `select target, restriction from privity.overlays where tenant_id = $1`,
      [tenant],
    )
    const grants = await tx.query<{ target: string; grantee: string }>(
      `select target, grantee from privity.grants where tenant_id = $1`,
      [tenant],
    )
    const caller = clampCaller(readCredential({ ...viewer, tenant }), {})
    const memberships = await tx.query<{ groupId: string; role: string }>(
      `select group_id as "groupId", role from privity.memberships where tenant_id = $1 and member = $2`,
      [tenant, caller.actingFor],
    )
    const principals = new Set([
      caller.actingFor,
      ...memberships.flatMap(({ groupId, role }) => [`group:${groupId}`, `role:${groupId}/${role}`]),
    ])
    const subject: Subject = {
      tenant,
      actor: caller.actor,
      actingFor: caller.actingFor,
      audience: caller.audience,
      principals,
      trust: caller.trust,
      respectConsent: caller.respectConsent,
      people: new Map(people.map(person => [personKey(person.owner, person.id), person])),
      sessions: new Map(),
      contract: null,
      consents: new Map(),
      visibility: { ceiling: caller.ceiling, floor: caller.floor },
      views: null,
      overlays: {
        get: key => overlays.filter(({ target }) => target === key).map(({ restriction }) => restriction),
      },
      grants: new Set(grants.filter(({ grantee }) => principals.has(grantee)).map(({ target }) => target)),
      now: now.getTime(),
    }
    const decided = rows.map((row): StoredRecord => {
      // Not the stored tuple's overlays but all targets: which of them are named in a tuple is the runtime's doing.
      const record = { ...row.tuple, overlayTargets: row.targets }
      const times = { createdAt: row.createdAt.getTime(), expiresAt: row.expiresAt?.getTime() ?? null }
      const { form, level } = referenceFace(subject, { ...record, ...times })
      return { ...row, level: form === 'original' ? level : 'none' }
    })
    return { records: new Map(decided.map(record => [record.id, record])), subject }
  })
}
