import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { createdAt, nextCursor } from '../runtime/fields.js'
import { id, text } from '../runtime/input.js'
import { listNewestFirst, pageInput } from '../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../runtime/operation.js'
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
import { writeSecret } from './signature.js'
import { NOTIFICATION_TYPES } from './types.js'
import { secretSealContext } from './webhook-delivery.js'

const notification = z
  .object({
    id: z.string().meta({ description: 'The id of the notification.' }),
    type: z.enum(NOTIFICATION_TYPES).meta({ description: 'What happened.' }),
    session: z
      .string()
      .nullable()
      .meta({ description: 'The mediation session it is about, by its id; null if none.' }),
    refs: z
      .record(z.string(), z.string())
      .meta({ description: 'Ids of what it is about, by what they are of.' }),
    createdAt,
    readAt: z.string().nullable().meta({ description: 'When it was read; null until then.' }),
  })
  .meta({ id: 'Notification', description: 'Something that happened. It holds ids and no content.' })

const notificationView = (row: NotificationRow): z.input<typeof notification> => ({
  id: row.id,
  type: row.type as z.input<typeof notification>['type'],
  session: row.session,
  refs: row.refs,
  createdAt: row.createdAt.toISOString(),
  readAt: row.readAt?.toISOString() ?? null,
})

/** Lists the caller's own notifications. Nobody sees those of others (NI-5, CB-8). */
export const listOwnNotifications = readOperation({
  name: 'notifications.list',
  route: 'GET /notifications',
  summary: 'List your notifications, newest first',
  sample: world => ({ limit: world.pick([1, 50]), ...world.maybe(0.3, { unread: true }) }),
  callers: 'owner',
  needsWholeSight: { otherwise: { notifications: [], cursor: null } },
  input: z.strictObject({
    unread: z
      .boolean()
      .optional()
      .meta({ description: 'True for unread notifications only, false for read ones only.', example: true }),
    ...pageInput,
  }),
  output: z.object({
    notifications: z.array(notification).meta({ description: 'The notifications, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { unread = null, limit, cursor }) {
    const { rows, cursor: next } = await listNewestFirst(
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

/** Marks notifications as read. Ids of other people's notifications are ignored like unknown ones (NI-5). */
export const readNotifications = writeOperation({
  name: 'notifications.read',
  route: 'POST /notifications/read',
  summary: 'Mark notifications of yours as read',
  positional: ['notifications'],
  sample: world => ({ notifications: [world.other()] }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['notifications_read'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    notifications: z
      .array(id)
      .min(1)
      .max(200)
      .meta({ description: 'Notifications of yours, by their ids. Others are ignored.' }),
  }),
  output: z.object({ unread: z.int().meta({ description: 'Number of notifications still unread.' }) }),
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

/** A limit, so that one event is not sent to ever more places. */
const MOST_WEBHOOKS = 50
const SECRET_BYTES = 32

const webhook = z
  .object({
    id: z.string().meta({ description: 'The id of the webhook.' }),
    url: z.string().meta({ description: 'Where notifications are posted to.' }),
    types: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Only these types are posted; null for all, later ones included.' }),
    description: z.string().nullable().meta({ description: 'What it is for; null if nothing was said.' }),
    createdAt,
    disabledAt: z
      .string()
      .nullable()
      .meta({ description: 'When its receiver answered that it is gone; null while it is in use.' }),
    lastSuccessAt: z
      .string()
      .nullable()
      .meta({ description: 'When a delivery last succeeded; null if none has.' }),
    lastFailureAt: z
      .string()
      .nullable()
      .meta({ description: 'When a delivery last failed; null if none has.' }),
    lastFailure: z.string().nullable().meta({ description: 'Why the last delivery failed, as a code.' }),
    waiting: z.int().meta({ description: 'Number of deliveries waiting to be sent.' }),
    givenUp: z.int().meta({ description: 'Number of deliveries that were given up.' }),
  })
  .meta({ id: 'Webhook', description: 'An address that notifications are posted to, without its secret.' })

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

/** A URL to post to, in normalized form. */
const url = text(2_000).transform((value, context) => {
  const parsed = URL.canParse(value) ? new URL(value) : null
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.password === '')
    return parsed.href
  context.issues.push({
    code: 'custom',
    message: 'must be an http or https address without a user name or password',
    input: value,
  })
  return z.NEVER
})

/** Creates a webhook. Its secret is shown only in this answer. */
export const createWebhook = writeOperation({
  name: 'webhooks.create',
  route: 'POST /webhooks',
  summary: 'Send notifications to a URL; the secret that signs them is shown once',
  answeredOnce: true,
  // This address is refused, because a real delivery would make the time of the last delivery differ between two
  // runs.
  sample: () => ({ url: 'http://10.0.0.1/' }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['webhook_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    url: url.meta({
      description: 'Where to post notifications to: an http or https address on the internet.',
      example: 'https://app.example/privity',
    }),
    types: z
      .array(z.enum(NOTIFICATION_TYPES))
      .min(1)
      .max(NOTIFICATION_TYPES.length)
      .optional()
      .meta({
        description: 'Only these types. Default: all, later ones included.',
        example: ['consent.requested'],
      }),
    description: text(500)
      .optional()
      .meta({ description: 'What it is for, in a sentence.', example: 'Tells the app.' }),
  }),
  output: z.object({
    webhook: webhook.meta({ description: 'The webhook.' }),
    secret: z.string().nullable().meta({
      description: 'The secret that signs deliveries. It is shown once: null when a request is repeated.',
    }),
  }),
  async run(request, asked) {
    const { tx, tenant, now } = request
    const { clock, secrets, actorId, outbox } = request.parts
    outbox.requireSendable(asked.url)
    await lockOwners(tx, tenant, ['webhooks of this tenant'], 'exclusive')
    if ((await countWebhooks(tx, tenant)) >= MOST_WEBHOOKS)
      throw new PrivityError(
        'conflict',
        `there are already ${MOST_WEBHOOKS} webhooks, which is the maximum; delete one first`,
      )
    const webhookId = clock.newId('webhook')
    const secret = writeSecret(clock.newSecret?.(SECRET_BYTES) ?? randomBytes(SECRET_BYTES))
    await insertWebhook(tx, tenant, {
      id: webhookId,
      url: asked.url,
      types: asked.types === undefined ? null : [...new Set(asked.types)].sort(),
      description: asked.description ?? null,
      secret: secrets.seal(secret, secretSealContext(tenant, webhookId)),
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
  route: 'GET /webhooks',
  summary: 'List webhooks, how their last deliveries went and how many wait',
  sample: () => ({}),
  callers: 'host',
  needsWholeSight: { otherwise: { webhooks: [] } },
  input: z.strictObject({}),
  output: z.object({ webhooks: z.array(webhook).meta({ description: 'The webhooks, newest first.' }) }),
  async run({ tx, tenant }) {
    return { webhooks: (await listWebhooks(tx, tenant)).map(webhookView) }
  },
})

export const removeWebhook = writeOperation({
  name: 'webhooks.delete',
  route: 'DELETE /webhooks/:webhook',
  summary: 'Delete a webhook and what waits to be sent to it',
  positional: ['webhook'],
  sample: world => ({ webhook: world.missing() }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['webhook_deleted'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ webhook: id.meta({ description: 'The webhook, by its id.' }) }),
  output: z.object({
    deleted: z.boolean().meta({ description: 'Whether it was deleted; false if it was not there.' }),
  }),
  async run({ tx, tenant }, { webhook: webhookId }) {
    if (!(await deleteWebhook(tx, tenant, webhookId))) throw absent()
    return { output: { deleted: true }, refs: [webhookId] }
  },
  replay: async () => ({ deleted: true }),
})

/** Sends a test through the normal delivery; `webhooks.list` shows whether it arrived. */
export const testWebhook = writeOperation({
  name: 'webhooks.test',
  route: 'POST /webhooks/:webhook/test',
  summary: 'Send a ping to a webhook',
  positional: ['webhook'],
  sample: world => ({ webhook: world.missing() }),
  callers: 'host',
  needsWholeSight: 'absent',
  effects: ['webhook_tested'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({ webhook: id.meta({ description: 'The webhook, by its id.' }) }),
  output: z.object({
    delivery: z.string().meta({ description: 'The `webhook-id` of the test delivery.' }),
  }),
  async run(request, { webhook: webhookId }) {
    const delivery = request.parts.clock.newId('delivery')
    if (!(await insertPing(request.tx, request.tenant, webhookId, delivery))) throw absent()
    request.leavesToSend()
    return { output: { delivery }, refs: [webhookId, delivery] }
  },
  replay: async (_request, [, delivery = '']) => ({ delivery }),
})
