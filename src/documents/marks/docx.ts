import { strFromU8, strToU8, type Zippable, zipSync } from 'fflate'
import type { Mark } from '../../policy/watermark.js'
import { READ_LIMITS } from '../extract/extracted.js'
import { DOCX_BODY, unzip, zipNames } from '../extract/zip.js'
import { CannotMark } from './cannot-mark.js'

const TYPES = '[Content_Types].xml'
const BODY_RELATIONS = 'word/_rels/document.xml.rels'
const PACKAGE_RELATIONS = '_rels/.rels'
const CUSTOM = 'docProps/custom.xml'
const FOOTER = 'word/privityFooter.xml'
const PROPERTY = 'PrivityWatermark'

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const STRICT_WORD = 'http://purl.oclc.org/ooxml/wordprocessingml/main'
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'

type Files = Record<string, Uint8Array>

/** Puts the mark at the foot of every page, and among the properties of the document. */
export function markDocx(bytes: Uint8Array, { number, line, visibility }: Mark): Uint8Array {
  const names = [...zipNames(bytes)]
  // The directory bounds what is unpacked, as for reading.
  const files: Files = unzip(bytes, names, READ_LIMITS)
  if (visibility !== 'visible') addProperty(files, number)
  if (visibility !== 'invisible_metadata') addFooter(files, line)
  const packed: Zippable = {}
  // Word looks for the types of parts first.
  for (const name of [TYPES, ...Object.keys(files).filter(name => name !== TYPES)])
    packed[name] = [files[name] ?? new Uint8Array(), { level: 6 }]
  return zipSync(packed)
}

/** What stands in the properties and the footers of a Word file. */
export function docxTexts(bytes: Uint8Array): string[] {
  const wanted = [...zipNames(bytes)].filter(name => name === CUSTOM || FOOTERS.test(name))
  return Object.values(unzip(bytes, wanted, READ_LIMITS)).map(part => strFromU8(part).replace(/<[^>]*>/g, ''))
}
const FOOTERS = /^word\/(?:footer\d*|privityFooter)\.xml$/i

function textOf(files: Files, name: string): string {
  const bytes = files[name]
  if (bytes === undefined) throw new CannotMark('is a damaged Word file')
  return strFromU8(bytes)
}

function put(files: Files, name: string, text: string): void {
  files[name] = strToU8(text)
}

/** Replaces once, and refuses a file that has nothing to replace: it would leave unmarked. */
function change(text: string, pattern: RegExp, to: (match: string) => string): string {
  if (!pattern.test(text)) throw new CannotMark('is a Word file of an unknown form')
  return text.replace(pattern, to)
}

function addPart(files: Files, name: string, type: string): void {
  const types = textOf(files, TYPES)
  if (types.includes(`PartName="/${name}"`)) return
  const part = `<Override PartName="/${name}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`
  put(
    files,
    TYPES,
    change(types, /<\/Types>\s*$/, end => part + end),
  )
}

function addRelation(files: Files, relations: string, id: string, kind: string, target: string): void {
  const empty = `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"></Relationships>`
  const known = files[relations] === undefined ? empty : textOf(files, relations)
  const relation = `<Relationship Id="${id}" Type="${OFFICE}/relationships/${kind}" Target="${target}"/>`
  const opened = known.replace(/<Relationships([^>]*)\/>\s*$/, '<Relationships$1></Relationships>')
  put(
    files,
    relations,
    change(opened, /<\/Relationships>\s*$/, end => relation + end),
  )
}

function addProperty(files: Files, number: string): void {
  const property = (id: number) =>
    `<property fmtid="{D5CDD505-2E9C-101B-9397-08002B2CF9AE}" pid="${id}" name="${PROPERTY}"><vt:lpwstr xmlns:vt="${OFFICE}/docPropsVTypes">${number}</vt:lpwstr></property>`
  if (files[CUSTOM] !== undefined) {
    const known = textOf(files, CUSTOM).replace(
      /<(\w*:?)Properties([^>]*)\/>\s*$/,
      '<$1Properties$2></$1Properties>',
    )
    const ids = [...known.matchAll(/\bpid="(\d+)"/g)].map(([, id]) => Number(id))
    put(
      files,
      CUSTOM,
      change(known, /<\/(?:\w+:)?Properties>\s*$/, end => property(Math.max(1, ...ids) + 1) + end),
    )
    return
  }
  put(files, CUSTOM, `${HEAD}<Properties xmlns="${OFFICE}/custom-properties">${property(2)}</Properties>`)
  addPart(files, CUSTOM, 'custom-properties')
  addRelation(files, PACKAGE_RELATIONS, 'rPrivityProperties', 'custom-properties', CUSTOM)
}

/**
 * Every footer that the document has gets the line, and its first section a footer where it has none. Later sections
 * have footers of their own or those of the section before, so that every page has one with the line.
 */
function addFooter(files: Files, line: string): void {
  const body = textOf(files, DOCX_BODY)
  const prefix = prefixOf(body)
  const footers = Object.keys(files).filter(name => /^word\/footer\d*\.xml$/i.test(name))
  for (const name of footers) {
    const text = textOf(files, name)
    const own = prefixOf(text)
    const opened = text.replace(new RegExp(`<${own}ftr([^>]*)/>\\s*$`), `<${own}ftr$1></${own}ftr>`)
    put(
      files,
      name,
      change(opened, new RegExp(`</${own}ftr>\\s*$`), end => paragraph(own, line) + end),
    )
  }
  const root = new RegExp(`xmlns(?::\\w+)?="${STRICT_WORD}"`).test(body) ? STRICT_WORD : WORD
  put(files, FOOTER, `${HEAD}<w:ftr xmlns:w="${root}">${paragraph('w:', line)}</w:ftr>`)
  addPart(files, FOOTER, 'wordprocessingml.footer')
  addRelation(files, BODY_RELATIONS, 'rPrivityFooter', 'footer', 'privityFooter.xml')
  put(files, DOCX_BODY, withFooters(body, prefix))
}

/** The prefix by which a part names the elements of Word, with its colon. */
function prefixOf(xml: string): string {
  const [, prefix] =
    new RegExp(`xmlns(?::([\\w.-]+))?="(?:${WORD}|${STRICT_WORD})"`).exec(xml.slice(0, 20_000)) ?? []
  if (prefix === undefined) throw new CannotMark('is a Word file of an unknown form')
  return `${prefix}:`
}

function withFooters(body: string, prefix: string): string {
  const references = (known: string) =>
    ['default', 'first', 'even']
      .filter(type => !new RegExp(`<${prefix}footerReference[^>]*\\b${prefix}type="${type}"`).test(known))
      .map(
        type =>
          `<${prefix}footerReference ${prefix}type="${type}" r:id="rPrivityFooter" xmlns:r="${OFFICE}/relationships"/>`,
      )
      .join('')
  const section = new RegExp(
    `<${prefix}sectPr\\b[^>]*?/>|<${prefix}sectPr\\b[^>]*>[\\s\\S]*?</${prefix}sectPr>`,
  )
  const found = section.exec(body)?.[0]
  if (found === undefined)
    return change(
      body,
      new RegExp(`</${prefix}body>`),
      end => `<${prefix}sectPr>${references('')}</${prefix}sectPr>${end}`,
    )
  if (found.endsWith('/>') && !found.includes('</'))
    return body.replace(section, one => `${one.slice(0, -2)}>${references('')}</${prefix}sectPr>`)
  // Inside a tracked change there is a section of before, which Word does not show.
  const current = found.replace(new RegExp(`<${prefix}sectPrChange[\\s\\S]*`), '')
  return body.replace(section, one =>
    one.replace(new RegExp(`^<${prefix}sectPr\\b[^>]*>`), start => start + references(current)),
  )
}

const paragraph = (prefix: string, line: string) =>
  `<${prefix}p><${prefix}pPr><${prefix}jc ${prefix}val="center"/></${prefix}pPr><${prefix}r><${prefix}rPr><${prefix}color ${prefix}val="666666"/><${prefix}sz ${prefix}val="14"/></${prefix}rPr><${prefix}t xml:space="preserve">${escaped(line)}</${prefix}t></${prefix}r></${prefix}p>`

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
