import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { open, type Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import type { Child, Program } from '../support/child.js'
import { few, times } from '../support/depth.js'
import { type Invoke, type Remote, remote, remoteProgram } from '../support/remote.js'
import { type Bank, mailbox, openBank } from '../support/share-links.js'
import { freshDatabase } from '../support/stores.js'

const GUESSES = Number(process.env.PRIVITY_GUESSES ?? times(12, 200))
const PASSCODE = 'correct horse battery'

describe('guessing at passcodes and codes on postgres', () => {
  const box = mailbox()
  let database: { url: string; drop(): Promise<void> }
  let elsewhere: Program
  let child: Child
  let other: Remote
  let a: Privity
  let b: Privity
  let bank: Bank
  let places: Invoke[]

  beforeAll(async () => {
    ;[database, elsewhere] = await Promise.all([freshDatabase(), remoteProgram()])
    const mail = { mailer: box.mailer }
    a = await open({ databaseUrl: database.url, embedding: [], sweeps: false, mail })
    b = await open({ databaseUrl: database.url, embedding: [], sweeps: false, mail })
    ;[child, other] = await another()
    places = [a.invoke, b.invoke, other.invoke]
    bank = await openBank(a, 'guesses')
  }, 120_000)
  afterAll(async () => {
    await Promise.race([child?.end(), sleep(10_000)])
    await child?.kill()
    await Promise.all([a?.close(), b?.close()])
    await Promise.all([database?.drop(), elsewhere?.dispose()])
  })

  async function another(): Promise<[Child, Remote]> {
    const started = elsewhere.start(database.url)
    await started.line()
    return [started, remote(started)]
  }
  const at = (turn: number): Invoke => places[turn % places.length] ?? a.invoke
  type Granted = Awaited<ReturnType<Bank['grant']>>
  const bearer = (link: string): Credential => ({
    tenant: 'guesses',
    actor: `link:${link}`,
    audience: 'recipient',
    trust: { maxSensitivity: 'public', scopes: ['share_link'] },
  })
  const redeem = async (where: Invoke, { link, token }: Granted, given: object): Promise<string> =>
    ((await where(bearer(link), 'links.redeem', { token, ...given })) as { status: string }).status
  const guess = (where: Invoke, granted: Granted, passcode: string) => redeem(where, granted, { passcode })
  const withPasscode = () => bank.grant({ recipientIdentityMode: 'passcode_required', passcode: PASSCODE })

  async function attemptsAt({ link }: Granted) {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    const { rows } = await client.query(
      `select failures, locked_until,
         coalesce((select sum(c.failures)::int from privity.link_codes c where c.link_id = l.link_id), 0) as code_failures,
         (select count(*)::int from privity.profiles p where p.link_id = l.link_id) as sessions
       from privity.share_links l where link_id = $1`,
      [link],
    )
    await client.end()
    const { failures, locked_until, code_failures, sessions } = rows[0]
    return { failures, isLocked: locked_until > new Date(), codeFailures: code_failures, sessions }
  }

  it(`[ST-2] of ${GUESSES} guesses at once from three places, five are looked at`, async () => {
    const granted = await withPasscode()
    const answers = await Promise.all(
      Array.from({ length: GUESSES }, (_, turn) => guess(at(turn), granted, `guess number ${turn}`)),
    )
    expect(new Set(answers)).toEqual(new Set(['refused']))
    expect(await attemptsAt(granted)).toEqual({ failures: 5, isLocked: true, codeFailures: 0, sessions: 0 })
    // While it is locked the right one is a wrong one, wherever it is tried, and nothing is counted.
    const right = await Promise.all([0, 1, 2, 3, 4, 5].map(turn => guess(at(turn), granted, PASSCODE)))
    expect(right).toEqual(Array(6).fill('refused'))
    expect(await attemptsAt(granted)).toMatchObject({ failures: 5, sessions: 0 })
  }, 600_000)

  it(`[ST-2] the right one among ${GUESSES} guesses opens only if it was among the first five`, async () => {
    const granted = await withPasscode()
    const answers = await Promise.all(
      Array.from({ length: GUESSES }, (_, turn) =>
        guess(at(turn), granted, turn === GUESSES >> 1 ? PASSCODE : `guess number ${turn}`),
      ),
    )
    const opened = answers.filter(status => status === 'open').length
    const { failures, isLocked, sessions } = await attemptsAt(granted)
    expect(opened).toBeLessThanOrEqual(1)
    expect(sessions).toBe(opened)
    // A right one begins the count anew: then five more were looked at.
    expect([failures, isLocked]).toEqual([5, true])
  }, 600_000)

  it('[ST-2] no failure is lost, whoever else guesses', async () => {
    for (let round = 0; round < times(2, 6); round++) {
      const granted = await withPasscode()
      const wrong = 1 + (round % 5)
      await Promise.all(
        Array.from({ length: wrong }, (_, turn) => guess(at(turn + round), granted, `wrong ${turn}`)),
      )
      expect(await attemptsAt(granted)).toMatchObject({ failures: wrong, isLocked: wrong === 5 })
      for (let more = wrong; more < 5; more++) await guess(at(more), granted, 'wrong once more')
      expect(await attemptsAt(granted)).toMatchObject({ failures: 5, isLocked: true })
      expect(await guess(at(round), granted, PASSCODE)).toBe('refused')
    }
  }, 600_000)

  it('[ST-2] a lock holds for whoever starts anew, until its time is over', async () => {
    const granted = await withPasscode()
    for (let turn = 0; turn < 5; turn++) await guess(other.invoke, granted, `wrong ${turn}`)
    await child.kill()
    ;[child, other] = await another()
    places = [a.invoke, b.invoke, other.invoke]
    expect(await guess(other.invoke, granted, PASSCODE)).toBe('refused')
    const later = (minutes: number) =>
      open({
        databaseUrl: database.url,
        embedding: [],
        sweeps: false,
        clock: { ...SYSTEM_CLOCK, now: () => new Date(Date.now() + minutes * 60_000) },
      })
    const soon = await later(14)
    const then = await later(15.1)
    try {
      expect(await guess(soon.invoke, granted, PASSCODE)).toBe('refused')
      expect(await guess(then.invoke, granted, PASSCODE)).toBe('open')
      expect(await attemptsAt(granted)).toMatchObject({ failures: 0, isLocked: false, sessions: 1 })
    } finally {
      await Promise.all([soon.close(), then.close()])
    }
  }, 600_000)

  it('[ST-2] a process that is killed while it guesses leaves the count whole', async () => {
    const granted = await withPasscode()
    await guess(other.invoke, granted, 'wrong')
    const last = other.statements
    let counted = 1
    for (const before of few([last + 4, last, last - 2, last - 4, 3], 2)) {
      const [doomed, its] = await another()
      const token = { token: granted.token, passcode: 'wrong again' }
      await its.killedBefore(bearer(granted.link), 'links.redeem', token, before)
      await doomed.kill()
      const { failures, sessions } = await attemptsAt(granted)
      expect([counted, counted + 1]).toContain(failures)
      expect(sessions).toBe(0)
      counted = failures
    }
    for (; counted < 5; counted++) expect(await guess(a.invoke, granted, 'wrong')).toBe('refused')
    expect(await guess(b.invoke, granted, PASSCODE)).toBe('refused')
  }, 600_000)

  it('[ST-2] of many guesses at a code that was sent, five are looked at', async () => {
    const email = 'oona@counsel.example'
    const granted = await bank.grant({ recipientIdentityMode: 'email_bound', recipientEmail: email })
    // The other process has no mailer: codes are sent from here.
    expect(await redeem(a.invoke, granted, { email })).toBe('code_sent')
    const code = await box.codeFor(email)
    const wrong = Array.from({ length: times(15, 60) }, (_, turn) => String(turn).padStart(8, '0')).filter(
      one => one !== code,
    )
    const answers = await Promise.all(
      wrong.map((one, turn) => redeem(at(turn), granted, { email, code: one })),
    )
    expect(new Set(answers)).toEqual(new Set(['refused']))
    expect(await attemptsAt(granted)).toMatchObject({ codeFailures: 5, sessions: 0 })
    expect(await redeem(b.invoke, granted, { email, code })).toBe('refused')
    // Of two who have the right one, one comes in.
    const sent = box.mails.length
    await redeem(b.invoke, granted, { email })
    const next = await box.codeFor(email, sent)
    const both = await Promise.all([0, 1, 2].map(turn => redeem(at(turn), granted, { email, code: next })))
    expect(both.sort()).toEqual(['open', 'refused', 'refused'])
  }, 600_000)

  it('[ST-2] no more codes are sent than may be, however many ask at once', async () => {
    const email = 'pia@counsel.example'
    const granted = await bank.grant({ recipientIdentityMode: 'email_bound', recipientEmail: email })
    const asked = Array.from({ length: 20 }, (_, turn) =>
      redeem(turn % 2 === 0 ? a.invoke : b.invoke, granted, { email }),
    )
    expect(new Set(await Promise.all(asked))).toEqual(new Set(['code_sent']))
    const sent = () => box.mails.filter(({ to }) => to === email).length
    for (let tries = 0; sent() < 5 && tries < 300; tries++) await sleep(10)
    await sleep(200)
    expect(sent()).toBe(5)
  }, 600_000)
})
