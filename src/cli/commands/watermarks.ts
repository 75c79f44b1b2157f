import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { PrivityError } from '../../errors.js'
import type { Command } from '../command.js'
import { formatMoment, toOneLine } from '../output/text.js'
import { UsageError } from '../usage-error.js'

const watermarkCheck: Command = {
  name: 'watermark check',
  summary: 'Find out where a copy of a shared document came from',
  arguments: [{ name: 'file', optional: true }],
  options: {
    number: { type: 'text', value: 'NUMBER', describe: 'the number printed on a page, instead of a file' },
  },
  examples: [
    { line: 'watermark check found.pdf', does: 'whose copy this file is' },
    {
      line: 'watermark check --number PV-7K3M9-QXD2T-WBCPE',
      does: 'whose copy a printed or scanned page is of',
    },
  ],
  needs: 'access',
  completesFiles: true,
  async run({ args, options, open, terminal }) {
    const [file] = args
    const number = options.text('number')
    if ((file === undefined) === (number === undefined))
      throw new UsageError('give a file, or --number with the number printed on a page', 'watermark check')
    const asked =
      file === undefined
        ? { number: number ?? '' }
        : {
            content: (
              await readFile(file).catch(() => {
                throw new PrivityError('invalid_input', `${file} cannot be read`)
              })
            ).toString('base64'),
            document: basename(file),
          }
    const { handle } = await open()
    const found = await handle.watermarks.check(asked)
    if (terminal.json) return terminal.document(found)
    if (found.numbers.length === 0)
      return terminal.line(
        'No watermark found. If a number is printed on the page, check it with --number PV-…',
      )
    for (const copy of found.copies) {
      terminal.line(
        `${copy.number} ${copy.state === 'valid' ? 'valid' : 'INVALID: its deletion was asked for'}`,
      )
      const say = (name: string, value: string | null) =>
        value === null ? undefined : terminal.line(`  ${name.padEnd(10)}${toOneLine(value)}`)
      say('recipient', copy.recipient)
      say('document', copy.title ?? copy.document)
      say(copy.of === 'download' ? 'downloaded' : 'displayed', formatMoment(copy.at))
      say('link', `${copy.linkName} (${copy.link})`)
      say('session', copy.session)
      say('revoked', copy.linkRevokedAt && formatMoment(copy.linkRevokedAt))
    }
    for (const number of found.unknown) terminal.line(`${number} is not a copy from any of your links`)
  },
}

export const WATERMARK_COMMANDS: readonly Command[] = [watermarkCheck]
