import { monitorEventLoopDelay } from 'node:perf_hooks'
import { pathToFileURL } from 'node:url'
import { watchTurns } from './longest-turn.js'

/**
 * A server in a process of its own, which says on request how long its event loop was blocked and how large it is. It
 * runs the built package of any checkout, so that two versions can be compared by one script.
 *
 * @typedef {{ url: string, keys: { honest: string, attacker: string }, ids: string[] }} Ready
 * @typedef {{ blockedMs: number, turnMs: number, rss: number, peakRss: number }} Strain
 */

const [root = '', databaseUrl = '', records = '200'] = process.argv.slice(2)
/** @param {string} path */
const load = path => import(pathToFileURL(`${root}/dist/${path}`).href)
/** @type {typeof import('../../src/open.js')} */
const { open } = await load('open.js')
/** @type {typeof import('../../src/http/index.js')} */
const { serve } = await load('http/index.js')
/** @type {typeof import('../../src/legal/index.js')} */
const { legal } = await load('legal/index.js')

const privity = await open({ ...(databaseUrl === '' ? {} : { databaseUrl }), domain: legal() })
const ana = privity.as({ tenant: 'honest', actor: 'ana' })
const texts = Array.from({ length: Number(records) }, (_, at) => ({
  kind: /** @type {const} */ ('note'),
  text: `note ${at}: the garden gate, lamp ${at % 17} and the boat ${at % 31} are painted`,
}))
/** @type {string[]} */
const ids = (await ana.remember(texts)).map(({ id }) => id)
await ana.search('garden')
await privity.caughtUp()

/** @param {string} tenant @param {object} credential */
async function keyFor(tenant, credential) {
  const host = privity.as({ tenant, actor: 'host', audience: 'host' })
  return (await host.keys.create({ name: 'bench', actor: 'ana', ...credential })).secret ?? ''
}
const keys = {
  honest: await keyFor('honest', {}),
  attacker: await keyFor('attacker', { actor: 'eve' }),
}
const server = await serve(privity, { port: 0 })
const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
const turns = watchTurns()
let peakRss = 0
setInterval(() => {
  peakRss = Math.max(peakRss, process.memoryUsage.rss())
}, 20)
process.on('message', () => {
  /** @type {Strain} */
  const strain = {
    blockedMs: Math.max(0, delay.max / 1e6 - 5),
    turnMs: turns.take(),
    rss: process.memoryUsage.rss(),
    peakRss,
  }
  process.send?.(strain)
  delay.reset()
  peakRss = 0
})
process.on('disconnect', () => process.exit(0))
process.send?.({ url: server.url, keys, ids })
