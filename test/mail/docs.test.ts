import { expect, it } from 'vitest'
import { codeBlocks, runProgram } from '../support/run-program.js'

it('docs/operating.md has an example of mail that runs to its end', async () => {
  const code = (await codeBlocks('docs/operating.md')).find(block => block.includes('folderMailer'))
  expect(await runProgram({ code: code ?? 'throw new Error("it is not there")' })).toBe('')
}, 120_000)
