import { createHash } from 'node:crypto'
import { encodeTuple, type PolicyTuple } from '../policy/tuple.js'

/** A compartment's id is the hash of its tuple, so writers of equal tuples agree on it without a lock. */
export function compartmentId(tuple: PolicyTuple): string {
  return createHash('sha256').update(encodeTuple(tuple)).digest('hex')
}
