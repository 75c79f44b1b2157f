import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { clocks, generations, inserting, interning, opening } from '../../built.js'
import { startPostgres } from '../../postgres.js'
import { makeSystem } from '../system.js'
import {
  AGENT,
  CREATED_AT,
  compartmentsOf,
  numberOf,
  OWNER,
  personId,
  recordId,
  TENANT,
} from './privity-records.js'

/**
 * @typedef {import('../data.js').World} World
 * @typedef {import('../../../src/storage/database.js').Database} Database
 * @typedef {import('../../../src/handle.js').Handle} Caller
 * @typedef {{
 *   where: { dataDir: string } | { databaseUrl: string },
 *   db: Database,
 *   agent: Caller,
 *   close(): Promise<void>,
 *   clean(): Promise<void>,
 * }} Handle
 */

/**
 * The whole operation as a user gets it: snapshot, facts, decision, index, fetch under row-level security, snippets,
 * facets, receipts and audit. Records are written by the runtime's own statements, past its labels; building is that
 * and the first search, which makes the index and keeps it.
 *
 * @param {'pglite' | 'postgres'} engine
 * @returns {import('../system.js').System<Handle>}
 */
const storeSystem = engine => ({
  name: `privity-${engine}`,
  available: async () => null,

  async build(world) {
    const server = engine === 'postgres' ? await startPostgres() : null
    const folder = server === null ? await mkdtemp(join(tmpdir(), 'privity-')) : null
    const where = server === null ? { dataDir: folder ?? '' } : { databaseUrl: server.url }
    const clean = async () => {
      await server?.dispose()
      if (folder !== null) await rm(folder, { recursive: true, force: true })
    }
    const opened = await openIn(where)
    await opened.agent.list({ limit: 1 })
    await fillStore(opened.db, world)
    await opened.agent.search('anything')
    return { where, ...opened, clean }
  },

  async reopen({ where, close, clean }) {
    await close()
    return { where, ...(await openIn(where)), clean }
  },

  async search({ agent }, { terms }, limit) {
    const { results } = await agent.search(terms.join(' '), { limit })
    return results.map(({ record, score }) => ({ id: numberOf(record.id), score }))
  },

  // The index is kept in the background, soon after it was made.
  bytes: async ({ db }) => {
    for (;;) {
      const [row] = await db.transaction({ access: 'read', role: null, settings: {} }, tx =>
        tx.query(`select sum(length(bytes))::float8 as bytes from privity.index_parts`),
      )
      const { bytes } = /** @type {{ bytes: number | null }} */ (row)
      if (bytes !== null) return bytes
      await setTimeout(100)
    }
  },

  async close({ close, clean }) {
    await close()
    await clean()
  },
})

/** @param {Handle['where']} where */
export async function openIn(where) {
  const db = await opening.openStore(where)
  const privity = await opening.assemble(db, clocks.SYSTEM_CLOCK, {})
  return { db, agent: privity.as(AGENT), close: () => privity.close() }
}

/**
 * Writes a world by the runtime's own statements.
 *
 * @param {Database} db
 * @param {World} world
 * @param {(id: number) => Date} [createdAt]
 */
export async function fillStore(db, world, createdAt = () => CREATED_AT) {
  const compartmentOf = compartmentsOf(world)
  const role = {
    access: /** @type {const} */ ('write'),
    role: 'privity_writer',
    settings: { 'privity.tenant': TENANT },
  }
  await db.transaction(role, async tx => {
    await generations.advanceGeneration(tx, TENANT, [OWNER], crypto.randomUUID())
    await tx.query(
      `insert into privity.people (tenant_id, person_id, owner, name, consent, created_at, updated_at)
       select $1, id, $2, 'person ' || id, consent, $5, $5 from unnest($3::uuid[], $4::text[]) as p (id, consent)`,
      [
        TENANT,
        OWNER,
        Array.from({ length: world.people }, (_, person) => personId(person)),
        Array.from({ length: world.people }, (_, person) =>
          world.hasConsented(person) ? 'granted' : 'revoked',
        ),
        CREATED_AT,
      ],
    )
  })
  for (const items of world.batches(2_000)) {
    const rows = items.map(item => {
      const { tuple, id } = compartmentOf(item.compartment)
      return {
        recordId: recordId(item.id),
        compartmentId: id,
        tuple,
        author: OWNER,
        filingUnit: null,
        version: null,
        versionKind: null,
        part: null,
        document: null,
        segment: null,
        conversation: null,
        turn: null,
        speaker: null,
        targets: [],
        redactedOf: null,
        participantIds: world.peopleOf(item.compartment).map(personId),
        title: null,
        text: item.text,
        language: null,
        tags: [],
        fields: {},
        salience: 0.5,
        pinned: false,
        confidence: 1,
        provenance: {},
        spans: [],
        occurredAt: null,
        validFrom: null,
        validTo: null,
        expiresAt: null,
        createdAt: createdAt(item.id).toISOString(),
        sources: [],
      }
    })
    await db.transaction(role, async tx => {
      await interning.internCompartments(tx, TENANT, new Map(rows.map(row => [row.compartmentId, row.tuple])))
      await inserting.insertRecords(tx, TENANT, rows)
    })
  }
}

export const privityPglite = makeSystem(storeSystem('pglite'))
export const privityPostgres = makeSystem(storeSystem('postgres'))
