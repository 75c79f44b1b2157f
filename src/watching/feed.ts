import { Parser } from 'htmlparser2'

/** An entry of a feed. Its content is HTML. */
export interface FeedEntry {
  readonly id: string
  readonly title: string | null
  readonly link: string | null
  readonly author: string | null
  readonly date: string | null
  readonly content: string
}

const MOST_ENTRIES = 1_000
const MOST_DEPTH = 200

/** Reads RSS 2.0, Atom or JSON Feed; null for anything else. */
export function readFeed(text: string): FeedEntry[] | null {
  const entries = /^\s*\{/.test(text) ? readJsonFeed(text) : readXmlFeed(text)
  return entries?.slice(0, MOST_ENTRIES) ?? null
}

function readJsonFeed(text: string): FeedEntry[] | null {
  let feed: { version?: unknown; items?: unknown }
  try {
    feed = JSON.parse(text)
  } catch {
    return null
  }
  if (!String(feed.version).includes('jsonfeed.org') || !Array.isArray(feed.items)) return null
  return feed.items.flatMap((item: Record<string, unknown> | null) => {
    const said = (key: string) =>
      typeof item?.[key] === 'string' || typeof item?.[key] === 'number' ? String(item[key]) : null
    const authors = (item?.authors ?? []) as { name?: unknown }[]
    const html = said('content_html')
    return entryOf({
      id: said('id'),
      title: said('title'),
      link: said('url'),
      author: Array.isArray(authors) && typeof authors[0]?.name === 'string' ? authors[0].name : null,
      date: said('date_published'),
      content: html ?? escaped(said('content_text') ?? said('summary') ?? ''),
    })
  })
}

/** An entry is identified by its id, or else by its link or title. */
function entryOf(found: Omit<FeedEntry, 'id'> & { readonly id: string | null }): FeedEntry[] {
  const id = found.id ?? found.link ?? found.title
  return id === null || id.trim() === '' ? [] : [{ ...found, id: id.trim() }]
}

/** The elements that hold each field. The rank prefers the element with more content. */
const FIELDS: Readonly<Record<string, { readonly field: keyof FeedEntry; readonly rank: number }>> = {
  guid: { field: 'id', rank: 2 },
  id: { field: 'id', rank: 2 },
  title: { field: 'title', rank: 1 },
  link: { field: 'link', rank: 1 },
  author: { field: 'author', rank: 1 },
  name: { field: 'author', rank: 2 },
  'dc:creator': { field: 'author', rank: 2 },
  pubdate: { field: 'date', rank: 2 },
  published: { field: 'date', rank: 2 },
  updated: { field: 'date', rank: 1 },
  'dc:date': { field: 'date', rank: 1 },
  description: { field: 'content', rank: 1 },
  summary: { field: 'content', rank: 1 },
  content: { field: 'content', rank: 2 },
  'content:encoded': { field: 'content', rank: 2 },
}

interface Open {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  text: string
}

function readXmlFeed(text: string): FeedEntry[] | null {
  const entries: FeedEntry[] = []
  const open: Open[] = []
  let isFeed = false
  let fields: Map<keyof FeedEntry, { text: string; rank: number }> | null = null
  /** An element whose markup is part of its text, such as XHTML in Atom. */
  let markup: Open | null = null
  const parser = new Parser(
    {
      onopentag(tag, attributes) {
        const name = tag.toLowerCase()
        if (open.length === 0 && /^(?:rss|feed|rdf:rdf)$/.test(name)) isFeed = true
        if (open.length >= MOST_DEPTH) return parser.pause()
        if (markup !== null) markup.text += `<${name}>`
        if (name === 'item' || name === 'entry') fields = new Map()
        const element = { name, attributes, text: '' }
        open.push(element)
        if (attributes.type === 'xhtml') markup ??= element
      },
      ontext(part) {
        const element = markup ?? open.at(-1)
        if (element !== undefined) element.text += markup === null ? part : escaped(part)
      },
      onclosetag() {
        const element = open.pop()
        if (element === undefined) return
        if (element === markup) markup = null
        if (markup !== null) {
          markup.text += `</${element.name}>`
          return
        }
        if (fields === null) return
        if (element.name === 'item' || element.name === 'entry') {
          const said = (field: keyof FeedEntry) => fields?.get(field)?.text.trim() || null
          entries.push(
            ...entryOf({
              id: said('id'),
              title: said('title'),
              link: said('link'),
              author: said('author'),
              date: said('date'),
              content: said('content') ?? '',
            }),
          )
          fields = null
          return
        }
        const known = FIELDS[element.name]
        if (known === undefined || !isOwn(element)) return
        const { field, rank } = known
        if (rank > (fields.get(field)?.rank ?? 0)) fields.set(field, { text: textOf(element), rank })
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(text)
  parser.end()
  return isFeed ? entries : null
}

/** In Atom the link to the entry has no `rel` attribute, or the value `alternate`. */
const isOwn = ({ name, attributes: { rel } }: Open): boolean =>
  name !== 'link' || rel === undefined || rel === 'alternate'

/** The text of an element. Atom content of type `text` is escaped; anything else is HTML. */
function textOf({ name, attributes: { href, type }, text }: Open): string {
  if (name === 'link') return text.trim() === '' ? (href ?? '') : text
  const isContent = FIELDS[name]?.field === 'content'
  return isContent && type === 'text' ? escaped(text) : text
}

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

/** An entry as an HTML document. The same entry always gives the same bytes. */
export function entryPage({ title, link, author, date, content }: FeedEntry): Uint8Array {
  const meta = (name: string, value: string | null) =>
    value === null ? '' : `<meta name="${name}" content="${escaped(value)}">\n`
  const heading = title === null ? '' : `<h1>${escaped(title)}</h1>\n`
  return Buffer.from(
    `<!doctype html>\n<html><head><meta charset="utf-8">\n<title>${escaped(title ?? '')}</title>\n` +
      `${meta('author', author)}${meta('date', date)}${meta('source', link)}</head><body>\n` +
      `${heading}${content}\n</body></html>\n`,
  )
}
