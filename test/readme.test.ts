import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** Runs a program as a user would, in an empty folder, with `privity` being these sources. */
async function runProgram(source: { code: string } | { file: string }, args: string[] = []): Promise<string> {
  const folder = await mkdtemp(join(ROOT, 'node_modules/.cache-readme-'))
  const out = join(folder, 'program.mjs')
  try {
    await build({
      ...('file' in source
        ? { entryPoints: [join(ROOT, source.file)] }
        : { stdin: { contents: source.code, loader: 'ts', resolveDir: ROOT } }),
      outfile: out,
      bundle: true,
      format: 'esm',
      platform: 'node',
      packages: 'external',
      plugins: [
        {
          name: 'these sources',
          setup({ onResolve }) {
            onResolve({ filter: /^privity$|^\.\.\/dist\/index\.js$/ }, () => ({
              path: join(ROOT, 'src/index.ts'),
            }))
            onResolve({ filter: /^privity\/testing$/ }, () => ({ path: join(ROOT, 'src/testing/index.ts') }))
          },
        },
        {
          // Bundled code finds the SQL beside the project, not beside itself.
          name: 'sql folder',
          setup({ onLoad }) {
            onLoad({ filter: /storage\/migrate\.ts$/ }, async ({ path }) => ({
              loader: 'ts',
              contents: (await readFile(path, 'utf8')).replace(
                `fileURLToPath(new URL('../../sql', import.meta.url))`,
                JSON.stringify(join(ROOT, 'sql')),
              ),
            }))
          },
        },
      ],
    })
    const { stdout } = await run(process.execPath, [out, ...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
    })
    return stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function codeBlocks(): Promise<string[]> {
  const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(match => match[1] ?? '')
}

describe('the README', () => {
  it('is at most 150 lines long', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8')
    expect(readme.split('\n').length).toBeLessThanOrEqual(151)
  })

  it('has a first example that says what its comments say', async () => {
    const [example = ''] = await codeBlocks()
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
    const [, example = ''] = await codeBlocks()
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
