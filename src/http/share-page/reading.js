// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { callServer } from './server.js'

const TELL_MS = 60_000
/** Who does not touch the page for this long is not reading any more. */
const AWAY_MS = 180_000

let reading = null
let touchedAt = Date.now()
function noteTouch() {
  touchedAt = Date.now()
}
for (const event of ['pointermove', 'keydown', 'scroll', 'touchstart'])
  addEventListener(event, noteTouch, { passive: true })

/** The page that takes up most of the screen; 0 for a text. */
function pageInView(place) {
  let best = { page: 0, shown: 0 }
  for (const canvas of place.querySelectorAll('canvas.page')) {
    const { top, bottom } = canvas.getBoundingClientRect()
    const shown = Math.min(bottom, innerHeight) - Math.max(top, 0)
    if (shown > best.shown) best = { page: Number(canvas.dataset.page), shown }
  }
  return best.page
}

function tick() {
  if (reading === null || document.visibilityState !== 'visible' || Date.now() - touchedAt > AWAY_MS) return
  const page = pageInView(reading.place)
  reading.seconds.set(page, (reading.seconds.get(page) ?? 0) + 1)
  if (Date.now() - reading.toldAt > TELL_MS) tellReading()
}

/** Tells the host how long which page was on screen. It is no matter to the reader if that fails. */
function tellReading() {
  if (reading === null || reading.seconds.size === 0) return
  const pages = [...reading.seconds].map(([page, seconds]) => ({ page, seconds }))
  reading.seconds = new Map()
  reading.toldAt = Date.now()
  callServer('POST', `/documents/${encodeURIComponent(reading.id)}/reading`, { pages }).catch(() => {})
}

/** Begins to measure how long a document is read; null ends it. */
export function noteDocument(id, place = null) {
  tellReading()
  reading = id === null ? null : { id, place, seconds: new Map(), toldAt: Date.now() }
}

setInterval(tick, 1_000)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'hidden') tellReading()
})
