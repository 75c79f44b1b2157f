import { strFromU8, strToU8, zipSync } from 'fflate'
import { PDFArray, PDFDict, type PDFDocument, PDFName, type PDFObject, PDFStream } from '#pdf-lib'
import { loadPdf } from '../marks/pdf.js'
import type { ZipEntry } from './archive.js'

/** Parts of an Office file that run or bring something along to run. */
const ACTIVE_PARTS =
  /(?:^|\/)(?:vbaProject(?:Signature\w*)?\.bin|vbaData\.xml|macrosheets\/.*|activeX\/.*|oleObject\d*\.bin|attachedToolbars\.bin)$/i
const MACRO_TYPE = /macroEnabled|ms-office\.vbaProject|activeX|ms-office\.vbaProjectSignature/i
/** A template or an object that is fetched when the file is opened. */
const FETCHED =
  /<Relationship\b(?=[^>]*TargetMode="External")(?=[^>]*Type="[^"]*\/(?:attachedTemplate|oleObject|frame|subDocument)")[^>]*>/i

export interface Part {
  readonly name: string
  readonly bytes: Uint8Array
}

/** Whether an Office file has macros, controls or objects, or fetches something when it is opened. */
export function officeIsActive(parts: readonly Part[]): boolean {
  return parts.some(
    ({ name, bytes }) =>
      ACTIVE_PARTS.test(name) ||
      (name === '[Content_Types].xml' && MACRO_TYPE.test(strFromU8(bytes))) ||
      (name.endsWith('.rels') && FETCHED.test(strFromU8(bytes))),
  )
}

/** An Office file without what runs in it, and without the references to that. */
export function stripOffice(parts: readonly Part[]): Uint8Array {
  const kept: Record<string, Uint8Array> = {}
  for (const { name, bytes } of parts) {
    if (ACTIVE_PARTS.test(name)) continue
    if (name === '[Content_Types].xml') kept[name] = strToU8(plainTypes(strFromU8(bytes)))
    else if (name.endsWith('.rels')) kept[name] = strToU8(plainRelations(strFromU8(bytes)))
    else kept[name] = bytes
  }
  return zipSync(kept)
}

const plainTypes = (xml: string) =>
  xml
    .replace(/<(?:Override|Default)\b[^>]*ContentType="[^"]*(?:vbaProject|activeX)[^"]*"[^>]*\/>/gi, '')
    .replace(
      /application\/vnd\.ms-word\.(document|template)\.macroEnabled\w*\.main\+xml/gi,
      'application/vnd.openxmlformats-officedocument.wordprocessingml.$1.main+xml',
    )
    .replace(
      /application\/vnd\.ms-excel\.(sheet|template)\.macroEnabled\w*\.main\+xml/gi,
      'application/vnd.openxmlformats-officedocument.spreadsheetml.$1.main+xml',
    )
    .replace(
      /application\/vnd\.ms-powerpoint\.(presentation|template|slideshow)\.macroEnabled\w*\.main\+xml/gi,
      'application/vnd.openxmlformats-officedocument.presentationml.$1.main+xml',
    )

const plainRelations = (xml: string) =>
  xml
    .replace(
      /<Relationship\b[^>]*Type="[^"]*\/(?:vbaProject\w*|control|activeX\w*|wordVbaData|oleObject|xlMacrosheet)"[^>]*\/>/gi,
      '',
    )
    .replace(new RegExp(FETCHED.source, 'gi'), '')

export const toParts = (
  entries: readonly ZipEntry[],
  unpack: (entry: ZipEntry) => Uint8Array | null,
): Part[] => entries.map(entry => ({ name: entry.name, bytes: unpack(entry) ?? new Uint8Array() }))

/** Keys of a PDF whose values run, start a program, send a form away, or carry another file. */
const ACTIVE_KEYS = ['JS', 'AA', 'RichMediaContent', 'RichMediaSettings', 'EmbeddedFiles', 'XFA'].map(key =>
  PDFName.of(key),
)
const ACTIVE_ACTIONS = new Set([
  '/JavaScript',
  '/Launch',
  '/ImportData',
  '/SubmitForm',
  '/RichMediaExecute',
  '/Rendition',
])
const JAVA_SCRIPT = PDFName.of('JavaScript')
const ACTION = PDFName.of('S')
const SUBTYPE = PDFName.of('Subtype')
const ACTIVE_ANNOTATIONS = new Set(['/RichMedia', '/FileAttachment', '/Screen', '/Movie', '/Sound', '/3D'])

const isActiveDictionary = (dictionary: PDFDict): boolean =>
  ACTIVE_KEYS.some(key => dictionary.has(key)) ||
  dictionary.has(JAVA_SCRIPT) ||
  ACTIVE_ACTIONS.has(String(dictionary.lookup(ACTION))) ||
  ACTIVE_ANNOTATIONS.has(String(dictionary.lookup(SUBTYPE)))

/** Every dictionary of a PDF, also those within others. */
function* dictionariesOf(pdf: PDFDocument): Generator<PDFDict> {
  for (const [, object] of pdf.context.enumerateIndirectObjects()) yield* within(object)
}

function* within(object: PDFObject, depth = 0): Generator<PDFDict> {
  if (depth > 50) return
  if (object instanceof PDFStream) yield* within(object.dict, depth + 1)
  else if (object instanceof PDFDict) {
    yield object
    for (const value of object.values()) yield* within(value, depth + 1)
  } else if (object instanceof PDFArray) for (const value of object.asArray()) yield* within(value, depth + 1)
}

/** Whether a PDF runs something. One that cannot be looked into may. */
export async function pdfIsActive(bytes: Uint8Array): Promise<boolean> {
  const pdf = await loadPdf(bytes).catch(() => null)
  if (pdf === null) return true
  for (const dictionary of dictionariesOf(pdf)) if (isActiveDictionary(dictionary)) return true
  return false
}

/** A PDF without what runs in it. Null if it cannot be looked into. */
export async function stripPdf(bytes: Uint8Array): Promise<Uint8Array | null> {
  const pdf = await loadPdf(bytes).catch(() => null)
  if (pdf === null) return null
  for (const dictionary of [...dictionariesOf(pdf)]) {
    if (!isActiveDictionary(dictionary)) continue
    for (const key of [...ACTIVE_KEYS, JAVA_SCRIPT]) dictionary.delete(key)
    if (ACTIVE_ACTIONS.has(String(dictionary.lookup(ACTION))))
      for (const key of dictionary.keys()) dictionary.delete(key)
    if (ACTIVE_ANNOTATIONS.has(String(dictionary.lookup(SUBTYPE))))
      dictionary.set(SUBTYPE, PDFName.of('Text'))
  }
  return pdf.save({ updateFieldAppearances: false, addDefaultPage: false })
}

/** Words by which Office files of before 2007 name the storages of their macros. */
const OLE_MACROS = ['_VBA_PROJECT', 'VBA', 'Macros', '_VBA_PROJECT_CUR'].map(name =>
  Buffer.from(`${name}\0`, 'utf16le'),
)
export const oleIsActive = (bytes: Uint8Array): boolean => {
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (
    OLE_MACROS.some(name => all.includes(name)) || all.includes(Buffer.from('EncryptedPackage', 'utf16le'))
  )
}

const RUNS_IN_TEXT =
  /<script\b|<(?:iframe|object|embed|applet|base|meta[^>]+http-equiv\s*=\s*["']?refresh)\b|\bon[a-z]{3,}\s*=\s*["']|javascript\s*:|data\s*:\s*text\/html/i
const RUNS_BY_NAME =
  /\.(?:exe|dll|com|scr|sys|bat|cmd|ps1|psm1|vbs|vbe|js|jse|mjs|wsf|wsh|hta|msi|msp|jar|lnk|reg|sh|bash|app|apk|cpl|scf|url|desktop|py|pl|rb|php)$/i

/** Whether a file runs because of its name, or because a shell or a browser would run its text. */
export function textIsActive(bytes: Uint8Array, name: string, isText: boolean): boolean {
  if (RUNS_BY_NAME.test(name)) return true
  if (!isText) return false
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const isMarkup =
    /\.(?:html?|xhtml|svg|xml|mht|mhtml)$/i.test(name) || /^\s*(?:<\?xml|<!doctype|<html|<svg)/i.test(text)
  return text.startsWith('#!') || (isMarkup && RUNS_IN_TEXT.test(text.replaceAll('\0', '')))
}
