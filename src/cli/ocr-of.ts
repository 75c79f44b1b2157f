import type { OpenOptions } from '../open.js'
import { UsageError } from './usage-error.js'

type Env = Readonly<Record<string, string | undefined>>

/** Reads from the environment how scanned pages are recognised: `PRIVITY_OCR` names languages, such as `eng+deu`. */
export async function ocrOption({
  PRIVITY_OCR: said = 'off',
  PRIVITY_OCR_DATA: folder,
}: Env): Promise<Pick<OpenOptions, 'ocr'>> {
  if (said === 'off') return {}
  const languages = said.split(/[+,]/).map(language => language.trim())
  if (!languages.every(language => /^[a-z_]{3,20}$/i.test(language)))
    throw new UsageError('PRIVITY_OCR must name languages, such as eng or eng+deu, or say off')
  const { tesseract } = await import('../documents/ocr/tesseract.js')
  return { ocr: tesseract({ languages, ...(folder === undefined ? {} : { folder }) }) }
}
