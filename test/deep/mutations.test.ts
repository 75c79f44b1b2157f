import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import type * as Threading from '../../src/runtime/threads/threads.js'
import type * as Counting from '../../src/runtime/tokenizer.js'
import { AREAS } from '../support/areas.js'
import { deep } from '../support/depth.js'
import { makeMutant } from '../support/mutants.js'

it.each(
  AREAS.map(area => [area.name, area] as const),
)('every text that %s replaces occurs exactly once in its file', (_, { broken }) => {
  const misplaced = broken.flatMap(({ name, mutations }) =>
    mutations
      .filter(({ file, find }) => !existsSync(file) || readFileSync(file, 'utf8').split(find).length !== 2)
      .map(({ file, find }) => `${name}: ${file}: ${find}`),
  )
  expect(misplaced).toEqual([])
})

it.runIf(deep)('what is broken is broken in threads too, and a copy counts tokens', async () => {
  const mutant = await makeMutant({
    file: 'src/http/parse-json-job.ts',
    find: "return { kind: 'not_json' }",
    replace: "return { kind: 'broken' }",
  })
  const { Threads, jobModule } = (await mutant.import('src/runtime/threads/threads.ts')) as typeof Threading
  const { o200k } = (await mutant.import('src/runtime/tokenizer.ts')) as typeof Counting
  const threads = new Threads()
  try {
    const job = { module: jobModule('http/parse-json-job.js'), input: Buffer.from('no JSON') }
    expect(await threads.run({ tenant: 'one', credential: 'one' }, job)).toEqual({ kind: 'broken' })
    expect(o200k.count('two words')).toBe(2)
  } finally {
    await threads.close()
    await mutant.dispose()
  }
})
