import { formatDateTime, formatTime } from '../lib/format'

/** A time in human form. The exact one shows when pointed at. */
export const Time = ({ at }: { readonly at: string | null | undefined }) =>
  at ? (
    <time dateTime={at} title={formatDateTime(at)}>
      {formatTime(at)}
    </time>
  ) : (
    <span className="muted">never</span>
  )
