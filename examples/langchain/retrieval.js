/**
 * Retrieval for LangChain.js: the same chain asked by an owner and by her agent, who are told different things.
 * It runs offline: `npm run build && node examples/langchain/retrieval.js`. The model is a scripted one; put yours in its
 * place. With a server, only the handles change: `connect({ url, key })` from `privity/client`.
 */
import { SimpleChatModel } from '@langchain/core/language_models/chat_models'
import { StringOutputParser } from '@langchain/core/output_parsers'
import { ChatPromptTemplate } from '@langchain/core/prompts'
import { RunnablePassthrough, RunnableSequence } from '@langchain/core/runnables'
import { open } from 'privity'
import { documentsAsData, PrivityRetriever } from 'privity/langchain'

/** Stands in for a model: it answers with the first text that it was given between the data markers. */
class ScriptedModel extends SimpleChatModel {
  _llmType() {
    return 'scripted'
  }
  /** @param {import('@langchain/core/messages').BaseMessage[]} messages */
  async _call(messages) {
    const [, json = '[]'] =
      /<privity-data>\n(.*)\n<\/privity-data>/.exec(messages.map(m => m.text).join('\n')) ?? []
    const [first] = JSON.parse(json)
    return first === undefined ? 'I do not know.' : `I was told: ${first.text}`
  }
}

const privity = await open()
const ana = privity.as({ tenant: 'home', actor: 'ana' })
const helper = privity.as({
  tenant: 'home',
  actor: 'helper',
  audience: 'agent',
  for: 'ana',
  trust: { maxSensitivity: 'low' },
})

await ana.remember({ kind: 'semantic', text: 'The tomatoes go to the south wall.', sensitivity: 'low' })
await ana.remember({ kind: 'semantic', text: 'The alarm code is 4711.', sensitivity: 'medium' })

const prompt = ChatPromptTemplate.fromMessages([
  ['system', 'Answer from these memories alone.\n{memories}'],
  ['human', '{question}'],
])

for (const [who, handle] of /** @type {const} */ ([
  ['Ana', ana],
  ['the agent', helper],
])) {
  const retriever = new PrivityRetriever({ handle, search: { limit: 3, mode: 'text' } })
  const chain = RunnableSequence.from([
    { memories: retriever.pipe(documentsAsData), question: new RunnablePassthrough() },
    prompt,
    new ScriptedModel({}),
    new StringOutputParser(),
  ])
  for (const question of ['where do the tomatoes go?', 'alarm code?'])
    console.log(`${who} asks "${question}"\n   ${await chain.invoke(question)}`)
}

await privity.close()
