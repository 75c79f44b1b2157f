import { gzipSync, strToU8, unzipSync, type Zippable, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { PDFDocument, PDFName, PDFString } from '#pdf-lib'
import { DEFAULT_UPLOAD_CONTROLS, type UploadControls } from '../../policy/upload-controls.js'
import { inspectUpload } from './inspect-upload.js'

const inspect = (
  bytes: Uint8Array,
  name: string,
  more: Partial<UploadControls> = {},
  type: string | null = null,
) => inspectUpload(bytes, name, type, { ...DEFAULT_UPLOAD_CONTROLS, ...more })

const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? strToU8(content) : content,
      ]),
    ) as Zippable,
  )
const zeros = (megabytes: number) => new Uint8Array(megabytes * 1_048_576)

async function pdf(change: (pdf: PDFDocument) => void = () => {}): Promise<Uint8Array> {
  const made = await PDFDocument.create()
  made.addPage([300, 300]).drawText('Words of the page.', { x: 20, y: 200 })
  change(made)
  return made.save()
}
const withScript = (made: PDFDocument) => made.addJavaScript('greet', 'app.alert(1)')
const withLaunch = (made: PDFDocument) =>
  made.catalog.set(PDFName.of('OpenAction'), made.context.obj({ S: 'Launch', F: PDFString.of('calc.exe') }))

const TYPES =
  '<Types><Override PartName="/word/document.xml" ContentType="application/vnd.ms-word.document.macroEnabled.main+xml"/><Override PartName="/word/vbaProject.bin" ContentType="application/vnd.ms-office.vbaProject"/></Types>'
const RELATIONS =
  '<Relationships><Relationship Id="r1" Type="http://schemas.microsoft.com/office/2006/relationships/vbaProject" Target="vbaProject.bin"/></Relationships>'
const macros = () =>
  zip({
    '[Content_Types].xml': TYPES,
    'word/document.xml': '<w:document/>',
    'word/_rels/document.xml.rels': RELATIONS,
    'word/vbaProject.bin': 'Sub AutoOpen',
  })

describe('the checks of a file that is sent in', () => {
  it.each([
    ['a PDF', 'a.pdf', () => pdf()],
    [
      'a Word file',
      'a.docx',
      () => zip({ '[Content_Types].xml': '<Types/>', 'word/document.xml': '<w:document/>' }),
    ],
    ['text', 'notes.txt', () => strToU8('Just words.')],
    ['a zip of both', 'a.zip', async () => zip({ 'one.txt': 'one', 'two.pdf': await pdf() })],
    ['a zip in a zip', 'a.zip', () => zip({ 'inner.zip': zip({ 'one.txt': 'one' }) })],
    ['gzip', 'a.txt.gz', () => gzipSync(strToU8('one'))],
  ])('[ST-7] %s passes', async (_, name, make) => {
    expect(await inspect(await make(), name)).toMatchObject({ failure: null, hasActiveContent: false })
  })

  it.each([
    ['a program named as a PDF', 'a.pdf', () => strToU8('MZ\x90\x00 program'), 'mime_type_mismatch'],
    ['a PDF named as a picture', 'a.png', () => pdf(), 'mime_type_mismatch'],
    ['a zip named as text', 'a.txt', () => zip({ a: 'a' }), 'mime_type_mismatch'],
    ['zeros that were packed', 'a.zip', () => zip({ 'a.txt': zeros(20) }), 'decompression_bomb_detected'],
    [
      'zeros in a zip in a zip in a zip',
      'a.zip',
      () => zip({ 'b.zip': zip({ 'c.zip': zip({ 'a.txt': zeros(20) }) }) }),
      'decompression_bomb_detected',
    ],
    ['zeros in gzip', 'a.gz', () => gzipSync(zeros(20)), 'decompression_bomb_detected'],
    [
      'a zip nested too deeply',
      'a.zip',
      () => Array.from({ length: 9 }).reduce<Uint8Array>(inner => zip({ 'a.zip': inner }), zip({ a: 'a' })),
      'decompression_bomb_detected',
    ],
    ['an archive that nobody can look into', 'a.7z', () => strToU8('7z\xbc\xaf\x27\x1c'), null],
    [
      'a zip without its directory',
      'a.zip',
      () => zip({ a: 'aaaa' }).subarray(0, 40),
      'decompression_bomb_detected',
    ],
  ])('[ST-7] %s does not', async (_, name, make, failure) => {
    const found = await inspect(await make(), name)
    if (failure === null) expect(found.failure).not.toBeNull()
    else expect(found.failure).toBe(failure)
  })

  it('[ST-7] checks size, type, archive and active content in this order', async () => {
    const bomb = zip({ 'a.txt': zeros(20), 'run.exe': 'MZ' })
    const block = { activeContentBlockOrWarn: 'block' } as const
    expect((await inspect(bomb, 'a.pdf', { ...block, maxFileSizeBytes: 10 })).failure).toBe(
      'file_size_exceeds_cap',
    )
    expect((await inspect(bomb, 'a.pdf', block)).failure).toBe('mime_type_mismatch')
    expect((await inspect(bomb, 'a.zip', block)).failure).toBe('decompression_bomb_detected')
    const roomy = { archiveMaxDecompressionRatio: 10_000 }
    expect(
      (await inspect(bomb, 'a.zip', { ...block, ...roomy, archiveMaxDecompressedSize: 1_000_000 })).failure,
    ).toBe('decompressed_size_exceeds_cap')
    expect((await inspect(bomb, 'a.zip', { ...block, ...roomy })).failure).toBe('active_content_blocked')
    expect((await inspect(strToU8('x'), 'a.txt', {}, 'image/png')).failure).toBe('mime_type_mismatch')
  })

  it('[ST-7] does not believe a directory that says less than it holds', async () => {
    const bomb = Buffer.from(zip({ 'a.txt': zeros(20) }))
    const at = bomb.lastIndexOf(Buffer.from('PK\x01\x02', 'latin1'))
    bomb.writeUInt32LE(10, at + 24)
    expect((await inspect(bomb, 'a.zip')).failure).toBe('decompression_bomb_detected')
  })

  it.each([
    ['macros of Word', 'a.docm', () => macros()],
    ['a script of a PDF', 'a.pdf', () => pdf(withScript)],
    ['a program that a PDF starts', 'a.pdf', () => pdf(withLaunch)],
    ['a script of a page', 'a.html', () => strToU8('<html><script>alert(1)</script></html>')],
    ['a program in a zip', 'a.zip', () => zip({ 'setup.exe': 'MZ' })],
    ['macros in a zip in a zip', 'a.zip', () => zip({ 'b.zip': zip({ 'a.docm': macros() }) })],
    ['a shell script', 'run', () => strToU8('#!/bin/sh\nrm -rf /')],
  ])('[ST-7] finds %s', async (_, name, make) => {
    const bytes = await make()
    expect(await inspect(bytes, name)).toMatchObject({
      failure: null,
      hasActiveContent: true,
      stripped: null,
    })
    expect((await inspect(bytes, name, { activeContentBlockOrWarn: 'block' })).failure).toBe(
      'active_content_blocked',
    )
  })

  it('[ST-7] strips macros and scripts, and verifies that nothing is left', async () => {
    const strip = { activeContentBlockOrWarn: 'strip_active_content' } as const
    const plain = await inspect(macros(), 'a.docm', strip)
    expect(plain).toMatchObject({ failure: null, hasActiveContent: true })
    const files = unzipSync(plain.stripped ?? new Uint8Array())
    expect(Object.keys(files)).not.toContain('word/vbaProject.bin')
    expect(JSON.stringify(Object.values(files).map(file => Buffer.from(file).toString()))).not.toMatch(
      /vba|macroEnabled/i,
    )
    for (const change of [withScript, withLaunch]) {
      const found = await inspect(await pdf(change), 'a.pdf', strip)
      const again = await inspect(found.stripped ?? new Uint8Array(), 'a.pdf')
      expect([found.failure, again.failure, again.hasActiveContent]).toEqual([null, null, false])
      expect((await PDFDocument.load(found.stripped ?? new Uint8Array())).getPageCount()).toBe(1)
    }
    // What cannot be taken out is blocked instead.
    expect((await inspect(zip({ 'setup.exe': 'MZ' }), 'a.zip', strip)).failure).toBe('active_content_blocked')
  })
})
