import type { DocumentLine } from './lines.js'
import { tidy } from './lines.js'

/** A line of a caption, split into columns; there is at least one. */
export type Row = readonly DocumentLine[]

const MOST_PARTIES = 50
const ROLE_NAME =
  '(?:Plaintiff|Defendant|Petitioner|Respondent|Appellant|Appellee|Claimant|Counterclaimant|Counter-?defendant|Cross-?(?:complainant|defendant|appellant)|Third-?Party (?:Plaintiff|Defendant)|Debtor|Movant|Relator|Intervenor|Real Party in Interest)'
const ROLE = new RegExp(`\\b${ROLE_NAME}s?\\b(?:[\\s/-]*(?:and )?${ROLE_NAME}s?\\b)*`, 'i')
const VERSUS = /^[-–—\s]*(?:v|vs|versus|against)\.?,?[-–—\s]*$/i
const OUTSIDE =
  /\b(?:court|division|attorneys? for|counsel for|case no|cause no|civil action|telephone|email|county of)\b|@/i

/** The parties before and after a line that only says `v.`, and the rows that they occupy. */
export function findParties(
  rows: readonly Row[],
  below: number,
  hasCourt: boolean,
): { names: string[]; first: number; next: number } | null {
  const versus = rows.findIndex((row, at) => at >= below && row.some(cell => VERSUS.test(cell.text)))
  if (versus === -1) return inOneLine(rows, below) ?? inMatterOf(rows, below)
  let first = versus
  while (first > Math.max(below, versus - 14) && !OUTSIDE.test(leftOf(rows[first - 1]))) first--
  let next = versus + 1
  while (next < Math.min(rows.length, versus + 16) && isNameRow(rows[next])) next++
  const isClosed = ROLE.test(leftOf(rows[next])) && leftOf(rows[next]).length <= LONGEST_ROW
  next = isClosed ? next + 1 : versus + 2
  const before = rows.slice(first, versus).map(leftOf).join(' ')
  const after = rows
    .slice(versus + 1, next)
    .map(leftOf)
    .join(' ')
  // A section heading numbered V may also stand alone on a line.
  if (!hasCourt && !(isClosed && ROLE.test(before))) return null
  return named(before, after, first, Math.min(next, rows.length))
}

/** A longer row is a sentence, and no row of names. */
const LONGEST_ROW = 160

const isNameRow = (row: Row | undefined): boolean =>
  leftOf(row).length <= LONGEST_ROW && !ROLE.test(leftOf(row))

const MATTER = /^(?:in re|in the matter of)\b:?\s*/i

/** The debtor or matter that a caption without opponents names, as in `In re: Acme Corp., Debtor`. */
function inMatterOf(rows: readonly Row[], below: number) {
  const first = rows.findIndex((row, at) => at >= below && at < below + 15 && MATTER.test(leftOf(row)))
  if (first === -1) return null
  const matter = leftOf(rows[first]).replace(MATTER, '')
  let next = first + 1
  while (next < Math.min(rows.length, first + 8) && isNameRow(rows[next])) next++
  const isClosed = ROLE.test(leftOf(rows[next])) && leftOf(rows[next]).length <= LONGEST_ROW
  if (!isClosed) {
    // `IN RE ISSUER SECURITIES LITIGATION` names the matter itself.
    const title = leftOf(rows[first])
    return matter === '' || title.length > LONGEST_ROW
      ? null
      : { names: [tidy(title, 300)], first, next: first + 1 }
  }
  const names = namesIn([matter, ...rows.slice(first + 1, next + 1).map(leftOf)].join(' '))
  return names.length === 0 ? null : { names: names.slice(0, MOST_PARTIES), first, next: next + 1 }
}

const INLINE = new RegExp(
  `^(?<before>.{2,200}?,? ${ROLE.source}),? (?:v|vs)\\. (?<after>.{2,200}?,? ${ROLE.source})`,
  'i',
)

function inOneLine(rows: readonly Row[], below: number) {
  for (let row = below; row < Math.min(rows.length, below + 15); row++) {
    const text = (rows[row] as Row).map(cell => cell.text).join(' ')
    const found = INLINE.exec(text)?.groups
    if (found !== undefined) return named(found.before ?? '', found.after ?? '', row, row + 1)
    const names = partiesOfTitle(text)
    if (names !== null && !/\p{Ll}{2}/u.test(text)) return { names, first: row, next: row + 1 }
  }
  return null
}

/** The parties that a title or subject names, as in `Doe v. Acme Corp., No. 24-1234`. */
export function partiesOfTitle(title: string): string[] | null {
  const found =
    /^(?:Re:\s*)?(?<before>[^:;]{2,120}?)\s+(?:v|vs)\.?\s+(?<after>[^:;]{2,120}?)(?:,?\s+\(?(?:No|Nos|Case|Civil|Civ|Docket|Index|Cause)\b.*|,?\s+\d.*)?$/i.exec(
      title.trim(),
    )?.groups
  return found === undefined ? null : (named(found.before ?? '', found.after ?? '', 0, 0)?.names ?? null)
}

function named(before: string, after: string, first: number, next: number) {
  const sides = [before, after].map(namesIn)
  if (sides.some(side => side.length === 0)) return null
  return { names: sides.flat().slice(0, MOST_PARTIES), first, next }
}

/** The names on one side. Commas and `and` separate names only if the role is plural. */
function namesIn(side: string): string[] {
  const isPlural = /s$/i.test(ROLE.exec(side)?.[0] ?? '')
  const plain = side
    .replace(new RegExp(`(?:,\\s*)?\\b(?:the )?${ROLE.source}`, 'gi'), ' ')
    .replace(/,? (?:individually|on behalf of|both individually)\b[^;]*/gi, ' ')
    .replace(
      /,? an? (?:\p{L}+ ){0,5}(?:corporation|company|partnership|individual|entity|association|trust)\b/giu,
      ' ',
    )
    .replace(/,? et al\b\.?/gi, ' ')
    .replace(/,? inclusive\b/gi, ' ')
  const separator = plain.includes(';')
    ? /;(?:\s*and\s+)?/i
    : isPlural
      ? /,\s+and\s+|\s+and\s+|,\s+(?!(?:Inc|LLC|L\.L\.C|LLP|L\.P|LP|Corp|Ltd|Co|N\.A|Jr|Sr|II|III|IV|P\.C|PLC|S\.A|GmbH|AG)\b)/i
      : /$^/
  return plain
    .split(separator)
    .map(name =>
      tidy(name, 300)
        .replace(/^(?:and\s+|[\s,;.&-]+)+/i, '')
        .replace(/(?:[\s,;&-]+\.)?[\s,;&-]*$/, ''),
    )
    .filter(name => /\p{L}/u.test(name))
}

const leftOf = (row: Row | undefined) => row?.[0]?.text ?? ''
