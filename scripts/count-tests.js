#!/usr/bin/env node
/** Adds up reports, each followed by what its run exited with: whatever the runner says, what failed has failed. */
import { existsSync, readFileSync } from 'node:fs'
import { countTests } from './run-vitest.js'

const total = { passed: 0, failed: 0 }
for (let at = 2; at < process.argv.length; at += 2) {
  const [path = '', code] = process.argv.slice(at)
  const { passed, failed } = countTests(existsSync(path) ? readFileSync(path, 'utf8') : '', Number(code))
  total.passed += passed
  total.failed += failed
}
console.log(`${total.passed} passed, ${total.failed} failed`)
process.exitCode = total.failed === 0 ? 0 : 1
