import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type NewNotification, NOTIFICATION_TYPES } from '../../src/notifications/types.js'
import { listNotifications } from '../../src/storage/queries/notifications.js'
import { attempt } from '../support/second-lock.js'
import { dumpTables, type SharedStore, sharedStore } from '../support/shared-store.js'
import { engines } from '../support/stores.js'
import { type Office, openOffice, openReceiver, waitUntil } from '../support/webhooks.js'

const event = (recipient: string, more: Partial<NewNotification> = {}): NewNotification => ({
  recipient,
  type: 'stage.ready',
  session: 'talk',
  refs: { session: randomUUID() },
  ...more,
})

it('[CB-8] nothing can be told of a denial', () => {
  const telling = NOTIFICATION_TYPES.filter(type => /den|declin|reject|refus|pending|expire/i.test(type))
  // That a link let somebody not in is told to its host, of nobody's decision.
  expect(telling).toEqual(['share.refused'])
  expect(NOTIFICATION_TYPES).toHaveLength(22)
})

describe.each(engines)('notifications on %s', engine => {
  let store: SharedStore
  let office: Office
  beforeAll(async () => {
    store = await sharedStore(engine)
    office = await openOffice(store.db)
  })
  afterAll(async () => {
    await office.close()
    await store.dispose()
  })

  const world = () => {
    const tenant = store.tenant()
    const agent = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'hyper' },
    } as const
    return {
      tenant,
      ana: office.as({ tenant, actor: 'ana' }),
      ben: office.as({ tenant, actor: 'ben' }),
      host: office.as({ tenant, actor: 'warden', audience: 'host' }),
      agent: office.as(agent),
      tell: (...events: NewNotification[]) => office.tell(tenant, events),
    }
  }

  it('[NI-5, CB-8] are of their recipient alone, and what others are told changes nothing', async () => {
    const { ana, ben, host, tell } = world()
    const told = event('ana', { type: 'consent.requested', refs: { request: randomUUID() } })
    await tell(told)
    const before = JSON.stringify(await ben.notifications.list())
    await tell(told, told)
    expect(before).toBe('{"notifications":[],"cursor":null}')
    expect(JSON.stringify(await ben.notifications.list())).toBe(before)
    expect(JSON.stringify(await ben.notifications.list({ unread: false }))).toBe(before)
    expect((await host.notifications.list()).notifications).toEqual([])
    expect((await ana.notifications.list()).notifications).toHaveLength(3)
    expect((await ana.notifications.list()).notifications[0]).toEqual({
      id: expect.any(String),
      type: 'consent.requested',
      session: 'talk',
      refs: told.refs,
      createdAt: expect.any(String),
      readAt: null,
    })
    const elsewhere = office.as({ tenant: store.tenant(), actor: 'ana' })
    expect(JSON.stringify(await elsewhere.notifications.list())).toBe(before)
  })

  it('[WR-4] are not for agents, whoever they work for; webhooks are for hosts', async () => {
    const { agent, ana, tell } = world()
    await tell(event('ana'), event('helper'))
    const id = randomUUID()
    const refused = [
      agent.notifications.list(),
      agent.notifications.read([id]),
      ...[agent, ana].flatMap(caller => [
        caller.webhooks.create({ url: 'https://hooks.invalid/' }),
        caller.webhooks.list(),
        caller.webhooks.delete(id),
        caller.webhooks.test(id),
      ]),
    ]
    for (const asked of refused) await expect(asked).rejects.toMatchObject({ code: 'not_allowed' })
  })

  it('[NI-9] come newest first, page by page, in pages of their own', async () => {
    const { ana, ben, tell } = world()
    for (let at = 0; at < 5; at++) {
      await tell(event('ana', { session: `talk ${at}` }), event('ben'))
      await new Promise(resolve => setTimeout(resolve, 2))
    }
    const seen: (string | null)[] = []
    let cursor: string | null = null
    do {
      const page: Awaited<ReturnType<typeof ana.notifications.list>> = await ana.notifications.list({
        limit: 2,
        ...(cursor !== null && { cursor }),
      })
      seen.push(...page.notifications.map(({ session }) => session))
      cursor = page.cursor
    } while (cursor !== null)
    expect(seen).toEqual(['talk 4', 'talk 3', 'talk 2', 'talk 1', 'talk 0'])
    const first = (await ana.notifications.list({ limit: 2 })).cursor ?? ''
    expect(first).toMatch(/^[\w-]{40,}$/)
    for (const asked of [
      ben.notifications.list({ limit: 2, cursor: first }),
      ana.notifications.list({ limit: 2, cursor: first, unread: true }),
      ana.consents.list({ cursor: first }),
    ])
      await expect(asked).rejects.toMatchObject({ code: 'invalid_input' })
  })

  it('[NI-5] are read by their recipient; ids of others and of nothing are passed over alike', async () => {
    const { ana, ben, tell } = world()
    await tell(event('ana'), event('ana'), event('ana'), event('ben'))
    const own = (await ana.notifications.list()).notifications.map(({ id }) => id)
    const [theirs] = (await ben.notifications.list()).notifications.map(({ id }) => id)
    const [first = ''] = own
    expect(await ana.notifications.read([theirs ?? ''])).toEqual({ unread: 3 })
    expect(await ana.notifications.read([randomUUID()])).toEqual({ unread: 3 })
    expect(await ana.notifications.read([first, theirs ?? ''])).toEqual({ unread: 2 })
    const readAt = (await ana.notifications.list({ unread: false })).notifications[0]?.readAt
    expect(readAt).toEqual(expect.any(String))
    expect(await ana.notifications.read([first])).toEqual({ unread: 2 })
    expect((await ana.notifications.list({ unread: false })).notifications).toMatchObject([
      { id: first, readAt },
    ])
    expect((await ana.notifications.list({ unread: true })).notifications.map(({ id }) => id)).toEqual(
      own.slice(1),
    )
    expect((await ben.notifications.list({ unread: true })).notifications).toHaveLength(1)
    // Nor does the history of who asked hold an id that was not theirs.
    const { entries } = await ana.audit.list({ limit: 200 })
    expect(JSON.stringify(entries)).not.toContain(theirs)
  })

  it('[NI-5] they are asked for by their recipient, whatever the second lock would pass', async () => {
    const { tenant, tell } = world()
    await tell(event('ana'), event('ben'))
    const rows = await store.db.transaction(
      { access: 'read', role: 'privity_writer', settings: { 'privity.tenant': tenant } },
      tx => listNotifications(tx, tenant, 'ana', { unread: null, before: null, limit: 9 }),
    )
    expect(rows.map(({ recipient }) => recipient)).toEqual(['ana'])
  })

  it('[DE-6] the second lock keeps them to their recipient too', async () => {
    const { tenant, tell } = world()
    await tell(event('ana'), event('ana'), event('ben'))
    const seenBy = (principal: string) =>
      attempt(
        store.db,
        'privity_app',
        { 'privity.tenant': tenant, ...(principal !== '' && { 'privity.principal': principal }) },
        'select 1 from privity.notifications',
      )
    expect(await seenBy('ana')).toBe(2)
    expect(await seenBy('ben')).toBe(1)
    expect(await seenBy('cyd')).toBe(0)
    expect(await seenBy('')).toBe(0)
  })

  it('[AU-3] the secret of a webhook is shown once, and is in no table, list or audit', async () => {
    const { tenant, host } = world()
    const asked = { url: 'https://hooks.invalid/', description: 'the app' }
    const once = { idempotencyKey: 'once' }
    const { webhook, secret } = await host.webhooks.create(asked, once)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const again = await host.webhooks.create(asked, once)
    expect(again).toEqual({ webhook, secret: null })
    const bare = (secret ?? '').replace('whsec_', '')
    const said = JSON.stringify([await host.webhooks.list(), await host.audit.list({ limit: 200 }), again])
    expect(said).not.toContain(bare)
    const rows = await dumpTables(store.sql)
    const hex = Buffer.from(bare, 'base64').toString('hex')
    expect(rows.some(({ table, row }) => table === 'webhooks' && row.includes('hooks.invalid'))).toBe(true)
    expect(rows.filter(({ row }) => row.includes(bare) || row.includes(hex))).toEqual([])
    const settings = { 'privity.tenant': tenant, 'privity.principal': 'warden' }
    const read = (column: string) =>
      attempt(store.db, 'privity_app', settings, `select ${column} from privity.webhooks`)
    expect(await read('url')).toBe(1)
    expect(await read('secret')).toBe('denied')
    expect(await read('*')).toBe('denied')
  })

  it('webhooks are of their tenant, and are not made without end', async () => {
    const { host } = world()
    const other = world().host
    const made = await Promise.all(
      Array.from({ length: 52 }, () =>
        host.webhooks.create({ url: 'https://203.0.114.1/' }).then(
          ({ webhook }) => webhook.id,
          (error: { code: string }) => error.code,
        ),
      ),
    )
    expect(made.filter(one => one === 'conflict')).toHaveLength(2)
    expect((await host.webhooks.list()).webhooks).toHaveLength(50)
    const [theirs = ''] = made.filter(one => one !== 'conflict')
    expect(await other.webhooks.list()).toEqual({ webhooks: [] })
    for (const asked of [other.webhooks.delete(theirs), other.webhooks.test(theirs)])
      await expect(asked).rejects.toMatchObject({ code: 'not_found', message: 'not found' })
    expect((await host.webhooks.list()).webhooks).toHaveLength(50)
  })
})

describe.each(engines)('a Privity on %s', engine => {
  it('sends by itself, and only to where it may', async () => {
    const store = await sharedStore(engine)
    const receiver = await openReceiver()
    const tenant = store.tenant()
    const privity = await store.instance(undefined, { webhooks: { allowPrivate: true } })
    const host = privity.as({ tenant, actor: 'warden', audience: 'host' })
    const { webhook } = await host.webhooks.create({ url: receiver.url })
    await host.webhooks.test(webhook.id)
    await receiver.until(1)
    await waitUntil(async () => (await host.webhooks.list()).webhooks[0]?.lastSuccessAt != null)
    await privity.close()
    const strict = await store.instance()
    await expect(
      strict.as({ tenant, actor: 'warden', audience: 'host' }).webhooks.create({ url: receiver.url }),
    ).rejects.toMatchObject({ code: 'invalid_input' })
    await strict.close()
    await receiver.close()
    await store.dispose()
  })
})
