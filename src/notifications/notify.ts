import { PrivityError } from '../errors.js'
import type { Clock } from '../runtime/clock.js'
import { id } from '../runtime/input.js'
import type { WriteRequest } from '../runtime/request.js'
import type { Transaction } from '../storage/database.js'
import { insertNotifications } from '../storage/queries/notifications.js'
import type { NewNotification } from './types.js'

/** What it takes to notify somebody, in a request or in a job. */
export interface Notifying {
  readonly tx: Transaction
  readonly tenant: string
  readonly now: Date
  readonly parts: { readonly clock: Clock }
}

/**
 * Notifies people about a request, in the store and through every subscribed webhook. All of it is committed with the
 * request or not at all. The caller of this function must choose only recipients whom it concerns (CB-8).
 */
export async function notify(request: WriteRequest, events: readonly NewNotification[]): Promise<void> {
  if ((await addNotifications(request, events)).deliveries > 0) request.leavesToSend()
}

/** Does the same for a job that sends by itself. With `toldSince`, what was told since then is not told again. */
export async function addNotifications(
  { tx, tenant, now, parts }: Notifying,
  events: readonly NewNotification[],
  toldSince: Date | null = null,
): Promise<{ readonly told: number; readonly deliveries: number }> {
  if (events.length === 0) return { told: 0, deliveries: 0 }
  for (const { refs } of events) requireIds(refs)
  const notifications = events.map(event => ({ ...event, id: parts.clock.newId('notification') }))
  return await insertNotifications(tx, tenant, notifications, now, toldSince)
}

const NAME = /^[a-z][A-Za-z]{0,39}$/

/** Refuses references that are not ids, because they might hold content. */
function requireIds(refs: NewNotification['refs']): void {
  for (const [what, value] of Object.entries(refs))
    if (!NAME.test(what) || !id.safeParse(value).success)
      throw new PrivityError('internal', 'a notification refers to what it speaks of by ids alone')
}
