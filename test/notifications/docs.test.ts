import { expect, it } from 'vitest'
import { codeBlocks, runProgram } from '../support/run-program.js'

it('docs/notifications.md has an example that runs to its end', async () => {
  const [receiving = ''] = await codeBlocks('docs/notifications.md')
  expect(await runProgram({ code: receiving })).toBe('true ping\n')
}, 60_000)
