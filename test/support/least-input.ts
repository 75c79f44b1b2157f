import type { Operation } from '../../src/runtime/operation.js'
import type { SampleInput } from '../../src/runtime/sample-world.js'
import { random } from '../../src/testing/non-interference/random.js'
import { sampleWorld } from '../../src/testing/non-interference/sample-world.js'

const KNOWN = {
  records: ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'],
  others: ['00000000-0000-4000-8000-000000000003'],
  key: 'least:7',
}

/** The least that an operation takes, of its sample: without any one of these fields it takes nothing. */
export function leastInput({ name, input, sample }: Operation): SampleInput {
  for (let seed = 1; seed <= 100; seed++) {
    let least = sample(sampleWorld(random(seed), KNOWN))
    if (!input.safeParse(least).success) continue
    for (const field of Object.keys(least)) {
      const { [field]: _, ...fewer } = least
      if (input.safeParse(fewer).success) least = fewer
    }
    return least
  }
  throw new Error(`${name}: none of its samples is an input that it takes`)
}
