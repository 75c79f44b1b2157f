import { findInvisibleNumbers, findNumbers } from '../../policy/watermark.js'
import { decodeText } from '../extract/decode-text.js'
import { READ_LIMITS, UnreadableFile } from '../extract/extracted.js'
import { readPdf } from '../extract/pdf.js'
import { readAnyFormat } from '../extract/read-any-format.js'
import { sniff } from '../extract/sniff.js'
import { docxTexts } from './docx.js'
import { imageText } from './image/mark-image.js'
import { findPdfNumbers } from './pdf.js'

/** The numbers in the metadata of a file and in what it shows, each once. */
export async function findNumbersIn(bytes: Uint8Array, name: string): Promise<string[]> {
  return [...new Set((await textsOf(bytes, name)).flatMap(numbersIn))]
}

const numbersIn = (text: string) => [...findNumbers(text), ...findInvisibleNumbers(text)]

async function textsOf(bytes: Uint8Array, name: string): Promise<string[]> {
  switch (typeOf(bytes, name)) {
    case 'application/pdf': {
      const noted = await findPdfNumbers(bytes)
      // What is drawn on pages takes longer to find, and matters where the metadata is gone.
      return noted.some(number => findNumbers(number).length > 0) ? noted : [await pdfText(bytes)]
    }
    case 'application/vnd.openxmlformats-officedocument.wordprocessingml.document': {
      const read = await readAnyFormat(bytes, name, READ_LIMITS)
      return [...docxTexts(bytes), 'text' in read ? read.text : '']
    }
    case 'image/png':
    case 'image/jpeg': {
      const noted = asLatin1(bytes)
      // What is drawn matters where the rest of the file is gone, as on a picture of the screen.
      return findNumbers(noted).length > 0 ? [noted] : [imageText(bytes)]
    }
    case null:
      return [asLatin1(bytes)]
    default:
      return [decodeText(bytes) ?? '']
  }
}

const asLatin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

async function pdfText(bytes: Uint8Array): Promise<string> {
  // The reader takes the memory of what it is given.
  const read = await readPdf(Uint8Array.from(bytes), READ_LIMITS).catch(() => null)
  return read?.text ?? ''
}

function typeOf(bytes: Uint8Array, name: string) {
  try {
    return sniff(bytes, name)
  } catch (thrown) {
    if (thrown instanceof UnreadableFile) return null
    throw thrown
  }
}
