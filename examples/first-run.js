/**
 * A worked example on the embedded store: one family's memory, asked by different callers.
 * `npm start` builds and runs it. The store is a folder (./memory, or the one named on the command line) that stays, so
 * a second run finds what the first one wrote.
 */
import { parseArgs } from 'node:util'
import { open } from '../dist/index.js'

const HELP = `usage: npm start [-- --data DIR]

Runs the worked example: a family's memory on an embedded store, asked by its owner and by an agent.

  --data DIR   the folder of the store (default ./memory); it is kept, and used again by the next run
  --help       this text
`

const { values } = readArguments()
if (values.help) {
  process.stdout.write(HELP)
  process.exit(0)
}

const colour = process.stdout.isTTY && !process.env.NO_COLOR
/** @type {(text: string) => string} */
const bold = text => (colour ? `\u001b[1m${text}\u001b[0m` : text)
/** @type {(text: string) => string} */
const dim = text => (colour ? `\u001b[2m${text}\u001b[0m` : text)
/** @type {(text?: string) => void} */
const say = (text = '') => console.log(text)

say(dim(`opening ${values.data} …`))
const privity = await open({ dataDir: values.data })
process.once('SIGINT', async () => {
  await privity.close()
  process.exit(130)
})

try {
  await familyMemory()
} finally {
  await privity.close()
}

async function familyMemory() {
  const ana = privity.as({ tenant: 'home', actor: 'ana' })
  const helperRef = /** @type {const} */ ({
    actor: 'helper',
    audience: 'agent',
    for: 'ana',
    trust: { maxSensitivity: 'low' },
  })
  const helper = privity.as({ tenant: 'home', ...helperRef })

  say(bold('\n1. Ana remembers.'))
  const picnic = await ana.remember({
    kind: 'episodic',
    text: 'Ben told us at the picnic that he wants to leave his job.',
    sensitivity: 'medium',
    participants: ['ana', 'ben'],
    tags: ['family'],
  })
  const garden = await ana.remember({
    kind: 'semantic',
    text: 'The tomatoes go to the south wall.',
    sensitivity: 'low',
    tags: ['garden'],
  })
  const key = await ana.remember({
    kind: 'semantic',
    text: 'The spare key hangs behind the cellar door.',
    sensitivity: 'low',
    tags: ['house'],
  })
  await ana.people.consent({ person: 'ben', status: 'pending' })
  say(`   three memories: ${dim([picnic.id, garden.id, key.id].join(', '))}`)

  say(bold('\n2. Her agent asks. It may read what is at most low, and only of people who agreed.'))
  await show('the garden', helper, garden.id)
  await show('the picnic (Ben was not asked yet)', helper, picnic.id)

  say(bold('\n3. Ben agrees.'))
  await ana.people.consent({ person: 'ben', status: 'granted' })
  await show('the picnic (one level above the agent: it may know of it, not read it)', helper, picnic.id)

  say(bold('\n4. Search finds what each may see, and a receipt says what was searched.'))
  // Vectors come behind the writers; a search before them goes by words, and its receipt says so.
  await privity.caughtUp()
  await find('the agent', helper, 'where do the tomatos go?')
  await find('the agent (a metadata face is found by its tags, never by its text)', helper, 'family job')
  await find('Ana', ana, 'leaving his job -garden')
  await find('the agent (in other words: what a record means counts as well)', helper, 'growing vegetables')

  say(bold('\n5. Why? Every gate and its verdict, for Ana to see.'))
  const explained = await ana.explain({ record: picnic.id, as: helperRef })
  for (const { gate, face, description } of explained?.gates ?? [])
    say(`   ${gate.padEnd(13)} ${face.level.padEnd(9)} ${dim(description)}`)
  say(`   ${'all told'.padEnd(13)} ${bold(explained?.shown ?? '')}`)

  say(bold('\n6. Ben changes his mind: gone at the next request, for the agent. Ana keeps her memory.'))
  await ana.people.consent({ person: 'ben', status: 'revoked' })
  await show('the agent asks', helper, picnic.id)
  await show('Ana asks', ana, picnic.id)
  await find('the agent searches', helper, 'family')

  say(bold('\n7. Who asked for what, and is the record of it whole?'))
  const { entries } = await ana.audit.list({ limit: 5 })
  for (const { at, actor, operation, outcome } of entries)
    say(`   ${dim(at)} ${String(actor).padEnd(7)} ${operation.padEnd(15)} ${outcome}`)
  const host = privity.as({ tenant: 'home', actor: 'ana', audience: 'host' })
  const { ok, entries: count } = await host.audit.verify()
  say(`   ${count} entries, ${ok ? 'unbroken' : 'BROKEN'}`)

  say(`
${bold('What to try next')}
   Open ./examples/first-run.js beside this output, change who asks, and run npm start again.
   The store stays in ${values.data}; delete the folder to begin anew.
   README.md shows the same in code; ARCHITECTURE.md says how it decides.`)
}

/**
 * @param {string} label
 * @param {import('../dist/index.js').Handle} caller
 * @param {string} id
 */
async function show(label, caller, id) {
  const record = await caller.get(id)
  const answer =
    record === null
      ? 'nothing: as if it did not exist'
      : record.payload === null
        ? `${record.face}: ${record.kind}, ${record.sensitivity}, tagged ${record.tags.join(', ')}`
        : `${record.face}: “${record.payload.text}”`
  say(`   ${label}\n      ${bold(answer)}`)
}

/**
 * @param {string} label
 * @param {import('../dist/index.js').Handle} caller
 * @param {string} query
 */
async function find(label, caller, query) {
  const { results, count, suggestion, notice, receipt } = await caller.search(query)
  say(`   ${label}: ${bold(query)}`)
  for (const { record, score, snippet } of results.slice(0, 3)) {
    const [passage] = snippet.passages
    const text = passage === undefined ? `${record.face}, tagged ${record.tags.join(', ')}` : mark(passage)
    say(`      ${score.toFixed(2)}  ${text}`)
  }
  if (notice !== null) say(`      ${notice}`)
  if (suggestion !== null) say(`      did you mean: ${bold(suggestion.query)}`)
  say(dim(`      ${count} found; ${receipt.searchedCount} searched: ${receipt.resultSetCompleteness}`))
}

/** Highlights are offsets: how they look is up to whoever shows them. @param {{ text: string, highlights: [number, number][] }} passage */
function mark({ text, highlights }) {
  let marked = ''
  let at = 0
  for (const [start, end] of highlights) {
    marked += text.slice(at, start) + bold(text.slice(start, end))
    at = end
  }
  return marked + text.slice(at)
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        data: { type: 'string', default: './memory' },
        help: { type: 'boolean', default: false },
      },
    })
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n\n${HELP}`)
    process.exit(2)
  }
}
