import type { Form, Level } from './faces.js'
import type { Subject } from './subject.js'
import type { PolicyTuple, RecordTimes } from './tuple.js'

/**
 * A second, slow and simple implementation of the decision, for one record at a time. It shares no code with the
 * gates, because they are compared with it on generated worlds (DE-5). Change a rule in both places, never in only
 * one.
 */
export function referenceFace(
  subject: Subject,
  record: PolicyTuple & RecordTimes,
): { form: Form; level: Level } {
  const nothing = { form: 'substitute', level: 'none' } as const
  const shown: Level[] = ['full']
  let form: Form = 'original'

  // tenant
  if (record.tenant !== subject.tenant) return nothing

  // vessel
  const corpus = record.corpus === null ? null : JSON.stringify(['corpus', record.owner, record.corpus])
  const view = corpus === null ? undefined : subject.views?.get(corpus)
  if (record.vessel === 'user') {
    const mine = record.owner === subject.actingFor || subject.principals.has(record.owner)
    const outside = !['owner', 'host', 'agent'].includes(subject.audience)
    if (!mine && !(outside && view !== undefined)) return nothing
  } else if (record.vessel === 'shared') {
    if (record.session === null || !subject.sessions.has(record.session)) return nothing
  } else if (record.vessel !== 'global') return nothing

  // contract
  const mediated = record.vessel !== 'user' || record.session !== null
  if (subject.contract === null) {
    if (mediated) return nothing
  } else if (!contractAllows(subject, record)) return nothing

  // consent
  const bridged = ['consented_content', 'empathy_draft', 'empathy_attempt', 'strategy_proposal']
  const consented = (id: string | null) => {
    const facts = id === null ? undefined : subject.consents.get(id)
    return facts?.decision === 'GRANTED' && facts.revoked === false && facts.active === true
  }
  const asksConsent =
    record.consentRecord !== null || (record.vessel === 'shared' && bridged.includes(record.kind))
  if (asksConsent && record.owner !== subject.actingFor && !consented(record.consentRecord)) return nothing
  const decided = record.kind === 'agreement' || record.kind === 'micro_experiment'
  if (!decided) for (const id of record.inputConsents) if (!consented(id)) return nothing

  // participants
  if (subject.respectConsent) {
    for (const id of record.participants) {
      const person = subject.people.get(id)
      const session = record.session === null ? undefined : subject.sessions.get(record.session)
      if (person === undefined) return nothing
      const seated = person.actor !== null && session?.participants.has(person.actor)
      if (person.consent !== 'granted' && !seated) return nothing
    }
  }

  // trust
  const levels = 'public low medium high hyper'.split(' ')
  const own = levels.indexOf(record.sensitivity)
  const most = levels.indexOf(subject.trust?.maxSensitivity ?? '')
  if (subject.trust === null || own < 0 || most < 0) return nothing
  const among = ['owner', 'host', 'agent'].includes(subject.audience)
  if (own > most + 1 || (own > most && !among)) return nothing
  if (own === most + 1) shown.push('metadata')
  if (record.scope !== null && subject.trust.scopes !== 'all') {
    for (const scope of record.scope.split('+')) if (!subject.trust.scopes.has(scope)) return nothing
  }

  // visibility
  const classes = 'public_open party_confidential work_product_internal privileged sealed firewalled'.split(
    ' ',
  )
  if (subject.visibility === null || !classes.includes(record.visibilityClass)) return nothing
  const { ceiling, floor } = subject.visibility
  if (!classes.includes(ceiling) || (floor !== null && !classes.includes(floor))) return nothing
  const raised = floor !== null && classes.indexOf(floor) > classes.indexOf(record.visibilityClass)
  if (classes.indexOf(raised ? floor : record.visibilityClass) > classes.indexOf(ceiling)) return nothing

  // view
  const recipient = !['owner', 'host', 'agent'].includes(subject.audience)
  if (recipient || subject.views !== null) {
    if (view === undefined || record.surface === null || !view.surfaces.has(record.surface)) return nothing
    if (!KNOWN_SURFACES.includes(record.surface)) return nothing
    if (!classes.includes(view.visibilityClassCeiling)) return nothing
    if (classes.indexOf(record.visibilityClass) > classes.indexOf(view.visibilityClassCeiling)) return nothing
    if (record.surface === 'derived_memories') {
      const policy = view.derivedMemorySharePolicy
      const marked = policy === 'include_only_user_marked_shareable' && record.markedShareable
      let cited = (record.citedPlaces ?? []).length > 0
      for (const key of record.citedPlaces ?? []) {
        const [surface, ...targets]: [string | null, ...string[]] = JSON.parse(key)
        if (surface === null || !view.surfaces.has(surface)) cited = false
        if (!targets.includes(JSON.stringify(['corpus', record.owner, record.corpus]))) cited = false
        for (const scope of view.scopes) if (!targets.some(target => scope.has(target))) cited = false
      }
      if (policy === 'include_with_provenance' ? !cited : !marked) return nothing
      if (view.asksProvenance && !cited) return nothing
    }
    if (['host_annotations', 'host_strategy_notes', 'host_topics'].includes(record.surface)) {
      const policy = view.hostAnnotationPolicy
      const marked = policy === 'include_marked_shareable' && record.markedShareable
      if (policy !== 'include_all' && !marked) return nothing
    }
    if (view.snapshotAt !== null && !(record.createdAt <= view.snapshotAt)) return nothing
    for (const scope of view.scopes) {
      if (!record.scopeTargets.some(target => scope.has(target))) return nothing
    }
  }

  // overlay
  for (const target of record.overlayTargets) {
    for (const restriction of subject.overlays.get(target) ?? []) {
      if (restriction === 'none') continue
      if (restriction === 'explicit_access_required' && subject.grants.has(target)) continue
      if (restriction === 'not_shareable' && !recipient) continue
      if (restriction === 'redacted_only') {
        if (!record.redacted) form = 'substitute'
      } else if (restriction === 'preview_only') {
        if (record.kind === 'segment' && record.opening !== true) return nothing
        shown.push('preview')
      } else return nothing
    }
  }

  // freshness
  const replaced = record.lifecycle === 'superseded' || record.lifecycle === 'stale'
  if (replaced) {
    const snapshot = view === undefined ? null : view.stoodAt
    if (snapshot === null || record.endedAt === null) return nothing
    if (!(new Date(record.endedAt).getTime() > snapshot)) return nothing
  } else if (record.lifecycle !== 'active' && record.lifecycle !== 'contested') return nothing
  if (record.expiresAt !== null && !(record.expiresAt > subject.now)) return nothing

  // evidence
  if (!EVIDENCE_KINDS.includes(record.kind)) return nothing

  for (const level of ['metadata', 'preview'] as const) if (shown.includes(level)) return { form, level }
  return { form, level: 'full' }
}

const KNOWN_SURFACES =
  'source_documents filing_metadata filing_relationships court_rulings court_disposition_observations host_outcome_analysis neutral_topics host_annotations host_strategy_notes host_topics derived_memories derived_outcomes_synthesis'.split(
    ' ',
  )

const EVIDENCE_KINDS =
  'working entity semantic competence plan_graph episodic user_event emotional_reading need boundary consented_content common_ground agreement micro_experiment experiment_suggestion empathy_draft empathy_attempt strategy_proposal document segment annotation note'.split(
    ' ',
  )

/** RC-3 to RC-8, one rule after another. */
function contractAllows(subject: Subject, record: PolicyTuple): boolean {
  const { contract } = subject
  if (contract === null) return false
  const { stage } = contract
  const related = record.relationship !== null && record.relationship === contract.relationship
  const mine = record.vessel === 'user' && record.owner === subject.actingFor && related
  const addressed = record.addressees.length === 0 || record.addressees.includes(subject.actingFor)
  const given = record.vessel === 'shared' && related && record.owner === subject.actingFor
  const shared = (record.vessel === 'shared' && related && addressed) || given
  const allThere = contract.leastStage >= 2
  const raw = ['user_event', 'emotional_reading', 'need', 'boundary'].includes(record.kind)

  if (contract.purpose === 'browse') {
    if (subject.audience !== 'owner' && subject.audience !== 'host') return false
    if (![0, 1, 2, 3, 4].includes(stage)) return false
    if (mine) return raw || record.kind === 'empathy_draft'
    const kinds = ['consented_content', 'common_ground', 'agreement', 'micro_experiment']
    if (![...kinds, 'empathy_attempt', 'strategy_proposal'].includes(record.kind)) return false
    if (record.vessel === 'shared' && related && record.owner === subject.actingFor) return true
    return shared && allThere
  }
  if (contract.purpose !== 'turn' || !contract.active) return false

  if (stage === 0)
    return shared && record.kind === 'agreement' && record.confirmed && record.session !== contract.session
  if (stage === 1) return mine && raw
  if (stage === 2) {
    if (mine && raw) return true
    if (!shared || !allThere) return false
    if (record.kind === 'agreement') return record.confirmed
    return ['consented_content', 'common_ground', 'empathy_attempt'].includes(record.kind)
  }
  if (stage === 3) {
    if (mine && record.kind === 'need') return record.confirmed
    if (!shared || !allThere) return false
    if (record.kind === 'common_ground') return true
    const needs = record.contentType === 'IDENTIFIED_NEED' || record.contentType === 'BOUNDARY'
    return record.kind === 'consented_content' && needs
  }
  if (stage === 4) {
    if (record.vessel === 'global') return record.kind === 'experiment_suggestion'
    if (!shared || !allThere) return false
    if (['common_ground', 'agreement'].includes(record.kind)) return record.confirmed
    if (['empathy_attempt', 'strategy_proposal'].includes(record.kind)) return true
    return ['consented_content', 'micro_experiment'].includes(record.kind)
  }
  return false
}
