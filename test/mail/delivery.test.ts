import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { MailOptions } from '../../src/mail/mail-delivery.js'
import type { Mail, Mailer } from '../../src/mail/mailer.js'
import { type Clock, SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import type { Database } from '../../src/storage/database.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'
import { type NewMail, type Office, openOffice, waitUntil } from '../support/webhooks.js'

const CODE: NewMail = { to: 'counsel@firm.example', subject: 'Your code', text: 'It is 123456.' }

interface Row {
  readonly id: string
  readonly sealed: string | null
  readonly attempts: number
  readonly waits: number
  readonly leased: number | null
  readonly sentAt: Date | null
  readonly failedAt: Date | null
  readonly failure: string | null
}

/** A mailer that keeps what it is given, and does with it as it is told. */
class Postman implements Mailer {
  readonly sent: Mail[] = []
  readonly signals: AbortSignal[] = []
  answer: (mail: Mail) => Promise<void> = async () => {}

  send(mail: Mail, { signal }: { signal: AbortSignal }): Promise<void> {
    this.sent.push(mail)
    this.signals.push(signal)
    return this.answer(mail)
  }

  get ids(): string[] {
    return this.sent.map(({ id }) => id)
  }
}

const fails = async () => {
  throw new Error('counsel@firm.example is not known here')
}
const pause = (ms: number) => new Promise<void>(resolve => setTimeout(resolve, ms))

describe.each(engines)('mail on %s', engine => {
  let store: SharedStore
  const offices: Office[] = []
  beforeAll(async () => {
    store = await sharedStore(engine)
  })
  afterAll(() => store.dispose())
  afterEach(async () => {
    for (const office of offices.splice(0)) await office.close()
  })

  const open = async (
    mail: MailOptions | null,
    { db = store.db, clock = SYSTEM_CLOCK }: { db?: Database; clock?: Clock } = {},
  ) => {
    const office = await openOffice(db, {}, clock, mail)
    offices.push(office)
    return office
  }
  const look = (tenant: string) =>
    store.sql<Row>(
      `select mail_id as id, sealed, attempts, sent_at as "sentAt", failed_at as "failedAt", failure,
         extract(epoch from next_at - clock_timestamp())::float8 as waits,
         extract(epoch from leased_until - clock_timestamp())::float8 as leased
       from privity.mails where tenant_id = $1 order by created_at, mail_id`,
      [tenant],
    )
  const hurry = (tenant: string) =>
    store.sql('update privity.mails set next_at = now(), leased_until = null where tenant_id = $1', [tenant])
  const isOver = async (tenant: string) => (await look(tenant)).every(({ sealed }) => sealed === null)

  async function world(options: Partial<MailOptions> = {}, clock: Clock = SYSTEM_CLOCK) {
    const tenant = store.tenant()
    const postman = new Postman()
    const office = await open({ mailer: postman, ...options }, { clock })
    return { tenant, postman, office, write: (mail = CODE) => office.write(tenant, [mail]) }
  }

  it('is sent once what it is about stands', async () => {
    const { tenant, postman, office } = await world()
    const ids = await office.write(tenant, [CODE, { ...CODE, to: 'clerk@court.example' }])
    await waitUntil(() => isOver(tenant))
    const [one = '', two = ''] = ids
    expect([...postman.sent].sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))).toEqual([
      { id: one, ...CODE },
      { id: two, ...CODE, to: 'clerk@court.example' },
    ])
    expect(
      (await look(tenant)).map(({ attempts, sentAt, failedAt, failure }) => [
        attempts,
        sentAt,
        failedAt,
        failure,
      ]),
    ).toEqual([
      [1, expect.any(Date), null, null],
      [1, expect.any(Date), null, null],
    ])
  })

  it('is never sent where the request failed after it', async () => {
    const { tenant, postman, office, write } = await world()
    await expect(office.write(tenant, [CODE], true)).rejects.toThrow('after it was written')
    expect(await look(tenant)).toEqual([])
    const ids = await write()
    await waitUntil(() => isOver(tenant))
    expect(postman.ids).toEqual(ids)
  })

  it('is refused where there is no mailer', async () => {
    const tenant = store.tenant()
    const office = await open(null)
    await expect(office.write(tenant, [CODE])).rejects.toMatchObject({
      code: 'setup_incomplete',
      message: 'this needs a mailer; set PRIVITY_MAIL_FOLDER or pass a mailer to open',
    })
    expect(await look(tenant)).toEqual([])
  })

  it('no header can be put in through what it says', async () => {
    const { tenant, postman, write } = await world()
    for (const more of [
      { to: 'a@b.example\r\nBcc: eve@evil.example' },
      { to: 'a@b.example, eve@evil.example' },
      { to: 'nobody' },
      { subject: 'Hello\r\nBcc: eve@evil.example' },
      { subject: 'Hello\nthere' },
      { subject: 'x'.repeat(501) },
      { text: 'x'.repeat(65_537) },
    ])
      await expect(write({ ...CODE, ...more })).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:invalid_input|too_large)$/),
      })
    expect(await look(tenant)).toEqual([])
    expect(postman.sent).toEqual([])
  })

  it('is sent again after its time where it failed, as the same', async () => {
    const { tenant, postman, write } = await world({ retriesMs: [200, 10] })
    const times: number[] = []
    postman.answer = async () => {
      times.push(performance.now())
      if (times.length < 3) await fails()
    }
    const [id] = await write()
    await waitUntil(() => isOver(tenant))
    expect(postman.sent).toEqual(Array(3).fill({ id, ...CODE }))
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(195)
    expect(await look(tenant)).toMatchObject([
      { attempts: 3, sentAt: expect.any(Date), failedAt: null, failure: null },
    ])
  })

  it('waits for 1, 5 and 30 minutes, 2 and 8 hours, and is then given up', async () => {
    const { tenant, postman, office, write } = await world()
    postman.answer = fails
    const [id] = await write()
    const waits: number[] = []
    for (let attempt = 1; attempt <= 5; attempt++) {
      await waitUntil(async () =>
        (await look(tenant)).some(
          row => row.failure !== null && row.leased === null && row.attempts === attempt,
        ),
      )
      const [row] = await look(tenant)
      expect(row).toMatchObject({ failure: 'not_sent', failedAt: null, sealed: expect.any(String) })
      waits.push(Math.round((row?.waits ?? 0) / 60))
      await hurry(tenant)
      office.mailing?.noteWork(tenant)
    }
    expect(waits).toEqual([1, 5, 30, 120, 480])
    await waitUntil(() => isOver(tenant))
    expect(postman.ids).toEqual(Array(6).fill(id))
    expect(await look(tenant)).toMatchObject([
      {
        sealed: null,
        attempts: 6,
        sentAt: null,
        failedAt: expect.any(Date),
        failure: 'not_sent',
        leased: null,
      },
    ])
    await hurry(tenant)
    await office.mailing?.sweep()
    await pause(100)
    expect(postman.sent).toHaveLength(6)
  })

  it('one that nobody takes holds up no other', async () => {
    const { tenant, postman, office } = await world()
    postman.answer = ({ to }) => (to.startsWith('bad') ? fails() : Promise.resolve())
    const bad = Array.from({ length: 9 }, (_, at) => ({ ...CODE, to: `bad${at}@firm.example` }))
    await office.write(tenant, bad)
    const [id] = await office.write(tenant, [CODE])
    await waitUntil(async () => (await look(tenant)).some(row => row.id === id && row.sentAt !== null))
  })

  it('a mailer that never answers is not waited for, even one that heeds no signal', async () => {
    const { tenant, postman, write } = await world({ timeoutMs: 100, retriesMs: [500] })
    postman.answer = () => (postman.sent.length < 2 ? new Promise(() => {}) : Promise.resolve())
    await write()
    await waitUntil(async () => (await look(tenant)).some(({ failure }) => failure === 'timed_out'))
    await waitUntil(() => isOver(tenant))
    expect(postman.signals.map(({ aborted }) => aborted)).toEqual([true, false])
    expect(await look(tenant)).toMatchObject([{ attempts: 2, sentAt: expect.any(Date) }])
  })

  it('is not sent once it is of no use any more', async () => {
    let now = Date.parse('2030-01-01T00:00:00Z')
    const clock = { ...SYSTEM_CLOCK, now: () => new Date(now), elapsed: () => 0 }
    const { tenant, postman, office } = await world({}, clock)
    await office.mailing?.close()
    const expiresAt = new Date(now + 600_000)
    await office.write(tenant, [{ ...CODE, expiresAt }])
    const later = await open({ mailer: postman }, { clock })
    now += 600_000
    later.mailing?.noteWork(tenant)
    await waitUntil(() => isOver(tenant))
    expect(postman.sent).toEqual([])
    expect(await look(tenant)).toMatchObject([{ sentAt: null, failedAt: new Date(now), failure: 'expired' }])
    await later.write(tenant, [{ ...CODE, expiresAt: new Date(now + 1) }])
    await waitUntil(() => isOver(tenant))
    expect(postman.sent).toHaveLength(1)
  })

  it('what would be of no use at the next attempt is given up at once', async () => {
    const { tenant, postman, office } = await world()
    postman.answer = fails
    const [brief, lasting] = await office.write(tenant, [
      { ...CODE, expiresAt: new Date(Date.now() + 55_000) },
      { ...CODE, expiresAt: new Date(Date.now() + 90_000) },
    ])
    await waitUntil(async () => (await look(tenant)).every(({ failure }) => failure !== null))
    const rows = new Map((await look(tenant)).map(row => [row.id, row]))
    expect(rows.get(brief ?? '')).toMatchObject({
      sealed: null,
      failedAt: expect.any(Date),
      failure: 'not_sent',
    })
    expect(rows.get(lasting ?? '')).toMatchObject({ sealed: expect.any(String), failedAt: null })
  })

  it('is sent again where a process died before it could note that it was sent', async () => {
    const { tenant } = await world()
    let dead = false
    const dying: Database = {
      ...store.db,
      transaction: (options, fn) =>
        dead ? Promise.reject(new Error('the process is dead')) : store.db.transaction(options, fn),
      statement: (options, sql, params) =>
        dead ? Promise.reject(new Error('the process is dead')) : store.db.statement(options, sql, params),
    }
    const postman = new Postman()
    const doomed = await openOffice(dying, {}, SYSTEM_CLOCK, { mailer: postman })
    // It may be sent before the writer is answered, who must be answered by a process that lives.
    let answered = () => {}
    const written = new Promise<void>(resolve => (answered = resolve))
    postman.answer = async () => {
      await written
      dead = true
    }
    const [id] = await doomed.write(tenant, [CODE])
    answered()
    await waitUntil(() => dead)
    await doomed.mailing?.close()
    await doomed.delivery.close()
    const next = await open({ mailer: postman })
    // Not before the lease has ended: whoever has it might still be sending.
    await next.mailing?.sweep()
    const [row] = await look(tenant)
    expect(row).toMatchObject({ sealed: expect.any(String), sentAt: null })
    expect(row?.leased).toBeGreaterThan(60)
    expect(row?.leased).toBeLessThanOrEqual(120)
    expect(postman.sent).toHaveLength(1)
    await hurry(tenant)
    await next.mailing?.sweep()
    await waitUntil(() => isOver(tenant))
    expect(postman.sent).toEqual(Array(2).fill({ id, ...CODE }))
  })

  it('of two processes each sends some, and none what the other has', async () => {
    const tenant = store.tenant()
    const postmen = [new Postman(), new Postman()]
    for (const postman of postmen) postman.answer = () => pause(20)
    const [one, two] = [
      await open({ mailer: postmen[0] as Postman }),
      await open({ mailer: postmen[1] as Postman }),
    ]
    const ids: string[] = []
    for (let round = 0; round < 4; round++) {
      const written = await Promise.all([one, two].map(office => office.write(tenant, Array(5).fill(CODE))))
      ids.push(...written.flat())
      await Promise.all([one.mailing?.sweep(), two.mailing?.sweep()])
    }
    await waitUntil(() => isOver(tenant))
    expect(postmen.flatMap(postman => postman.ids).sort()).toEqual(ids.sort())
    for (const { sent } of postmen) expect(sent.length).toBeGreaterThan(0)
  })

  it('what others left is found, of every tenant, also where they made a new key', async () => {
    const { postman, office } = await world()
    const left = await open({ mailer: new Postman() })
    await left.keys.rotate()
    await left.mailing?.close()
    const tenants = [store.tenant(), store.tenant()]
    const ids: string[] = []
    for (const tenant of tenants) ids.push(...(await left.write(tenant, [CODE])))
    await office.mailing?.sweep()
    for (const tenant of tenants) await waitUntil(() => isOver(tenant))
    expect(postman.sent.map(({ id }) => id).sort()).toEqual(ids.sort())
    expect(postman.sent.every(({ text }) => text === CODE.text)).toBe(true)
  })

  it('what was left is looked for by and by, without being asked', async () => {
    const { tenant, postman, office, write } = await world()
    await office.mailing?.close()
    await write()
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    await open({ mailer: postman, sweeps: true })
    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    await waitUntil(() => isOver(tenant))
    expect(postman.sent).toHaveLength(1)
  })

  it('is sent before a process closes, even one that closes as soon as the mail is queued', async () => {
    const { tenant, postman, office } = await world()
    await office.write(tenant, Array(10).fill(CODE))
    await office.close()
    expect(postman.sent).toHaveLength(10)
    expect((await look(tenant)).filter(({ sentAt }) => sentAt !== null)).toHaveLength(10)
  })

  it('closing begins no more after a few seconds, and finishes what is being sent', async () => {
    const { tenant, postman, office } = await world()
    let clock = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => clock)
    try {
      // The first four take longer than a process waits that closes.
      postman.answer = async () => {
        await pause(50)
        clock = 60_000
      }
      await office.write(tenant, Array(10).fill(CODE))
      await office.close()
    } finally {
      now.mockRestore()
    }
    expect(postman.sent).toHaveLength(4)
    expect((await look(tenant)).filter(({ sentAt }) => sentAt !== null)).toHaveLength(4)
  })

  it('[AU-3] nothing of whom it goes to or of what it says can be read in the store, before or after', async () => {
    const canary = { to: 'zebrafinch@firm.example', subject: 'Zebrafinch subject', text: 'zebrafinch 904417' }
    const { tenant, postman, office, write } = await world()
    const readable = async () => {
      const rows = (await dumpTables(store.sql)).map(({ table, row }) => `${table}: ${row}`)
      const words = ['zebrafinch', '904417', 'firm.example']
      const forms = words.flatMap(word => [word, Buffer.from(word).toString('hex'), ...base64Of(word)])
      return rows.filter(row => forms.some(form => row.toLowerCase().includes(form.toLowerCase())))
    }
    postman.answer = fails
    await write(canary)
    await waitUntil(async () => (await look(tenant)).some(({ failure }) => failure !== null))
    expect((await look(tenant))[0]?.sealed).toMatch(/^[\w-]{40,}$/)
    expect(await readable()).toEqual([])
    postman.answer = async () => {}
    await hurry(tenant)
    office.mailing?.noteWork(tenant)
    await waitUntil(() => isOver(tenant))
    expect(postman.sent.at(-1)).toMatchObject(canary)
    expect(await readable()).toEqual([])
    // What is looked for would be found.
    await store.sql('update privity.mails set failure = $2 where tenant_id = $1', [tenant, canary.text])
    expect(await readable()).toHaveLength(1)
    await store.sql('update privity.mails set failure = null where tenant_id = $1', [tenant])
  })

  it('a sealed mail opens for its own row alone', async () => {
    const { tenant, postman, office, write } = await world()
    postman.answer = fails
    await write()
    await write()
    await waitUntil(async () =>
      (await look(tenant)).every(row => row.failure !== null && row.leased === null),
    )
    const before = postman.sent.length
    await store.sql(
      `update privity.mails m set sealed = o.sealed from privity.mails o
       where m.tenant_id = $1 and o.tenant_id = $1 and m.mail_id <> o.mail_id`,
      [tenant],
    )
    await hurry(tenant)
    office.mailing?.noteWork(tenant)
    await waitUntil(async () =>
      (await look(tenant)).every(({ attempts, leased }) => attempts === 2 && leased === null),
    )
    expect(postman.sent).toHaveLength(before)
  })
})

/** A word in base64, wherever in a text it begins; without the ends, which depend on what stands beside it. */
function base64Of(word: string): string[] {
  return [0, 1, 2].map(at =>
    Buffer.from(' '.repeat(at) + word)
      .toString('base64')
      .slice(at === 0 ? 0 : 4, -4),
  )
}
