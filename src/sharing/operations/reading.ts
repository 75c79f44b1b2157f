import { z } from 'zod'
import { deliver, requireDelivery } from '../../runtime/deliver.js'
import { linkId } from '../../runtime/fields.js'
import { id } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import { absent } from '../../runtime/request.js'
import { noteProfileUse } from '../../storage/queries/profiles.js'
import { addReadings, listReadings } from '../../storage/queries/readings.js'
import { findLinks } from '../../storage/queries/share-links.js'
import { provedAddress } from '../recipient-address.js'
import { titlesOf } from './access-log.js'

const MOST_PAGES = 2_000
const page = z.int().min(0).max(100_000).meta({ description: 'The page; 0 for the text.', example: 1 })

/**
 * Notes how long a recipient looked at the pages of a document. It is what their page tells, and counts as use of the
 * session (ST-11).
 */
export const noteReading = writeOperation({
  name: 'document_view.reading',
  route: 'POST /documents/:document/reading',
  summary: 'Record how long the pages of a shared document were on screen',
  method: 'documents.noteReading',
  policies: ['recipient'],
  sample: world => ({ document: world.record(), pages: [{ page: 1, seconds: 5 }] }),
  callers: 'anyone',
  effects: ['reading_noted'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    document: id.meta({ description: 'A document that is shared with you, by its id.' }),
    pages: z
      .array(
        z.strictObject({
          page,
          seconds: z.int().min(1).max(3_600).meta({ description: 'Seconds on screen.', example: 5 }),
        }),
      )
      .min(1)
      .max(MOST_PAGES)
      .meta({ description: 'How long each page was on screen since it was last told.' }),
  }),
  output: z.object({ noted: z.boolean().meta({ description: 'Whether it was noted.' }) }),
  async run(request, { document, pages }) {
    const { tx, tenant, now, parts } = request
    requireDelivery(request, 'text')
    const found = (await request.fetchVisible([document])).get(document)
    const { profile } = parts
    if (found === undefined || deliver(request, found.row, found.level, 'text') === null) throw absent()
    if (profile?.link == null) throw absent()
    const seconds = new Map<number, number>()
    for (const one of pages) seconds.set(one.page, (seconds.get(one.page) ?? 0) + one.seconds)
    const told = [...seconds].map(([number, total]) => ({ page: number, seconds: total }))
    const { profileId } = profile.row
    const { linkId: of, sessionIdleSeconds } = profile.link
    await addReadings(tx, tenant, { profileId, linkId: of, recordId: document }, told, now)
    if (sessionIdleSeconds !== null)
      await noteProfileUse(tx, tenant, profileId, new Date(now.getTime() + sessionIdleSeconds * 1_000))
    return { output: { noted: true }, refs: [document] }
  },
  replay: async () => ({ noted: true }),
})

const reading = z
  .object({
    session: z.string().meta({ description: 'The session, by its id.' }),
    recipient: z
      .string()
      .nullable()
      .meta({ description: 'Who that is, as far as they proved it; null if they did not.' }),
    document: z.string().meta({ description: 'The document, by its id.' }),
    title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
    seconds: z.int().meta({ description: 'Seconds on screen, all pages together.' }),
    pages: z
      .array(
        z.object({ page, seconds: z.int().meta({ description: 'Seconds that the page was on screen.' }) }),
      )
      .meta({ description: 'The same by page, in order.' }),
    lastAt: z.string().meta({ description: 'When it was last on screen.' }),
  })
  .meta({ id: 'LinkReading', description: 'How long a recipient looked at a document.' })

/** Lists how long recipients of a link looked at which pages, as their pages told it (ST-11). */
export const linkReadings = readOperation({
  name: 'links.readings',
  route: 'GET /links/:link/readings',
  summary: 'See how long recipients looked at which pages',
  positional: ['link'],
  sample: world => ({ link: world.madeOrOther('link') }),
  callers: 'owner',
  needsWholeSight: 'absent',
  input: z.strictObject({ link: linkId }),
  output: z.object({
    readings: z
      .array(reading)
      .meta({ description: 'By session and document, longest first; at most 1,000.' }),
  }),
  async run(request, { link }) {
    const { tx, tenant, parts } = request
    const [row] = await findLinks(tx, tenant, [...parts.identity.principals], [link])
    if (row === undefined) throw absent()
    // What recipients did is not for a host who left it to them (ST-1).
    const found = row.auditVisibility === 'session_local' ? [] : await listReadings(tx, tenant, link, 1_000)
    const titles = await titlesOf(request, [...new Set(found.map(({ recordId }) => recordId))].sort())
    return {
      readings: found.flatMap(({ profileId, recipientName, ownEmail, recordId, ...one }) => {
        const title = titles.get(recordId)
        if (title === undefined) return []
        const session = { profileId, linkId: link, ownEmail, linkEmail: row.recipientEmail }
        return {
          session: profileId,
          recipient: recipientName ?? provedAddress(parts, session),
          document: recordId,
          title,
          seconds: one.seconds,
          pages: [...one.pages],
          lastAt: one.lastAt.toISOString(),
        }
      }),
    }
  },
})
