// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { bdi, button, countLabel, el, momentLabel, say, show } from './elements.js'
import { showBusyWhile } from './failures.js'
import { back } from './navigation.js'
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

const WARNINGS = {
  active_content_detected: 'It holds macros or scripts, which its receiver is warned of.',
  upload_duplicate_detected: 'The same file is here already.',
  mime_type_mismatch: 'It is not of the type that its name says.',
}

/** The file in base64, a piece at a time: a large one does not fit into one call. */
async function inBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}

/** Sends files in, and lists what this session sent. */
export async function showUploads(place) {
  const { uploads } = await callServer('GET', '/session/uploads?limit=100')
  return () => {
    const list = el(
      'ol',
      { class: 'log' },
      uploads.map(one => uploadItem(one)),
    )
    const file = el('input', { type: 'file', id: 'file', required: true })
    const message = el('input', { id: 'message', maxlength: 2_000 })
    const form = el(
      'form',
      {
        class: 'send',
        onsubmit: event => {
          event.preventDefault()
          void showBusyWhile(form, async () => {
            const [chosen] = file.files
            const sent = await callServer('POST', '/uploads', {
              document: chosen.name,
              content: await inBase64(chosen),
              ...(chosen.type && { mediaType: chosen.type }),
              ...(message.value && { message: message.value }),
            })
            list.prepend(uploadItem(sent))
            form.reset()
            say(`Sent ${chosen.name}.`)
            return sent
          })
        },
      },
      el('label', { for: 'file' }, 'File'),
      file,
      el('label', { for: 'message' }, 'Message (optional)'),
      message,
      el('p', {}, el('button', { type: 'submit', class: 'main' }, 'Send')),
    )
    show(place, el('div', { class: 'row' }, button('Back', back)), el('h2', {}, 'Send a file'), form, list)
  }
}

function uploadItem({ fileName: name, state, warnings, createdAt }) {
  return el(
    'li',
    {},
    momentLabel(createdAt),
    el('span', {}, bdi(name), state === 'quarantined' ? ', waits to be checked by its receiver' : ', sent'),
    el(
      'ul',
      {},
      warnings.map(one => el('li', {}, WARNINGS[one] ?? one)),
    ),
  )
}
