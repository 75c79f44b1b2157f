import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import { type Handle, makeHandle } from '../../src/handle.js'
import { enqueueMail } from '../../src/mail/enqueue.js'
import { MailDelivery, type MailOptions } from '../../src/mail/mail-delivery.js'
import { notify } from '../../src/notifications/notify.js'
import type { NewNotification } from '../../src/notifications/types.js'
import { type DeliveryOptions, WebhookDelivery } from '../../src/notifications/webhook-delivery.js'
import { outboxOf } from '../../src/open.js'
import { OPERATIONS, operationNamed } from '../../src/operations.js'
import { ApiKeys } from '../../src/runtime/api-keys.js'
import { AuditLanes } from '../../src/runtime/audit-lanes.js'
import { type Credential, readCredential } from '../../src/runtime/caller.js'
import { type Clock, SYSTEM_CLOCK } from '../../src/runtime/clock.js'
import { Embeddings } from '../../src/runtime/embedding/embeddings.js'
import { shareFairly } from '../../src/runtime/fairness/fair-database.js'
import { Cells } from '../../src/runtime/index/cells.js'
import { KeyRing } from '../../src/runtime/key-ring.js'
import { Leases } from '../../src/runtime/leases.js'
import { writeOperation } from '../../src/runtime/operation.js'
import { Runtime } from '../../src/runtime/runtime.js'
import { builtInRegistry, TenantFactsCache } from '../../src/runtime/tenant-facts.js'
import type { Database } from '../../src/storage/database.js'

/** An operation that tells people of something, and may fail after it. */
const tell = writeOperation({
  name: 'testing.tell',
  route: 'POST /testing/tell',
  summary: 'Tell people of something',
  sample: () => ({ events: [] }),
  callers: 'anyone',
  effects: [],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.object({ events: z.array(z.custom<NewNotification>()), fails: z.boolean().default(false) }),
  output: z.null(),
  async run(request, { events, fails }) {
    await notify(request, events)
    if (fails) throw new Error('after it was told')
    return { output: null, refs: [] }
  },
  replay: async () => null,
})

const noFiles = () => Promise.reject(new Error('no files are read here'))

export type NewMail = Parameters<typeof enqueueMail>[1]

/** The same, by mail. */
const write = writeOperation({
  name: 'testing.write',
  route: 'POST /testing/write',
  summary: 'Write mails to people',
  sample: () => ({ mails: [] }),
  callers: 'anyone',
  effects: [],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.object({ mails: z.array(z.custom<NewMail>()), fails: z.boolean().default(false) }),
  output: z.array(z.string()),
  async run(request, { mails, fails }) {
    const ids: string[] = []
    for (const mail of mails) ids.push(await enqueueMail(request, mail))
    if (fails) throw new Error('after it was written')
    return { output: ids, refs: [] }
  },
  replay: async () => [],
})

/** A process on a store, as far as it takes to tell people and to send. */
export interface Office {
  readonly delivery: WebhookDelivery
  readonly mailing: MailDelivery | null
  readonly keys: KeyRing
  as(credential: Credential): Handle
  tell(tenant: string, events: readonly NewNotification[], fails?: boolean): Promise<void>
  /** Leaves mails to be sent; their ids. */
  write(tenant: string, mails: readonly NewMail[], fails?: boolean): Promise<string[]>
  close(): Promise<void>
}

export async function openOffice(
  db: Database,
  options: DeliveryOptions = {},
  clock: Clock = SYSTEM_CLOCK,
  mail: MailOptions | null = null,
): Promise<Office> {
  const keys = await KeyRing.open(db)
  const audit = new AuditLanes(db, clock)
  const delivery = new WebhookDelivery(db, keys, clock, options)
  const mailing = mail === null ? null : new MailDelivery(db, keys, clock, mail)
  const runtime = new Runtime({
    db,
    audit,
    apiKeys: new ApiKeys(shareFairly(db, 10), clock),
    clock,
    tenants: new TenantFactsCache(builtInRegistry([...OPERATIONS, tell, write])),
    keys,
    leases: new Leases(db, clock),
    cells: new Cells(db),
    embeddings: new Embeddings(db, []),
    extraction: { extract: noFiles, mark: noFiles, findMarks: noFiles, inspectUpload: noFiles },
    outbox: outboxOf(delivery, mailing, { note: () => {} }),
    halfLifeOf: () => Number.POSITIVE_INFINITY,
    consolidation: null,
  })
  return {
    delivery,
    mailing,
    keys,
    as(credential) {
      const caller = readCredential(credential)
      return makeHandle((name, input, more) => runtime.invoke(operationNamed(name), caller, input, more))
    },
    async tell(tenant, events, fails = false) {
      await runtime.invoke(tell, readCredential({ tenant, actor: 'ana' }), { events, fails })
    },
    async write(tenant, mails, fails = false) {
      const asked = { mails, fails }
      return (await runtime.invoke(write, readCredential({ tenant, actor: 'ana' }), asked)) as string[]
    },
    async close() {
      await runtime.settle()
      await delivery.close()
      await mailing?.close()
      await audit.close()
      keys.close()
    },
  }
}

export interface Received {
  readonly id: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Record<string, unknown>
}

/** How one request is answered: a status at once, or after so many milliseconds; never; or without an end. */
export type Reply =
  | number
  | { readonly status: number; readonly after: number }
  | 'never'
  | 'endless'
  | 'dripping'

/** A server that takes deliveries, over a real socket. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** How the next are answered; 204 at first. */
  reply: (received: Received) => Reply
  /** The most of one id that were being answered at the same time. */
  mostAtOnce(): number
  /** Bytes of endless answers. */
  written(): number
  /** Once so many have arrived. */
  until(count: number): Promise<void>
  close(): Promise<void>
}

export async function openReceiver(): Promise<Receiver> {
  const inFlight = new Map<string, number>()
  let mostAtOnce = 0
  let written = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const text = Buffer.concat(chunks).toString()
    const id = String(request.headers['webhook-id'])
    const got = { id, headers: request.headers, text, body: JSON.parse(text) }
    receiver.received.push(got)
    inFlight.set(id, (inFlight.get(id) ?? 0) + 1)
    mostAtOnce = Math.max(mostAtOnce, inFlight.get(id) ?? 0)
    const reply = receiver.reply(got)
    if (reply === 'never') return
    if (reply === 'endless' || reply === 'dripping') {
      response.on('error', () => {})
      response.writeHead(200)
      const chunk = Buffer.alloc(reply === 'endless' ? 65_536 : 1)
      while (!response.destroyed) {
        written += chunk.length
        if (!response.write(chunk) || reply === 'dripping')
          await new Promise(resolve => setTimeout(resolve, 20))
      }
      return
    }
    const { status, after } = typeof reply === 'number' ? { status: reply, after: 0 } : reply
    setTimeout(() => {
      inFlight.set(id, (inFlight.get(id) ?? 0) - 1)
      response.writeHead(status, status === 302 ? { location: '/elsewhere' } : {}).end()
    }, after)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    port,
    received: [],
    reply: () => 204,
    mostAtOnce: () => mostAtOnce,
    written: () => written,
    until: count => waitUntil(() => receiver.received.length >= count),
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return receiver
}

export async function waitUntil(holds: () => boolean | Promise<boolean>, within = 30_000): Promise<void> {
  const end = performance.now() + within
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('it did not come to be in time')
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
