import { makeCases } from './cases.js'
import { makeDocx } from './docx-file.js'
import { documentName, FACTS, isDocx } from './facts.js'
import { openPages } from './pdf-pages.js'
import { examination, HEADINGS, paragraph } from './prose.js'

/**
 * @typedef {import('./cases.js').Case} Case
 * @typedef {import('./facts.js').Kind} Kind
 * @typedef {import('./facts.js').Fact} Fact
 * @typedef {Awaited<ReturnType<typeof openPages>>} Pages
 */

/** @type {readonly Kind[]} */
const KINDS = [
  'complaint',
  'motion',
  'opposition',
  'reply',
  'order',
  'proposed-order',
  'declaration',
  'deposition',
  'letter',
  'scheduling-order',
  'memo',
]
/** Pages of filler, roughly. @type {Record<Kind, number>} */
const PARAGRAPHS = {
  complaint: 14,
  motion: 16,
  opposition: 16,
  reply: 10,
  order: 10,
  'proposed-order': 4,
  declaration: 6,
  deposition: 24,
  letter: 5,
  'scheduling-order': 5,
  memo: 7,
}

/** Filings of some cases, each of eleven kinds. @param {number} seed @param {number} count */
export async function makeFilings(seed, count) {
  const cases = makeCases(seed, count)
  const files = []
  for (const of of cases)
    for (const kind of KINDS)
      files.push({
        name: documentName(of, kind),
        bytes: await (isDocx(kind) ? writeDocx : writePdf)(of, kind),
      })
  return { cases, files }
}

/** @param {Case} of @param {Kind} kind */
const titleOf = (of, kind) =>
  ({
    complaint: 'COMPLAINT FOR DAMAGES',
    motion: `MEMORANDUM OF LAW IN SUPPORT OF MOTION TO DISMISS`,
    opposition: `OPPOSITION TO MOTION TO DISMISS`,
    reply: `REPLY IN SUPPORT OF MOTION TO DISMISS`,
    order: `ORDER ON MOTION TO DISMISS`,
    'proposed-order': `[PROPOSED] ORDER ON MOTION TO DISMISS`,
    declaration: `DECLARATION OF ${of.declarant.toUpperCase()}`,
    deposition: `DEPOSITION OF ${of.witness.toUpperCase()}`,
    letter: '',
    'scheduling-order': 'SCHEDULING ORDER',
    memo: '',
  })[kind]

/** The facts of a filing at places of their own among its paragraphs. @param {Case} of @param {Kind} kind */
function planted(of, kind) {
  const facts = FACTS.filter(fact => fact.kind === kind)
  /** @type {Map<number, Fact>} */
  const at = new Map()
  const places = of.random.sample(
    Array.from({ length: PARAGRAPHS[kind] - 1 }, (_, place) => place + 1),
    facts.length,
  )
  for (const [nth, fact] of facts.entries()) at.set(places[nth] ?? 0, fact)
  return at
}

/** A paragraph that says a fact somewhere in the middle. @param {Case} of @param {Fact | undefined} fact */
function withFact(of, fact) {
  const text = paragraph(of)
  if (fact === undefined || fact.place !== undefined) return text
  const sentences = text.split(/(?<=\.) (?=[A-Z])/)
  sentences.splice(1 + of.random.integer(Math.max(1, sentences.length - 1)), 0, fact.says(of))
  return sentences.join(' ')
}

/** @param {Case} of @param {Kind} kind */
async function writePdf(of, kind) {
  const { style, number, filed } = of
  const isTranscript = kind === 'deposition'
  const isPleading = style === 'california' || isTranscript
  const entry = of.random.integer(200) + 2
  const date = `${String(filed.month).padStart(2, '0')}/${String(filed.day).padStart(2, '0')}/${filed.year % 100}`
  const isStamped = !isTranscript && style !== 'texas'
  const pages = await openPages({
    stamp: page => (isStamped ? `Case ${number} Document ${entry} Filed ${date} Page ${page} of 19` : null),
    foot: kind === 'order' || isTranscript ? null : titleOf(of, kind),
    lineNumbers: isPleading ? 25 : 0,
    spacing: kind === 'declaration' && style === 'texas' ? 14 : 24,
  })
  writeCaption(pages, of, kind)
  const facts = planted(of, kind)
  const count = PARAGRAPHS[kind]
  for (let at = 0; at < count; at++) {
    const fact = facts.get(at)
    if (isTranscript) {
      for (const line of (fact?.says(of) ?? examination(of)).split('|')) pages.paragraph(line, undefined, 36)
      continue
    }
    if (at % 3 === 0 && kind !== 'declaration' && kind !== 'scheduling-order')
      pages.line({ text: HEADINGS[(at / 3) % HEADINGS.length] ?? '', center: true, bold: true })
    const lead = kind === 'complaint' || kind === 'declaration' ? `${at + 1}. ` : ''
    const note =
      fact?.place === 'footnote'
        ? fact.says(of)
        : kind === 'motion' && at % 5 === 4
          ? 'Unless otherwise noted, emphasis is added and internal citations are omitted.'
          : undefined
    pages.paragraph(`${lead}${withFact(of, fact)}`, note)
  }
  if (kind === 'declaration') writeExhibits(pages, of, [...facts.values()])
  else if (!isTranscript) writeSignature(pages, of, kind)
  return pages.end()
}

/** @param {Pages} pages @param {Case} of @param {Kind} kind */
function writeCaption(pages, of, kind) {
  const { style, plaintiff, defendant, number, judge } = of
  const title = titleOf(of, kind)
  const [plain, defence] = [plaintiff.toUpperCase(), defendant.toUpperCase()]
  switch (style) {
    case 'california':
      pages.line({ text: 'UNITED STATES DISTRICT COURT', center: true })
      pages.line({ text: 'NORTHERN DISTRICT OF CALIFORNIA', center: true })
      pages.beside(`${plain},`, '', `Case No. ${number}`)
      pages.beside('', '', '')
      pages.beside('          Plaintiff,', '', title)
      pages.beside('     v.', '', '')
      pages.beside(`${defence},`, '', `Judge: Hon. ${judge}`)
      pages.beside('          Defendant.', '', '')
      break
    case 'new-york':
      pages.line({ text: 'UNITED STATES DISTRICT COURT' })
      pages.line({ text: 'SOUTHERN DISTRICT OF NEW YORK' })
      pages.beside('-----------------------------------', 'x', '')
      pages.beside(`${plain},`, '', '')
      pages.beside('                    -against-', '', number)
      pages.beside(`${defence}.`, '', '')
      pages.beside('-----------------------------------', 'x', '')
      pages.line({ text: title, center: true, bold: true })
      break
    case 'delaware':
      pages.line({ text: 'IN THE UNITED STATES DISTRICT COURT', center: true })
      pages.line({ text: 'FOR THE DISTRICT OF DELAWARE', center: true })
      pages.beside(`${plain},`, ')', '')
      pages.beside('          Plaintiff,', ')', '')
      pages.beside('     v.', ')', `C.A. No. ${number}`)
      pages.beside(`${defence},`, ')', '')
      pages.beside('          Defendant.', ')', '')
      pages.line({ text: title, center: true, bold: true })
      break
    case 'bankruptcy':
      pages.line({ text: 'UNITED STATES BANKRUPTCY COURT', center: true })
      pages.line({ text: 'DISTRICT OF DELAWARE', center: true })
      pages.beside('In re:', ')', 'Chapter 11')
      pages.beside(`${defence},`, ')', `Case No. ${number}`)
      pages.beside('          Debtor.', ')', '')
      pages.line({ text: title, center: true, bold: true })
      break
    case 'texas':
      pages.line({ text: `CAUSE NO. ${number}`, center: true })
      pages.beside(plain, '§', 'IN THE DISTRICT COURT')
      pages.beside('', '§', '')
      pages.beside('v.', '§', 'HARRIS COUNTY, TEXAS')
      pages.beside('', '§', '')
      pages.beside(defence, '§', '127TH JUDICIAL DISTRICT')
      pages.line({ text: title, center: true, bold: true })
  }
  pages.gap(0.5)
}

/** @param {Pages} pages @param {Case} of @param {readonly Fact[]} facts */
function writeExhibits(pages, of, facts) {
  pages.paragraph('I declare under penalty of perjury that the foregoing is true and correct.')
  pages.turn()
  pages.line({ text: 'EXHIBIT A', center: true, bold: true })
  pages.paragraph(`Invoice to ${of.short} for goods and services at the ${of.site} depot.`)
  const own =
    facts
      .find(fact => fact.place === 'table')
      ?.says(of)
      .split('|') ?? []
  pages.table([
    ['Item', 'Quantity', 'Charge'],
    ['site survey', '3 units', `$1,${200 + of.at}.00`],
    own,
    ['crating and storage', '12 units', `$4,${310 + of.at}.00`],
    ['safety training', '7 units', `$2,${455 + of.at}.00`],
  ])
  const clause = facts.find(fact => fact.place === 'columns')?.says(of) ?? ''
  const terms = Array.from({ length: 5 }, () => paragraph(of))
  pages.columns(['EXHIBIT B', ...terms.slice(0, 2), clause, ...terms.slice(2)])
}

/** @param {Pages} pages @param {Case} of @param {Kind} kind */
function writeSignature(pages, of, kind) {
  const isOrder = kind === 'order' || kind === 'scheduling-order'
  pages.paragraph(isOrder ? 'SO ORDERED.' : `Dated: ${of.dates[7]}`)
  pages.line({ text: isOrder ? `Hon. ${of.judge}` : 'Respectfully submitted,', x: 330 })
  if (!isOrder) pages.line({ text: `/s/ ${of.author}`, x: 330 })
}

/** @param {Case} of @param {Kind} kind */
async function writeDocx(of, kind) {
  const facts = planted(of, kind)
  /** @type {{ text: string, level?: number }[]} */
  const body = []
  for (let at = 0; at < PARAGRAPHS[kind]; at++) {
    if (kind === 'memo' && at % 3 === 0)
      body.push({ text: MEMO_HEADINGS[at / 3] ?? 'Further points', level: 2 })
    body.push({ text: withFact(of, facts.get(at)) })
  }
  const head =
    kind === 'letter'
      ? [
          { text: of.dates[7] ?? '' },
          { text: `The Honorable ${of.judge}` },
          { text: `Re: ${of.plaintiff} v. ${of.defendant}, No. ${of.number}` },
          { text: `Dear Judge ${of.judge.split(' ').at(-1)}:` },
        ]
      : kind === 'memo'
        ? [{ text: `Notes on ${of.short}`, level: 1 }, { text: `Prepared by ${of.author} for the team.` }]
        : [
            { text: 'UNITED STATES DISTRICT COURT' },
            { text: `${of.plaintiff.toUpperCase()} v. ${of.defendant.toUpperCase()}` },
            { text: `Case No. ${of.number}` },
            { text: titleOf(of, kind), level: 1 },
          ]
  const tail = kind === 'letter' ? [{ text: 'Respectfully,' }, { text: of.author }] : []
  return makeDocx([...head, ...body, ...tail])
}
const MEMO_HEADINGS = ['What we know', 'Where the other side is strong', 'Next steps']
