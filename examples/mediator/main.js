/**
 * Two people at one terminal, and a mediator who tells neither what the other has not agreed to share.
 * It runs offline: `npm run build && node examples/mediator/main.js`. README.md has more.
 */
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { ModelError, open, openAICompatibleChat, PrivityError } from 'privity'

const { MODEL_URL, MODEL = '', MODEL_KEY } = process.env
const model = MODEL_URL
  ? openAICompatibleChat({ url: MODEL_URL, model: MODEL, ...(MODEL_KEY && { apiKey: MODEL_KEY }) })
  : null
// The same model, where there is one, also words what would cross the bridge.
const privity = await open(model ? { mediation: { model } } : {})

const STAGES = ['getting ready', 'being heard', 'seeing the other side', 'what we need', 'what we try']
const MANNER = 'You are a warm, brief mediator. Take no side, and end with one open question.'
const NEED_NAMES = 'SAFETY CONNECTION AUTONOMY RECOGNITION MEANING FAIRNESS'.split(' ')
const NEEDS = /** @type {'SAFETY'[]} */ (NEED_NAMES)
/** @type {Record<string, string>} */
const REFUSED = {
  bridge_accuses: 'it reads as blame. Try “I feel …” or “I need …”',
  bridge_repeats_original: 'it repeats your private words. Find others',
  bridge_not_about_need: 'say what you feel or need',
}

const input = createInterface({ input: process.stdin, output: process.stdout })
const lines = input[Symbol.asyncIterator]()
const print = (/** @type {string} */ text) => console.log(text)

/** What is typed next; null at the end. @param {string} prompt @returns {Promise<string | null>} */
async function ask(prompt) {
  input.setPrompt(`${prompt} `)
  input.prompt()
  const { value, done } = await lines.next()
  if (!process.stdin.isTTY) print('')
  return done ? null : value.trim()
}

const isYes = async (/** @type {string} */ question) => /^y/i.test((await ask(`${question} (y/n)`)) ?? '')

/** A person with two handles: as themselves, and as the mediator who works for them. @param {string} name */
function person(name) {
  const actor = name.toLowerCase()
  const [tenant, trust] = ['example', /** @type {const} */ ({ maxSensitivity: 'high' })]
  const mediator = privity.as({ tenant, actor: 'mediator', audience: 'agent', for: actor, trust })
  return { name, actor, me: privity.as({ tenant, actor }), mediator }
}

print('A mediation between two people. Each talks to the mediator alone; nothing crosses without a yes.\n')
let now = person((await ask('Who is here? (Mara)')) || 'Mara')
let other = person((await ask('And who is the other? (Ben)')) || 'Ben')
const { id: session } = await now.me.sessions.create({ participants: [other.actor] })
await other.me.sessions.join(session)
print('\nSay what is on your mind. /help shows what else you can do.')
await greet()

/** Who is speaking, how far they are, what the other lets them know, and what to do next. */
async function greet() {
  const { stage } = await now.me.stages.get(session)
  print(`\n── ${now.name} ──\n   stage ${stage}, ${STAGES[stage]}`)
  const { items } = await now.me.shared.list({ session })
  const lead = { you: 'You share', partner: `${other.name} lets you know`, session: 'Between you' }
  for (const { source, text } of items.filter(each => each.consentActive !== false))
    if (source !== null) print(`   ${lead[source]}: “${text}”`)
  await hint()
}

async function hint() {
  const { pendingRequests } = await now.me.bridge.pending(session)
  const { stage, mayAdvance, waiting } = await now.me.stages.get(session)
  if (pendingRequests.length > 0) print(`   (${pendingRequests.length} to decide: /pending)`)
  if (mayAdvance) print(`   (/next goes on to: ${STAGES[stage + 1]})`)
  else if (waiting) print(`   (it is ${other.name}’s turn: /as ${other.actor})`)
  else if (stage < 4) print('   (/next, when you are ready)')
}

/** A message: the model is told what the bundle holds and nothing else. @param {string} message */
async function say(message) {
  const { bundle, distress } = await now.mediator.turns.context({ session, turn: randomUUID(), message })
  if (distress) return print(`   (for the app: ${distress.code}. ${distress.course})`)
  const items = [{ type: /** @type {const} */ ('user_event'), text: message }]
  if (!message.endsWith('?')) await now.me.vessel.write({ session, items }) // a question is no event
  const told = /** @type {const} */ ({ role: 'user', content: `${MANNER}\n\n${bundle.text}` })
  const answer = model ? await model.complete([told], AbortSignal.timeout(60_000)) : scripted(bundle.items)
  print(`Mediator: ${answer}`)
  await hint()
}

/** Stands in for a model. @param {readonly { text: string, type: string, provenance: { from: string } }[]} items */
function scripted(items) {
  const shared = items.find(({ provenance }) => provenance.from === 'partner')
  const earlier = items.find(({ type }) => type === 'user_event')
  const idea = items.find(({ type }) => type === 'experiment_suggestion')
  if (idea) return `Here is something small that others have tried. ${idea.text} Would that suit you both?`
  if (shared) return `I hear you. ${other.name} lets you know: “${shared.text}” How does that land with you?`
  if (earlier) return `Thank you. Earlier you told me: “${earlier.text}” Do the two belong together?`
  return 'I hear you, and there is time. What was the hardest part of it?'
}

/** What passes each gate of a stage. @type {Record<string, () => Promise<unknown>>} */
const PASSES = {
  async compactSigned() {
    print('   You agree to speak of yourself, to let the other finish, and that private stays private.')
    await now.me.stages.signCompact(session)
  },
  async feelHeardConfirmed() {
    if (await isYes('Do you feel heard?')) await now.me.stages.confirmHeard(session)
  },
  async empathyConsented() {
    const content = (await ask(`How may it be for ${other.name}? This will be read by ${other.name}:`)) || ''
    const draft = await now.me.empathy.draft({ session, text: content, ready: true })
    await now.me.empathy.share({ session, draft: draft.id, content })
    print(`   → ${other.name} can read: “${content}”`)
  },
  async needsConfirmed() {
    const need = await ask('You need safety, connection, autonomy, recognition, meaning or fairness?')
    const category = NEEDS.find(each => each === need?.toUpperCase())
    if (category === undefined) return print('   That is none of them. /next asks again.')
    const text = (await ask('And in your own words, for yourself:')) || ''
    const { items } = await now.me.vessel.write({ session, items: [{ type: 'need', category, text }] })
    await now.me.vessel.confirmNeeds({ session, needs: items.map(({ id }) => id) })
  },
  async commonGroundConfirmed() {
    const { commonGround } = await now.me.commonGround.find(session)
    for (const { id } of commonGround) await now.me.commonGround.confirm({ session, commonGround: id })
    if (commonGround.length === 0) print('   Common ground is found in needs that both of you share.')
  },
}

/** @type {Record<string, (rest: string) => Promise<unknown>>} */
const COMMANDS = {
  async as(name) {
    if (name.toLowerCase() === other.actor) [now, other] = [other, now]
    if (process.stdout.isTTY) console.clear()
    await greet()
  },
  async next() {
    const { items } = await now.me.shared.list({ session, types: ['empathy_attempt'] })
    const attempt = items.find(({ source, validated }) => source === 'partner' && !validated)
    if (attempt) {
      const validated = await isYes(`${other.name} wrote: “${attempt.text}” Is it like that?`)
      await now.me.empathy.validate({ session, attempt: attempt.id, validated })
    }
    const { stage, stages, mayAdvance } = await now.me.stages.get(session)
    const gates = Object.entries(stages[stage]?.gates ?? {})
    const [gate = ''] = gates.find(([name, passed]) => !passed && name in PASSES) ?? []
    await (mayAdvance ? now.me.stages.advance(session) : PASSES[gate]?.())
    await greet()
  },
  async pending() {
    const { pendingRequests } = await now.me.bridge.pending(session)
    for (const [at, { originalContentSummary, transformedPreview }] of pendingRequests.entries()) {
      print(`   ${at + 1}. You said: “${originalContentSummary}”`)
      print(`      ${other.name} would read: “${transformedPreview}”`)
    }
    if (pendingRequests.length === 0) print('   There is nothing to decide.')
    else print('   /share 1, or /share 1 and words of your own. Not to share is fine, too.')
  },
  async share(rest) {
    const [, number = '', editedContent = ''] = /^(\d+)\s*(.*)$/.exec(rest) ?? []
    const { id } = (await now.me.bridge.pending(session)).pendingRequests[Number(number) - 1] ?? {}
    if (id === undefined) return COMMANDS.pending?.('')
    const decision = { decision: /** @type {const} */ ('GRANTED'), ...(editedContent && { editedContent }) }
    const { sharedContent } = await now.me.bridge.decide({ session, consentRequestId: id, ...decision })
    print(`   → ${other.name} can read: “${sharedContent?.transformedContent}” (/revoke takes it back)`)
  },
  async revoke(number) {
    const { records } = await now.me.bridge.history(session)
    const standing = records.filter(({ decision, revokedAt }) => decision === 'GRANTED' && !revokedAt)
    for (const [at, { id, contentDescription }] of standing.entries())
      if (at + 1 === Number(number)) {
        await now.me.bridge.revoke({ session, consentRecordId: id })
        print(`   ← ${other.name} can no longer read it: ${contentDescription}`)
      } else if (number === '') print(`   /revoke ${at + 1}: ${contentDescription}`)
  },
  async help() {
    print(`   (anything)    talk to the mediator\n   /as ${other.actor.padEnd(10)}let ${other.name} speak`)
    print(`   /next         the next step of your stage\n   /pending      what you could share`)
    print(`   /share 1      let ${other.name} read it\n   /revoke 1     take it back\n   /quit         end`)
  },
}

for (;;) {
  const line = await ask(`${now.name}>`)
  if (line === null || line === '/quit') break
  const [, command, rest = ''] = /^\/(\w*)\s*(.*)$/.exec(line) ?? []
  try {
    if (command !== undefined) await (COMMANDS[command] ?? COMMANDS.help)?.(rest)
    else if (line !== '') await say(line)
  } catch (error) {
    if (!(error instanceof PrivityError || error instanceof ModelError)) throw error
    print(`   That did not work: ${('reason' in error && REFUSED[`${error.reason}`]) || error.message}.`)
  }
}
print('\nTake care.')
input.close()
await privity.close()
