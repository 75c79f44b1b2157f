import { isDate, isZone, type LegalDate, localDateOf, requireLegalDate } from './legal-date.js'

/** Whether the metadata of a file is the header of a message. */
export const isMail = (about: Readonly<Record<string, string>>): boolean =>
  about.from !== undefined || about.messageId !== undefined

/** The day on which a message was sent, in the time zone of its header or else in `timeZone`. */
export function mailDate(written: string | undefined, timeZone: string): LegalDate | undefined {
  const header = (written ?? '').replace(/\s*\([^)]*\)\s*$/, '').trim()
  if (!/^\d{4}-\d{2}-\d{2}|\d{1,2} [A-Z][a-z]{2} \d{4}/.test(header)) return undefined
  const [, sign, whole, rest] = /([+-])(\d{2}):?(\d{2})$/.exec(header.replace(/^\d{4}-\d{2}-\d{2}/, '')) ?? []
  const isZoned = sign !== undefined || /(?:\dZ|\b(?:GMT|UTC?|[ECMP][SD]T))$/.test(header)
  // Without a time zone, the day is taken as written.
  const at = Date.parse(
    isZoned ? header : `${header.slice(0, 10).includes('-') ? header.slice(0, 10) : `${header} GMT`}`,
  )
  if (Number.isNaN(at)) return undefined
  const zone = isZoned ? zoneOf(sign, whole, rest, header) : null
  const date = localDateOf(at, isZoned ? (zone ?? timeZone) : 'UTC')
  return isDate(date) ? requireLegalDate(date, zone ?? timeZone) : undefined
}

/** An offset in the stored form. `-0000` means that the sender's time zone is unknown. */
function zoneOf(sign: string | undefined, whole = '', rest = '', header = ''): string | null {
  if (sign === undefined) return NAMED_OFFSETS[/[A-Z]+$/.exec(header)?.[0] ?? ''] ?? null
  if (whole === '00' && rest === '00') return sign === '+' ? 'UTC' : null
  const offset = `${sign}${whole}:${rest}`
  return isZone(offset) ? offset : null
}

/** Obsolete time zone names that RFC 5322 still defines. */
const NAMED_OFFSETS: Readonly<Record<string, string>> = {
  Z: 'UTC',
  UT: 'UTC',
  UTC: 'UTC',
  GMT: 'UTC',
  EDT: '-04:00',
  EST: '-05:00',
  CDT: '-05:00',
  CST: '-06:00',
  MDT: '-06:00',
  MST: '-07:00',
  PDT: '-07:00',
  PST: '-08:00',
}
