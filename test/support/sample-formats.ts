import { strToU8, zipSync } from 'fflate'
import type PdfDocumentType from 'pdfkit'
import { importOnDemand } from '../../scripts/on-demand.js'
import type { Draft } from './sample-drafts.js'

const isFiled = ({ kind }: Draft) => kind !== 'letter' && kind !== 'email' && kind !== 'memo'

/** What stands above the text: the caption of a filing, or the head of a letter. */
function topOf(draft: Draft): string[] {
  if (!isFiled(draft))
    return [
      `Date: ${draft.filed}`,
      `From: ${draft.counsel}`,
      `Subject: ${draft.title}`,
      `Case No. ${draft.caseNumber}`,
    ]
  return [
    ...draft.court.split('\n'),
    `${draft.plaintiff}, Plaintiff,`,
    'v.',
    `${draft.defendant}, Defendant.`,
    `Case No. ${draft.caseNumber}`,
    `Filed: ${draft.filed}`,
  ]
}

export async function renderPdf(
  draft: Draft,
  special: { picture?: Buffer; password?: string; compress?: boolean } = {},
): Promise<Uint8Array> {
  const date = new Date(Date.UTC(2024, 0, 1))
  const { default: PdfDocument } = await importOnDemand('test', 'pdfkit')
  const pdf: InstanceType<typeof PdfDocumentType> = new PdfDocument({
    margin: 72,
    compress: special.compress ?? true,
    info: { Title: draft.title, Author: draft.counsel, CreationDate: date, ModDate: date },
    ...(special.password === undefined
      ? {}
      : { userPassword: special.password, ownerPassword: special.password }),
  })
  const chunks: Buffer[] = []
  pdf.on('data', (chunk: Buffer) => chunks.push(chunk))
  const done = new Promise<Uint8Array>(resolve =>
    pdf.on('end', () => resolve(Uint8Array.from(Buffer.concat(chunks)))),
  )
  if (special.picture !== undefined) {
    for (let page = 0; page < 2; page++) {
      if (page > 0) pdf.addPage()
      pdf.image(special.picture, 0, 0, { width: 612 })
    }
  } else {
    pdf.font('Times-Roman').fontSize(12)
    for (const line of topOf(draft)) pdf.text(line, { align: 'center' })
    pdf.moveDown(2)
    draft.parts.forEach(({ blocks }, at) => {
      if (at > 0) pdf.addPage()
      for (const { heading, text } of blocks) {
        if (heading !== undefined) pdf.font('Times-Bold').text(heading.text).moveDown()
        pdf.font('Times-Roman').text(text).moveDown()
      }
    })
  }
  pdf.end()
  return done
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** A Word file around the elements of its body, and what else is in it. */
export function docxOf(body: string, more: Readonly<Record<string, string>> = {}): Uint8Array {
  const xml = (name: string, inner: string) =>
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><w:${name} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${inner}</w:${name}>`
  const style = (level: number) =>
    `<w:style w:type="paragraph" w:styleId="Kop${level}"><w:name w:val="heading ${level}"/></w:style>`
  const files: Record<string, string> = {
    '[Content_Types].xml':
      '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>',
    'word/document.xml': xml('document', `<w:body>${body}</w:body>`),
    'word/styles.xml': xml('styles', [1, 2, 3].map(style).join('')),
    ...more,
  }
  const date = new Date(2024, 0, 1)
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, text]) => [name, [strToU8(text), { mtime: date }]])),
  )
}

const wordParagraph = (text: string, style?: string) =>
  `<w:p>${style === undefined ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`

export function renderDocx(draft: Draft): Uint8Array {
  const blocks = draft.parts.flatMap(part => part.blocks)
  const body = [
    ...topOf(draft).map(line => wordParagraph(line)),
    ...blocks.flatMap(({ heading, text }) => [
      ...(heading === undefined ? [] : [wordParagraph(heading.text, `Kop${heading.level}`)]),
      wordParagraph(text),
    ]),
  ]
  return docxOf(body.join(''), {
    'docProps/core.xml': `<?xml version="1.0"?><cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escaped(draft.title)}</dc:title><dc:creator>${draft.counsel}</dc:creator></cp:coreProperties>`,
  })
}

export function htmlOf(draft: Draft): string {
  const blocks = draft.parts.flatMap(part => part.blocks)
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(draft.title)}</title><meta name="author" content="${draft.counsel}"><style>p { margin: 1em }</style></head>
<body>${topOf(draft)
    .map(line => `<div>${escaped(line)}</div>`)
    .join('\n')}
${blocks.map(({ heading, text }) => `${heading === undefined ? '' : `<h${heading.level}>${escaped(heading.text)}</h${heading.level}>`}<p>${escaped(text)}</p>`).join('\n')}
<script>document.write('never said')</script></body></html>
`
}
export const renderHtml = (draft: Draft): Uint8Array => strToU8(htmlOf(draft))

export function renderMarkdown(draft: Draft): Uint8Array {
  const blocks = draft.parts.flatMap(part => part.blocks)
  const lines = [
    `---\ntitle: "${draft.title}"\n---`,
    topOf(draft).join('  \n'),
    ...blocks.flatMap(({ heading, text }) => [
      ...(heading === undefined ? [] : [`${'#'.repeat(heading.level)} ${heading.text}`]),
      text,
    ]),
  ]
  return strToU8(`${lines.join('\n\n')}\n`)
}

export function renderText(draft: Draft): Uint8Array {
  const blocks = draft.parts.flatMap(part => part.blocks)
  const lines = [
    topOf(draft).join('\n'),
    ...blocks.flatMap(({ heading, text }) => [...(heading === undefined ? [] : [heading.text]), text]),
  ]
  return strToU8(`${lines.join('\n\n')}\n`)
}

function emailOf(draft: Draft, number: number, text: string): string {
  const address = `${draft.counsel.split(' ')[0]?.toLowerCase()}@example.com`
  const lines = [
    `From: ${draft.counsel} <${address}>`,
    'To: Docket Clerk <docket@example.org>',
    `Subject: ${draft.title}`,
    `Date: ${draft.sent}`,
    `Message-ID: <${draft.words[0]?.toLowerCase()}.${number}@example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 8bit',
    '',
    text,
    '',
    '--cut',
    'Content-Type: text/plain; name="schedule.txt"',
    'Content-Disposition: attachment; filename="schedule.txt"',
    '',
    'attached, and read with the message',
    '--cut--',
    '',
  ]
  return lines.join('\r\n')
}

const textsOf = (draft: Draft) => draft.parts.flatMap(part => part.blocks.map(({ text }) => text))

export const renderEml = (draft: Draft): Uint8Array =>
  strToU8(emailOf(draft, 1, textsOf(draft).join('\r\n\r\n')))

/** A message for each paragraph. */
export const renderMbox = (draft: Draft): Uint8Array =>
  strToU8(
    textsOf(draft)
      .map(
        (text, at) =>
          `From sender@example.com Mon Jan  1 00:00:0${at % 10} 2024\n${emailOf(draft, at + 1, text).replaceAll('\r\n', '\n')}\n`,
      )
      .join('\n'),
  )
