import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { run } from '../../src/cli/run.js'
import type { Handle } from '../../src/handle.js'
import { openTestServer, type TestServer } from '../support/server.js'
import { anyEngine } from '../support/stores.js'
import { commandStore } from './support/command-store.js'

const ADDRESS = /^http:\/\/127\.0\.0\.1:\d+\/share#(privshare_\S+)\n$/

describe('sharing on the command line', () => {
  let server: TestServer
  let key: string
  let host: Handle
  beforeAll(async () => {
    server = await openTestServer(anyEngine, {}, { mail: { mailer: { send: async () => {} } } })
    const credential = { tenant: server.tenant(), actor: 'hana', audience: 'owner' } as const
    key = await server.keyFor(credential)
    host = server.privity.as(credential)
    const about = { kind: 'document', corpus: 'briefs', surface: 'source_documents' } as const
    await host.remember({ ...about, visibilityClass: 'public_open', title: 'Open', text: 'the open brief' })
    await host.remember({
      ...about,
      visibilityClass: 'party_confidential',
      title: 'Close',
      text: 'the confidential brief',
      document: 'brief-7',
    })
  }, 60_000)
  afterAll(() => server.dispose())

  async function typed(args: readonly string[], env: Record<string, string> = {}) {
    const texts = ['', '']
    const [stdout, stderr] = texts.map((_, at) =>
      new PassThrough().on('data', (chunk: Buffer) => {
        texts[at] += chunk.toString()
      }),
    ) as [PassThrough, PassThrough]
    const code = await run(args, { stdout, stderr, env })
    await setImmediate()
    return { code, stdout: texts[0] ?? '', stderr: texts[1] ?? '' }
  }
  const said = (...args: readonly string[]) => typed([...args, '--url', server.url, '--key', key])
  const tokenIn = (stdout: string) => ADDRESS.exec(stdout)?.[1] ?? ''

  /** What a recipient reads by a token. */
  async function titlesBy(token: string, given: object = {}) {
    const opened = await server.privity.redeem({ token, ...given })
    if (opened.status !== 'open') return opened.status
    const { credential } = await server.privity.authenticate(opened.key)
    const { documents } = await server.privity.as(credential).documents.list()
    return documents.map(({ title }) => title).sort()
  }
  const newest = async () => (await host.links.list({ limit: 1 })).links[0]

  it('[ST-1] share prints the address once, alone on stdout, and beside it what was shared in words', async () => {
    const { code, stdout, stderr } = await said('share', 'briefs')
    expect(code).toBe(0)
    expect(stdout).toMatch(ADDRESS)
    expect(stderr.split('\n').slice(0, 5)).toEqual([
      'shared “briefs”: source documents, filing metadata, filing relationships, court rulings, court disposition observations',
      '  1 of 2 documents, 1 of 2 records',
      '  as it is now, up to public open',
      '  for whoever has the link, until you revoke it',
      `  revoke it with privity links revoke ${(await newest())?.link} --reason …`,
    ])
    expect(stderr).toContain('this is shown once')
    expect(stderr).not.toContain('privshare_')
    expect(await titlesBy(tokenIn(stdout))).toEqual(['Open'])
  })

  it('[SV-1] a link to nothing is not made, and neither is its view', async () => {
    const [links, views] = [await host.links.list(), await host.views.list()]
    const misspelt = await said('share', 'breifs')
    expect(misspelt).toMatchObject({ code: 2, stdout: '' })
    expect(misspelt.stderr).toContain('the corpus “breifs” is empty or does not exist; check its name')
    const closed = await said('share', 'briefs', '--document', 'brief-7')
    expect(closed).toMatchObject({ code: 2, stdout: '' })
    expect(closed.stderr).toContain('nothing of these documents is public_open')
    expect(closed.stderr).toContain('add --ceiling party_confidential')
    expect((await said('share', 'briefs', '--document', 'brief-8')).code).toBe(2)
    expect(await host.links.list()).toEqual(links)
    expect(await host.views.list()).toEqual(views)
    expect((await said('share', 'to come', '--live')).code).toBe(0)
  })

  it('[SV-1] what it shows is what the options say', async () => {
    const { stdout, stderr } = await said(
      'share',
      'briefs',
      ...['--name', 'For Dana', '--ceiling', 'party_confidential', '--document', 'brief-7', '--live'],
      ...['--surface', 'source_documents', '--surface', 'rulings_and_outcomes', '--expires-at', '2100-01-31'],
    )
    expect(stderr).toContain(
      'shared “briefs”: source documents, court rulings, court disposition observations',
    )
    expect(stderr).toContain('  1 of 2 documents, 1 of 2 records\n')
    expect(stderr).toContain('  as it is whenever it is read, up to party confidential\n')
    expect(stderr).toContain('  for whoever has the link, until 2100-01-31 00:00\n')
    expect(await titlesBy(tokenIn(stdout))).toEqual(['Close'])
    const link = await newest()
    expect(link).toMatchObject({ name: 'For Dana', expiresAt: '2100-01-31T00:00:00.000Z' })
    const modeOf = async () => (await host.views.get((await newest())?.views[0] ?? ''))?.viewTemporalMode
    expect(await modeOf()).toBe('live_view')
    await said('share', 'briefs', '--collaborative')
    expect(await modeOf()).toBe('live_view')
    await said('share', 'briefs')
    expect(await modeOf()).toBe('snapshot_at_share')
  })

  it('[ST-2] it is for whoever has the link, an address, a passcode, or whom the host lets in', async () => {
    const email = await said('share', 'briefs', '--email', 'dana@counsel.example')
    expect(email.stderr).toContain('  for dana@counsel.example, until')
    expect(await titlesBy(tokenIn(email.stdout))).toBe('email_needed')
    const access = ['--url', server.url, '--key', key]
    const passcode = await typed(['share', 'briefs', '--passcode', ...access], {
      PRIVITY_PASSCODE: 'correct horse',
    })
    expect(passcode.stdout + passcode.stderr).not.toContain('correct horse')
    expect(await titlesBy(tokenIn(passcode.stdout))).toBe('passcode_needed')
    expect(await titlesBy(tokenIn(passcode.stdout), { passcode: 'correct horse' })).toEqual(['Open'])
    expect(await said('share', 'briefs', '--approve', '--passcode')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('give only one of --passcode and --approve'),
    })
  })

  it('asks for a passcode at a terminal, twice, and shows nothing of it', async () => {
    const answered = (lines: readonly string[]) =>
      atTerminal(lines, () => said('share', 'briefs', '--passcode'))
    const { modes, result } = await answered(['battery staple', 'battery staple'])
    expect(modes).toEqual([true, false, true, false])
    expect(result.stdout + result.stderr).not.toContain('staple')
    expect(await titlesBy(tokenIn(result.stdout), { passcode: 'battery staple' })).toEqual(['Open'])
    const other = await answered(['battery staple', 'battery stable'])
    expect(other.result).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('the two entries of the passcode differ'),
    })
    expect((await answered(['\u0003'])).result).toMatchObject({ code: 130, stdout: '' })
    expect(await atTerminal(null, () => said('share', 'briefs', '--passcode'))).toMatchObject({
      result: { code: 2, stderr: expect.stringContaining('set PRIVITY_PASSCODE') },
    })
  })

  it('leaves no view behind where the link could not be granted', async () => {
    const before = (await host.views.list()).views.length
    expect((await said('share', 'briefs', '--expires-at', '2001-01-01')).code).toBe(2)
    expect((await host.views.list()).views.length).toBe(before)
  })

  it('[ST-6] share --json is the link, its view, token and address', async () => {
    const { stdout } = await said('share', 'briefs', '--json')
    const answer = JSON.parse(stdout)
    expect(answer).toMatchObject({
      link: { link: expect.any(String), recipientIdentityMode: 'anonymous_share_token' },
      view: { corpus: 'briefs' },
      token: expect.stringMatching(/^privshare_/),
    })
    expect(answer.address).toBe(`${server.url}/share#${answer.token}`)
    const listed = await said('links', '--json')
    expect(JSON.parse(listed.stdout)).toEqual(await host.links.list())
    expect(listed.stdout).not.toContain('privshare_')
  })

  it('[ST-1] [ST-5] links lists, logs and revokes, and says what became of it', async () => {
    const { stdout } = await said('share', 'briefs', '--name', 'Watched')
    const { link = '' } = (await newest()) ?? {}
    expect(await titlesBy(tokenIn(stdout))).toEqual(['Open'])
    const row = async () => {
      const lines = (await said('links')).stdout.split('\n')
      expect(lines[0]?.split(/ {2,}/)).toEqual([
        'id',
        'name',
        'corpus',
        'for',
        'sessions',
        'expires',
        'state',
      ])
      return lines.find(line => line.startsWith(link))?.split(/ {2,}/)
    }
    expect(await row()).toEqual([link, 'Watched', 'briefs', 'whoever has the link', '1', 'never', 'open'])
    const log = await said('links', 'log', link)
    expect(log.stdout).toMatch(/listed documents +ok +Open\n/)
    expect(log.stderr).toContain('1 session, 0 searches, 0 documents read, 0 downloads, 0 refused')
    expect((await said('links', 'revoke', link)).code).toBe(2)
    expect((await said('links', 'revoke', link, '--reason', 'x', '--after', '5', '--let-finish')).code).toBe(
      2,
    )
    const revoked = await said('links', 'revoke', link, '--reason', 'settled', '--after', '60', '--recall')
    expect(revoked).toMatchObject({ code: 0, stdout: expect.stringContaining('1 session may go on until') })
    expect(revoked.stdout).toContain('Copies that were downloaded cannot be recalled')
    expect(await row()).toContain('revoked')
    expect(await said('links', 'revoke', link, '--reason', 'again')).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('share_token_already_revoked'),
    })
    expect((await said('links', 'log', '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61')).code).toBe(3)
  })

  it('[ST-1] links log names a document once, however many places of it were read', async () => {
    await host.documents.ingest({
      document: 'long.txt',
      corpus: 'long',
      visibilityClass: 'public_open',
      content: Buffer.from('The otter argues at length. '.repeat(300)).toString('base64'),
    })
    const { stdout } = await said('share', 'long')
    const opened = await server.privity.redeem({ token: tokenIn(stdout) })
    const { credential } = await server.privity.authenticate(opened.status === 'open' ? opened.key : '')
    const guest = server.privity.as(credential)
    const [listed] = (await guest.documents.list()).documents
    await guest.documents.open(listed?.document ?? '')
    await guest.documents.search({ query: 'otter' })
    const link = (await newest())?.link ?? ''
    const log = (await said('links', 'log', link)).stdout
    expect(log).toMatch(/read +ok +long\n/)
    const csv = (await said('links', 'log', link, '--csv')).stdout.split('\r\n')
    expect(csv[0]).toMatch(/^at,session,recipient,operation,/)
    expect(csv.filter(line => line.includes('document_view.open'))).toHaveLength(1)
    expect(log).toMatch(/searched +ok +long/)
    expect(log).not.toMatch(/long, long|document_view|search\.execute/)
  })

  it('[ST-2] links requests, approve and decline decide for whoever waits', async () => {
    const { stdout } = await said('share', 'briefs', '--approve')
    const token = tokenIn(stdout)
    const ask = async (name: string) => {
      const waiting = await server.privity.redeem({ token, name })
      return waiting.status === 'waiting' ? (waiting.ticket ?? '') : ''
    }
    const tickets = [await ask('Dana Roe'), await ask('Mallory')]
    const waiting = (await said('links', 'requests')).stdout
      .split('\n')
      .slice(1)
      .map(line => line.split(/ {2,}/))
    const idOf = (name: string) => waiting.find(cells => cells[1] === name)?.[0] ?? ''
    expect(await said('links', 'approve', idOf('Dana Roe'))).toMatchObject({
      code: 0,
      stdout: 'let in Dana Roe\n',
    })
    expect(await said('links', 'decline', idOf('Mallory'))).toMatchObject({
      code: 0,
      stdout: 'declined Mallory\n',
    })
    expect(await titlesBy(token, { ticket: tickets[0] })).toEqual(['Open'])
    expect(await titlesBy(token, { ticket: tickets[1] })).toBe('refused')
    const [{ link }] = JSON.parse((await said('links', '--json')).stdout).links
    const log = (await said('links', 'log', link)).stdout
    expect(log).toMatch(/Dana Roe +listed documents +ok/)
    expect(log).toMatch(/came by the link +share link refused/)
    expect((await said('links', 'requests')).stdout).toBe('nobody waits\n')
    expect((await said('links', 'requests', '--all')).stdout).toMatch(/Mallory .* declined/)
    expect((await said('links', 'approve', idOf('Mallory'))).code).toBe(5)
  })

  it('on a store of one’s own, prints the token and how it is used; mail is in its folder', async () => {
    const store = await commandStore()
    const folder = await mkdtemp(join(tmpdir(), 'privity-share-'))
    try {
      const here = (...args: readonly string[]) =>
        typed([...args, ...store.args], { PRIVITY_MAIL_FOLDER: folder })
      await here('migrate')
      // Without a mail server or a folder, no link is made that needs mail.
      const silent = await typed([
        'share',
        'briefs',
        '--live',
        '--email',
        'dana@counsel.example',
        ...store.args,
      ])
      expect([silent.code, silent.stdout]).toEqual([7, ''])
      expect(silent.stderr).toContain('no mailer is configured')
      const { stdout, stderr } = await here('share', 'briefs', '--live', '--email', 'dana@counsel.example')
      expect(stdout).toMatch(/^privshare_\S+\n$/)
      expect(stderr).toContain('on a server of this store, hand on its address, then /share# and this token')
      const opened = await here('call', 'links.list', '{}')
      expect(opened.stdout).toContain('dana@counsel.example')
      const asked = { token: stdout.trim(), email: 'dana@counsel.example' }
      expect((await here('call', 'links.redeem', JSON.stringify(asked))).stdout).toContain('code_sent')
      const mails = await readdir(folder)
      expect(mails).toHaveLength(1)
      const mail = await readFile(join(folder, mails[0] ?? ''), 'utf8')
      expect(mail).toContain('To: dana@counsel.example')
    } finally {
      await store.dispose()
      await rm(folder, { recursive: true, force: true })
    }
  }, 120_000)
})

/** Runs something at a terminal that types lines, one whenever it is listened to; null for no terminal. */
async function atTerminal<T>(lines: readonly string[] | null, work: () => Promise<T>) {
  const modes: boolean[] = []
  const left = [...(lines ?? [])]
  const stdin = Object.assign(new PassThrough(), {
    isTTY: lines !== null,
    setRawMode(mode: boolean) {
      modes.push(mode)
      const next = mode ? left.shift() : undefined
      if (next !== undefined) setTimeout(() => stdin.write(next === '\u0003' ? next : `${next}\r`), 20)
      return stdin
    },
  })
  const before = Object.getOwnPropertyDescriptor(process, 'stdin') ?? {}
  Object.defineProperty(process, 'stdin', { configurable: true, get: () => stdin })
  try {
    return { result: await work(), modes }
  } finally {
    Object.defineProperty(process, 'stdin', before)
  }
}
