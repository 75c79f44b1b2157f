import { createHmac, randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { verifyWebhook } from '../../src/notifications/signature.js'
import type { NewNotification } from '../../src/notifications/types.js'
import type { DeliveryOptions } from '../../src/notifications/webhook-delivery.js'
import type { Clock } from '../../src/runtime/clock.js'
import { SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import type { Database } from '../../src/storage/database.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'
import { type Office, openOffice, openReceiver, type Receiver, waitUntil } from '../support/webhooks.js'

const LOOPBACK = [{ address: '127.0.0.1', family: 4 }]
const quick: DeliveryOptions = { allowPrivate: true, firstRetryMs: 20, timeoutMs: 8_000, leaseMs: 30_000 }

const event = (more: Partial<NewNotification> = {}): NewNotification => ({
  recipient: 'ana',
  type: 'consent.requested',
  session: 'talk',
  refs: { request: randomUUID() },
  ...more,
})

describe.each(engines)('webhooks on %s', engine => {
  let store: SharedStore
  let receiver: Receiver
  const offices: Office[] = []
  beforeAll(async () => {
    store = await sharedStore(engine)
  })
  afterAll(() => store.dispose())
  beforeEach(async () => {
    receiver = await openReceiver()
  })
  afterEach(async () => {
    for (const office of offices.splice(0)) await office.close()
    await receiver.close()
  })

  const open = async (options: DeliveryOptions = quick, { db = store.db, clock = SYSTEM_CLOCK } = {}) => {
    const office = await openOffice(db, options, clock)
    offices.push(office)
    return office
  }

  /** A tenant with a webhook to the receiver. */
  async function world(options: DeliveryOptions = quick, clock: Clock = SYSTEM_CLOCK) {
    const tenant = store.tenant()
    const office = await open(options, { clock })
    const host = office.as({ tenant, actor: 'warden', audience: 'host' })
    const { webhook, secret } = await host.webhooks.create({ url: receiver.url })
    const look = async () => {
      const found = (await host.webhooks.list()).webhooks.find(({ id }) => id === webhook.id)
      if (found === undefined) throw new Error('it is gone')
      return found
    }
    const isDone = async () => (await look()).waiting === 0
    return { tenant, office, host, webhook, secret: secret ?? '', look, isDone }
  }

  it('[CB-8] tells in ids and never in words, signed so that its receiver can tell whose it is', async () => {
    const { tenant, office, secret, isDone } = await world()
    const told = event()
    await office.tell(tenant, [told])
    await receiver.until(1)
    await waitUntil(isDone)
    const [got] = receiver.received
    if (got === undefined) throw new Error('nothing arrived')
    expect(got.body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      type: 'consent.requested',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      tenant,
      recipient: 'ana',
      session: 'talk',
      refs: told.refs,
    })
    expect(Object.keys(got.body)).toEqual([
      'id',
      'type',
      'createdAt',
      'tenant',
      'recipient',
      'session',
      'refs',
    ])
    const timestamp = String(got.headers['webhook-timestamp'])
    expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(60)
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    expect(key).toHaveLength(32)
    const signature = createHmac('sha256', key)
      .update(Buffer.from(`${got.id}.${timestamp}.${got.text}`))
      .digest('base64')
    expect(got.headers['webhook-signature']).toBe(`v1,${signature}`)
    expect(got.headers['content-type']).toBe('application/json')
    expect(verifyWebhook(secret, got.headers, got.text)).toBe(true)
    expect(verifyWebhook(secret, got.headers, `${got.text} `)).toBe(false)
  })

  it('[CB-8] anything but an id is refused before it is kept', async () => {
    const { tenant, office } = await world()
    for (const refs of [{ need: 'I want to be heard' }, { 'what she said': randomUUID() }, { request: '' }])
      await expect(office.tell(tenant, [event({ refs })])).rejects.toMatchObject({ code: 'internal' })
    const rows = await store.sql('select 1 from privity.notifications where tenant_id = $1', [tenant])
    expect(rows).toEqual([])
  })

  it('is sent what it asked for, by every webhook that did', async () => {
    const { tenant, office, host, webhook } = await world()
    const picky = await host.webhooks.create({ url: `${receiver.url}/picky`, types: ['stage.ready'] })
    await office.tell(tenant, [event(), event({ type: 'stage.ready', session: null, refs: {} })])
    await receiver.until(3)
    await waitUntil(async () => (await host.webhooks.list()).webhooks.every(({ waiting }) => waiting === 0))
    expect(receiver.received.map(({ body }) => body.type).sort()).toEqual([
      'consent.requested',
      'stage.ready',
      'stage.ready',
    ])
    // A receiver of both knows the event by its id, and each delivery by its own.
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(3)
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(2)
    expect((await host.webhooks.list()).webhooks).toMatchObject([
      {
        id: picky.webhook.id,
        types: ['stage.ready'],
        lastSuccessAt: expect.any(String),
        lastFailureAt: null,
      },
      { id: webhook.id, types: null, lastSuccessAt: expect.any(String), givenUp: 0 },
    ])
  })

  it('what a request tells of stands with the request, or not at all', async () => {
    const { tenant, office, host, look } = await world()
    await expect(office.tell(tenant, [event()], true)).rejects.toThrow('after it was told')
    expect((await look()).waiting).toBe(0)
    await host.webhooks.test((await look()).id)
    await receiver.until(1)
    expect(receiver.received.map(({ body }) => body.type)).toEqual(['ping'])
    expect(await office.as({ tenant, actor: 'ana' }).notifications.list()).toEqual({
      notifications: [],
      cursor: null,
    })
  })

  it('a ping says that it is one, by the id that was answered', async () => {
    const { tenant, host, webhook, secret } = await world()
    const { delivery } = await host.webhooks.test(webhook.id)
    await receiver.until(1)
    expect(receiver.received).toMatchObject([
      {
        id: delivery,
        body: { id: delivery, type: 'ping', tenant, recipient: null, session: null, refs: {} },
      },
    ])
    const [got] = receiver.received
    expect(got && verifyWebhook(secret, got.headers, got.text)).toBe(true)
  })

  it.each([500, 404, 302, 429])('is sent again after %i, as the same', async status => {
    const { tenant, office, look, isDone } = await world()
    receiver.reply = () => (receiver.received.length < 3 ? status : 200)
    await office.tell(tenant, [event()])
    await receiver.until(3)
    await waitUntil(isDone)
    expect(receiver.received).toHaveLength(3)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1)
    expect(await look()).toMatchObject({
      lastFailure: `status_${status}`,
      lastSuccessAt: expect.any(String),
      givenUp: 0,
    })
  })

  it('is sent again when nobody answers in time, or nobody is there', async () => {
    const { tenant, office, look, isDone } = await world({ ...quick, timeoutMs: 150 })
    receiver.reply = () => (receiver.received.length < 2 ? 'never' : 200)
    await office.tell(tenant, [event()])
    await receiver.until(2)
    await waitUntil(isDone)
    expect(await look()).toMatchObject({ lastFailure: 'timed_out' })
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
    await receiver.close()
    await office.tell(tenant, [event()])
    await waitUntil(async () => (await look()).lastFailure === 'unreachable')
    expect((await look()).waiting).toBe(1)
  })

  it('waits twice as long from time to time, up to six hours', async () => {
    const clock = { ...SYSTEM_CLOCK, random: () => 0.5 }
    const { tenant, office, look } = await world({ ...quick, firstRetryMs: 5_000 }, clock)
    receiver.reply = () => 500
    await office.tell(tenant, [event()])
    const dueIn = async () => {
      const [row] = await store.sql<{ seconds: number }>(
        `select extract(epoch from next_at - clock_timestamp())::float8 as seconds
         from privity.webhook_deliveries where tenant_id = $1 and leased_until is null`,
        [tenant],
      )
      return row?.seconds ?? 0
    }
    await waitUntil(async () => (await dueIn()) > 1)
    const waits = [await dueIn()]
    for (const attempts of [1, 2, 11, 12, 30]) {
      await store.sql(
        'update privity.webhook_deliveries set attempts = $2, next_at = now() where tenant_id = $1',
        [tenant, attempts],
      )
      const before = receiver.received.length
      office.delivery.noteWork(tenant)
      await receiver.until(before + 1)
      await waitUntil(async () => (await dueIn()) > 1)
      waits.push(await dueIn())
    }
    const expected = [5, 10, 20, 10_240, 20_480, 21_600].map(seconds => seconds * 0.9)
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeLessThanOrEqual(expected[at] ?? 0)
      expect(wait).toBeGreaterThan((expected[at] ?? 0) - 2)
    }
    expect(await look()).toMatchObject({ waiting: 1, givenUp: 0 })
  })

  it('is given up after three days, and counted', async () => {
    const { tenant, office, look, isDone } = await world({ ...quick, firstRetryMs: 60_000 })
    receiver.reply = () => 500
    await office.tell(tenant, [event()])
    await waitUntil(async () => (await look()).lastFailureAt !== null)
    const age = (interval: string) =>
      store.sql(
        `update privity.webhook_deliveries
         set created_at = now() - interval '${interval}', next_at = now()
         where tenant_id = $1`,
        [tenant],
      )
    await age('71 hours')
    office.delivery.noteWork(tenant)
    await receiver.until(2)
    await waitUntil(async () => {
      const due = `select 1 from privity.webhook_deliveries where tenant_id = $1 and next_at <= now()`
      return (await store.sql(due, [tenant])).length === 0
    })
    expect(await look()).toMatchObject({ waiting: 1, givenUp: 0 })
    await age('73 hours')
    office.delivery.noteWork(tenant)
    await waitUntil(isDone)
    expect(receiver.received).toHaveLength(3)
    expect(await look()).toMatchObject({ waiting: 0, givenUp: 1, lastSuccessAt: null, disabledAt: null })
  })

  it('is left alone for good once it says that it is gone', async () => {
    const { tenant, office, host, webhook, look, isDone } = await world()
    receiver.reply = () => 410
    await office.tell(tenant, [event(), event(), event(), event(), event(), event()])
    await waitUntil(isDone)
    expect(await look()).toMatchObject({
      disabledAt: expect.any(String),
      lastFailure: 'status_410',
      givenUp: 0,
    })
    const before = receiver.received.length
    await office.tell(tenant, [event()])
    expect((await look()).waiting).toBe(0)
    await expect(host.webhooks.test(webhook.id)).rejects.toMatchObject({ code: 'not_found' })
    expect(receiver.received).toHaveLength(before)
  })

  it('with a webhook goes what waits for it, also while it is being sent', async () => {
    const { tenant, office, host, webhook } = await world()
    receiver.reply = () => ({ status: 500, after: 100 })
    await office.tell(tenant, [event(), event(), event(), event(), event(), event()])
    await receiver.until(4)
    expect(await host.webhooks.delete(webhook.id)).toEqual({ deleted: true })
    const rows = await store.sql('select 1 from privity.webhook_deliveries where tenant_id = $1', [tenant])
    expect(rows).toEqual([])
    const before = receiver.received.length
    await new Promise(resolve => setTimeout(resolve, 300))
    expect(receiver.received).toHaveLength(before)
    expect(await host.webhooks.list()).toEqual({ webhooks: [] })
    for (const gone of [host.webhooks.delete(webhook.id), host.webhooks.test(webhook.id)])
      await expect(gone).rejects.toMatchObject({ code: 'not_found' })
  })

  it('is sent again where a process died before it could note that it had arrived', async () => {
    const { tenant, webhook, office } = await world()
    await office.close()
    let dead = false
    // From the moment that the delivery has left, nothing reaches the store any more.
    const dying: Database = {
      ...store.db,
      transaction: (options, fn) =>
        dead ? Promise.reject(new Error('the process is dead')) : store.db.transaction(options, fn),
      statement: (options, sql, params) =>
        dead ? Promise.reject(new Error('the process is dead')) : store.db.statement(options, sql, params),
    }
    const doomed = await openOffice(dying, quick)
    receiver.reply = () => {
      dead = true
      return 200
    }
    // Whether it is answered depends on whether its audit entry or the delivery came first.
    await doomed
      .as({ tenant, actor: 'warden', audience: 'host' })
      .webhooks.test(webhook.id)
      .catch(() => {})
    await receiver.until(1)
    await doomed.delivery.close()
    const next = await open()
    const host = next.as({ tenant, actor: 'warden', audience: 'host' })
    expect((await host.webhooks.list()).webhooks).toMatchObject([{ waiting: 1, lastSuccessAt: null }])
    // Not before the lease has ended: whoever has it might still be sending.
    await next.delivery.sweep()
    const [lease] = await store.sql<{ seconds: number }>(
      `select extract(epoch from leased_until - clock_timestamp())::float8 as seconds
       from privity.webhook_deliveries
       where tenant_id = $1`,
      [tenant],
    )
    expect(lease?.seconds).toBeGreaterThan(1)
    expect(lease?.seconds).toBeLessThanOrEqual(30)
    expect(receiver.received).toHaveLength(1)
    await store.sql('update privity.webhook_deliveries set leased_until = now() where tenant_id = $1', [
      tenant,
    ])
    await next.delivery.sweep()
    await receiver.until(2)
    await waitUntil(async () => (await host.webhooks.list()).webhooks[0]?.waiting === 0)
    expect(receiver.received).toHaveLength(2)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(1)
  })

  it('who learns too late that something is theirs to send leaves it to others', async () => {
    const { tenant, office, isDone } = await world()
    await office.delivery.close()
    await office.tell(tenant, [event()])
    const slow: Database = {
      ...store.db,
      statement: (options, sql, params) => store.db.statement(options, sql, params),
      async transaction(options, fn) {
        const result = await store.db.transaction(options, fn)
        await new Promise(resolve => setTimeout(resolve, 300))
        return result
      },
    }
    const late = await openOffice(slow, { ...quick, timeoutMs: 9_800, leaseMs: 10_000 })
    late.delivery.noteWork(tenant)
    const isLeased = async () => {
      const leased = `select 1 from privity.webhook_deliveries where tenant_id = $1 and leased_until is not null`
      return (await store.sql(leased, [tenant])).length === 1
    }
    await waitUntil(isLeased)
    await late.delivery.close()
    expect(receiver.received).toEqual([])
    await store.sql('update privity.webhook_deliveries set leased_until = now() where tenant_id = $1', [
      tenant,
    ])
    ;(await open()).delivery.noteWork(tenant)
    await receiver.until(1)
    await waitUntil(isDone)
  })

  it('of two processes none sends what the other is sending, and together they send all', async () => {
    const sentBy = [0, 0]
    const counting = (at: number): DeliveryOptions => ({
      ...quick,
      resolve: async () => {
        sentBy[at] = (sentBy[at] ?? 0) + 1
        return LOOPBACK
      },
    })
    const tenant = store.tenant()
    const [one, two] = [await open(counting(0)), await open(counting(1))]
    const host = one.as({ tenant, actor: 'warden', audience: 'host' })
    await host.webhooks.create({ url: `http://localhost:${receiver.port}/` })
    sentBy[0] = 0
    receiver.reply = () => ({ status: 200, after: 30 })
    const events = Array.from({ length: 40 }, () => event())
    for (let at = 0; at < 40; at += 10) {
      await Promise.all([
        one.tell(tenant, events.slice(at, at + 5)),
        two.tell(tenant, events.slice(at + 5, at + 10)),
      ])
      await Promise.all([one.delivery.sweep(), two.delivery.sweep()])
    }
    await waitUntil(async () => (await host.webhooks.list()).webhooks[0]?.waiting === 0)
    expect(receiver.mostAtOnce()).toBe(1)
    expect(receiver.received).toHaveLength(40)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(40)
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(40)
    expect(sentBy[0]).toBeGreaterThan(0)
    expect(sentBy[1]).toBeGreaterThan(0)
    expect((sentBy[0] ?? 0) + (sentBy[1] ?? 0)).toBe(40)
  })

  it('what other processes left is found, of every tenant, also where they made a new key', async () => {
    const left = await open({ ...quick, resolve: async () => [] })
    const finder = await open({ ...quick, resolve: async () => LOOPBACK })
    await left.keys.rotate()
    const tenants = [store.tenant(), store.tenant(), store.tenant()]
    const secrets: string[] = []
    for (const tenant of tenants) {
      const host = left.as({ tenant, actor: 'warden', audience: 'host' })
      const { secret } = await host.webhooks.create({ url: `http://localhost:${receiver.port}/` })
      secrets.push(secret ?? '')
      await left.tell(tenant, [event()])
    }
    await left.close()
    await store.sql('update privity.webhook_deliveries set next_at = now(), leased_until = null')
    expect(receiver.received).toEqual([])
    await finder.delivery.sweep()
    await receiver.until(3)
    for (const got of receiver.received) {
      const secret = secrets[tenants.indexOf(String(got.body.tenant))] ?? ''
      expect(verifyWebhook(secret, got.headers, got.text)).toBe(true)
    }
    expect(receiver.received.map(({ body }) => body.tenant).sort()).toEqual([...tenants].sort())
  })

  it('a receiver that hangs holds up no other', async () => {
    const tenant = store.tenant()
    const office = await open({ ...quick, timeoutMs: 30_000, leaseMs: 60_000 })
    const host = office.as({ tenant, actor: 'warden', audience: 'host' })
    await host.webhooks.create({ url: receiver.url, types: ['stage.ready'] })
    const { webhook } = await host.webhooks.create({ url: receiver.url, types: ['consent.requested'] })
    receiver.reply = ({ body }) => (body.type === 'stage.ready' ? 'never' : 200)
    await office.tell(
      tenant,
      Array.from({ length: 8 }, () => event({ type: 'stage.ready' })),
    )
    await receiver.until(4)
    await office.tell(
      tenant,
      Array.from({ length: 8 }, () => event()),
    )
    await waitUntil(
      async () => (await host.webhooks.list()).webhooks.find(({ id }) => id === webhook.id)?.waiting === 0,
    )
    const types = receiver.received.map(({ body }) => body.type)
    expect(types.filter(type => type === 'consent.requested')).toHaveLength(8)
    expect(types.filter(type => type === 'stage.ready')).toHaveLength(4)
    // So that nobody waits for those that hang.
    await receiver.close()
  })

  it('no more of an answer is read than a little, and none is waited for', async () => {
    const { tenant, office, look, isDone } = await world({ ...quick, timeoutMs: 2_000 })
    receiver.reply = () => (receiver.received.length === 1 ? 'endless' : 'dripping')
    await office.tell(tenant, [event()])
    await waitUntil(isDone)
    expect(receiver.written()).toBeLessThan(10 * 1_048_576)
    await office.tell(tenant, [event()])
    await waitUntil(isDone)
    expect(receiver.received).toHaveLength(2)
    expect(await look()).toMatchObject({ lastFailure: null, lastSuccessAt: expect.any(String) })
  })

  it('what was left is looked for by and by, without being asked', async () => {
    const left = await world()
    await left.office.delivery.close()
    await left.office.tell(left.tenant, [event()])
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
    await open({ ...quick, sweeps: true })
    expect(vi.getTimerCount()).toBeGreaterThan(0)
    vi.advanceTimersByTime(30_000)
    vi.useRealTimers()
    await receiver.until(1)
    await waitUntil(left.isDone)
  })

  it('what is to be done later keeps no process alive', async () => {
    const spies = [vi.spyOn(globalThis, 'setTimeout'), vi.spyOn(globalThis, 'setInterval')]
    const { tenant, office, look } = await world({ ...quick, sweeps: true, firstRetryMs: 200_000 })
    receiver.reply = () => 500
    await office.tell(tenant, [event()])
    await waitUntil(async () => (await look()).lastFailureAt !== null)
    const timers = () =>
      spies.flatMap(({ mock }) =>
        mock.calls.map(([, delay = 0], at) => ({ delay, timer: mock.results[at]?.value as NodeJS.Timeout })),
      )
    // The first sweep, those after it on Postgres, and the next attempt.
    const waits = [30_000, ...(engine === 'postgres' ? [300_000] : [])]
    await waitUntil(() => timers().some(({ delay }) => delay > 150_000 && delay <= 200_000))
    const long = timers().filter(({ delay }) => delay >= 30_000)
    for (const spy of spies) spy.mockRestore()
    for (const wait of waits) expect(long.map(({ delay }) => delay)).toContain(wait)
    const own = long.filter(({ delay }) => waits.includes(delay) || (delay > 150_000 && delay <= 200_000))
    expect(own.filter(({ timer }) => timer.hasRef())).toEqual([])
  })

  it('closing sends what is due, and nothing after that', async () => {
    const { tenant, office } = await world()
    receiver.reply = () => ({ status: 200, after: 200 })
    await office.tell(
      tenant,
      Array.from({ length: 10 }, () => event()),
    )
    await receiver.until(4)
    await office.close()
    const sent = receiver.received.length
    const [row] = await store.sql<{ left: number }>(
      'select count(*)::int as left from privity.webhook_deliveries where tenant_id = $1',
      [tenant],
    )
    expect(sent).toBe(10)
    expect(row?.left).toBe(0)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(receiver.received).toHaveLength(sent)
  })

  describe('leads nowhere but to the internet', () => {
    const PRIVATE = [
      'http://127.0.0.1/',
      'http://127.1/',
      'http://2130706433/',
      'http://0x7f000001/',
      'http://0.0.0.0/',
      'http://10.1.2.3/',
      'http://172.16.0.1/',
      'http://192.168.1.1/',
      'http://100.100.100.200/',
      'http://169.254.169.254/latest/meta-data/',
      'https://[::1]/',
      'https://[::]/',
      'https://[fe80::1]/',
      'https://[fd00:ec2::254]/',
      'https://[::ffff:127.0.0.1]/',
      'https://[::ffff:a9fe:a9fe]/',
      'https://[64:ff9b::7f00:1]/',
      'https://[2002:7f00:1::]/',
    ]
    const hostAt = async (options: DeliveryOptions) => {
      const tenant = store.tenant()
      const office = await open({ ...quick, allowPrivate: false, ...options })
      return { tenant, office, host: office.as({ tenant, actor: 'warden', audience: 'host' }) }
    }

    it('what is written as a private address is refused, however it is written', async () => {
      const { host } = await hostAt({})
      for (const url of PRIVATE)
        await expect(host.webhooks.create({ url }), url).rejects.toMatchObject({
          code: 'invalid_input',
          message: 'url: must be a public internet address, for example https://app.example.com/privity',
        })
      expect(await host.webhooks.list()).toEqual({ webhooks: [] })
    })

    it('what is no url for it is refused', async () => {
      const { host } = await hostAt({})
      for (const url of [
        '',
        'x',
        '/hook',
        'ftp://a.example/',
        'file:///etc/passwd',
        'javascript:alert(1)',
        'https://me:secret@a.example/',
        'https://me@a.example/',
        'http://',
      ])
        await expect(host.webhooks.create({ url }), url).rejects.toMatchObject({
          code: 'invalid_input',
          message: 'url: must be an http or https address without a user name or password',
        })
    })

    it('what is private by its name is refused with one answer, and no name is looked up', async () => {
      // Nothing is looked up, so that whoever may create webhooks cannot ask which names exist inside.
      const asked: string[] = []
      const { host } = await hostAt({
        resolve: async name => {
          asked.push(name)
          return LOOPBACK
        },
      })
      const create = (url: string) => host.webhooks.create({ url })
      const refusals = new Set<string>()
      for (const url of [
        'http://127.0.0.1/',
        'http://[::1]/',
        'http://10.0.0.1/',
        'http://localhost/',
        'http://api.localhost/',
        'http://db/',
        'http://printer.local/',
        'http://vault.internal/',
        'http://nas.home.arpa/',
      ])
        refusals.add(
          await create(url).then(
            () => `${url} was taken`,
            (error: Error) => error.message,
          ),
        )
      expect([...refusals]).toEqual([
        'url: must be a public internet address, for example https://app.example.com/privity',
      ])
      await expect(create('https://hook.example/')).resolves.toMatchObject({
        webhook: { url: 'https://hook.example/' },
      })
      expect(asked).toEqual([])
    })

    it('tell nobody whether a name leads inside, is unknown or is not answered for', async () => {
      const { host, tenant, office } = await hostAt({
        firstRetryMs: 60_000,
        resolveMs: 150,
        resolve: async name => {
          if (name.startsWith('inside')) return LOOPBACK
          if (name.startsWith('unknown')) throw new Error('no such host')
          if (name.startsWith('mixed')) return [{ address: '1.1.1.1', family: 4 }, ...LOOPBACK]
          return new Promise(() => {})
        },
      })
      const names = ['inside', 'unknown', 'mixed', 'silent']
      for (const name of names)
        await host.webhooks.create({ url: `http://${name}.example:${receiver.port}/` })
      const began = Date.now()
      await office.tell(tenant, [event()])
      const listed = async () => (await host.webhooks.list()).webhooks
      await waitUntil(async () => (await listed()).every(({ lastFailure }) => lastFailure !== null))
      for (const { url, lastFailure, lastFailureAt } of await listed()) {
        expect(lastFailure, url).toBe('unreachable')
        expect(Date.parse(lastFailureAt ?? '') - began, url).toBeGreaterThanOrEqual(140)
      }
      expect(receiver.received).toEqual([])
    })

    it('a name that comes to lead to one is refused when it is sent to', async () => {
      let addresses = [{ address: '1.1.1.1', family: 4 }]
      const asked: string[] = []
      const { host, tenant, office } = await hostAt({
        firstRetryMs: 60_000,
        resolveMs: 50,
        resolve: async name => {
          asked.push(name)
          return addresses
        },
      })
      await host.webhooks.create({ url: `http://hook.example:${receiver.port}/` })
      addresses = LOOPBACK
      await office.tell(tenant, [event()])
      await waitUntil(async () => (await host.webhooks.list()).webhooks[0]?.lastFailure === 'unreachable')
      addresses = [{ address: '1.1.1.1', family: 4 }, ...LOOPBACK]
      await store.sql('update privity.webhook_deliveries set next_at = now() where tenant_id = $1', [tenant])
      office.delivery.noteWork(tenant)
      await waitUntil(() => asked.length === 2)
      await office.close()
      expect(receiver.received).toEqual([])
      expect(asked).toEqual(['hook.example', 'hook.example'])
    })

    it('a private one that was allowed once is refused when it is no longer', async () => {
      const { tenant, office, host, webhook } = await world()
      await office.delivery.close()
      const strict = await open({ ...quick, allowPrivate: false })
      await host.webhooks.test(webhook.id)
      strict.delivery.noteWork(tenant)
      await waitUntil(async () => (await host.webhooks.list()).webhooks[0]?.lastFailure === 'unreachable')
      expect(receiver.received).toEqual([])
    })
  })
})
