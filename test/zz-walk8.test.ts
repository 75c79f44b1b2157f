import { readFile } from 'node:fs/promises'
import { it } from 'vitest'
import { runProgram } from './support/run-program.js'
it('x', async () => {
  console.log(await runProgram({ code: await readFile('/tmp/doc8/walk.ts', 'utf8') }))
}, 120000)
