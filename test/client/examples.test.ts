import { describe, expect, it } from 'vitest'
import { runProgram } from '../support/run-program.js'

describe('the examples of adapters', () => {
  it('[TR-2] LangChain.js: who asks decides what the chain is told', async () => {
    expect(await runProgram({ file: 'examples/langchain/retrieval.js' })).toBe(
      [
        'Ana asks "where do the tomatoes go?"',
        '   I was told: The tomatoes go to the south wall.',
        'Ana asks "alarm code?"',
        '   I was told: The alarm code is 4711.',
        'the agent asks "where do the tomatoes go?"',
        '   I was told: The tomatoes go to the south wall.',
        'the agent asks "alarm code?"',
        '   I do not know.',
        '',
      ].join('\n'),
    )
  }, 180_000)

  it('[TR-2] [RC-15] AI SDK: a model searches, keeps and answers, with data between markers', async () => {
    const output = await runProgram({ file: 'examples/ai-sdk/agent.js' })
    expect(output).toMatch(
      /^searchMemories\(\{"query":"tomatoes","limit":3\}\)\n.*\n<privity-data>\n\{"results":\[/,
    )
    expect(output).toContain('The tomatoes go to the south wall.')
    expect(output).not.toContain('ill')
    expect(output).toMatch(/\nremember\(.*\n.*\n<privity-data>\n\{"id":/)
    expect(output.split('\n').slice(-3)).toEqual([
      'They go to the south wall, and I noted the stakes.',
      'Ana now finds: Stakes for the tomatoes were bought. (by helper)',
      '',
    ])
  }, 180_000)
})
