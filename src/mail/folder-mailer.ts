import { randomBytes } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from '../runtime/input.js'
import { type Mail, type Mailer, mailSchema } from './mailer.js'

/**
 * Writes each mail to a folder as `<id>.eml`, for whoever may read that folder. Sending a mail again overwrites its
 * file.
 */
export function folderMailer(folder: string): Mailer {
  return {
    async send(given, { signal }) {
      const mail = parse(mailSchema, given)
      signal.throwIfAborted()
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await writeWhole(folder, `${mail.id}.eml`, emlOf(mail, new Date()))
    },
  }
}

/** Writes a file atomically and durably: nobody reads half of it, and it survives a power failure. */
async function writeWhole(folder: string, name: string, content: string): Promise<void> {
  const temporary = join(folder, `.${name}.${randomBytes(6).toString('hex')}`)
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(content)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(folder, name))
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
  const directory = await open(folder)
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}

/** The longest line that RFC 5322 allows, without its line break. */
const MOST_LINE_BYTES = 998

function emlOf({ id, to, subject, text }: Mail, at: Date): string {
  const lines = text.split(/\r\n|\r|\n/)
  const fits = lines.every(line => Buffer.byteLength(line) <= MOST_LINE_BYTES)
  const body = fits ? lines : wrapped(Buffer.from(lines.join('\r\n')).toString('base64'))
  return [
    `Date: ${at.toUTCString().replace('GMT', '+0000')}`,
    'From: Privity <privity@localhost>',
    `To: ${to}`,
    `Message-ID: <${id}@privity.localhost>`,
    `Subject: ${encoded(subject)}`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    `Content-Transfer-Encoding: ${fits ? '8bit' : 'base64'}`,
    '',
    ...body,
    '',
  ].join('\r\n')
}

const wrapped = (base64: string): readonly string[] => base64.match(/.{1,76}/g) ?? []

/** How many bytes of a subject fit into one encoded word after `Subject: `. */
const WORD_BYTES = 39

/** A short ASCII subject unchanged, and any other as RFC 2047 encoded words, one per line. */
function encoded(subject: string): string {
  if (/^[\x21-\x7e](?:[\x20-\x7e]{0,60}[\x21-\x7e])?$/.test(subject) && !subject.includes('=?'))
    return subject
  const words: string[] = ['']
  for (const character of subject) {
    const longer = words.at(-1) + character
    if (Buffer.byteLength(longer) > WORD_BYTES) words.push(character)
    else words[words.length - 1] = longer
  }
  return words.map(word => `=?utf-8?B?${Buffer.from(word).toString('base64')}?=`).join('\r\n ')
}
