import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { id, text } from '../runtime/input.js'
import { newestFirst, page } from '../runtime/newest-first.js'
import { readOperation, writeOperation } from '../runtime/operation.js'
import { PrepareFirst } from '../runtime/prepare-first.js'
import { absent, type WriteRequest } from '../runtime/request.js'
import { lockOwners } from '../storage/queries/lock.js'
import {
  countUnread,
  listNotifications,
  markRead,
  type NotificationRow,
} from '../storage/queries/notifications.js'
import {
  countWebhooks,
  deleteWebhook,
  insertPing,
  insertWebhook,
  listWebhooks,
  loadWebhook,
  type WebhookRow,
} from '../storage/queries/webhooks.js'
import { secretBoundTo } from './deliver.js'
import { writeSecret } from './signature.js'
import { NOTIFICATION_TYPES } from './types.js'

const notification = z.object({
  id: z.string(),
  type: z.enum(NOTIFICATION_TYPES),
  session: z.string().nullable(),
  /** Ids of what it speaks of, by what they are of. */
  refs: z.record(z.string(), z.string()),
  createdAt: z.string(),
  readAt: z.string().nullable(),
})

const notificationView = (row: NotificationRow): z.input<typeof notification> => ({
  id: row.id,
  type: row.type as z.input<typeof notification>['type'],
  session: row.session,
  refs: row.refs,
  createdAt: row.createdAt.toISOString(),
  readAt: row.readAt?.toISOString() ?? null,
})

/** What the caller was told: nobody sees what others were (NI-5, CB-8). */
export const listOwnNotifications = readOperation({
  name: 'notifications.list',
  summary: 'List your notifications, newest first',
  callers: 'owner',
  input: z.strictObject({ unread: z.boolean().optional(), ...page }),
  output: z.object({ notifications: z.array(notification), cursor: z.string().nullable() }),
  async run(request, { unread = null, limit, cursor }) {
    const { rows, cursor: next } = await newestFirst(
      request,
      ['notifications.list', unread],
      { limit, cursor },
      (before, most) =>
        listNotifications(request.tx, request.tenant, request.caller.actingFor, {
          unread,
          before,
          limit: most,
        }),
      row => row,
    )
    return { notifications: rows.map(notificationView), cursor: next }
  },
})

/** Ids that are not of the caller's own notifications are as good as none (NI-5). */
export const readNotifications = writeOperation({
  name: 'notifications.read',
  summary: 'Mark notifications of yours as read',
  callers: 'owner',
  effects: ['notifications_read'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ notifications: z.array(id).min(1).max(200) }),
  output: z.object({ unread: z.int() }),
  async run(request, { notifications }) {
    const { tx, tenant, now } = request
    const marked = await markRead(tx, tenant, request.caller.actingFor, notifications, now)
    return { output: await unreadOf(request), refs: marked.sort() }
  },
  replay: unreadOf,
})

async function unreadOf({ tx, tenant, caller }: WriteRequest): Promise<{ unread: number }> {
  return { unread: await countUnread(tx, tenant, caller.actingFor) }
}

/** So that one event is not sent to ever more places. */
const MOST_WEBHOOKS = 50
const SECRET_BYTES = 32

const webhook = z.object({
  id: z.string(),
  url: z.string(),
  /** Null is all of them, those to come included. */
  types: z.array(z.string()).nullable(),
  description: z.string().nullable(),
  createdAt: z.string(),
  /** Since its receiver answered that it is gone. */
  disabledAt: z.string().nullable(),
  lastSuccessAt: z.string().nullable(),
  lastFailureAt: z.string().nullable(),
  lastFailure: z.string().nullable(),
  waiting: z.int(),
  givenUp: z.int(),
})

const webhookView = (row: WebhookRow): z.input<typeof webhook> => ({
  id: row.id,
  url: row.url,
  types: row.types === null ? null : [...row.types],
  description: row.description,
  createdAt: row.createdAt.toISOString(),
  disabledAt: row.disabledAt?.toISOString() ?? null,
  lastSuccessAt: row.lastSuccessAt?.toISOString() ?? null,
  lastFailureAt: row.lastFailureAt?.toISOString() ?? null,
  lastFailure: row.lastFailure,
  waiting: row.waiting,
  givenUp: row.givenUp,
})

async function webhookOf({ tx, tenant }: WriteRequest, webhookId: string) {
  const row = await loadWebhook(tx, tenant, webhookId)
  if (row === undefined) throw absent()
  return webhookView(row)
}

/** An address to post to, as it is going to be asked for. */
const url = text(2_000).transform((value, context) => {
  const parsed = URL.canParse(value) ? new URL(value) : null
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.password === '')
    return parsed.href
  context.issues.push({
    code: 'custom',
    message: 'must be an http or https url without credentials',
    input: value,
  })
  return z.NEVER
})

/** Inputs whose url was looked up, outside of the transaction that the request then begins anew. */
const lookedUp = new WeakSet<object>()

/** Makes a webhook, whose secret is in the answer and is shown nowhere else. */
export const createWebhook = writeOperation({
  name: 'webhooks.create',
  summary: 'Have notifications posted to a url; the secret that signs them is shown once',
  callers: 'host',
  effects: ['webhook_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    url,
    types: z.array(z.enum(NOTIFICATION_TYPES)).min(1).max(NOTIFICATION_TYPES.length).optional(),
    description: text(500).optional(),
  }),
  output: z.object({
    webhook,
    /** To be kept by the receiver. A repeated request does not get it again. */
    secret: z.string().nullable(),
  }),
  async run(request, asked) {
    const { tx, tenant, now } = request
    const { clock, secrets, actorId, outbox } = request.parts
    if (!lookedUp.has(asked))
      throw new PrepareFirst(async () => {
        await outbox.requireSendable(asked.url)
        lookedUp.add(asked)
      })
    await lockOwners(tx, tenant, ['webhooks of this tenant'], 'exclusive')
    if ((await countWebhooks(tx, tenant)) >= MOST_WEBHOOKS)
      throw new PrivityError('conflict', `there are ${MOST_WEBHOOKS} webhooks already`)
    const webhookId = clock.newId('webhook')
    const secret = writeSecret(clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES))
    await insertWebhook(tx, tenant, {
      id: webhookId,
      url: asked.url,
      types: asked.types === undefined ? null : [...new Set(asked.types)].sort(),
      description: asked.description ?? null,
      secret: secrets.seal(secret, secretBoundTo(tenant, webhookId)),
      createdBy: actorId,
      createdAt: now,
    })
    return { output: { webhook: await webhookOf(request, webhookId), secret }, refs: [webhookId] }
  },
  replay: async (request, [webhookId = '']) => ({
    webhook: await webhookOf(request, webhookId),
    secret: null,
  }),
})

export const listWebhooksOf = readOperation({
  name: 'webhooks.list',
  summary: 'List webhooks, how their last deliveries went and how many wait',
  callers: 'host',
  input: z.strictObject({}),
  output: z.object({ webhooks: z.array(webhook) }),
  async run({ tx, tenant }) {
    return { webhooks: (await listWebhooks(tx, tenant)).map(webhookView) }
  },
})

export const removeWebhook = writeOperation({
  name: 'webhooks.delete',
  summary: 'Delete a webhook and what waits to be sent to it',
  callers: 'host',
  effects: ['webhook_deleted'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ webhook: id }),
  output: z.object({ deleted: z.boolean() }),
  async run({ tx, tenant }, { webhook: webhookId }) {
    if (!(await deleteWebhook(tx, tenant, webhookId))) throw absent()
    return { output: { deleted: true }, refs: [webhookId] }
  },
  replay: async () => ({ deleted: true }),
})

/** Goes the way of every delivery: whether it arrived is seen in `webhooks.list`. */
export const testWebhook = writeOperation({
  name: 'webhooks.test',
  summary: 'Send a ping to a webhook',
  callers: 'host',
  effects: ['webhook_tested'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ webhook: id }),
  output: z.object({
    /** The `webhook-id` that it arrives with. */
    delivery: z.string(),
  }),
  async run(request, { webhook: webhookId }) {
    const delivery = request.parts.clock.newId('delivery')
    if (!(await insertPing(request.tx, request.tenant, webhookId, delivery))) throw absent()
    request.leavesToSend()
    return { output: { delivery }, refs: [webhookId, delivery] }
  },
  replay: async (_request, [, delivery = '']) => ({ delivery }),
})
