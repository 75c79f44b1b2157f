import { createHash } from 'node:crypto'
import { encodeTuple, type PolicyTuple } from '../policy/tuple.js'

/** A compartment is named by the hash of its tuple, so equal tuples meet without a lock. */
export function compartmentId(tuple: PolicyTuple): string {
  return createHash('sha256').update(encodeTuple(tuple)).digest('hex')
}
