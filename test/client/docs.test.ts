import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../src/client/index.js'
import { ERRORS } from '../../src/errors.js'
import { OPTION_HEADERS } from '../../src/http/read-options.js'
import { codeBlocks, runProgram } from '../support/run-program.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'

const run = promisify(execFile)

describe('docs of the server and its client', () => {
  let server: TestServer
  let folder: string
  let env: Record<string, string>
  beforeAll(async () => {
    server = await openTestServer(anyEngine)
    folder = await mkdtemp(join(tmpdir(), 'privity-docs-'))
    const PRIVITY_KEY = await server.keyFor({ tenant: server.tenant(), actor: 'ana' })
    env = { PRIVITY_URL: server.url, PRIVITY_KEY }
  })
  afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  it('docs/client.md has an example that runs', async () => {
    const [example = ''] = await codeBlocks('docs/client.md')
    expect(await runProgram({ code: example }, [], env)).toBe(
      'The tomatoes go to the south wall.\nnull\nnot_found\n',
    )
  }, 120_000)

  it('docs/http.md has examples that run', async () => {
    const [example = ''] = await codeBlocks('docs/http.md')
    expect(await runProgram({ code: example })).toBe('200 true\n')
    const shell = async (script: string) =>
      (await run('sh', ['-ec', script], { cwd: folder, env: { ...process.env, ...env } })).stdout
    const ana = connect({ url: server.url, key: env.PRIVITY_KEY ?? '' })
    const { id } = await ana.remember({ kind: 'note', text: 'We bought tomatoes.' })
    const [search = '', files = '', transfer = ''] = await codeBlocks('docs/http.md', 'sh')
    expect(JSON.parse(await shell(search))).toMatchObject({
      success: true,
      data: { results: [{ record: { id } }], count: 1 },
    })
    const done = (await shell(transfer)).trim().split('\n').at(-1) ?? ''
    expect(JSON.parse(done)).toMatchObject({ done: { stored: 1 } })
    await writeFile(join(folder, 'brief.pdf'), 'The motion is denied.')
    // curl ends no line.
    const taken = (await shell(files)).replace('}{', '}\n{').split('\n')
    expect(taken.map(line => JSON.parse(line).data)).toMatchObject([
      { outcome: 'created', document: 'brief.pdf' },
      { outcome: 'unchanged', document: 'brief.pdf' },
    ])
  }, 120_000)

  it('[RS-2] docs/http.md names every error with its status, and every header', async () => {
    const text = await readFile('docs/http.md', 'utf8')
    const rows = [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \| \S/gm)].map(([, status, code]) => [
      code,
      Number(status),
    ])
    expect(rows).toEqual(Object.entries(ERRORS).map(([code, { http }]) => [code, http]))
    for (const header of Object.values(OPTION_HEADERS)) expect(text).toContain(`| \`${header}\` |`)
  })
})
