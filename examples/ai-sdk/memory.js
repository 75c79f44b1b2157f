/**
 * Middleware for the Vercel AI SDK: before each call the model is told what is worth knowing, and what is said is kept.
 * It runs offline: `npm run build && node examples/ai-sdk/memory.js`. The model is a scripted one; put yours in its place.
 */
import { generateText, wrapLanguageModel } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { open } from 'privity'
import { privityMiddleware } from 'privity/ai-sdk'

const privity = await open()
const ana = privity.as({ tenant: 'home', actor: 'ana' })
await ana.remember({ kind: 'semantic', text: 'Ana is allergic to nuts.', pinned: true })
await ana.remember({ kind: 'semantic', text: 'The alarm code is 4711.', sensitivity: 'hyper', pinned: true })

const model = wrapLanguageModel({
  model: scriptedModel(),
  middleware: privityMiddleware(ana, { conversation: 'dinner' }),
})
const { text } = await generateText({ model, prompt: 'I live in Graz. What could I cook?' })
console.log(text)

const { records } = await ana.list({ kinds: ['semantic'] })
for (const { payload } of records) console.log(`known: ${payload?.text}`)
await privity.close()

/** Stands in for a model: it says what it was told. */
function scriptedModel() {
  const tokens = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }
  return new MockLanguageModelV3({
    doGenerate: async ({ prompt }) => {
      const told = JSON.stringify(prompt)
      const facts = ['nuts', '4711'].filter(fact => told.includes(fact))
      return {
        content: [{ type: 'text', text: `I was told of: ${facts.join(', ')}` }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: { inputTokens: tokens, outputTokens: { total: 0, text: 0, reasoning: 0 } },
        warnings: [],
      }
    },
  })
}
