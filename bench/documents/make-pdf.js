import { importOnDemand } from '../../scripts/on-demand.js'
import { makeRandom } from '../random.js'

const SUBJECTS = [
  'The complaint',
  'The opposition',
  'The motion',
  'Plaintiffs',
  'Defendants',
  'The court',
  'The record',
]
const VERBS = ['alleges', 'argues', 'denies', 'shows', 'disputes', 'concedes', 'repeats']
const OBJECTS = [
  'that scienter is pleaded with particularity under the PSLRA',
  'that the statements were forward-looking and came with meaningful cautions',
  'that loss causation follows from the corrective disclosure of March',
  'that Tellabs, Inc. v. Makor Issues & Rights, Ltd., 551 U.S. 308, 314 (2007), controls',
  'that Bell Atl. Corp. v. Twombly, 550 U.S. 544 (2007), does not reach this claim',
  'that 15 U.S.C. § 78u-4(b)(2) asks for a strong inference',
  'that the auditors saw the ledgers before the offering',
  'that the Private Securities Litigation Reform Act is no bar',
]

/** Filings with a caption and numbered pages. @param {number} seed @param {number} documents @param {number} pages */
export async function makePdfs(seed, documents, pages) {
  const { default: PDFDocument } = await importOnDemand('test', 'pdfkit')
  const { pick } = makeRandom(seed)
  const made = []
  for (let document = 0; document < documents; document++) {
    const pdf = new PDFDocument({ size: 'LETTER', margin: 72, compress: true })
    /** @type {Buffer[]} */
    const chunks = []
    pdf.on('data', (/** @type {Buffer} */ chunk) => chunks.push(chunk))
    const ended = new Promise(resolve => pdf.on('end', resolve))
    const number = `3:24-cv-${String(1000 + document).padStart(5, '0')}`
    pdf
      .fontSize(11)
      .text('UNITED STATES DISTRICT COURT\nNORTHERN DISTRICT OF CALIFORNIA', { align: 'center' })
    pdf
      .moveDown()
      .text(
        `IN RE ISSUER ${document} SECURITIES LITIGATION\nCase No. ${number}\n\nFiled 03/0${1 + (document % 9)}/24\n\n`,
      )
    for (let page = 0; page < pages; page++) {
      if (page > 0) pdf.addPage()
      for (let paragraph = 0; paragraph < 6; paragraph++) {
        const sentences = Array.from(
          { length: 4 },
          () => `${pick(SUBJECTS)} ${pick(VERBS)} ${pick(OBJECTS)}.`,
        )
        pdf.text(`${sentences.join(' ')} Paragraph ${document}-${page}-${paragraph}.`).moveDown()
      }
    }
    pdf.end()
    await ended
    made.push({ name: `filing-${document}.pdf`, bytes: Buffer.concat(chunks) })
  }
  return made
}
