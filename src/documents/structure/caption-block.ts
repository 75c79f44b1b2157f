import { type Court, findCourt } from './courts.js'
import { typeOfTitle } from './document-type.js'
import {
  BODY,
  CONTENTS,
  columnsOf,
  type DocumentLine,
  isCapitals,
  isName,
  isStamp,
  linesOf,
  skipSpace,
  tidy,
} from './lines.js'
import { findParties, type Row } from './parties.js'

/** The longest caption, in characters. */
export const CAPTION_MOST = 6_000

/** The head of a filing, above its first sentence. */
export interface CaptionBlock {
  readonly court: Court | null
  readonly caseNumber: string | null
  readonly parties: readonly string[]
  /** The title that the filing gives itself. */
  readonly title: string | null
  /** Where the caption ends; null if there is none: no court, or neither parties nor a case number. */
  readonly end: number | null
}

/** The latest position where the head of a document can end: the end of its first page that has text. */
export function headEnd(text: string, pages: readonly { readonly end: number }[]): number {
  const begins = skipSpace(text, 0, text.length)
  const page = pages.find(({ end }) => end > begins)
  return Math.min(text.length, page?.end ?? text.length, begins + CAPTION_MOST)
}

/** Reads the caption at the beginning of a range of text. */
export function readCaptionBlock(text: string, from: number, to: number): CaptionBlock {
  const rows = rowsOf(text, from, Math.min(to, from + CAPTION_MOST))
  const onLeft = findCourt(rows.map(row => row[0] as DocumentLine))
  // In Texas the court stands beside the parties.
  const found = onLeft ?? besideParties(findCourt(rows.map(row => row.at(-1) as DocumentLine)))
  const below = found?.next ?? 0
  const parties = findParties(rows, below, found !== null)
  const numbered = findCaseNumber(rows)
  const title = findTitle(rows, below, parties?.first ?? below, parties?.next ?? below)
  const lasts = [
    below,
    parties?.next ?? 0,
    title?.next ?? 0,
    // A number far below belongs to another case.
    numbered !== null && numbered.row < below + 30 ? numbered.row + 1 : 0,
  ]
  const isCaption = found !== null && (parties !== null || numbered !== null)
  return {
    court: found?.court ?? null,
    caseNumber: numbered?.caseNumber ?? null,
    parties: parties?.names ?? [],
    title: title?.title ?? null,
    end: isCaption ? lineEnd(text, rows[Math.max(...lasts) - 1]?.at(-1)?.end) : null,
  }
}

const besideParties = (found: ReturnType<typeof findCourt>): ReturnType<typeof findCourt> =>
  found === null ? null : { ...found, next: 0 }

/** The end of the line at a position. A caption ends with a whole line, even if its page ends inside that line. */
function lineEnd(text: string, at: number | undefined): number | null {
  if (at === undefined) return null
  const newline = text.indexOf('\n', at)
  return newline === -1 ? text.length : newline
}

/** The lines split into columns, without stamps and without the line numbers of pleading paper. */
function rowsOf(text: string, from: number, to: number): Row[] {
  const lines = linesOf(text, from, to).filter(line => !isStamp(line.text))
  const isNumbered = lines.filter(line => /^\d{1,2}(?:\s|$)/.test(line.text)).length > lines.length * 0.6
  return lines.map(line => columnsOf(isNumbered ? withoutNumber(line) : line)).filter(row => row.length > 0)
}

function withoutNumber({ start, end, text }: DocumentLine): DocumentLine {
  const number = /^\d{1,2}(?:\s+|$)/.exec(text)?.[0].length ?? 0
  return { start: start + number, end, text: text.slice(number) }
}

const LABEL =
  /^(?:(?:Lead |Master |Related |Civil |Criminal |Adversary |Adv\. |Bankr\. )?(?:Case|Action|Docket|Index|Cause|File|Proceeding)?\s?(?:Nos?\b\.?|Number\b|#)|Case)\s*:?\s*/i
const FEDERAL =
  /(?:\d{1,2}\s?:\s?)?\d{2}\s?[-–‑]\s?(?:cv|cr|mc|md|mj|ap|bk|bp|br|po|sw|cb|op|misc|civ|cm)\s?[-–‑]\s?\d{2,6}(?:\s?[-–‑]\s?[A-Z]{1,5}\b(?:\s?\([A-Z]{1,5}x?\))?)*/i
/** Case numbers as the Southern District of New York writes them. */
const CIVIL = /\d{2}\s?(?:Civ|Cr|Misc)\.?\s\d{2,5}(?:\s?\([A-Z]{2,5}\))*/i
const OTHER = /(?=[A-Z0-9:/.–-]*\d{2})[A-Z0-9][A-Z0-9:/.–-]{3,30}(?: \([A-Z]{2,4}\))?(?=$|[\s,;)])/

/** The case number that follows a label, or else any federal case number, such as one on a stamp. */
function findCaseNumber(rows: readonly Row[]): { caseNumber: string; row: number } | null {
  for (const [row, cells] of rows.entries())
    for (const { text } of cells) {
      const label = LABEL.exec(text)?.[0]
      if (label === undefined) continue
      const behind = text.slice(label.length)
      const written = anchored(FEDERAL, behind) ?? anchored(CIVIL, behind) ?? anchored(OTHER, behind)
      if (written !== null) return { caseNumber: caseNumberOf(written), row }
    }
  for (const [row, cells] of rows.entries())
    for (const { text } of cells) {
      const written = anchored(FEDERAL, text) ?? anchored(CIVIL, text)
      if (written !== null && text.length < 60) return { caseNumber: caseNumberOf(written), row }
    }
  return null
}

function anchored(pattern: RegExp, text: string): string | null {
  const found = pattern.exec(text)
  return found?.index === 0 ? found[0] : null
}

/** The case number in the stamp of a filing system. */
export function stampedCaseNumber(stamp: string): string | null {
  const written = FEDERAL.exec(stamp)?.[0] ?? /\bCase\b:?\s*#?\s*(\d{2}-\d{1,6})\b/i.exec(stamp)?.[1] ?? null
  return written === null ? null : caseNumberOf(written)
}

/** Normalizes a case number: plain hyphens without spaces, and the kind of case in lower case. */
function caseNumberOf(written: string): string {
  return written
    .replace(/\s?[-–‑]\s?/g, '-')
    .replace(/\s?:\s?/g, ':')
    .replace(/[.:/-]+$/, '')
    .replace(
      /^((?:\d{1,2}:)?\d{2}-)([A-Za-z]{2,4})(-\d)/,
      (_, year, kind, rest) => year + kind.toLowerCase() + rest,
    )
}

const ASIDE =
  /^(?:date|time|judge|hon\.|the hon|honorable|courtroom|ctrm|dept|department|place|location|hearing|trial|complaint filed|action filed|jury|demand|before|re:|related|oral argument)\b/i

/** What a court is called beside the parties. */
const COURT = /\b(?:court|county|judicial district|division)\b/i

/** Finds the title, beside the parties or below them, in capitals or at least in title case. */
function findTitle(
  rows: readonly Row[],
  below: number,
  first: number,
  next: number,
): { title: string; next: number } | null {
  const beside = rows
    .slice(below, next)
    .flatMap((row, at) =>
      row.length > 1 && below + at >= first ? [{ row: below + at, cell: row.at(-1) as DocumentLine }] : [],
    )
  const under = rows
    .slice(next, next + 16)
    .map((row, at) => ({ row: next + at, cell: row.at(-1) as DocumentLine }))
  const runs: { texts: string[]; next: number }[] = []
  for (const { row, cell } of [...beside, ...under]) {
    // The text of the filing begins here, so the title has ended.
    if (BODY.test(cell.text) || CONTENTS.test(cell.text)) break
    const isTitle =
      cell.text.length <= 200 &&
      !ASIDE.test(cell.text) &&
      !(COURT.test(cell.text) && typeOfTitle(cell.text) === null) &&
      !LABEL.test(cell.text) &&
      (isCapitals(cell.text) ||
        (isName(cell.text) && typeOfTitle(cell.text) !== null && !/[.,;]$/.test(cell.text)))
    if (!isTitle) continue
    const last = runs.at(-1)
    if (last?.next === row) {
      last.texts.push(cell.text)
      last.next = row + 1
    } else runs.push({ texts: [cell.text], next: row + 1 })
  }
  for (const { texts, next } of runs) {
    const title = tidy(texts.join(' '), 300)
    if (typeOfTitle(title) !== null) return { title, next }
  }
  return null
}
