import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { z } from 'zod'
import { packageFile } from '../../embedding/package-file.js'
import { requirePackages } from '../../embedding/require-packages.js'
import { PrivityError } from '../../errors.js'
import { parse } from '../../runtime/input.js'
import type { OcrProvider } from './provider.js'
import { TESSERACT } from './tesseract-engine.js'

export interface TesseractOptions {
  /** The languages of the pages, by their names in Tesseract, such as `eng` or `deu`. Default: `eng`. */
  readonly languages?: readonly string[]
  /**
   * A folder with a file `<language>.traineddata.gz` for each language. Default: that of the package
   * `@tesseract.js-data/<language>`, which works for one language.
   */
  readonly folder?: string
}

const schema = z.strictObject({
  languages: z
    .array(z.string().regex(/^[a-z_]{3,20}$/i, { message: 'must be names of Tesseract, such as eng' }))
    .min(1)
    .max(8)
    .default(['eng']),
  folder: z.string().min(1).optional(),
})

/**
 * Reads the text of scanned pages and images on this machine with `tesseract.js`. Nothing is downloaded.
 *
 * @example
 * await open({ ocr: tesseract({ languages: ['eng'] }) })
 */
export function tesseract(options: TesseractOptions = {}): OcrProvider {
  const { languages, folder: given } = parse(schema, options)
  requirePackages([TESSERACT], 'tesseract')
  const folder = given === undefined ? packaged(languages) : resolve(given)
  for (const language of languages)
    if (!existsSync(join(folder, `${language}.traineddata.gz`)))
      throw new PrivityError('invalid_input', `tesseract: the folder has no ${language}.traineddata.gz`)
  return {
    name: `tesseract/${languages.join('+')}`,
    module: packageFile('dist/documents/ocr/tesseract-engine.js').href,
    options: { languages, folder },
  }
}

/** The folder of the package that holds the data of a language. */
function packaged(languages: readonly string[]): string {
  const [language = ''] = languages
  if (languages.length > 1)
    throw new PrivityError('invalid_input', 'tesseract: several languages need a folder with their data')
  const name = `@tesseract.js-data/${language}`
  requirePackages([name], 'tesseract')
  return join(dirname(createRequire(import.meta.url).resolve(`${name}/package.json`)), '4.0.0_best_int')
}
