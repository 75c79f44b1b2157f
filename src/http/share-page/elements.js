// @ts-nocheck: this runs in a browser, whose types are not loaded here.

/** An element. What it holds is elements and text: nothing on this page is ever read as markup. */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue
    if (key.startsWith('on')) element.addEventListener(key.slice(2), value)
    else element.setAttribute(key, value === true ? '' : value)
  }
  element.append(...children.flat(2).filter(child => child !== null && child !== undefined))
  return element
}

export const button = (text, onclick, attributes = {}) =>
  el('button', { type: 'button', onclick, ...attributes }, text)

/** What others wrote: kept apart from the direction of what stands around it. */
export const bdi = (...children) => el('bdi', {}, ...children)

/** A text with its matches marked, by their offsets. */
export function markMatches(text, highlights) {
  const parts = []
  let at = 0
  for (const [start, end] of highlights) {
    parts.push(text.slice(at, start), el('mark', {}, text.slice(start, end)))
    at = end
  }
  return bdi(...parts, text.slice(at))
}

/** Finds these words in a text, as whole words; null for none. */
export function patternOf(words) {
  if (words.length === 0) return null
  const escaped = words.map(word => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join('|')})(?![\\p{L}\\p{N}])`, 'giu')
}

/** A text with these words marked wherever they stand. */
export function markWords(text, words) {
  const pattern = patternOf(words)
  if (pattern === null) return text
  return markMatches(
    text,
    [...text.matchAll(pattern)].map(({ index, 0: match }) => [index, index + match.length]),
  )
}

const MOMENT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })

/** A moment where the reader is; what has no time of day is a day everywhere. */
export const momentLabel = iso =>
  el('time', { datetime: iso }, (iso.endsWith('T00:00:00.000Z') ? DAY : MOMENT).format(new Date(iso)))

/** A sentence of the server, with its times as the reader writes them. */
export const withMoments = text =>
  text.split(/(\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((part, at) => (at % 2 === 1 ? momentLabel(part) : part))

/** `court_rulings` and `courtRulings` as `court rulings`. */
export const readableName = name =>
  name.replaceAll('_', ' ').replace(/(?<=[a-z0-9])[A-Z]/g, letter => ` ${letter.toLowerCase()}`)

export const countLabel = (count, one, many = `${one}s`) =>
  `${count.toLocaleString()} ${count === 1 ? one : many}`

/** Says something to whoever listens rather than looks. */
export function say(text) {
  document.getElementById('status').textContent = text
}

/** Shows other content, and brings whoever reads to its heading. */
export function show(place, ...nodes) {
  place.replaceChildren(...nodes.flat().filter(node => node !== null && node !== undefined))
  place.removeAttribute('aria-busy')
  const heading = place.querySelector('[data-focus]') ?? place.querySelector('h1, h2')
  if (heading === null) return
  if (heading.matches('h1, h2')) heading.tabIndex = -1
  heading.focus({ preventScroll: heading.matches('input') })
}
