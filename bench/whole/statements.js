import { opening } from '../built.js'
import { AGENT, makeDrafts } from '../drafts.js'
import { startPostgres } from '../postgres.js'
import { makeRandom } from '../random.js'
import { count } from './goals.js'

const GOALS = { get: 2, list: 2, search: 3, ask: 4, remember: 4 }
const SETTLED_MS = 200

/** How many statements each operation sends once its caches are filled. @param {import('./goals.js').Run} run */
export async function measureStatements({ seed, engines, add }) {
  for (const engine of engines) {
    const server = engine === 'postgres' ? await startPostgres() : null
    let sent = 0
    const observe = () => void sent++
    const privity = await opening.open({
      ...(server === null ? {} : { databaseUrl: server.url }),
      observe,
      sweeps: false,
    })
    try {
      const agent = privity.as(AGENT)
      const drafts = makeDrafts(makeRandom(seed), 300)
      const [first] = await agent.remember(drafts)
      await privity.caughtUp()
      const query = drafts[0]?.text.split(' ').slice(0, 3).join(' ') ?? ''
      const ways = {
        get: () => agent.get(first?.id ?? ''),
        list: () => agent.list({ limit: 20 }),
        search: () => agent.search(query),
        ask: () => agent.documents.search({ query }),
        remember: () => agent.remember([{ kind: 'note', text: query }]),
      }
      for (const [way, run] of /** @type {[keyof typeof ways, () => Promise<unknown>][]} */ (
        Object.entries(ways)
      )) {
        for (let warm = 0; warm < 3; warm++) await run()
        await privity.caughtUp()
        // What the last ones left to be done in the background.
        await new Promise(resolve => setTimeout(resolve, SETTLED_MS))
        sent = 0
        await run()
        add(count({ what: `statements of ${way}`, store: engine, ours: sent, unit: '', atMost: GOALS[way] }))
      }
    } finally {
      await privity.close()
      await server?.dispose()
    }
  }
}
