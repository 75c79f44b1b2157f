import { z } from 'zod'
import { linkId, nextCursor } from '../../runtime/fields.js'
import { listNewestFirst, pageInput } from '../../runtime/list-newest-first.js'
import { readOperation } from '../../runtime/operation.js'
import { shownTitle } from '../../runtime/preview.js'
import { absent, type ReadRequest } from '../../runtime/request.js'
import { questionSealContext } from '../../runtime/search/receipt.js'
import {
  type AccessRow,
  countAccesses,
  listAccesses,
  loadCards,
  loadOwnTitles,
} from '../../storage/queries/access-log.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { setRole } from '../../storage/queries/set-role.js'
import { findLinks, type LinkRow } from '../../storage/queries/share-links.js'
import { provedAddress } from '../recipient-address.js'
import { writeCsv } from '../write-csv.js'

const access = z
  .object({
    at: z.string().meta({ description: 'When it was asked.' }),
    session: z
      .string()
      .nullable()
      .meta({ description: 'The session, by its id; null for whoever was not let in.' }),
    recipient: z
      .string()
      .nullable()
      .meta({ description: 'Who that is, as far as they proved it; null if they did not.' }),
    operation: z.string().meta({ description: 'The operation, by its name.' }),
    outcome: z
      .string()
      .meta({ description: 'How the request ended: `ok`, or a code of refusal or failure.' }),
    reason: z.string().nullable().meta({ description: 'The reason code; null if there is none.' }),
    documents: z
      .array(
        z.object({
          document: z.string().meta({ description: 'The document, by its id.' }),
          title: z.string().nullable().meta({ description: 'Its title; null if it has none.' }),
        }),
      )
      .meta({ description: 'What was shown or taken.' }),
    viewed: z
      .boolean()
      .meta({ description: 'Whether the text of documents was read, which counts as one view.' }),
    query: z.string().nullable().meta({
      description:
        'What was searched for, if a `transcript_retention_policy` of the link keeps searches; null if not.',
    }),
    watermarks: z.array(z.string()).meta({ description: 'The numbers on the copies that were taken.' }),
    others: z
      .int()
      .meta({ description: 'Number of more documents that the reader does not see, or that are no more.' }),
  })
  .meta({ id: 'AccessLogEntry', description: 'What a recipient of a share link did.' })

const logged = {
  entries: z.array(access).meta({ description: 'What was done, newest first.' }),
  cursor: nextCursor,
}

/** Operations that show or download documents. The references of other entries are not documents. */
const SHOWS_DOCUMENTS = /^(?:search|document_view|document_download|views)\./

/** Log entries with those documents that the reader of the log may see (NI-6). */
async function describe(
  request: ReadRequest,
  found: readonly AccessRow[],
  link: LinkRow | null = null,
): Promise<z.input<typeof access>[]> {
  const rows = found.map(row => (SHOWS_DOCUMENTS.test(row.operation) ? row : { ...row, refs: [] }))
  const shown = [...new Set(rows.flatMap(({ refs }) => refs))].sort()
  const cards = await cardsOf(request, shown)
  const titles = await titlesOf(request, [...new Set([...shown, ...cards.values()])].sort())
  // A card that this reader does not see is as one that is not there: the piece then stands for itself (NI-6).
  const documentOf = (ref: string) => {
    const card = cards.get(ref)
    return card !== undefined && titles.has(card) ? card : ref
  }
  return rows.map(row => {
    // Whatever pieces of it were shown, it is one document.
    const refs = [...new Set(row.refs.map(documentOf))].sort()
    const documents = refs.flatMap(ref => {
      const title = titles.get(ref)
      return title === undefined ? [] : [{ document: ref, title }]
    })
    return {
      at: row.createdAt.toISOString(),
      session: row.profileId,
      recipient: link === null ? null : whoCame(request, row, link),
      operation: row.operation,
      outcome: row.outcome,
      reason: row.reason,
      documents,
      viewed: row.viewed,
      query: link === null ? null : queryOf(request, row),
      watermarks: [...row.watermarks],
      others: refs.length - documents.length,
    }
  })
}

/** The documents that pieces are of, by the piece. */
async function cardsOf(request: ReadRequest, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { tx, tenant, role } = request
  await setRole(tx, 'privity_writer')
  const rows = await loadCards(tx, tenant, ids)
  await setRole(tx, role)
  return new Map(rows.map(({ chunk, card }) => [chunk, card]))
}

function queryOf({ parts }: ReadRequest, { searchRunId, question }: AccessRow): string | null {
  if (searchRunId === null || question === null) return null
  const asked: { query?: unknown } = JSON.parse(
    parts.secrets.open(question, questionSealContext(searchRunId)),
  )
  return typeof asked.query === 'string' ? asked.query : null
}

/** Who is in a session, as far as they proved it. */
function whoCame({ parts }: ReadRequest, row: AccessRow, { linkId, recipientEmail }: LinkRow): string | null {
  const { profileId, recipientName, ownEmail } = row
  if (profileId === null) return null
  return recipientName ?? provedAddress(parts, { profileId, linkId, ownEmail, linkEmail: recipientEmail })
}

/** Titles of the documents that a reader may know of; null if a document has no title or does not show it. */
export async function titlesOf(
  request: ReadRequest,
  ids: readonly string[],
): Promise<Map<string, string | null>> {
  const { tx, tenant } = request
  const titles = new Map<string, string | null>()
  // An unrestricted owner may learn what was seen even if it was replaced since; a gate would hide that.
  if (request.seesEverything) {
    await setRole(tx, 'privity_writer')
    const owners = [...request.parts.identity.principals]
    for (const { id, title } of await loadOwnTitles(tx, tenant, owners, ids)) titles.set(id, title)
    await setRole(tx, request.role)
  }
  for (const { row, level } of await request.decide(await fetchRecords(tx, tenant, ids))) {
    if (level === 'none') continue
    request.showRow(row, level)
    if (!titles.has(row.id)) titles.set(row.id, shownTitle(row, level))
  }
  return titles
}

/** Lists what happened through a link: who saw and downloaded what and when, and what was refused (ST-1). */
export const linkAccessLog = readOperation({
  name: 'links.access_log',
  route: 'GET /links/:link/accesses',
  summary: 'See what was searched, shown and taken by a link',
  sample: world => ({ link: world.madeOrOther('link'), limit: world.pick([1, 50]) }),
  callers: 'owner',
  needsWholeSight: 'absent',
  input: z.strictObject({ ...pageInput, link: linkId }),
  output: z.object({
    ...logged,
    auditVisibility: z
      .string()
      .meta({ description: "Who may read the entries; the totals are always the host's to read." }),
    totals: z
      .object({
        sessions: z.int().meta({ description: 'Number of sessions.' }),
        searches: z.int().meta({ description: 'Number of searches.' }),
        views: z.int().meta({ description: 'Number of requests that read the text of documents.' }),
        downloads: z.int().meta({ description: 'Number of downloads.' }),
        refused: z.int().meta({ description: 'Number of requests that were refused.' }),
      })
      .meta({ description: 'How much the link was used.' }),
  }),
  async run(request, { link, limit, cursor }) {
    const { tx, tenant } = request
    const [row] = await findLinks(tx, tenant, [...request.parts.identity.principals], [link])
    if (row === undefined) throw absent()
    const totals = await countAccesses(tx, tenant, link)
    const { auditVisibility } = row
    if (auditVisibility === 'session_local') return { entries: [], cursor: null, auditVisibility, totals }
    const found = await listNewestFirst(
      request,
      ['links.access_log', link],
      { limit, cursor },
      (before, most) => listAccesses(tx, tenant, { link, profile: null }, before, most),
      one => one,
    )
    const entries = await describe(request, found.rows, row)
    return { entries, cursor: found.cursor, auditVisibility, totals }
  },
})

/** How many lines an export holds at most: the newest. */
const MOST_EXPORTED = 10_000

/** The log of a link as a table, for a spreadsheet. */
export const exportAccessLog = readOperation({
  name: 'links.export_log',
  route: 'GET /links/:link/accesses/csv',
  summary: 'Export the log of a share link as CSV',
  positional: ['link'],
  sample: world => ({ link: world.madeOrOther('link') }),
  callers: 'owner',
  needsWholeSight: 'absent',
  input: z.strictObject({ link: linkId }),
  output: z.object({
    fileName: z.string().meta({ description: 'A name for the file.' }),
    csv: z.string().meta({ description: 'The lines of the log, newest first, with a header (RFC 4180).' }),
    lines: z.int().meta({ description: 'Number of lines without the header.' }),
    truncated: z.boolean().meta({ description: 'Whether older lines were left out.' }),
  }),
  async run(request, { link }) {
    const { tx, tenant } = request
    const [row] = await findLinks(tx, tenant, [...request.parts.identity.principals], [link])
    if (row === undefined) throw absent()
    const found =
      row.auditVisibility === 'session_local'
        ? []
        : await listAccesses(tx, tenant, { link, profile: null }, null, MOST_EXPORTED + 1)
    const entries = await describe(request, found.slice(0, MOST_EXPORTED), row)
    const table = entries.map(one => [
      one.at,
      one.session,
      one.recipient,
      one.operation,
      one.outcome,
      one.reason,
      one.viewed ? 'yes' : 'no',
      one.query,
      one.documents.map(({ document }) => document).join(' '),
      one.documents.map(({ title }) => title ?? '').join('; '),
      one.watermarks.join(' '),
    ])
    return {
      fileName: `link-${link}.csv`,
      csv: writeCsv([CSV_HEADER, ...table]),
      lines: entries.length,
      truncated: found.length > MOST_EXPORTED,
    }
  },
})

const CSV_HEADER = [
  'at',
  'session',
  'recipient',
  'operation',
  'outcome',
  'reason',
  'read',
  'query',
  'documents',
  'titles',
  'watermarks',
]

/** Lists what the caller's own profile did, for recipients whose link allows them to read it. */
export const ownAccessLog = readOperation({
  name: 'profiles.log',
  route: 'GET /session/log',
  summary: 'See what your session searched, was shown and took',
  policies: ['recipient'],
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'anyone',
  input: z.strictObject(pageInput),
  output: z.object(logged),
  async run(request, { limit, cursor }) {
    const { profile } = request.parts
    if (profile?.link == null || profile.link.auditVisibility === 'host_only')
      return { entries: [], cursor: null }
    const found = await listNewestFirst(
      request,
      ['profiles.log'],
      { limit, cursor },
      (before, most) =>
        listAccesses(
          request.tx,
          request.tenant,
          { link: null, profile: profile.row.profileId },
          before,
          most,
        ),
      one => one,
    )
    // The reason for a refusal is not for everybody to read (RS-2).
    const entries = (await describe(request, found.rows)).map(entry => ({ ...entry, reason: null }))
    return { entries, cursor: found.cursor }
  },
})
