import { type TestEmbedding, testEmbedding } from '../../src/testing/embedding.js'

const SAME = [
  ['garden', 'house', 'rose'],
  ['letter', 'secret'],
  ['winter', 'summer'],
  ['quarrel', 'sister'],
]

/** Two models side by side, one of them elsewhere, and weather in which each is down for a while now and then. */
export function meaningUnderTest(): { embedding: TestEmbedding[]; weather: (at: number) => void } {
  const near = testEmbedding({ model: 'near', same: SAME, near: 0.4 })
  const far = testEmbedding({
    model: 'far',
    local: false,
    dimension: 13,
    weight: 0.2,
    near: 0.5,
    batchSize: 3,
  })
  return {
    embedding: [near, far],
    weather(at) {
      const minute = Math.floor(at / 60_000)
      // Long enough that some records wait while questions are answered.
      near.fail(minute % 13 < 7 && 'documents')
      far.fail(minute % 7 < 2)
    },
  }
}
