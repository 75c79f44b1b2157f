import { cell, documents, matching, policy, ranking, segments, visibleSet } from '../../built.js'
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
 * @typedef {import('../../../src/policy/subject.js').Subject} Subject
 * @typedef {{
 *   cell: import('../../../src/runtime/index/cell.js').Cell,
 *   decisions: import('../../../src/runtime/index/visible-set.js').Decisions,
 *   subject: Subject,
 * }} Handle
 */

/**
 * The index and the gates in memory, without a store: decisions are made by the gates for every compartment and kept
 * by what they rest on, as in the whole operation.
 *
 * @type {import('../system.js').System<Handle>}
 */
const system = {
  name: 'privity-core',
  available: async () => null,

  async build(world) {
    const compartmentOf = compartmentsOf(world)
    const made = new cell.Cell(`user:${OWNER}`, 0n)
    /** @type {{ id: number, text: string, compartment: number }[][]} */
    const byCompartment = Array.from({ length: world.compartments }, () => [])
    for (const items of world.batches()) for (const item of items) byCompartment[item.compartment]?.push(item)
    const builder = new segments.SegmentBuilder()
    for (const item of byCompartment.flat()) {
      const { tuple, id } = compartmentOf(item.compartment)
      const row = {
        id: recordId(item.id),
        cell: made.name,
        compartmentId: id,
        tuple,
        title: null,
        text: item.text,
        language: null,
        tags: [],
        fields: {},
        spans: [],
        filingUnit: null,
        version: null,
        versionKind: null,
        part: null,
        conversation: null,
        turn: null,
        speaker: null,
        createdAt: CREATED_AT,
        occurredAt: null,
        expiresAt: null,
        salience: 0.5,
        salienceAt: CREATED_AT,
        pinned: false,
      }
      builder.add(documents.indexDocument(row, made.placeOf(id, tuple)))
    }
    made.append(cell.partOf(builder.finish()))
    return { cell: made, decisions: new visibleSet.Decisions(), subject: subjectOf(world) }
  },

  async search({ cell, decisions, subject }, { terms }, limit) {
    const parts = decisions.segments(cell.view, subject, 'the caller')
    const matches = matching.match(parts, {
      terms: terms.map(term => ({ term, prefix: false, exact: false, synonyms: [] })),
      phrases: [],
      excluded: [],
      excludedPhrases: [],
      stemming: true,
    })
    return ranking
      .rankMatches(parts, matches, () => 0, limit)
      .map(({ id, score }) => ({ id: numberOf(id), score }))
  },

  bytes: async () => null,
  close: async () => {},
}

/** @param {World} world @returns {Subject} */
function subjectOf(world) {
  const people = new Map(
    Array.from({ length: world.people }, (_, person) => [
      policy.personKey(OWNER, personId(person)),
      { consent: world.hasConsented(person) ? 'granted' : 'revoked', actor: null },
    ]),
  )
  return {
    tenant: TENANT,
    actor: AGENT.actor,
    actingFor: OWNER,
    audience: AGENT.audience,
    principals: new Set([OWNER]),
    trust: { maxSensitivity: AGENT.trust.maxSensitivity, scopes: 'all', authenticated: false },
    respectConsent: true,
    people,
    sessions: new Map(),
    contract: null,
    consents: new Map(),
    visibility: { ceiling: 'privileged', floor: null },
    views: null,
    overlays: new Map(),
    grants: new Set(),
    now: CREATED_AT.getTime(),
  }
}

export const privityCore = makeSystem(system)
