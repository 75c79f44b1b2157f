import { PROPERTIES, properties } from './docx.js'
import { type ExtractedText, type ReadLimits, UnreadableFile } from './extracted.js'
import { partsInOrder } from './office-parts.js'
import { TextFlow } from './text-flow.js'
import { attribute, readXml } from './xml.js'
import { unzip, XLSX_BODY } from './zip.js'

const STRINGS = 'xl/sharedStrings.xml'
const STYLES = 'xl/styles.xml'

/** Extracts the sheets of a workbook: the name of each as a heading, and its rows with cells, as they were last computed. */
export function readXlsx(bytes: Uint8Array, limits: ReadLimits): ExtractedText {
  const sheets = partsInOrder(bytes, limits, { body: XLSX_BODY, element: 'sheet', folder: 'xl' })
  const files = unzip(bytes, [...sheets.map(({ path }) => path), STRINGS, STYLES, PROPERTIES], limits)
  const strings = sharedStrings(files[STRINGS], limits)
  const isDate = dateStyles(files[STYLES], limits)
  const flow = new TextFlow(limits.characters)
  for (const { path, name } of sheets) {
    if (name !== null) {
      flow.openHeading(1)
      flow.write(name)
      flow.closeHeading()
    }
    if (!readSheet(flow, files[path], limits, strings, isDate))
      throw new UnreadableFile('damaged', 'one of its sheets is cut off')
    flow.break('paragraph')
  }
  const { text, headings } = flow.finish()
  const { title = null, ...about } = properties(files[PROPERTIES], limits)
  return {
    mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    text,
    title,
    pages: [],
    headings,
    about,
    state: 'complete',
  }
}

/** The texts that cells refer to by number. Readings of Asian characters are left out. */
function sharedStrings(bytes: Uint8Array | undefined, limits: ReadLimits): string[] {
  const strings: string[] = []
  let current = ''
  let inText = false
  let inReading = 0
  readXml(bytes, limits, {
    open(name) {
      if (name === 'si') current = ''
      if (name === 'rPh') inReading++
      inText = name === 't' && inReading === 0
    },
    text(text) {
      if (inText) current += text
    },
    close(name) {
      if (name === 'si') strings.push(current)
      if (name === 'rPh') inReading--
      inText = false
    },
  })
  return strings
}

/** Which cell formats show a number as a date: the built-in ones, and those with days, months or years of their own. */
function dateStyles(bytes: Uint8Array | undefined, limits: ReadLimits): (style: number) => boolean {
  const formats = new Map<number, string>()
  const styles: number[] = []
  let inFormats = false
  readXml(bytes, limits, {
    open(name, attributes) {
      if (name === 'numFmt')
        formats.set(Number(attribute(attributes, 'numFmtId')), attribute(attributes, 'formatCode') ?? '')
      if (name === 'cellXfs') inFormats = true
      if (name === 'xf' && inFormats) styles.push(Number(attribute(attributes, 'numFmtId')))
    },
    close(name) {
      if (name === 'cellXfs') inFormats = false
    },
  })
  return style => {
    const format = styles[style] ?? 0
    if ((format >= 14 && format <= 17) || format === 22) return true
    // What is quoted or in brackets is shown as it is.
    return /[dy]/i.test((formats.get(format) ?? '').replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''))
  }
}

function readSheet(
  flow: TextFlow,
  bytes: Uint8Array | undefined,
  limits: ReadLimits,
  strings: readonly string[],
  isDate: (style: number) => boolean,
): boolean {
  let cell = { column: 0, type: 'n', style: 0, value: '' }
  let written = 0
  let inValue = false
  return readXml(bytes, limits, {
    open(name, attributes) {
      if (name === 'row') {
        flow.openRow()
        written = 0
      } else if (name === 'c') {
        const column = columnOf(attribute(attributes, 'r')) ?? cell.column + 1
        const [type, style] = [attribute(attributes, 't') ?? 'n', Number(attribute(attributes, 's') ?? 0)]
        cell = { column, type, style, value: '' }
      } else if (name === 'v' || name === 't') inValue = true
    },
    text(text) {
      if (inValue) cell.value += text
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false
      else if (name === 'row') {
        flow.closeRow()
        cell = { column: 0, type: 'n', style: 0, value: '' }
      } else if (name === 'c' && cell.value !== '') {
        // Empty cells between two are kept, so that columns stay below each other, but not hundreds of them.
        const gap = Math.min(cell.column - Math.max(1, written), MOST_EMPTY)
        for (let at = 0; at < gap; at++) flow.cell()
        written = cell.column
        flow.write(shown(cell, strings, isDate))
      }
    },
  })
}

const MOST_EMPTY = 50

/** The number of a column: `A1` is in the first, `AB7` in the 28th. */
function columnOf(place: string | undefined): number | null {
  const letters = /^([A-Z]{1,3})\d/.exec(place ?? '')?.[1]
  if (letters === undefined) return null
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0)
}

function shown(
  { type, style, value }: { readonly type: string; readonly style: number; readonly value: string },
  strings: readonly string[],
  isDate: (style: number) => boolean,
): string {
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return value
  const number = Number(value)
  if (!Number.isFinite(number)) return value
  return isDate(style) && number > 0 && number < LAST_DAY
    ? new Date(FIRST_DAY + Math.floor(number) * DAY).toISOString().slice(0, 10)
    : String(Number(number.toPrecision(DIGITS)))
}

/** Days are counted from the end of 1899; the last that is known is in the year 9999. */
const FIRST_DAY = Date.UTC(1899, 11, 30)
const LAST_DAY = 2_958_466
const DAY = 86_400_000
/** More digits are errors of binary fractions. */
const DIGITS = 15
