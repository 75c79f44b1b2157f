import { useQuery } from '@tanstack/react-query'
import { privity } from './api'

const MOST = 100
/** Often enough to notice, and seldom enough not to fill the audit. */
const FRESH_MS = 5 * 60_000

/** How much waits for somebody on a page, by its address. What cannot be counted is not shown. */
export function useWaiting(): Readonly<Record<string, number>> {
  const changes = useQuery({
    queryKey: ['changes', 'open'],
    queryFn: () => privity.changes.list({ state: 'open', limit: MOST }),
    staleTime: FRESH_MS,
  })
  const unread = useQuery({
    queryKey: ['notifications', 'unread'],
    queryFn: () => privity.notifications.list({ unread: true, limit: MOST }),
    staleTime: FRESH_MS,
  })
  const consents = useQuery({
    queryKey: ['consents', 'open'],
    queryFn: () => privity.consents.list({ state: 'open', limit: 50 }),
    staleTime: FRESH_MS,
  })
  return {
    '/inbox': (changes.data?.requests.length ?? 0) + (unread.data?.notifications.length ?? 0),
    '/people': consents.data?.requests.length ?? 0,
  }
}
