import { constants, deflateRawSync, deflateSync } from 'node:zlib'
import { strToU8, zipSync } from 'fflate'
import { docxOf } from './sample-formats.js'

/** A PDF of the given objects, numbered from 1; the first is the catalog. */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const pieces: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = pieces[0]?.length ?? 0
  const add = (piece: Buffer) => {
    pieces.push(piece)
    at += piece.length
  }
  objects.forEach((object, index) => {
    offsets.push(at)
    add(Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]))
  })
  const start = at
  const rows = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF`,
    ),
  )
  return Buffer.concat(pieces)
}

export const streamOf = (dictionary: string, body: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<< ${dictionary} /Length ${body.length} >>\nstream\n`),
    body,
    Buffer.from('\nendstream'),
  ])

const CATALOG = '<< /Type /Catalog /Pages 2 0 R >>'
const PAGES = '<< /Type /Pages /Kids [3 0 R] /Count 1 >>'
const page = (more = '/Contents 4 0 R') => `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${more} >>`
const withContent = (stream: Buffer, more = '/Contents 4 0 R') => pdfOf([CATALOG, PAGES, page(more), stream])
const deflated = (bytes: Buffer) => streamOf('/Filter /FlateDecode', deflateSync(bytes))

const MIB = 1_048_576

/** Says of the entries of a zip file that they unpack to that much. */
function lyingAbout(zip: Uint8Array, size: number): Uint8Array {
  const bytes = Buffer.from(zip)
  for (
    let at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
    at >= 0;
    at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1')
  )
    bytes.writeUInt32LE(size, at + 24)
  return bytes
}

/** Nested multiparts, each the only part of the one around it. */
function nestedMail(depth: number): string {
  let mail = 'From: a@example.com\r\nMIME-Version: 1.0\r\n'
  for (let at = 0; at < depth; at++)
    mail += `Content-Type: multipart/mixed; boundary="b${at}"\r\n\r\n--b${at}\r\n`
  return `${mail}\r\ntext`
}

const HTML = '<!doctype html>'
const LAUGHS = `<!DOCTYPE w [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, at) => `<!ENTITY a${at} "${`&a${at === 0 ? '' : at - 1};`.repeat(10)}">`).join('')}]>`

/** Files made to exhaust whoever reads them, by what they do. */
export const HOSTILE_FILES: Readonly<Record<string, () => Uint8Array>> = {
  'a zip bomb': () => docxOf(`<w:p><w:r><w:t>${'A'.repeat(40 * MIB)}</w:t></w:r></w:p>`),
  'a zip bomb that says it is small': () => lyingAbout(docxOf(`<w:p>${'A'.repeat(20 * MIB)}</w:p>`), 1_000),
  'a zip that says it is huge': () => lyingAbout(docxOf('<w:p/>'), 0xfffffff0),
  'a zip that says it is large': () => lyingAbout(docxOf('<w:p/>'), 200 * MIB),
  'a zip of many files': () =>
    zipSync(
      Object.fromEntries([
        ['word/document.xml', strToU8('<w:document/>')],
        ...Array.from({ length: 20_000 }, (_, at) => [`f${at}`, new Uint8Array()] as const),
      ]),
    ),
  'entities that multiply': () =>
    zipSync({
      'word/document.xml': strToU8(`<?xml version="1.0"?>${LAUGHS}<w:document><w:t>&a19;</w:t></w:document>`),
    }),
  'an entity that names a file': () =>
    docxOf('<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]><w:p><w:r><w:t>&f;</w:t></w:r></w:p>'),
  'deep XML': () => docxOf('<w:p>'.repeat(200_000)),
  'deep HTML': () => strToU8(`${HTML}${'<b>'.repeat(500_000)}`),
  'HTML of open tags': () => strToU8(`${HTML}${'<a '.repeat(2_000_000)}`),
  'HTML of a million attributes': () =>
    strToU8(`${HTML}<p ${Array.from({ length: 1_000_000 }, (_, at) => `a${at}=1`).join(' ')}>x`),
  'HTML of entities': () => strToU8(`${HTML}${'&amp;&#55357;'.repeat(1_000_000)}`),
  'HTML of end tags': () => strToU8(`${HTML}${'<i>'.repeat(900)}${'</u>'.repeat(2_000_000)}`),
  'Markdown of marks': () => strToU8(`${`# ${'# '.repeat(900)}x\n`.repeat(10_000)}`),
  'text that is too long': () => Buffer.alloc(20 * MIB, 'text '),
  'mail in mail': () => strToU8(nestedMail(20_000)),
  'mail of headers': () =>
    strToU8(`From: a@b.c\r\nMessage-ID: <1>\r\n${'X: y\r\n'.repeat(3_000_000)}\r\ntext`),
  'mail of one header': () =>
    strToU8(`From: a@b.c\r\nMessage-ID: <1>\r\nSubject: ${'=?utf-8?q?=20?= '.repeat(500_000)}\r\n\r\ntext`),
  'mail to everybody': () =>
    strToU8(`From: a@b.c\r\nMessage-ID: <1>\r\nTo: ${'((<"a, '.repeat(200_000)}\r\n\r\ntext`),
  'a page that is its own parent': () => pdfOf([CATALOG, '<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>']),
  'a billion pages': () => pdfOf([CATALOG, '<< /Type /Pages /Kids [3 0 R] /Count 1000000000 >>', page()]),
  'ten thousand pages that are one': () =>
    pdfOf([
      CATALOG,
      `<< /Type /Pages /Kids [${'3 0 R '.repeat(10_000)}] /Count 10000 >>`,
      page(),
      deflated(Buffer.from('BT ET')),
    ]),
  'a form that draws itself': () =>
    pdfOf([
      CATALOG,
      PAGES,
      page('/Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >>'),
      streamOf('', Buffer.from('/F Do')),
      streamOf(
        '/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources << /XObject << /F 5 0 R >> >>',
        Buffer.from('/F Do /F Do'),
      ),
    ]),
  'forms that double': () =>
    pdfOf([
      CATALOG,
      PAGES,
      page('/Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >>'),
      streamOf('', Buffer.from('/F Do')),
      ...Array.from({ length: 40 }, (_, at) =>
        streamOf(
          `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F ${Math.min(at + 6, 44)} 0 R >> >>`,
          Buffer.from('/F Do /F Do BT (x) Tj ET'),
        ),
      ),
    ]),
  'a stream of gigabytes': () => {
    // A piece that others can follow, so that it need not be packed as a whole.
    const piece = deflateRawSync(Buffer.alloc(64 * MIB, ' '), { finishFlush: constants.Z_FULL_FLUSH })
    const pieces = Array.from({ length: 40 }, () => piece)
    const body = Buffer.concat([Buffer.from([0x78, 0x9c]), ...pieces, Buffer.from([3, 0])])
    return withContent(streamOf('/Filter /FlateDecode', body))
  },
  'arrays in arrays': () => withContent(deflated(Buffer.alloc(40 * MIB, '['))),
  'a list of millions': () => withContent(deflated(Buffer.from(`[${'1 '.repeat(30 * MIB)}] TJ`))),
  'dictionaries in dictionaries': () => pdfOf([`<< /A ${'<< /A '.repeat(100_000)}`, PAGES]),
  'a reference that is its own length': () =>
    withContent(Buffer.from('<< /Length 4 0 R >>\nstream\nBT ET\nendstream')),
  'a table of objects that goes in circles': () => {
    const bytes = pdfOf([CATALOG, PAGES, page(''), ''])
    return Buffer.concat([
      bytes,
      Buffer.from(
        `\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Prev ${bytes.length + 1} >>\nstartxref\n${bytes.length + 1}\n%%EOF`,
      ),
    ])
  },
  'a picture that says it is enormous': () =>
    pdfOf([
      CATALOG,
      PAGES,
      page('/Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >>'),
      streamOf('', Buffer.from('q 600 0 0 700 0 0 cm /I Do Q')),
      streamOf(
        '/Type /XObject /Subtype /Image /Width 2000000000 /Height 2000000000 /BitsPerComponent 8 /ColorSpace /DeviceRGB',
        Buffer.from('x'),
      ),
    ]),
}
