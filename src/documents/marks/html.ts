import type { Mark } from '../../policy/watermark.js'

/** Puts the mark into the head, and at the bottom of what is shown. Neither runs anything. */
export function markHtml(html: string, { number, line, visibility }: Mark): string {
  const meta = `<meta name="privity-watermark" content="${number}">`
  const box = `<div style="${BOX}">${escaped(line)}</div>`
  const marked = visibility === 'visible' ? html : insertAt(html, /<\/head\s*>/i, meta, 'start')
  return visibility === 'invisible_metadata'
    ? marked
    : insertAt(marked, /<\/body\s*>(?![\s\S]*<\/body)/i, box, 'end')
}
const BOX =
  'position:fixed!important;left:0;right:0;bottom:0;display:block!important;padding:2px 8px;font:11px sans-serif;color:#555;background:#fffc;text-align:center;z-index:2147483647'

/** Inserts before the match, or at an end of the text where there is none. */
function insertAt(text: string, before: RegExp, inserted: string, otherwise: 'start' | 'end'): string {
  const at = text.search(before)
  if (at >= 0) return text.slice(0, at) + inserted + text.slice(at)
  if (otherwise === 'end') return text + inserted
  // Nothing may stand before a doctype: browsers would show the page otherwise.
  const [doctype = ''] = /^\s*(?:<\?xml[^>]*\?>\s*)?(?:<!doctype[^>]*>)?(?:\s*<html[^>]*>)?/i.exec(text) ?? []
  return doctype + inserted + text.slice(doctype.length)
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
