import { compartmentIds, policy } from '../../built.js'

/**
 * @typedef {import('../data.js').World} World
 * @typedef {import('../../../src/policy/tuple.js').PolicyTuple} PolicyTuple
 */

export const TENANT = 'bench'
export const OWNER = 'owner'
/** The caller: an agent, so that consent of everybody in a record is asked for. */
export const AGENT = {
  tenant: TENANT,
  actor: 'agent',
  audience: /** @type {const} */ ('agent'),
  for: OWNER,
  trust: { maxSensitivity: /** @type {const} */ ('high') },
}
export const CREATED_AT = new Date('2026-01-01T00:00:00.000Z')

const hex = (/** @type {number} */ number) => number.toString(16).padStart(12, '0')
export const recordId = (/** @type {number} */ id) => `00000000-0000-4000-8000-${hex(id)}`
export const numberOf = (/** @type {string} */ recordId) => Number.parseInt(recordId.slice(24), 16)
export const personId = (/** @type {number} */ person) => `00000000-0000-4000-9000-${hex(person)}`

/** The tuple and the id of each compartment of a world, as the runtime would make them. @param {World} world */
export function compartmentsOf(world) {
  /** @type {Map<number, { tuple: PolicyTuple, id: string }>} */
  const known = new Map()
  return (/** @type {number} */ compartment) => {
    const found = known.get(compartment)
    if (found !== undefined) return found
    /** @type {PolicyTuple} */
    const tuple = {
      tenant: TENANT,
      vessel: 'user',
      owner: OWNER,
      session: null,
      relationship: null,
      kind: 'episodic',
      contentType: null,
      confirmed: false,
      addressees: [],
      corpus: null,
      surface: null,
      markedShareable: false,
      redacted: false,
      opening: false,
      sensitivity: 'medium',
      scope: null,
      visibilityClass: 'party_confidential',
      participants: policy.sortedSet(
        world.peopleOf(compartment).map(person => policy.personKey(OWNER, personId(person))),
      ),
      consentRecord: null,
      inputConsents: [],
      overlayTargets: [],
      scopeTargets: [],
      citedPlaces: [],
      lifecycle: 'active',
      endedAt: null,
    }
    const made = { tuple, id: compartmentIds.compartmentId(tuple) }
    known.set(compartment, made)
    return made
  }
}
