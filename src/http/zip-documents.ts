import { Zip, ZipPassThrough } from 'fflate'
import { z } from 'zod'
import { PrivityError } from '../errors.js'
import { id } from '../runtime/input.js'

export const MOST_IN_A_ZIP = 500

export const zipInput = z.strictObject({
  documents: z.array(id).min(1).max(MOST_IN_A_ZIP),
  form: z.enum(['original', 'text']).default('original'),
})

/** A copy, as `document_download.fetch` answers it. */
export interface DownloadedCopy {
  readonly fileName: string
  readonly content: string
}

export const NOT_INCLUDED = 'Not included.txt'

/** After these nothing else can be had either. */
const ENDS = new Set(['rate_limit_exceeded', 'unauthenticated', 'session_profile_invalid', 'not_allowed'])

/**
 * A zip file of several documents, one at a time: each is a download of its own, which decides, marks and records (CP-4).
 * What cannot be had is listed at the end, absent and not permitted alike. Throws what the first of them was refused
 * with if none can be had.
 */
export async function* zipDocuments(
  documents: readonly string[],
  download: (document: string) => Promise<DownloadedCopy>,
): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error !== null) throw error
    made.push(chunk)
  })
  const add = (name: string, bytes: Uint8Array) => {
    // Files that are worth packing are packed already.
    const entry = new ZipPassThrough(name)
    zip.add(entry)
    entry.push(bytes, true)
    return made.splice(0)
  }
  const names = new NamesInZip()
  const refused: { readonly document: string; readonly error: PrivityError }[] = []
  let isOver = false
  let count = 0
  for (const document of new Set(documents)) {
    try {
      if (isOver) throw refused.at(-1)?.error
      const { fileName, content } = await download(document)
      count++
      yield* add(names.next(fileName), Buffer.from(content, 'base64'))
    } catch (error) {
      if (!(error instanceof PrivityError)) throw error
      isOver = ENDS.has(error.code)
      refused.push({ document, error })
    }
  }
  const [first] = refused
  if (count === 0 && first !== undefined) throw first.error
  if (refused.length > 0) {
    const lines = refused.map(({ document, error }) => `${document}: ${error.code}, ${error.message}\n`)
    yield* add(names.next(NOT_INCLUDED), Buffer.from(lines.join('')))
  }
  zip.end()
  yield* made.splice(0)
}

/** Names that every program unpacks into the folder it was told to, each once whatever the case of its letters. */
export class NamesInZip {
  readonly #used = new Set<string>()

  next(wanted: string): string {
    const plain = wanted
      .normalize('NFC')
      .replace(/^.*[/\\]/s, '')
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a name.
      .replace(/[\u0000-\u001f\u007f<>:"|?*\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '_')
      .replace(/^[\s.]+|[\s.]+$/g, '')
    const [, stem = '', extension = ''] = /^(.*?)(\.[^.]{1,10})?$/s.exec(plain) ?? []
    const isDevice = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i.test(stem)
    const start = stem === '' || isDevice ? `file${stem}` : stem.slice(0, 120)
    for (let copy = 1; ; copy++) {
      const name = `${start}${copy === 1 ? '' : ` (${copy})`}${extension}`
      const key = name.toLowerCase()
      if (this.#used.has(key)) continue
      this.#used.add(key)
      return name
    }
  }
}
