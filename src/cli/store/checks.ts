/** The result of one check. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'problem'
  readonly says: string
}

const LEAST_FREE_BYTES = 1024 ** 3
const LEAST_FREE_SHARE = 0.05

/** Warns about a full disk before it is full (OP-7). */
export function judgeDiskSpace(free: number, total: number): Finding['state'] {
  if (free === 0) return 'problem'
  return free < LEAST_FREE_BYTES || free < total * LEAST_FREE_SHARE ? 'warning' : 'ok'
}

/** This build may not understand a newer schema; an older one is migrated at the next start. */
export function judgeSchema(stored: number | null, known: number): Finding {
  const check = 'schema'
  if (stored === null) return { check, state: 'warning', says: 'none yet; privity migrate makes it' }
  if (stored < known)
    return {
      check,
      state: 'warning',
      says: `${stored}, this version has ${known}; privity migrate upgrades it`,
    }
  if (stored > known)
    return { check, state: 'problem', says: `${stored}, this version knows ${known}; upgrade privity` }
  return { check, state: 'ok', says: String(stored) }
}

const LEAST_NODE = 20

export function judgeNode(version: string): Finding {
  const major = Number.parseInt(version.replace(/^v/, ''), 10)
  return {
    check: 'node',
    state: major >= LEAST_NODE ? 'ok' : 'problem',
    says: major >= LEAST_NODE ? version : `${version}; ${LEAST_NODE} or newer is needed`,
  }
}
