import type { LaidText, Layout, LayoutPart } from '../../runtime/domain.js'
import { isMail, mailDate } from './mail-date.js'
import { withAttached } from './with-attached.js'

/** How many characters are searched for the salutation of a letter. */
const HEAD = 3_000
const SALUTATION = /^Dear\b.{1,80}[:,]$/m

/** The layout of any text: one part, followed by the attachments if it is a message. */
export function plainLayout(extracted: LaidText, timeZone: string): Layout {
  const { text, about, attached = [] } = extracted
  const own = attached[0]?.start ?? text.length
  const parts: LayoutPart[] = own === 0 ? [] : [{ kind: 'text', title: null, start: 0, end: own }]
  const sentDate = isMail(about) ? mailDate(about.date, timeZone) : undefined
  return {
    parts: withAttached(text, parts, attached, { attachment: 'attachment', message: 'text' }),
    caption: {
      documentType: isMail(about)
        ? 'email'
        : SALUTATION.test(text.slice(0, Math.min(own, HEAD)))
          ? 'letter'
          : 'other',
      ...(sentDate === undefined ? {} : { sentDate }),
    },
    title: null,
  }
}
