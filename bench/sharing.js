import { marks, pdfLib } from './built.js'
import { median } from './measure.js'
import { makeRandom } from './random.js'

const { ParseSpeeds, PDFDocument } = pdfLib

/** CPU time of one call in milliseconds: on a loaded machine it says more than the clock. @param {() => unknown} work */
async function cpuOf(work) {
  const began = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000
}

/** Pages that are pictures, as a scanner writes them. @param {number} bytes @param {number} seed */
async function makeScans(bytes, seed) {
  const { integer } = makeRandom(seed)
  const pdf = await PDFDocument.create()
  for (let left = bytes; left > 0; ) {
    // A stream that no filter makes smaller, of the size of a scanned page.
    const picture = Buffer.alloc(500_000)
    for (let at = 0; at < picture.length; at += 4) picture.writeUInt32LE(integer(2 ** 31), at)
    const page = pdf.addPage([612, 792])
    page.node.set(pdfLib.PDFName.of('PrivityBench'), pdf.context.register(pdf.context.stream(picture)))
    page.drawText('Scanned page', { x: 50, y: 700 })
    left -= picture.length
  }
  return await pdf.save()
}

/** Pages of text. @param {number} pages */
async function makeTexts(pages) {
  const pdf = await PDFDocument.create()
  for (let page = 0; page < pages; page++) {
    const made = pdf.addPage([612, 792])
    for (let line = 0; line < 40; line++)
      made.drawText(`Page ${page}, line ${line}: the motion is denied, for no fact pleads scienter.`, {
        x: 50,
        y: 740 - line * 17,
        size: 10,
      })
  }
  return await pdf.save()
}

/**
 * Marking a PDF, against what the bare library takes to load and save it, and against copying its bytes.
 * @param {import('./run.js').Options} options
 * @returns {Promise<import('./run.js').Report>}
 */
export async function benchSharing({ seed, quick, log }) {
  const { numberFrom } = marks
  const number = numberFrom(Uint8Array.from({ length: 13 }, (_, at) => at * 17))
  const files = {
    [`${quick ? 2 : 20} MB of scanned pages`]: await makeScans((quick ? 2 : 20) * 1_000_000, seed),
    [`${quick ? 50 : 500} pages of text`]: await makeTexts(quick ? 50 : 500),
  }
  const figures = []
  for (const [what, bytes] of Object.entries(files)) {
    const mark = (/** @type {'visible' | 'invisible_metadata' | 'both'} */ visibility) => () =>
      marks.applyMark(bytes, 'a.pdf', {
        number,
        line: `berg@example.org · ${number} · 2026-11-18 09:00 UTC`,
        visibility,
      })
    const ways = {
      copy: () => Buffer.from(bytes),
      'load and save': async () => {
        const pdf = await PDFDocument.load(bytes, { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest })
        await pdf.save({ updateFieldAppearances: false, addDefaultPage: false })
      },
      both: mark('both'),
      visible: mark('visible'),
      metadata: mark('invisible_metadata'),
    }
    /** @type {Record<string, number[]>} */
    const times = Object.fromEntries(Object.keys(ways).map(way => [way, []]))
    for (let run = 0; run < (quick ? 2 : 5); run++)
      for (const [way, work] of Object.entries(ways)) times[way]?.push(await cpuOf(work))
    const of = (/** @type {string} */ way) => median(times[way] ?? [])
    for (const way of ['both', 'visible', 'metadata']) {
      const ratio = of(way) / of('load and save')
      figures.push({
        file: what,
        mark: way,
        'CPU ms': Math.round(of(way)),
        'load and save': Math.round(of('load and save')),
        copy: Number(of('copy').toFixed(1)),
        ratio: Number(ratio.toFixed(2)),
      })
      log(`${what}, ${way}: ${ratio.toFixed(2)} times load and save`)
    }
  }
  return {
    name: 'sharing',
    title: 'Watermarks on PDF files, against the bare library and against copying the bytes',
    goal: 'less than 3 times load and save of the same 20 MB',
    figures,
    chart: {
      title: 'Watermarks',
      subtitle: 'CPU time of one copy, against @cantoo/pdf-lib alone',
      unit: 'ms',
      groups: figures.map(row => ({
        label: `${row.file}, ${row.mark}`,
        bars: [
          { label: 'Privity', value: row['CPU ms'] },
          { label: 'load and save', value: row['load and save'] },
          { label: 'copy', value: row.copy },
        ],
      })),
    },
  }
}
