// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { countLabel, el, say } from './elements.js'
import { callServer } from './server.js'

/** The bytes of a file that was sent in base64. */
export const fromBase64 = base64 => Uint8Array.from(atob(base64), letter => letter.charCodeAt(0))

/** How wide a page is drawn at most, in the pixels of the page. */
const MOST_WIDTH = 820

/** Draws the pages of a PDF, each when it comes near. Nothing in it runs: pdf.js only draws. */
export async function showPages(place, { document: id }) {
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
          void drawPage(pdf, Number(target.dataset.page), target)
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

async function drawPage(pdf, number, canvas) {
  const page = await pdf.getPage(number)
  const plain = page.getViewport({ scale: 1 })
  const wide = Math.min(MOST_WIDTH, canvas.parentElement.clientWidth || MOST_WIDTH)
  const viewport = page.getViewport({ scale: (wide / plain.width) * (devicePixelRatio || 1) })
  canvas.width = Math.ceil(viewport.width)
  canvas.height = Math.ceil(viewport.height)
  await page.render({ canvas, canvasContext: canvas.getContext('2d'), viewport }).promise
  canvas.dataset.drawn = 'true'
}
