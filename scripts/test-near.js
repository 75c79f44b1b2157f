#!/usr/bin/env node
/** What is broken on purpose near a change: mutants and planted leaks of the files that it touches. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'esbuild'
import { CACHE, ROOT, runVitest } from './run-vitest.js'
import { sliceOf } from './slices.js'

const HELP = `usage: npm run test:near -- [BASE] [--minutes N] [--list] [--report FILE]

Runs the mutants and planted leaks of files that changed since BASE, committed or not: those of the last commit first, then
the others, then those whose test, or a file that only tests use, changed. BASE is the commit of the last green deep run
unless it is given; where none is on record, it is the commit before the last.

  --minutes N    start nothing after N minutes; print what did not run and which slices run it
  --list         what would run
  --report FILE  write what Vitest reports there, as JSON
  --help         this text`

const A_WEEK = 7 * 24 * 60

/** @typedef {import('../test/support/near.js').Near} Near */

/** @param {string[]} args */
const git = (...args) =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()

/** @param {string} commit */
function isKnown(commit) {
  try {
    git('rev-parse', '--verify', '--quiet', `${commit}^{commit}`)
    return true
  } catch {
    return false
  }
}

/** @param {string | undefined} given @returns {string | null} null where nothing is known of the past */
function findBase(given) {
  if (given !== undefined) {
    if (!isKnown(given)) throw new Error(`there is no commit ${given} here`)
    return given
  }
  const path = join(ROOT, 'test/deep/last-green.json')
  const { commit = null } = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  if (commit !== null && isKnown(commit)) return commit
  const why =
    commit === null
      ? 'no deep run is on record'
      : `the last green deep run, ${commit}, is not in this history`
  if (isKnown('HEAD~1')) {
    console.log(`${why}: compared with HEAD~1`)
    return 'HEAD~1'
  }
  console.log(`${why}, nor is any other commit: every file counts as changed`)
  return null
}

/** @param {string | null} base @returns {string[]} */
function changedSince(base) {
  const changed = base === null ? git('ls-files') : git('diff', '--name-only', '--no-renames', base)
  return [...changed.split('\n'), ...git('ls-files', '--others', '--exclude-standard').split('\n')].filter(
    file => file !== '',
  )
}

/** The lists are TypeScript: they are bundled to be read here. */
async function readLists() {
  const outfile = join(CACHE, 'near.mjs')
  const contents = `export { AREAS } from './test/support/areas.ts'; export { nearTo } from './test/support/near.ts'`
  await build({
    stdin: { contents, resolveDir: ROOT },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'error',
  })
  return /** @type {Promise<typeof import('../test/support/areas.js') & typeof import('../test/support/near.js')>} */ (
    import(pathToFileURL(outfile).href)
  )
}

/**
 * @param {readonly Near[]} wanted
 * @param {number} until
 * @param {string} log
 */
async function run(wanted, until, log) {
  /** @type {Record<string, string[]>} */
  const names = {}
  for (const { area, name } of wanted) names[area] = [...(names[area] ?? []), name]
  const plan = join(CACHE, 'near.json')
  writeFileSync(plan, JSON.stringify({ names, until }))
  return runVitest({
    files: [...new Set(wanted.map(({ test }) => test))],
    workers: 2,
    log,
    env: { PRIVITY_NEAR: plan },
  })
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: 'string' },
      list: { type: 'boolean' },
      report: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(HELP)
  const limit = Number(values.minutes ?? A_WEEK)
  if (!(limit > 0)) throw new Error('--minutes takes a number above 0')
  const until = Date.now() + limit * 60_000

  mkdirSync(CACHE, { recursive: true })
  const base = findBase(positionals[0])
  const changed = changedSince(base)
  const { AREAS, nearTo } = await readLists()
  /** @param {string} path */
  const read = path => (existsSync(join(ROOT, path)) ? readFileSync(join(ROOT, path), 'utf8') : null)
  const { touched, judged } = nearTo(changed, AREAS, read)
  const latest = isKnown('HEAD~1') ? nearTo(changedSince('HEAD~1'), AREAS, read).touched : []
  /** @param {Near} near */
  const isLatest = near => latest.some(({ area, name }) => area === near.area && name === near.name)
  const rounds = {
    latest: touched.filter(isLatest),
    touched: touched.filter(near => !isLatest(near)),
    judged,
  }
  console.log(
    `${changed.length} files changed since ${base ?? 'ever'}. To run: ${touched.length} mutants and planted leaks in those files, ${judged.length} whose test changed`,
  )
  if (values.list) {
    for (const { area, name } of Object.values(rounds).flat()) console.log(`${area.padEnd(16)}  ${name}`)
    return
  }
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })
  let [passed, failed] = [0, 0]
  /** @type {string[]} */
  const notRun = []
  const testResults = []
  for (const [which, wanted] of Object.entries(rounds)) {
    if (wanted.length === 0) continue
    if (Date.now() > until) {
      notRun.push(...wanted.map(({ area, name }) => `${area}: ${name}`))
      continue
    }
    const log = join(CACHE, `near-${which}.log`)
    const counts = await run(wanted, until, log)
    passed += counts.passed
    failed += counts.failed
    notRun.push(...counts.notRun)
    testResults.push(...counts.files)
    for (const failure of counts.failures) console.log(`FAILED ${failure}`)
    if (counts.failed > 0) console.log(`all of it: ${log}`)
  }
  if (notRun.length > 0) {
    for (const name of notRun) console.log(`NOT RUN ${name}`)
    const slices = new Set([...touched, ...judged].map(({ test }) => `--slice ${sliceOf(test)}`))
    console.log(
      `${notRun.length} not run for lack of time; all of them: npm run test:deep -- ${[...slices].join(' ')}`,
    )
  }
  console.log(`near: ${passed} passed, ${failed} failed, ${notRun.length} not run`)
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify({ testResults }))
  if (failed > 0) process.exitCode = 1
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
