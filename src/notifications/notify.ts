import { PrivityError } from '../errors.js'
import { id } from '../runtime/input.js'
import type { WriteRequest } from '../runtime/request.js'
import { insertNotifications } from '../storage/queries/notifications.js'
import type { NewNotification } from './types.js'

/**
 * Notifies people about a request, in the store and through every subscribed webhook. All of it is committed with the
 * request or not at all. The caller of this function must choose only recipients whom it concerns (CB-8).
 */
export async function notify(request: WriteRequest, events: readonly NewNotification[]): Promise<void> {
  if (events.length === 0) return
  for (const { refs } of events) requireIds(refs)
  const { clock } = request.parts
  const notifications = events.map(event => ({ ...event, id: clock.newId('notification') }))
  const deliveries = await insertNotifications(request.tx, request.tenant, notifications, request.now)
  if (deliveries > 0) request.leavesToSend()
}

const NAME = /^[a-z][A-Za-z]{0,39}$/

/** Refuses references that are not ids, because they might hold content. */
function requireIds(refs: NewNotification['refs']): void {
  for (const [what, value] of Object.entries(refs))
    if (!NAME.test(what) || !id.safeParse(value).success)
      throw new PrivityError('internal', 'a notification refers to what it speaks of by ids alone')
}
