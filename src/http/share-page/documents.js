// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import {
  bdi,
  button,
  countLabel,
  el,
  markMatches,
  markWords,
  momentLabel,
  readableName,
  say,
  show,
} from './elements.js'
import { showBusyWhile } from './failures.js'
import { fromBase64, showPages } from './files.js'
import { back, go } from './navigation.js'
import { callServer, fetchFile } from './server.js'

const MAY = {
  download: 'download',
  download_redacted: 'download in a redacted form',
  view: 'read',
  view_redacted: 'read in a redacted form',
  quote: 'quote',
  quote_from_redacted: 'quote from the redacted form',
  cite: 'cite',
  fetch_to_view: 'request it for reading',
  fetch_to_quote: 'request it for quoting',
}
const mayDownload = ({ affordances }) => affordances.some(one => one.startsWith('download'))
const mayRead = ({ affordances, face }) =>
  face !== 'metadata' && affordances.some(one => one.startsWith('view'))

const titleOf = ({ title, documentName }) => title ?? documentName ?? 'Untitled document'

/** That a document is one need not be said. */
const kindOf = ({ kind }) => (kind === 'document' || kind === 'segment' ? null : readableName(kind))

/** Opens a document, where it was searched for with the words that were found. */
const open = ({ document }, words = []) => go({ view: 'document', document, words })

/** The words of a text that a search highlighted, each once. */
const wordsFound = ({ passages }) => [
  ...new Set(
    passages.flatMap(({ text, highlights }) =>
      highlights.map(([start, end]) => text.slice(start, end).toLowerCase()),
    ),
  ),
]

/** One document of a list; what of it matched, where it was searched for. */
function item(found, snippet = { title: { highlights: [] }, passages: [] }) {
  const title =
    found.title === null ? bdi(titleOf(found)) : markMatches(found.title, snippet.title.highlights)
  const about = [found.corpus, kindOf(found), found.versionKind && readableName(found.versionKind)]
  return el(
    'li',
    { class: 'item' },
    mayDownload(found) ? choice(found) : null,
    el(
      'h3',
      {},
      mayRead(found) ? button(title, () => open(found, wordsFound(snippet)), { class: 'title' }) : title,
    ),
    snippet.passages.map(({ text, highlights }) =>
      el('p', { class: 'passage' }, markMatches(text, highlights)),
    ),
    el(
      'p',
      { class: 'about' },
      about.filter(Boolean).map(one => el('span', {}, bdi(one))),
      el('span', {}, momentLabel(found.occurredAt ?? found.createdAt)),
      found.face === 'full'
        ? null
        : el('span', {}, found.face === 'preview' ? 'preview only' : 'text not available'),
      mayDownload(found) ? downloadButton(found, 'plain') : null,
    ),
  )
}

/** What was chosen to be downloaded together, in the list that is shown. */
let chosen = { ids: new Set(), show: () => {} }

function choice(found) {
  return el('input', {
    type: 'checkbox',
    class: 'choose',
    'aria-label': `Select ${titleOf(found)}`,
    onchange: ({ target }) => {
      chosen.ids[target.checked ? 'add' : 'delete'](found.document)
      chosen.show()
    },
  })
}

/** Downloads everything that is chosen as one file; shown once something is. */
function chosenBar() {
  const all = button('', () =>
    showBusyWhile(all, async () => {
      const count = chosen.ids.size
      save(await fetchFile('/documents/zip', { documents: [...chosen.ids] }), 'documents.zip')
      say(`Downloaded ${countLabel(count, 'document')} as documents.zip.`)
      return true
    }),
  )
  const bar = el('div', { class: 'chosen row', hidden: true }, all)
  chosen = {
    ids: new Set(),
    show: () => {
      bar.hidden = chosen.ids.size === 0
      all.textContent = `Download selected (${chosen.ids.size})`
    },
  }
  return bar
}

/** Hands a file to the browser. */
function save(blob, name) {
  const href = URL.createObjectURL(blob)
  el('a', { href, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}

function downloadButton(found, kind) {
  const made = button('Download', () => showBusyWhile(made, () => download(found)), {
    class: kind,
    'aria-label': `Download ${titleOf(found)}`,
  })
  return made
}

async function download({ document: id }) {
  const { content, mediaType, fileName, truncated } = await callServer(
    'POST',
    `/documents/${encodeURIComponent(id)}/download`,
    {},
  )
  save(new Blob([fromBase64(content)], { type: mediaType }), fileName)
  say(
    truncated
      ? `Downloaded the beginning of ${fileName}; the rest exceeds the size limit of this link.`
      : `Downloaded ${fileName}.`,
  )
}

/** A list that grows by a page at a time. */
function pages(first, cursorOf, load) {
  const bar = chosenBar()
  const list = el('ol', { class: 'items' }, ...first.items)
  const place = el('div', { class: 'row' })
  const offer = cursor => {
    const more = button('Show more', async () => {
      const page = await showBusyWhile(list, () => load(cursor))
      if (page === undefined) return
      list.append(...page.items)
      offer(cursorOf(page))
      page.items[0]?.querySelector('input, button')?.focus()
      say(`${page.items.length} more.`)
    })
    place.replaceChildren(...(cursor === null ? [] : [more]))
  }
  offer(cursorOf(first))
  return [bar, list, place]
}

const cursorOf = ({ cursor }) => cursor

/** Every document, newest first. */
export async function showDocumentList(place, { corpus }) {
  const load = async cursor => {
    const asked = new URLSearchParams({ limit: '20', ...(corpus && { corpus }), ...(cursor && { cursor }) })
    const page = await callServer('GET', `/documents?${asked}`)
    return { items: page.documents.map(one => item(one)), cursor: page.cursor }
  }
  const first = await load(null)
  return () => {
    const isEmpty = first.items.length === 0
    show(
      place,
      el('h2', {}, 'Documents'),
      isEmpty
        ? el('p', { class: 'faint' }, 'No documents are shared with you yet.')
        : pages(first, cursorOf, load),
    )
  }
}

/** A passage leads to the document it is of. */
const whole = ({ document, card }) => (card === null ? document : { ...document, document: card })

export async function searchDocuments(place, { query, corpus }) {
  const load = async cursor => {
    const scope = corpus && { scope: { corpusScope: [corpus] } }
    const asked = { query, ...scope, ...(cursor && { cursor }) }
    const page = await callServer('POST', '/documents/search', asked)
    return { ...page, items: page.results.map(found => item(whole(found), found.snippet)) }
  }
  const first = await load(null)
  return () => {
    const { resultCount, suggestion, notice, failure } = first
    const nothing = failure === null ? 'Nothing found' : 'Could not search'
    const found = first.items.length === 0 ? nothing : countLabel(resultCount, 'result')
    show(
      place,
      el('h2', {}, `${found} for `, el('q', {}, bdi(query))),
      suggestion &&
        el(
          'p',
          {},
          'Did you mean ',
          button(bdi(suggestion.query), () => go({ view: 'documents', query: suggestion.query, corpus }), {
            class: 'link',
          }),
          '?',
        ),
      notice && el('p', { class: 'faint' }, notice),
      failure?.remediationHint && el('p', { class: 'faint' }, failure.remediationHint),
      first.items.length === 0 ? [] : pages(first, cursorOf, load),
    )
    say(`${found}.`)
  }
}

/** Fields that say how a file was read, and nothing to whoever reads it. */
const OF_THE_FILE = new Set(['state', 'mediaType', 'parts', 'partKind'])

/** A field as people write it: a list with commas, a date as its day, anything else by its names. */
function written(value) {
  if (Array.isArray(value)) return value.map(written).join(', ')
  if (typeof value !== 'object' || value === null) return String(value)
  if (typeof value.date === 'string') return value.date
  return Object.entries(value)
    .map(([name, one]) => `${readableName(name)}: ${written(one)}`)
    .join(', ')
}

export async function showDocument(place, { document: id, words = [] }) {
  const found = await callServer('GET', `/documents/${encodeURIComponent(id)}`)
  const fields = Object.entries(found.fields)
    .filter(([name]) => !OF_THE_FILE.has(name))
    .map(([name, value]) => [readableName(name), written(value)])
  const name = found.documentName
  const about = [
    ['Corpus', found.corpus],
    ['Kind', kindOf(found)],
    ['File', name],
    ['Filing', found.filingUnit === name ? null : found.filingUnit],
    // The version of a file repeats its name.
    [
      'Version',
      [found.version?.replace(`${name}@`, ''), found.versionKind && readableName(found.versionKind)]
        .filter(Boolean)
        .join(', '),
    ],
    ['Part', found.part],
    ['Date', found.occurredAt && momentLabel(found.occurredAt)],
    ['Added', momentLabel(found.createdAt)],
    ['Visibility', found.visibilityClass && readableName(found.visibilityClass)],
    ...fields,
    ['You may', found.affordances.map(one => MAY[one] ?? readableName(one)).join(', ')],
  ].filter(([, value]) => value)
  const isPart = found.face === 'preview' || found.truncated
  const pages = el('div', { class: 'pages' })
  const asPages = button('Show pages', () =>
    showBusyWhile(pages, async () => {
      await showPages(pages, found, words)
      asPages.remove()
      return true
    }),
  )
  return () =>
    show(
      place,
      el(
        'div',
        { class: 'row' },
        button('Back', back),
        found.file === 'application/pdf' ? asPages : null,
        mayDownload(found) ? downloadButton(found, 'main') : null,
      ),
      el(
        'article',
        { class: 'document', lang: found.language },
        el('h2', {}, bdi(titleOf(found))),
        el(
          'dl',
          { lang: 'en' },
          about.map(([name, value]) => el('div', {}, el('dt', {}, bdi(name)), el('dd', {}, bdi(value)))),
        ),
        pages,
        found.text === ''
          ? el('p', { class: 'faint', lang: 'en' }, 'You cannot read the text of this document.')
          : el('div', { class: 'text', dir: 'auto' }, markWords(found.text, words)),
        isPart
          ? el(
              'p',
              { class: 'faint', lang: 'en' },
              'Only the beginning of this document is available to you.',
            )
          : null,
      ),
    )
}
