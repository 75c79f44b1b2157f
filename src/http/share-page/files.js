// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { countLabel, el, patternOf, say } from './elements.js'
import { callServer } from './server.js'

/** The bytes of a file that was sent in base64. */
export const fromBase64 = base64 => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))

/** How wide a page is drawn at most, in the pixels of the page. */
const MOST_WIDTH = 820

/**
 * Draws the pages of a PDF, each when it comes near, and marks these words on them. Nothing in it runs: pdf.js only draws.
 */
export async function showPages(place, { document: id }, words = []) {
  const pattern = patternOf(words)
  const { content } = await callServer('GET', `/documents/${encodeURIComponent(id)}/file`)
  const { getDocument } = await import('./share/pdfjs.js')
  const pdf = await getDocument({
    data: fromBase64(content),
    isEvalSupported: false,
    enableXfa: false,
    useWorkerFetch: false,
    useWasm: false,
    useSystemFonts: true,
    verbosity: 0,
  }).promise
  const near = new IntersectionObserver(
    seen => {
      for (const { isIntersecting, target } of seen)
        if (isIntersecting) {
          near.unobserve(target)
          void drawPage(pdf, Number(target.dataset.page), target, pattern)
        }
    },
    { rootMargin: '600px' },
  )
  const pages = Array.from({ length: pdf.numPages }, (_, at) =>
    el('canvas', {
      class: 'page',
      role: 'img',
      'aria-label': `Page ${at + 1} of ${pdf.numPages}`,
      'data-page': at + 1,
    }),
  )
  place.replaceChildren(...pages)
  for (const page of pages) near.observe(page)
  say(`${countLabel(pdf.numPages, 'page')}.`)
}

async function drawPage(pdf, number, canvas, pattern) {
  const page = await pdf.getPage(number)
  const plain = page.getViewport({ scale: 1 })
  const wide = Math.min(MOST_WIDTH, canvas.parentElement.clientWidth || MOST_WIDTH)
  const viewport = page.getViewport({ scale: (wide / plain.width) * (devicePixelRatio || 1) })
  canvas.width = Math.ceil(viewport.width)
  canvas.height = Math.ceil(viewport.height)
  await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise
  const marked = pattern === null ? 0 : await markOnPage(page, viewport, canvas, pattern)
  if (marked > 0) canvas.ariaLabel += `, ${countLabel(marked, 'match', 'matches')} marked`
  canvas.dataset.drawn = 'true'
}

/**
 * Marks what matches in the text of a page, where it stands; answers how often. A piece of text is as wide as its letters
 * together, so that a word begins about where its letters do.
 */
async function markOnPage(page, viewport, canvas, pattern) {
  const { items } = await page.getTextContent()
  const context = canvas.getContext('2d')
  // Dark letters stay as dark on what is marked.
  context.globalCompositeOperation = 'multiply'
  context.fillStyle = '#ffd75e'
  let count = 0
  for (const { str, transform, width, height } of items)
    for (const { index, 0: match } of (str ?? '').matchAll(pattern)) {
      const [a, b, , , x, y] = transform
      const scale = Math.hypot(a, b) || 1
      const at = (along, up) =>
        viewport.convertToViewportPoint(x + (a * along - b * up) / scale, y + (b * along + a * up) / scale)
      const [from, to] = [index, index + match.length].map(letter => (letter / str.length) * width)
      const corners = [at(from, -height / 5), at(to, -height / 5), at(to, height), at(from, height)]
      context.beginPath()
      for (const corner of corners) context.lineTo(...corner)
      context.fill()
      count++
    }
  return count
}
