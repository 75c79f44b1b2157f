import type { PolicyTuple, Subject } from '../../src/policy/index.js'

/** An owner who is shown everything that is theirs. */
export function aSubject(differs: Partial<Subject> = {}): Subject {
  return {
    tenant: 'here',
    actor: 'ann',
    actingFor: 'ann',
    audience: 'owner',
    principals: new Set(['ann']),
    trust: { maxSensitivity: 'hyper', scopes: 'all', authenticated: true },
    respectConsent: false,
    people: new Map(),
    sessions: new Map(),
    contract: null,
    consents: new Map(),
    visibility: { ceiling: 'firewalled', floor: null },
    views: null,
    overlays: new Map(),
    grants: new Set<string>(),
    now: 1_000,
    ...differs,
  }
}

/** A memory of theirs. */
export function aTuple(differs: Partial<PolicyTuple> = {}): PolicyTuple {
  return {
    tenant: 'here',
    vessel: 'user',
    owner: 'ann',
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
    sensitivity: 'public',
    scope: null,
    visibilityClass: 'public_open',
    participants: [],
    consentRecord: null,
    inputConsents: [],
    overlayTargets: [],
    scopeTargets: [],
    citedPlaces: [],
    endedAt: null,
    lifecycle: 'active',
    ...differs,
  }
}
