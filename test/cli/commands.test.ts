import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockDataDir } from '../../src/storage/data-dir-lock.js'
import { deep } from '../support/depth.js'
import { emptyDatabase } from '../support/stores.js'
import { type CommandStore, commandStore } from './support/command-store.js'
import { privity, type Ran, type Running, start } from './support/run-cli.js'

const ABSENT = '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61'
const AGENT = ['--as', 'helper', '--audience', 'agent', '--for', 'ana']

// One store for all of it, in order. In the deep run it is the folder that is made first; else a database, for opening
// the folder takes a second each time.
describe('privity on a store, and on the server of that store', () => {
  let folder: string
  let database: CommandStore | undefined
  let server: Running | undefined
  const ids: Record<string, string> = {}
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'privity-commands-'))
    if (!deep) database = await commandStore()
  })
  afterAll(async () => {
    server?.process.kill('SIGKILL')
    await server?.ended
    await database?.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  const inFolder = (args: readonly string[]): Promise<Ran> =>
    privity(args, { cwd: folder, env: { PRIVITY_AS: 'ana' } })
  const here = (args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Ran> =>
    privity(args, { cwd: folder, env: { PRIVITY_AS: 'ana', ...database?.env, ...env }, input })
  const json = ({ code, stdout, stderr }: Ran) => {
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return JSON.parse(stdout)
  }
  const failure = ({ code, stdout, stderr }: Ran) => {
    expect(stdout).toBe('')
    return { code, error: JSON.parse(stderr).error }
  }

  describe('in this process', () => {
    it('no store is made by reading from one that is not there', async () => {
      expect(failure(await inFolder(['search', 'x', '--json']))).toMatchObject({
        code: 7,
        error: { code: 'setup_incomplete' },
      })
      expect(existsSync(join(folder, 'privity-data'))).toBe(false)
      const { findings } = json(await inFolder(['doctor', '--json']))
      expect(findings).toContainEqual(expect.objectContaining({ check: 'store', state: 'warning' }))
    })

    it('migrate makes a store, and says so', async () => {
      const made = json(await inFolder(['migrate', '--json']))
      expect(made).toEqual({
        before: null,
        after: made.applied.length,
        repaired: false,
        applied: expect.any(Array),
      })
      expect(await inFolder(['migrate'])).toEqual({
        code: 0,
        stdout: `the schema is current (${made.after})\n`,
        stderr: '',
      })
    })

    it('remember keeps arguments and standard input', async () => {
      const stored = json(
        await here([
          'remember',
          'Ben leaves',
          'his job.',
          '--participant',
          'ben',
          '--tag',
          'family',
          '--sensitivity',
          'low',
          '--json',
        ]),
      )
      expect(stored).toMatchObject({ sensitivity: 'low' })
      ids.ben = stored.id
      const evil = await here(
        ['remember', '--title', 'Sea\u001b[31m', '--sensitivity', 'low'],
        {},
        'A storm\u001b[2J at sea.\n',
      )
      expect(evil).toMatchObject({ code: 0, stdout: expect.stringMatching(/^kept [0-9a-f-]{36} \(low, /) })
      ids.storm = evil.stdout.slice(5, 41)
      expect(await here(['remember'], {}, ' \n')).toMatchObject({ code: 2 })
      expect(await here(['remember', '-'], {}, 'x'.repeat(1_048_577))).toMatchObject({
        code: 2,
        stderr: expect.stringContaining('must be at most 1048576 bytes'),
      })
    })

    it('search shows passages and says what was searched', async () => {
      const plain = await here(['search', 'storm'])
      expect(plain).toMatchObject({ code: 0, stderr: '' })
      expect(plain.stdout).toMatch(
        /^1\. Sea.*\n {3}A storm.* at sea\.\n {3}[0-9a-f-]{36} · note · low .*\n1 match in 2 records; everything you may see was searched\.\n$/,
      )
      expect(plain.stdout).not.toContain('\u001b')
      const coloured = await here(['search', 'storm'], { FORCE_COLOR: '1' })
      expect(coloured.stdout).toContain('\u001b[33mstorm\u001b[39m')
      expect(coloured.stdout).not.toContain('\u001b[2J')
    })

    it('[NI-5] what is another’s is absent, to the letter', async () => {
      const theirs = await here(['get', ids.ben ?? '', '--as', 'eve'])
      expect(theirs).toEqual(await here(['get', ABSENT, '--as', 'eve']))
      expect(theirs).toEqual({ code: 3, stdout: '', stderr: 'error: there is no such record\n' })
    })

    it('[TR-2] an agent must say what it is trusted with', async () => {
      const { code, error } = failure(await here(['search', 'job', ...AGENT, '--json']))
      expect([code, error.code]).toEqual([2, 'trust_required'])
    })

    it('[OP-6] secrets rotate', async () => {
      expect(json(await here(['secrets', 'rotate', '--json']))).toMatchObject({ keyId: expect.any(String) })
    })

    it('doctor tells what to do with a store from before the first released schema', async () => {
      const old = await emptyDatabase('postgres')
      try {
        await old.db.script(`
          create schema privity;
          create table privity.migrations (version int primary key, name text not null, breaking bool not null);
          insert into privity.migrations values (1, '001-foundation.sql', true)`)
        const { code, stdout } = await privity(['doctor'], { env: { PRIVITY_DATABASE_URL: old.url ?? '' } })
        expect({ code, said: stdout.trimEnd().split('\n').at(-1) }).toEqual({
          code: 7,
          said:
            'problem  schema      this store was made before the first released schema and cannot be upgraded; ' +
            'export it with the version that made it, then import the file into a new store',
        })
      } finally {
        await old.dispose()
      }
    })

    it('doctor finds everything in order, the audit too', async () => {
      const { code, stdout } = await here(['doctor', '--deep'])
      expect(code).toBe(0)
      const checks = stdout
        .trimEnd()
        .split('\n')
        .map(line => line.split(/\s+/).slice(0, 2).join(' '))
      const [disk, ...others] = checks
        .filter(line => line.endsWith('disk'))
        .concat(checks.filter(line => !line.endsWith('disk')))
      expect(disk).toMatch(/^(ok|warning) disk$/)
      expect(others).toEqual([
        'ok privity',
        'ok node',
        'ok embedding',
        'ok store',
        'ok schema',
        'ok roles',
        'ok security',
        'ok capture',
        'ok audit',
      ])
    })

    it('tenants are made with a first key, whose secret is shown once', async () => {
      const { code, stdout, stderr } = await here(['tenants', 'create', 'acme', '--as', 'admin'])
      expect({ code, stderr }).toEqual({ code: 0, stderr: 'this is shown once: keep it now\n' })
      expect(stdout).toMatch(/^privity_\S+\n$/)
      expect(await here(['tenants', 'create', 'acme'])).toMatchObject({ code: 5, stdout: '' })
      const { tenants } = json(await here(['tenants', 'list', '--json']))
      expect(tenants.map(({ tenant }: { tenant: string }) => tenant)).toEqual(['acme', 'default'])
    })
  })

  describe('on its server', () => {
    let url = ''
    let host = ''
    let owner = ''
    const asOwner = (args: readonly string[], env: Record<string, string> = {}) =>
      privity(args, { cwd: folder, env: { PRIVITY_URL: url, PRIVITY_KEY: owner, ...env } })
    const asHost = (args: readonly string[]) => asOwner(args, { PRIVITY_KEY: host })

    beforeAll(async () => {
      const made = json(await here(['keys', 'create', 'host', '--key-audience', 'host', '--json']))
      host = made.secret
      owner = json(await here(['keys', 'create', 'laptop', '--json'])).secret
      server = start(['start', '--port', '0', '--json'], {
        cwd: folder,
        env: { PRIVITY_AS: 'ana', ...database?.env },
      })
      url = JSON.parse(await server.firstLine()).url
    }, 60_000)

    it('the folder is in use, and says by whom', async () => {
      const held = database && (await lockDataDir(join(folder, 'privity-data')))
      const holder = held === undefined ? server?.process.pid : process.pid
      expect(await inFolder(['search', 'x'])).toMatchObject({
        code: 7,
        stderr: expect.stringContaining(`in use by process ${holder}`),
      })
      await held?.release()
    })

    it('the same commands give the same answers', async () => {
      const found = json(await asOwner(['search', 'storm', '--json']))
      expect(found.results).toMatchObject([{ record: { id: ids.storm } }])
      const { code, stdout } = await asOwner(['get', ids.storm ?? ''])
      expect(code).toBe(0)
      expect(stdout).toMatch(/^id +[0-9a-f-]{36}\ntitle +Sea/)
      expect(stdout).not.toContain('\u001b')
      expect(await asOwner(['get', ABSENT])).toMatchObject({ code: 3, stdout: '' })
      expect(json(await asOwner(['list', '--tag', 'family', '--json'])).records).toHaveLength(1)
      expect((await asOwner(['list'])).stdout.split('\n')[0]).toMatch(/^id +made +kind +sensitivity +text$/)
      expect(json(await asOwner(['call', 'memory.list', '{"limit":1}'])).records).toHaveLength(1)
      expect(json(await asOwner(['list', '--max-sensitivity', 'public', '--json'])).records).toMatchObject([
        { face: 'metadata' },
        { face: 'metadata' },
      ])
    })

    it('a wrong key is refused, and never repeated', async () => {
      const { code, error } = failure(await asOwner(['list', '--json', '--key', 'privity_a.b.c']))
      expect([code, error.code, error.requestId]).toEqual([4, 'unauthenticated', expect.any(String)])
      const all = await asOwner(['list', '--key', 'privity_a.b.c'])
      expect(all.stderr).not.toContain('privity_a')
    })

    it('people, and what their consent does', async () => {
      expect((await asOwner(['people', 'add', 'cyd'])).stdout).toBe('cyd: pending\n')
      const { people } = json(await asOwner(['people', 'list', '--json']))
      expect(people.map(({ name }: { name: string }) => name)).toEqual(['ana', 'ben', 'cyd'])
      const gates = (
        await asOwner(['explain', ids.ben ?? '', '--look-as', 'helper', '--look-max-sensitivity', 'low'])
      ).stdout
      expect(gates).toMatch(/^shown: none\n\ngate +allows +reason +which means\ntenant +full/)
      expect(gates).toMatch(/^participants +none +access\.participant_not_granted/m)
      expect((await asOwner(['people', 'consent', 'ben', 'granted'])).stdout).toBe('ben: granted\n')
      const verdict = json(
        await asOwner([
          'explain',
          ids.ben ?? '',
          '--look-as',
          'helper',
          '--look-max-sensitivity',
          'low',
          '--json',
        ]),
      )
      expect(verdict.shown).toBe('full')
      expect(await asOwner(['explain', ABSENT])).toMatchObject({ code: 3, stdout: '' })
      expect((await asOwner(['people', 'remove', 'cyd'])).stdout).toBe('removed cyd\n')
      expect(await asOwner(['people', 'remove', 'cyd'])).toMatchObject({
        code: 3,
        stdout: '',
        stderr: expect.stringContaining('see privity people list'),
      })
    })

    it('a timeline, and what scores are made of', async () => {
      const page = json(await asOwner(['timeline', '--order', 'newest', '--limit', '2', '--json']))
      expect(page.records).toHaveLength(2)
      const { stdout } = await asOwner(['timeline', '--person', 'ben'])
      expect(stdout).toMatch(/^happened +id +kind +sensitivity +text\n/)
      expect(stdout).toContain(ids.ben)
      expect((await asOwner(['timeline', '--to', '1000-01-01'])).stdout).toBe('no records that you may see\n')
      const scored = (await asOwner(['search', 'job', '--scores'])).stdout
      expect(scored).toMatch(/^ {3}text +\d\.\d{3} × \d\.\d{3}/m)
    })

    it('groups', async () => {
      const group = json(await asOwner(['groups', 'create', 'crew', '--json']))
      expect(await asOwner(['groups', 'create', 'crew'])).toMatchObject({ code: 5 })
      expect((await asOwner(['groups', 'add', group.id, 'ben', '--role', 'mate'])).stdout).toBe(
        `crew (${group.id}): ana, ben\n`,
      )
      expect((await asOwner(['groups', 'list'])).stdout).toMatch(/crew .* ana, ben, ben \(mate\)/)
      expect((await asOwner(['groups', 'remove', group.id, 'ben'])).stdout).toBe(`crew (${group.id}): ana\n`)
    })

    it('keys are listed without their secrets, and end when they are revoked', async () => {
      const agent = json(
        await asOwner([
          'keys',
          'create',
          'assistant',
          '--key-actor',
          'helper',
          '--key-audience',
          'agent',
          '--key-max-sensitivity',
          'low',
          '--json',
        ]),
      )
      const asAgent = (args: readonly string[]) => asOwner(args, { PRIVITY_KEY: agent.secret })
      expect(json(await asAgent(['search', 'job', '--json'])).count).toBe(1)

      // What the agent asks its owner for.
      const asked = json(await asAgent(['call', 'consents.request', '{"person":"dan","reason":"a visit"}']))
      expect((await asOwner(['consents', 'list', '--state', 'open'])).stdout).toContain('a visit')
      expect((await asOwner(['consents', 'decide', asked.id, 'granted'])).stdout).toBe('dan: granted\n')
      expect(await asOwner(['consents', 'decide', asked.id, 'denied'])).toMatchObject({ code: 5 })

      const refused = failure(await asAgent(['forget', ids.ben ?? '', '--json']))
      expect([refused.code, refused.error.code]).toEqual([4, 'not_allowed'])
      const why = await asAgent(['why', refused.error.requestId])
      expect(why).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Your kind of caller may not do this.'),
      })
      expect(why.stdout).toMatch(/^at +\d{4}-\d\d-\d\d \d\d:\d\d$/m)
      expect(why.stdout).not.toContain('[object Object]')
      expect(await asAgent(['why', ABSENT])).toMatchObject({ code: 3, stdout: '' })

      const listed = await asHost(['keys', 'list'])
      expect(listed.stdout).toMatch(/assistant +ana\/helper +agent +ana +low/)
      for (const secret of [agent.secret, owner, host]) {
        expect(listed.stdout).not.toContain(secret)
        expect((await asHost(['keys', 'list', '--json'])).stdout).not.toContain(secret.split('.').at(-1))
      }
      expect((await asOwner(['keys', 'revoke', agent.key.id])).stdout).toBe('revoked assistant\n')
      expect(await asAgent(['list'])).toMatchObject({ code: 4, stdout: '' })
    }, 120_000)

    it('the audit is listed, verified and checked against a checkpoint', async () => {
      expect((await asOwner(['audit', 'list', '--limit', '5'])).stdout).toMatch(
        /^at +actor +audience +operation/,
      )
      const created = ['audit', 'operations', '--operation', 'keys.create']
      expect((await asHost(created)).stdout).toMatch(/^at +actor +operation +effects +undone/)
      expect(json(await asHost([...created, '--json']))).toMatchObject({
        operations: expect.arrayContaining([expect.objectContaining({ name: 'keys.create' })]),
      })
      expect(await asHost(['audit', 'operations', '--of', 'no id'])).toMatchObject({ code: 2 })
      expect(await asOwner(['audit', 'operations'])).toMatchObject({ code: 4 })
      expect(await asOwner(['audit', 'verify'])).toMatchObject({ code: 4 })
      expect((await asHost(['audit', 'verify'])).stdout).toMatch(/^ok: [\d,]+ entries in/)
      const checkpoint = await asHost(['audit', 'checkpoint'])
      await writeFile(join(folder, 'checkpoint.json'), checkpoint.stdout)
      expect(json(await asHost(['audit', 'verify', 'checkpoint.json', '--json']))).toMatchObject({ ok: true })
      const forged = { ...JSON.parse(checkpoint.stdout), hash: 'f'.repeat(64) }
      await writeFile(join(folder, 'forged.json'), JSON.stringify(forged))
      const bad = await asHost(['audit', 'verify', 'forged.json'])
      expect(bad).toMatchObject({ code: 7, stdout: expect.stringMatching(/^not ok: /) })
    })

    it('import and export go through it as well', async () => {
      await writeFile(
        join(folder, 'two.jsonl'),
        '{"kind":"note","text":"red"}\n{"kind":"note","text":"blue"}\n',
      )
      for (let times = 0; times < 2; times++)
        expect(json(await asOwner(['import', 'two.jsonl', '--tag', 'colour', '--json']))).toMatchObject({
          stored: 2,
        })
      const { stdout } = await asOwner(['export', '--tag', 'colour'])
      expect(
        stdout
          .trimEnd()
          .split('\n')
          .map(line => JSON.parse(line).text)
          .sort(),
      ).toEqual(['blue', 'red'])
    })

    it('reasons, forget, doctor', async () => {
      expect((await asOwner(['reasons'])).stdout).toContain('access.participant_not_granted')
      expect((await asOwner(['forget', ids.ben ?? ''])).stdout).toMatch(/^forgot 1 record /)
      expect(await asOwner(['forget', ABSENT])).toMatchObject({ code: 3, stdout: '' })
      expect(await asOwner(['doctor'])).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^ok +server /m),
      })
      expect(await asOwner(['doctor'], { PRIVITY_KEY: 'wrong' })).toMatchObject({ code: 7 })
    })

    it('Ctrl-C ends the server without an error, and frees the store', async () => {
      server?.process.kill('SIGINT')
      expect(await server?.ended).toMatchObject({ code: 0 })
      server = undefined
      expect(await asOwner(['list'])).toMatchObject({ code: 6, stdout: '' })
      expect((await here(['list'])).code).toBe(0)
    })
  })
}, 120_000)
