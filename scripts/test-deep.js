#!/usr/bin/env node
/** The deep run: everything there is to prove, cut into slices that a run may be stopped between. */
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CACHE, ROOT, runVitest } from './run-vitest.js'
import { SLICES, sliceOf } from './slices.js'

const HELP = `usage: npm run test:deep -- [--slice NAME]... [--list] [--fresh] [--update]

Runs every test on both engines, in all worlds and with all trials, and everything that is broken on purpose: mutants
and planted leaks. At most two slices run side by side. A slice that was green for the same files is not run
again, so a run that was stopped goes on where it was.

  --slice NAME  only this slice; may be given several times
  --list        the slices, how long each took, and which are green for the files as they are
  --fresh       also what is green already
  --update      where a planted leak is seen in another world than its list says, write that down
  --help        this text

When all slices are green and everything is committed, test/deep/last-green.json is written: commit it.`

const LAST_GREEN = 'test/deep/last-green.json'
const STATE = join(CACHE, 'deep.json')

/** @typedef {{ tree: string, green: boolean, seconds: number, passed: number }} SliceRun */

/** @param {string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).trim()

/** A name for the files as they are, committed or not; what this run writes itself does not count. */
function treeState() {
  const folder = mkdtempSync(join(tmpdir(), 'privity-tree-'))
  try {
    const index = join(folder, 'index')
    copyFileSync(resolve(ROOT, git('rev-parse', '--git-path', 'index')), index)
    const env = { ...process.env, GIT_INDEX_FILE: index }
    const onCopy = (/** @type {string[]} */ ...args) =>
      execFileSync('git', args, { cwd: ROOT, env, encoding: 'utf8' }).trim()
    onCopy('add', '--all')
    onCopy('rm', '--cached', '--quiet', '--ignore-unmatch', LAST_GREEN)
    return onCopy('write-tree')
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @param {string} path @returns {any} */
const readJson = path => (existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {})

/** @param {number} seconds */
const minutes = seconds => (seconds < 90 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`)

async function main() {
  const { values } = parseArgs({
    options: {
      slice: { type: 'string', multiple: true },
      list: { type: 'boolean' },
      fresh: { type: 'boolean' },
      update: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  })
  if (values.help) return console.log(HELP)
  const unknown = values.slice?.filter(name => !(name in SLICES)) ?? []
  if (unknown.length > 0)
    throw new Error(`there is no slice ${unknown.join(', ')}: see npm run test:deep -- --list`)

  const tests = git('ls-files', '--cached', '--others', '--exclude-standard', '*.test.ts')
    .split('\n')
    .filter(file => existsSync(join(ROOT, file)))
  const forgotten = tests.filter(file => sliceOf(file) === null)
  if (forgotten.length > 0) throw new Error(`in no slice of scripts/slices.js: ${forgotten.join(', ')}`)

  const tree = treeState()
  /** @type {Record<string, SliceRun>} */
  const state = readJson(STATE)
  const last = readJson(join(ROOT, LAST_GREEN))
  /** @param {string} name */
  const expected = name => state[name]?.seconds ?? last.seconds?.[name] ?? 60
  /** @param {string} name */
  const isGreen = name => state[name]?.tree === tree && state[name].green

  if (values.list) {
    const total = Object.keys(SLICES).reduce((sum, name) => sum + expected(name), 0)
    const isKnown = Object.keys(SLICES).some(name => state[name] !== undefined) || last.seconds !== undefined
    console.log(`${'slice'.padEnd(18)}${'files'.padStart(10)}  last took`)
    for (const name of Object.keys(SLICES)) {
      const files = tests.filter(file => sliceOf(file) === name).length
      const known = state[name] ?? last.seconds?.[name] !== undefined
      const took = known ? minutes(expected(name)) : 'never run'
      console.log(
        `${name.padEnd(18)}${String(files).padStart(10)}  ${took.padEnd(10)}${isGreen(name) ? ' green' : ''}`,
      )
    }
    console.log(
      isKnown ? `about ${minutes(total / 2)} in all on two cores` : 'no deep run is on record in this clone',
    )
    return
  }

  const wanted = Object.keys(SLICES).filter(name => values.slice?.includes(name) ?? true)
  const skipped = values.fresh ? [] : wanted.filter(isGreen)
  const waiting = wanted.filter(name => !skipped.includes(name)).sort((a, b) => expected(b) - expected(a))
  if (skipped.length > 0) console.log(`green already, not run again: ${skipped.join(', ')}`)
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, stdio: 'inherit' })

  const cores = Math.min(2, availableParallelism())
  const lanes = Math.max(1, Math.min(cores, waiting.length))
  const began = performance.now()
  const count = waiting.length
  /** @type {Map<string, import('node:child_process').ChildProcess | null>} */
  const running = new Map()
  /** @type {string[]} */
  const red = []
  /** @type {{ file: string, seconds: number }[]} */
  const files = []
  let passed = 0
  let stopped = false
  const stop = () => {
    stopped = true
    for (const child of running.values()) child?.kill('SIGINT')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)

  const left = () => {
    const work = [...waiting, ...running.keys()].reduce((sum, name) => sum + expected(name), 0)
    return waiting.length + running.size === 0 ? '' : `, about ${minutes(work / lanes)} left`
  }
  const runSlices = async () => {
    for (let name = waiting.shift(); name !== undefined && !stopped; name = waiting.shift()) {
      const slice = name
      const start = performance.now()
      const log = join(CACHE, `deep-${slice}.log`)
      running.set(slice, null)
      console.log(`${slice} begins${left()}`)
      const counts = await runVitest({
        files: tests.filter(file => sliceOf(file) === slice),
        workers: lanes === 1 ? cores : 1,
        log,
        env: values.update ? { PRIVITY_UPDATE: '1' } : {},
        onSpawn: child => running.set(slice, child),
      })
      running.delete(slice)
      if (stopped) return
      const seconds = (performance.now() - start) / 1000
      const green = counts.failed === 0
      if (!green) red.push(slice)
      passed += counts.passed
      for (const { name, startTime, endTime } of counts.files)
        files.push({ file: relative(ROOT, name), seconds: (endTime - startTime) / 1000 })
      state[slice] = { tree, green, seconds, passed: counts.passed }
      mkdirSync(CACHE, { recursive: true })
      writeFileSync(STATE, JSON.stringify(state, null, 2))
      const done = count - waiting.length - running.size
      const result = green ? `${counts.passed} passed` : `${counts.failed} FAILED, ${counts.passed} passed`
      console.log(`[${done}/${count}] ${slice}: ${result} in ${minutes(seconds)}${left()}`)
      for (const failure of counts.failures) console.log(`  ${failure}`)
      if (!green) console.log(`  all of it: ${log}`)
    }
  }
  await Promise.all(Array.from({ length: lanes }, runSlices))

  if (stopped) {
    console.log('stopped: the same command goes on from here')
    process.exitCode = 130
    return
  }
  const took = (performance.now() - began) / 1000
  files.sort((a, b) => b.seconds - a.seconds)
  if (files.length > 0) console.log('\nslowest files:')
  for (const { file, seconds } of files.slice(0, 10))
    console.log(`${seconds.toFixed(1).padStart(8)} s  ${file}`)
  console.log(
    `\n${count} slices in ${minutes(took)}: ${passed} passed, ${red.length === 0 ? 'all green' : `red: ${red.join(', ')}`}`,
  )
  if (red.length > 0) process.exitCode = 1
  else if (Object.keys(SLICES).every(isGreen)) recordGreen(state)
}

/** @param {Record<string, SliceRun>} state */
function recordGreen(state) {
  const changed = git('status', '--porcelain')
    .split('\n')
    .filter(line => line !== '' && !line.endsWith(LAST_GREEN))
  if (changed.length > 0)
    return console.log(
      'everything is green; commit it and run this again to write it down, which takes seconds',
    )
  const seconds = Object.fromEntries(
    Object.keys(SLICES).map(name => [name, Math.round(state[name]?.seconds ?? 0)]),
  )
  const total = Object.values(seconds).reduce((sum, one) => sum + one, 0)
  const green = {
    commit: git('rev-parse', 'HEAD'),
    date: new Date().toISOString().slice(0, 10),
    minutes: Math.round(total / 120),
    seconds,
  }
  writeFileSync(join(ROOT, LAST_GREEN), `${JSON.stringify(green, null, 2)}\n`)
  console.log(`everything is green: commit ${LAST_GREEN}`)
}

try {
  await main()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
