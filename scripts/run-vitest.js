import { spawn } from 'node:child_process'
import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** What runs leave for the next one. */
export const CACHE = join(ROOT, 'node_modules/.cache/privity-tests')

/** @typedef {{ fullName: string, status: string, failureMessages: string[] }} TestResult */
/** @typedef {{ name: string, startTime: number, endTime: number, status: string, message: string, assertionResults: TestResult[] }} FileResult */
/** @typedef {{ passed: number, failed: number, failures: string[], notRun: string[], files: FileResult[] }} Counts */

/**
 * Runs test files as the deep run does: both engines, all worlds. What it prints goes to a log.
 * @param {{ files: readonly string[], workers: number, log: string, env?: Record<string, string>, onSpawn?: (child: import('node:child_process').ChildProcess) => void }} options
 * @returns {Promise<Counts>}
 */
export async function runVitest({ files, workers, log, env = {}, onSpawn }) {
  mkdirSync(dirname(log), { recursive: true })
  const report = log.replace(/\.log$/, '.json')
  rmSync(report, { force: true })
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const args = ['run', ...files.map(file => join(ROOT, file))]
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const child = spawn(process.execPath, [vitest, ...args, ...reporters], {
    cwd: ROOT,
    // Vitest does not hand --maxWorkers on to projects.
    env: { ...process.env, NO_COLOR: '1', PRIVITY_DEEP: '1', PRIVITY_TEST_WORKERS: String(workers), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onSpawn?.(child)
  const out = createWriteStream(log)
  child.stdout.pipe(out, { end: false })
  child.stderr.pipe(out, { end: false })
  const code = await new Promise(resolve => child.once('close', resolve))
  out.end()
  return countTests(existsSync(report) ? readFileSync(report, 'utf8') : '', code)
}

/**
 * What a report of Vitest says. A file that could not run at all has failed, and so has a run that says so.
 * @param {string} report
 * @param {unknown} code what the run exited with
 * @returns {Counts}
 */
export function countTests(report, code) {
  /** @type {Counts} */
  const counts = { passed: 0, failed: 0, failures: [], notRun: [], files: [] }
  try {
    counts.files = JSON.parse(report).testResults
  } catch {
    counts.failures.push('the run left no report')
  }
  for (const { name, status, message, assertionResults } of counts.files) {
    const file = relative(ROOT, name)
    const failed = assertionResults.filter(test => test.status === 'failed')
    for (const { fullName, failureMessages } of failed)
      counts.failures.push(`${file} > ${fullName}\n  ${failureMessages[0]?.split('\n')[0]}`)
    if (status === 'failed' && failed.length === 0) counts.failures.push(`${file}\n  ${message}`)
    for (const { fullName, status } of assertionResults)
      if (status === 'passed') counts.passed++
      else if (status !== 'failed') counts.notRun.push(`${file} > ${fullName}`)
  }
  if (code !== 0 && counts.failures.length === 0) counts.failures.push(`the run ended with ${code}`)
  return { ...counts, failed: counts.failures.length }
}
