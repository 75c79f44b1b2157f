import type { LaidText, LayoutPart } from '../../runtime/domain.js'
import { skipSpace, tidy } from './lines.js'

/** The parts of a message followed by one for each attachment. In a mailbox this repeats for each message. */
export function withAttached<Kind extends LayoutPart['kind']>(
  text: string,
  own: readonly (LayoutPart & { readonly kind: Kind })[],
  attached: NonNullable<LaidText['attached']>,
  kinds: { readonly attachment: Kind; readonly message: Kind },
): (LayoutPart & { readonly kind: Kind })[] {
  const parts = [...own]
  for (const [at, { name, start, end }] of attached.entries()) {
    const next = attached[at + 1]?.start ?? text.length
    // White space belongs to the part before it.
    const ends = skipSpace(text, end, next)
    parts.push({ kind: kinds.attachment, title: tidy(name), start, end: ends })
    if (ends < next) parts.push({ kind: kinds.message, title: null, start: ends, end: next })
  }
  return parts
}
