import fc, { type Arbitrary } from 'fast-check'
import type { PolicyWorld } from './policy-world.js'
import { caller } from './worlds/callers.js'
import { SETTINGS } from './worlds/draw.js'
import { facts, type WorldOptions } from './worlds/facts.js'
import { uuid } from './worlds/pools.js'
import { record } from './worlds/records.js'

export type { WorldOptions } from './worlds/facts.js'
export { UNKNOWN_VALUES } from './worlds/pools.js'

/**
 * Generates worlds to test policy with: facts, records and callers, including unknown enum values and missing facts.
 *
 * @example
 * fc.assert(fc.property(policyWorld(), ({ facts, records, callers }) => …))
 */
export function policyWorld(options: WorldOptions = {}): Arbitrary<PolicyWorld> {
  return fc.oneof(
    ...SETTINGS.map(setting =>
      fc.record({
        facts: facts(options),
        records: fc
          .array(record(setting), { minLength: 1, maxLength: 8, size: 'max' })
          .map(records => records.map((drawn, n) => ({ ...drawn, id: uuid('e', n) }))),
        callers: fc.array(caller(setting), { minLength: 1, maxLength: 3, size: 'max' }),
      }),
    ),
  )
}
