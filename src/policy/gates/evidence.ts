import { full, gate, none } from '../gate.js'
import { INTERNAL_KINDS, KINDS } from '../vocabulary.js'

const EVIDENCE: ReadonlySet<string> = new Set(
  KINDS.filter(kind => !(INTERNAL_KINDS as readonly string[]).includes(kind)),
)

/** Syntheses and activity rollups may shape a plan, but are never part of an answer (RC-11, SR-12). */
export const evidence = gate('evidence', ['kind'], (_subject, record) =>
  EVIDENCE.has(record.kind) ? full('access.evidence') : none('access.not_evidence'),
)
