#!/usr/bin/env node
import { run } from './run.js'

// The reader of a pipe may stop before the end, as `head` does.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0)
  throw error
})
process.stderr.on('error', () => {})

/** How long what a command leaves behind, such as a connection that does not close, may keep it from ending. */
const END_WITHIN_MS = 2_000

process.exitCode = await run(process.argv.slice(2), {
  stdout: process.stdout,
  stderr: process.stderr,
  env: process.env,
})
// The timer alone does not keep the process alive. Output that a slow reader has not taken yet is waited for.
const end = () => (process.stdout.writableLength === 0 ? process.exit() : again())
const again = () => void setTimeout(end, END_WITHIN_MS).unref()
again()
