import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { readNumber } from '../../policy/watermark.js'
import { fileContent } from '../../runtime/file-content.js'
import { name, text } from '../../runtime/input.js'
import { readOperation } from '../../runtime/operation.js'
import type { ReadRequest } from '../../runtime/request.js'
import { findWatermarks, type KnownWatermark } from '../../storage/queries/watermarks.js'
import { provedAddress } from '../recipient-address.js'
import { titlesOf } from './access-log.js'

const copy = z
  .object({
    number: z.string().meta({ description: 'The number of the copy.' }),
    state: z.enum(['valid', 'invalid']).meta({
      description: '`invalid` if the link was revoked and the deletion of its copies was asked for.',
    }),
    invalidSince: z.string().nullable().meta({ description: 'Since when it is invalid; null if it is not.' }),
    of: z
      .enum(['download', 'display'])
      .meta({ description: 'Whether it is a copy that was downloaded, or what a session displayed.' }),
    link: z.string().meta({ description: 'The link it came from, by its id.' }),
    linkName: z.string().meta({ description: 'The name of the link.' }),
    linkRevokedAt: z.string().nullable().meta({ description: 'When the link was revoked; null if not.' }),
    session: z.string().meta({ description: 'The session it came from, by its id.' }),
    recipient: z
      .string()
      .nullable()
      .meta({ description: 'Whose session that was, as far as they proved it; null if they did not.' }),
    document: z
      .string()
      .nullable()
      .meta({ description: 'The document, by its id; null for what was displayed.' }),
    title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
    at: z.string().meta({ description: 'When the copy was made, or the session opened.' }),
  })
  .meta({ id: 'WatermarkedCopy', description: 'Where a copy that was found came from.' })

/** Tells which link, session, person and time a copy came from, by the numbers on it (ST-4). */
export const checkWatermark = readOperation({
  name: 'watermarks.check',
  route: 'POST /watermarks/check',
  summary: 'Find out where a copy of a shared document came from',
  sample: world => ({ number: world.pick(['PV-00000-00000-00000', 'PV-7K3M9-QXD2T-WBCPE']) }),
  callers: 'owner',
  needsWholeSight: { otherwise: { numbers: [], copies: [], unknown: [] } },
  input: z.strictObject({
    number: text(200)
      .optional()
      .meta({ description: 'A number as it is printed on a page.', example: 'PV-7K3M9-QXD2T-WBCPE' }),
    content: fileContent
      .optional()
      .meta({ description: 'The file that was found, in base64.', example: 'JVBERi0xLjcK' }),
    document: name.optional().meta({ description: 'The name of that file.', example: 'found.pdf' }),
  }),
  output: z.object({
    numbers: z.array(z.string()).meta({ description: 'The numbers that are on it.' }),
    copies: z.array(copy).meta({ description: 'The copies that have these numbers, oldest first.' }),
    unknown: z.array(z.string()).meta({ description: 'Numbers that are none of your links’.' }),
  }),
  async run(request, asked) {
    const numbers = numbersOf(request, asked)
    const found = await findWatermarks(
      request.tx,
      request.tenant,
      [...request.parts.identity.principals],
      numbers,
    )
    const documents = [...new Set(found.flatMap(({ recordId }) => recordId ?? []))].sort()
    const titles = await titlesOf(request, documents)
    const known = new Set(found.map(({ number }) => number))
    return {
      numbers,
      copies: found.map(row => viewCopy(request, row, titles)),
      unknown: numbers.filter(number => !known.has(number)),
    }
  },
})

function numbersOf(
  request: ReadRequest,
  {
    number,
    content,
    document = '',
  }: { number?: string | undefined; content?: string | undefined; document?: string | undefined },
): string[] {
  if ((number === undefined) === (content === undefined))
    throw new PrivityError('invalid_input', 'give either a number or the content of a file')
  if (number !== undefined) {
    const read = readNumber(number)
    if (read === null)
      throw new PrivityError(
        'invalid_input',
        'number: must be the number of a watermark, for example PV-7K3M9-QXD2T-WBCPE; check each digit',
      )
    return [read]
  }
  const { prepared, extraction, party } = request.parts
  const bytes = Buffer.from(content ?? '', 'base64')
  const answer = prepared.of('numbers on a file', () => extraction.findMarks(bytes, document, party))
  if ('problem' in answer) throw new PrivityError('invalid_input', `content: the file ${answer.message}`)
  return [...answer.numbers]
}

function viewCopy(
  { parts }: ReadRequest,
  row: KnownWatermark,
  titles: ReadonlyMap<string, string | null>,
): z.input<typeof copy> {
  return {
    number: row.number,
    state: row.invalidAt === null ? 'valid' : 'invalid',
    invalidSince: row.invalidAt?.toISOString() ?? null,
    of: row.downloadId === null ? 'display' : 'download',
    link: row.linkId,
    linkName: row.linkName,
    linkRevokedAt: row.linkRevokedAt?.toISOString() ?? null,
    session: row.profileId,
    recipient: row.recipientName ?? provedAddress(parts, row),
    document: row.recordId,
    title: row.recordId === null ? null : (titles.get(row.recordId) ?? null),
    at: row.at.toISOString(),
  }
}
