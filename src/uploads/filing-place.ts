import { MOST_NAME_BYTES } from '../documents/file-input.js'
import { name } from '../runtime/input.js'

/** The collection of files that are given no other place: no view shares it until its owner makes one that does. */
export const RECEIVED_FILES = 'Received files'

const MOST_FOLDER_BYTES = 80

/** A folder such as `Berg/payslips`. It leaves room for the names of the files in it. */
export const folderToFileUnder = name
  .refine(value => Buffer.byteLength(value) <= MOST_FOLDER_BYTES, {
    message: `must be at most ${MOST_FOLDER_BYTES} bytes`,
    params: { code: 'too_large' },
  })
  .refine(value => !/^\/|\/\/|\/$|(?:^|\/)\.{1,2}(?:\/|$)/.test(value), {
    message: 'must be names with single slashes between them, for example Berg/payslips',
  })

/**
 * The name under which a file is filed that was given none: two senders may send files of one name, which are no
 * versions of each other. A name that is too long keeps its beginning and its extension.
 */
export function nameToFileUnder(
  folder: string | null,
  { id, name: sent }: { readonly id: string; readonly name: string },
): string {
  const place = `${folder === null ? '' : `${folder}/`}${id.slice(0, 8)}/`
  const room = MOST_NAME_BYTES - Buffer.byteLength(place)
  if (Buffer.byteLength(sent) <= room) return place + sent
  const [extension = ''] = /\.[a-z0-9]{1,10}$/i.exec(sent) ?? []
  let stem = ''
  for (const letter of sent.slice(0, sent.length - extension.length)) {
    if (Buffer.byteLength(stem + letter) > room - extension.length) break
    stem += letter
  }
  return place + stem + extension
}
