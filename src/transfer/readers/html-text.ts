import { wellFormed } from '../names.js'

const HIDDEN = ['script', 'style', 'head', 'title', 'template']
const BREAKS = /^\/?(?:p|div|br|tr|li|h[1-6]|table|ul|ol|blockquote|pre|hr|section|article)$/
const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
}

/** What a page says, without its marks. In one pass: what is given may be made to be slow. */
export function textOfHtml(html: string): string {
  const lower = html.toLowerCase()
  let text = ''
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    if (open < 0) break
    text += html.slice(at, open)
    if (html.startsWith('<!--', open)) {
      at = after(html.indexOf('-->', open), 3, html)
      continue
    }
    const close = html.indexOf('>', open)
    if (close < 0) {
      at = html.length
      break
    }
    const tag = /^\/?[a-z0-9]+/.exec(lower.slice(open + 1, open + 20))?.[0] ?? ''
    if (BREAKS.test(tag)) text += '\n'
    at = HIDDEN.includes(tag) ? after(lower.indexOf(`</${tag}`, close), 0, html) : close + 1
  }
  text += html.slice(at)
  return decodeEntities(text)
    .replace(/[ \t\f\v\u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

const after = (found: number, length: number, html: string) => (found < 0 ? html.length : found + length)

function decodeEntities(text: string): string {
  return text.replace(/&(#x[0-9a-f]{1,6}|#\d{1,7}|[a-z]{2,8});/gi, (whole, entity: string) => {
    if (!entity.startsWith('#')) return ENTITIES[entity.toLowerCase()] ?? whole
    const code = /^#x/i.test(entity) ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1))
    return code > 0 && code <= 0x10ffff ? wellFormed(String.fromCodePoint(code)) : '\ufffd'
  })
}
