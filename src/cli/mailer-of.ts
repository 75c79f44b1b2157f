import type { Mailer } from '../mail/mailer.js'
import type { OpenOptions } from '../open.js'
import { UsageError } from './usage-error.js'

type Environment = Readonly<Record<string, string | undefined>>

/** How mail is sent, and through what in words. */
export interface ConfiguredMailer {
  readonly mailer: Mailer
  readonly through: string
}

/** Mail goes through the SMTP server that is named, or into the folder; with neither there is no mail. */
export async function mailerOf({
  PRIVITY_SMTP_URL: url,
  PRIVITY_MAIL_FROM: from,
  PRIVITY_MAIL_FOLDER: folder,
}: Environment): Promise<ConfiguredMailer | null> {
  if (folder === '') throw new UsageError('PRIVITY_MAIL_FOLDER must name a folder')
  if (url !== undefined && folder !== undefined)
    throw new UsageError('set PRIVITY_SMTP_URL or PRIVITY_MAIL_FOLDER, not both')
  if (url !== undefined) {
    if (from === undefined || from === '')
      throw new UsageError('PRIVITY_MAIL_FROM must be the address that mail is sent from')
    const { smtpMailer } = await import('../mail/smtp-mailer.js')
    return { mailer: smtpMailer({ url, from }), through: new URL(url).host }
  }
  if (folder === undefined) return null
  const { folderMailer } = await import('../mail/folder-mailer.js')
  return { mailer: folderMailer(folder), through: `the folder ${folder}` }
}

export async function mailOption(env: Environment): Promise<Pick<OpenOptions, 'mail'>> {
  const configured = await mailerOf(env)
  return configured === null ? {} : { mail: { mailer: configured.mailer } }
}
