import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { list } from '../../src/runtime/operations/list.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'

describe('in tests, an answer', () => {
  const declared = list.output
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity('pglite')
  })
  afterAll(() => {
    Object.assign(list, { output: declared })
    return store.dispose()
  })

  const answered = async (output: z.ZodType) => {
    Object.assign(list, { output })
    const ana = store.privity.as({ tenant: store.tenant(), actor: 'ana' })
    await ana.remember({ kind: 'note', text: 'The tomatoes go to the south wall.' })
    return ana.list()
  }
  const withoutVersion = declared.shape.records.element.omit({ version: true })

  it('has no field that its operation does not declare, however deep', async () => {
    await expect(answered(declared.extend({ records: z.array(withoutVersion) }))).rejects.toThrow(
      'the answer of memory.list has undeclared fields: .records.0.version',
    )
  })

  it('lacks none that it declares', async () => {
    await expect(answered(declared.extend({ count: z.int() }))).rejects.toThrow(
      'the answer of memory.list is not as declared: count',
    )
  })

  it('is as it is declared', async () => {
    expect((await answered(declared)).records).toHaveLength(1)
  })
})
