import { strToU8, zipSync } from 'fflate'

const W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'

/** A Word file of paragraphs; those with a level are headings. @param {readonly { text: string, level?: number }[]} paragraphs */
export function makeDocx(paragraphs) {
  const body = paragraphs
    .map(
      ({ text, level }) =>
        `<w:p>${level === undefined ? '' : `<w:pPr><w:pStyle w:val="Heading${level}"/></w:pPr>`}<w:r><w:t xml:space="preserve">${escaped(text)}</w:t></w:r></w:p>`,
    )
    .join('')
  const styles = [1, 2, 3]
    .map(
      level =>
        `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/></w:style>`,
    )
    .join('')
  const mtime = new Date('2024-01-01T00:00:00Z')
  return Buffer.from(
    zipSync(
      {
        '[Content_Types].xml': strToU8('<Types/>'),
        'word/document.xml': strToU8(`<w:document ${W}><w:body>${body}</w:body></w:document>`),
        'word/styles.xml': strToU8(`<w:styles ${W}>${styles}</w:styles>`),
      },
      { mtime },
    ),
  )
}

/** @param {string} text */
const escaped = text => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
