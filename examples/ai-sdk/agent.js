/**
 * Tools for the Vercel AI SDK: a model that looks something up, keeps something, and answers.
 * It runs offline: `npm run build && node examples/ai-sdk/agent.js`. The model is a scripted one; put yours in its place.
 * With a server, only the handle changes: `connect({ url, key })` from `privity/client`.
 */
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { open } from 'privity'
import { privityTools } from 'privity/ai-sdk'

const privity = await open()
const ana = privity.as({ tenant: 'home', actor: 'ana' })
const helper = privity.as({
  tenant: 'home',
  actor: 'helper',
  audience: 'agent',
  for: 'ana',
  trust: { maxSensitivity: 'low' },
  session: 'planning the garden',
})
await ana.remember({ kind: 'semantic', text: 'The tomatoes go to the south wall.', sensitivity: 'low' })
await ana.remember({
  kind: 'semantic',
  text: 'The tomatoes were a gift of Ben, who is ill.',
  sensitivity: 'high',
})

const { text, steps } = await generateText({
  model: scriptedModel(),
  tools: privityTools(helper, { search: { mode: 'text' } }),
  stopWhen: stepCountIs(5),
  prompt: 'Where do the tomatoes go? And remember that I bought stakes for them.',
})

for (const { toolName, input, output } of steps.flatMap(({ staticToolResults }) => staticToolResults))
  console.log(`${toolName}(${JSON.stringify(input)})\n${output}\n`)
console.log(text)
const { records } = await ana.list({ kinds: ['note'] })
console.log(
  `Ana now finds: ${records.map(({ payload }) => payload?.text).join()} (by ${records[0]?.payload?.author})`,
)

await privity.close()

/** Stands in for a model: it asks for two tools, one after the other, and then answers. */
function scriptedModel() {
  /** @param {string} toolName @param {object} input */
  const call = (toolName, input) =>
    /** @type {const} */ ({ type: 'tool-call', toolCallId: toolName, toolName, input: JSON.stringify(input) })
  const script = [
    call('searchMemories', { query: 'tomatoes', limit: 3 }),
    call('remember', { kind: 'note', text: 'Stakes for the tomatoes were bought.', tags: ['garden'] }),
    /** @type {const} */ ({ type: 'text', text: 'They go to the south wall, and I noted the stakes.' }),
  ]
  const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }
  return new MockLanguageModelV3({
    doGenerate: script.map(content => ({
      content: [content],
      finishReason: { unified: content.type === 'text' ? 'stop' : 'tool-calls', raw: undefined },
      usage: { inputTokens: tokens, outputTokens: { total: 0, text: 0, reasoning: 0 } },
      warnings: [],
    })),
  })
}
