import { describe, expect, it } from 'vitest'
import { codeBlocks, runProgram } from './support/run-program.js'

describe('docs/lifecycle.md', () => {
  it('has examples that run to their end', async () => {
    const [salience = '', conversations = '', outcomes = '', consolidation = ''] =
      await codeBlocks('docs/lifecycle.md')
    expect(Number(await runProgram({ code: salience }))).toBeCloseTo(0.495, 3)
    expect(await runProgram({ code: conversations })).toBe('Ben lives in Linz superseded\n')
    expect(await runProgram({ code: outcomes })).toBe('1\n')
    expect(await runProgram({ code: consolidation })).toBe("[ 'cyd' ]\n")
  }, 180_000)
})

describe('docs/people.md', () => {
  it('[PC-7] has an example that prints what the page says', async () => {
    const [code = ''] = await codeBlocks('docs/people.md')
    const [printed] = await codeBlocks('docs/people.md', 'text')
    expect(await runProgram({ code })).toBe(printed)
  }, 180_000)
})

describe('docs/labels.md', () => {
  it('[WR-6] has an example that prints what the page says', async () => {
    const [code = ''] = await codeBlocks('docs/labels.md')
    const [printed] = await codeBlocks('docs/labels.md', 'text')
    expect(await runProgram({ code })).toBe(printed)
  }, 180_000)
})

describe('docs/console.md', () => {
  it('[DE-7] has an example that runs to its end', async () => {
    const [example = ''] = await codeBlocks('docs/console.md')
    expect(await runProgram({ code: example })).toBe('0\n')
  }, 180_000)
})
