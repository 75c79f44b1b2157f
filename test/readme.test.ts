import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { codeBlocks, runProgram } from './support/run-program.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

describe('the README', () => {
  it('is at most 150 lines long', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    expect(readme.split('\n').length).toBeLessThanOrEqual(151)
  })

  it('has a first example that says what its comments say', async () => {
    const [example = ''] = await codeBlocks('README.md')
    // Every awaited question of the example, printed.
    const printing = example.replaceAll(
      /^await (agent\.get|ana\.explain)\((.*)\) \/\/.*$/gm,
      'console.log(JSON.stringify(await $1($2)))',
    )
    const lines = (await runProgram({ code: printing })).trim().split('\n')
    expect(lines).toHaveLength(3)
    expect(JSON.parse(lines[0] ?? '')).toBeNull()
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({ face: 'metadata', payload: null })
    expect(JSON.parse(lines[2] ?? '').gates).toHaveLength(11)
  })

  it('has a harness example that finds no leak', async () => {
    const [, example = ''] = await codeBlocks('README.md')
    expect(await runProgram({ code: example })).toBe('no leak found\n')
  }, 180_000)
})

describe('npm start', () => {
  it('runs the worked example to its end, twice on one folder', async () => {
    const folder = await mkdtemp(join(ROOT, 'node_modules/.cache-start-'))
    try {
      for (const _ of [1, 2]) {
        const output = await runProgram({ file: 'examples/first-run.js' }, ['--data', join(folder, 'memory')])
        expect(output).toContain('nothing: as if it did not exist')
        expect(output).toContain('all told      metadata')
        expect(output).toMatch(/\d+ entries, unbroken/)
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }, 180_000)
})
