import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { anyEngine } from '../support/stores.js'

let store: TestPrivity
beforeAll(async () => {
  store = await openTestPrivity(anyEngine)
})
afterAll(() => store.dispose())

it('[AU-4, NI-1] finds what is about a person, as far as the caller sees it, and what would fall with it', async () => {
  const tenant = store.tenant()
  const ana = store.privity.as({ tenant, actor: 'ana' })
  const limited = store.privity.as({ tenant, actor: 'ana', trust: { maxSensitivity: 'medium' } })
  const [walk, named, secret, other] = await ana.remember([
    { kind: 'episodic', text: 'a walk by the river', participants: ['Frank'] },
    { kind: 'note', text: 'Ask frank about the car.' },
    { kind: 'note', text: 'What Frank owes', sensitivity: 'hyper' },
    { kind: 'note', text: 'Speak frankly about Frankfurt.' },
  ])
  const made = await ana.remember({
    kind: 'semantic',
    text: 'He likes rivers',
    derivedFrom: [walk?.id ?? ''],
  })
  const all = await ana.forgetCandidates({ about: 'FRANK' })
  // What was made of a record takes over its people, and is found by them.
  expect(all.records.toSorted()).toEqual([walk?.id, named?.id, secret?.id, made.id].toSorted())
  expect(all).toMatchObject({ complete: true, derivedCount: 0 })
  const seen = await limited.forgetCandidates({ about: 'Frank', kinds: ['note'] })
  expect(seen.records).toEqual([named?.id])
  const walks = await ana.forgetCandidates({ phrase: 'by the river' })
  expect(walks).toMatchObject({ records: [walk?.id], derivedCount: 1, derived: [{ id: made.id }] })
  expect((await ana.forgetCandidates({ phrase: 'the by river' })).records).toEqual([])
  await ana.forget(all.records)
  expect((await ana.list()).records.map(({ id }) => id)).toEqual([other?.id])
  await expect(ana.forgetCandidates({})).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(ana.forgetCandidates({ phrase: ' ! ' })).rejects.toMatchObject({ code: 'invalid_input' })
})
