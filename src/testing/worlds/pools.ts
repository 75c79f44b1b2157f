import { corpusKey, targetKey } from '../../policy/tuple.js'

/**
 * Values outside of every enum: an empty one, one of a newer build, property names that every object has, a near
 * misspelling, and the text that encodes null.
 */
export const UNKNOWN_VALUES = ['', 'unheard_of', 'constructor', '__proto__', 'Active', '\u0001null'] as const

/** Everything comes from small pools, so that facts, records and callers match each other. */
export const uuid = (family: string, n: number) => `${family.padEnd(8, '0')}-0000-4000-8000-00000000000${n}`
export const ACTORS = ['ann', 'bob', 'cy'] as const
export const GROUPS = [uuid('9', 1), uuid('9', 2)] as const
export const OWNERS = [
  'ann',
  'ann',
  'ann',
  'ann',
  'bob',
  `group:${GROUPS[0]}`,
  `role:${GROUPS[0]}/editor`,
] as const
export const RARE_OWNERS = [`role:${GROUPS[1]}/`, `group:${GROUPS[1]}`, 'nobody'] as const
export const MEMBERSHIPS = [
  { group: GROUPS[0], member: 'ann', role: 'editor' },
  { group: GROUPS[0], member: 'bob', role: '' },
  { group: GROUPS[1], member: 'ann', role: '' },
]
export const SESSION_POOL = ['first', 'second'] as const
/** A session in which ann, whom most callers act for, has no seat. */
export const SESSION_OF_OTHERS = 'third'
export const PEOPLE_POOL = [
  { id: uuid('a', 1), owner: 'ann' },
  { id: uuid('a', 2), owner: 'ann' },
  { id: uuid('a', 3), owner: 'bob' },
  { id: uuid('a', 4), owner: `group:${GROUPS[0]}` },
]
export const CONSENTS = [uuid('c', 1), uuid('c', 2), uuid('c', 3)]
export const CORPUS_POOL = ['briefs', 'letters'] as const
export const TARGETS = [
  corpusKey('ann', 'briefs'),
  targetKey('filing_unit', 'ann', 'f'),
  targetKey('document', 'ann', 'd'),
  targetKey('segment', 'bob', 's'),
]
export const NOW = Date.parse('2026-01-01T00:00:00.000Z')
export const HOUR = 3_600_000
