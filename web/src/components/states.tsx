import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useSyncExternalStore } from 'react'
import { describeFailure } from '../lib/errors'
import { Button } from './button'

interface EmptyProps {
  readonly icon?: ReactNode
  readonly title: string
  readonly children?: ReactNode
  readonly action?: ReactNode
}

/** Says that there is nothing here yet, and what to do about it. */
export const EmptyState = ({ icon, title, children, action }: EmptyProps) => (
  <div className="state">
    {icon}
    <h2>{title}</h2>
    {children ? <p>{children}</p> : null}
    {action}
  </div>
)

interface ErrorProps {
  readonly error: unknown
  readonly onRetry?: (() => void) | undefined
}

/** Says what went wrong and what to do. */
export function ErrorState({ error, onRetry }: ErrorProps) {
  const { title, advice, code } = describeFailure(error)
  return (
    <div className="state" role="alert">
      <h2>{title}</h2>
      <p>{advice}</p>
      {code === null ? null : <code className="small">{code}</code>}
      {onRetry ? <Button onClick={onRetry}>Try again</Button> : null}
    </div>
  )
}

/** Grey shapes where something is about to be. */
export const Skeleton = ({ lines = 3, height = '1.1rem' }: { lines?: number; height?: string }) => (
  <div className="stack-tight" role="status" aria-label="Loading">
    {Array.from({ length: lines }, (_, at) => (
      <div
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike.
        key={at}
        className="skeleton"
        style={{ height, width: at === lines - 1 && lines > 1 ? '60%' : '100%' }}
      />
    ))}
  </div>
)

interface QueryProps<Value> {
  readonly query: Pick<UseQueryResult<Value>, 'data' | 'error' | 'isPending' | 'refetch'>
  readonly loading?: ReactNode
  /** Shown instead if what was loaded is empty. */
  readonly empty?: { readonly when: (value: Value) => boolean; readonly show: ReactNode }
  readonly children: (value: Value) => ReactNode
}

/** What was loaded, or that it is loading, failed or is empty. Every page loads through this. */
export function QueryView<Value>({ query, loading, empty, children }: QueryProps<Value>) {
  // What was loaded before stays while it is loaded again, also when that fails.
  if (query.data !== undefined) return empty?.when(query.data) ? empty.show : children(query.data)
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return loading ?? <Skeleton lines={4} />
}

const subscribe = (listener: () => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}

/** Says that the network is gone. What was loaded stays readable. */
export function OfflineBanner() {
  const online = useSyncExternalStore(subscribe, () => navigator.onLine)
  if (online) return null
  return (
    <div className="banner" role="status">
      You are offline. You can read what is already on the page; changes need a connection.
    </div>
  )
}
