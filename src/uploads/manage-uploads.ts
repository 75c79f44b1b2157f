import { z } from 'zod'
import { documentName } from '../documents/file-input.js'
import { ingest } from '../documents/operations/ingest.js'
import { PrivityError } from '../errors.js'
import { requireDelivery } from '../runtime/deliver.js'
import { nextCursor } from '../runtime/fields.js'
import { id, name, parse } from '../runtime/input.js'
import { listNewestFirst, pageInput } from '../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../runtime/operation.js'
import { absent, type ReadRequest, type WriteRequest } from '../runtime/request.js'
import { sensitivity, visibilityClass } from '../runtime/vocabulary.js'
import { setRole } from '../storage/queries/set-role.js'
import { findLinks } from '../storage/queries/share-links.js'
import { listUploads, loadUpload, saveUploadState, type UploadRow } from '../storage/queries/uploads.js'
import { nameToFileUnder, RECEIVED_FILES } from './filing-place.js'

const upload = z
  .object({
    upload: z.string().meta({ description: 'The id of the upload.' }),
    link: z.string().meta({ description: 'The link it came by, by its id.' }),
    session: z.string().meta({ description: 'The session that sent it, by its id.' }),
    fileName: z.string().meta({ description: 'The name of the file.' }),
    message: z.string().meta({ description: 'The words that came with it.' }),
    mediaType: z.string().meta({ description: 'Its type, by its bytes.' }),
    declaredType: z.string().nullable().meta({ description: 'Its type, as its sender says; null if not.' }),
    size: z.int().meta({ description: 'Its size in bytes.' }),
    state: z
      .string()
      .meta({ description: '`received`, `quarantined`, `filed` as a document, or `discarded`.' }),
    failure: z.string().nullable().meta({ description: 'The check that it failed; null if none.' }),
    warnings: z.array(z.string()).meta({ description: 'What the checks noticed.' }),
    record: z
      .string()
      .nullable()
      .meta({ description: 'The document that it became, by the id of its card; null if none.' }),
    createdAt: z.string().meta({ description: 'When it was sent.' }),
    decidedAt: z.string().nullable().meta({ description: 'When that was decided; null until then.' }),
  })
  .meta({ id: 'Upload', description: 'A file that somebody outside sent in by a link.' })

const viewUpload = (row: UploadRow): z.input<typeof upload> => ({
  upload: row.id,
  link: row.linkId,
  session: row.profileId,
  fileName: row.name,
  message: row.message,
  mediaType: row.mediaType,
  declaredType: row.declaredType,
  size: row.size,
  state: row.state,
  failure: row.failure,
  warnings: [...row.warnings],
  record: row.recordId,
  createdAt: row.createdAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
})

const ownersOf = ({ parts }: ReadRequest) => [...parts.identity.principals]
const uploadId = id.meta({ description: 'The upload, by its id.' })

/** Lists the files that came by the caller's links. */
export const listUploadsOf = readOperation({
  name: 'uploads.list',
  route: 'GET /uploads',
  summary: 'List the files that were sent in by your links',
  sample: world => ({ limit: world.pick([1, 50]), ...world.maybe(0.3, { link: world.madeOrOther('link') }) }),
  callers: 'owner',
  needsWholeSight: { otherwise: { uploads: [], cursor: null } },
  input: z.strictObject({
    ...pageInput,
    link: id.optional().meta({ description: 'Only what came by this link.' }),
    state: z
      .enum(['received', 'quarantined', 'filed', 'discarded'])
      .optional()
      .meta({ description: 'Only what is in this state.', example: 'quarantined' }),
  }),
  output: z.object({
    uploads: z.array(upload).meta({ description: 'The files, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { link = null, state = null, limit, cursor }) {
    const filter = { owners: ownersOf(request), profile: null, link, state }
    const found = await listNewestFirst(
      request,
      ['uploads.list', link, state],
      { limit, cursor },
      (before, most) => listUploads(request.tx, request.tenant, filter, before, most),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return { uploads: found.rows.map(viewUpload), cursor: found.cursor }
  },
})

/** The bytes of a file that waits, also of one in quarantine: its host looks at it at their own risk. */
export const fetchUpload = readOperation({
  name: 'uploads.fetch',
  route: 'GET /uploads/:upload/content',
  summary: 'Fetch a file that was sent in',
  positional: ['upload'],
  sample: world => ({ upload: world.other() }),
  callers: 'owner',
  needsWholeSight: { otherwise: null },
  input: z.strictObject({ upload: uploadId }),
  output: z
    .object({
      document: z.string().meta({ description: 'The name of the file.' }),
      mediaType: z.string().meta({ description: 'Its type, by its bytes.' }),
      content: z.string().meta({ description: 'The file in base64.' }),
    })
    .nullable(),
  async run(request, { upload: asked }) {
    const { tx, tenant, role } = request
    requireDelivery(request, 'original')
    await setRole(tx, 'privity_writer')
    const row = await loadUpload(tx, tenant, ownersOf(request), asked)
    await setRole(tx, role)
    if (row?.bytes == null) return null
    const content = Buffer.from(row.bytes).toString('base64')
    return { document: row.name, mediaType: row.mediaType, content }
  },
})

async function lockWaiting(
  request: WriteRequest,
  asked: string,
  states: readonly string[],
): Promise<UploadRow & { readonly bytes: Uint8Array }> {
  const row = await loadUpload(request.tx, request.tenant, ownersOf(request), asked, { lock: true })
  if (row === undefined) throw absent()
  const { bytes } = row
  if (!states.includes(row.state) || bytes === null)
    throw new PrivityError('conflict', `this file is ${row.state}, not ${states.join(' or ')}`)
  return { ...row, bytes }
}

async function decided(request: WriteRequest, asked: string): Promise<z.input<typeof upload>> {
  const row = await loadUpload(request.tx, request.tenant, ownersOf(request), asked)
  if (row === undefined) throw absent()
  return viewUpload(row)
}

/** Files an upload as a document of the host, under a label of its own: no recipient sees it unless it is shared. */
export const fileUpload = writeOperation({
  name: 'uploads.file',
  route: 'POST /uploads/:upload/file',
  summary: 'File what was sent in as a document of yours',
  sample: world => ({ upload: world.other() }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['upload_filed', 'document_ingested'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    upload: uploadId,
    corpus: name.optional().meta({
      description:
        'The collection to file it in. Default: the one that its file request names, else `Received files`.',
      example: 'briefs',
    }),
    document: documentName.optional().meta({
      description:
        'The name of the document. Default: that of the file, under the id of the upload, in the folder of its file request.',
      example: 'letter.pdf',
    }),
    sensitivity: sensitivity.optional().meta({ description: 'How sensitive it is. Default: medium.' }),
    visibilityClass: visibilityClass.optional().meta({ description: 'Who may see it at most.' }),
  }),
  output: upload,
  async run(request, { upload: asked, corpus, document, sensitivity, visibilityClass }) {
    const row = await lockWaiting(request, asked, ['received'])
    const [link] = await findLinks(request.tx, request.tenant, [row.owner], [row.linkId])
    const { corpus: wanted = RECEIVED_FILES, folder = null } = link?.fileRequest ?? {}
    const input = parse(ingest.input, {
      document: document ?? nameToFileUnder(folder, row),
      corpus: corpus ?? wanted,
      content: Buffer.from(row.bytes).toString('base64'),
      owner: row.owner,
      ...(sensitivity === undefined ? {} : { sensitivity }),
      ...(visibilityClass === undefined ? {} : { visibilityClass }),
    })
    const { output, refs } = await ingest.run(request, input)
    await saveUploadState(request.tx, request.tenant, row.id, {
      state: 'filed',
      recordId: output.card?.id ?? null,
      at: request.now,
    })
    return { output: await decided(request, row.id), refs: [row.id, row.linkId, row.profileId, ...refs] }
  },
  replay: (request, [asked = '']) => decided(request, asked),
})

/** Lets a file out of quarantine, or throws it away. */
export const decideUpload = writeOperation({
  name: 'uploads.decide',
  route: 'POST /uploads/:upload/decide',
  summary: 'Release a file from quarantine, or discard what was sent in',
  sample: world => ({ upload: world.other(), decision: world.pick(['release', 'discard']) }),
  callers: 'owner',
  needsWholeSight: 'absent',
  effects: ['upload_decided'],
  reversibility: 'irreversible',
  changesFacts: false,
  input: z.strictObject({
    upload: uploadId,
    decision: z.enum(['release', 'discard']).meta({
      description: '`release` takes it out of quarantine; `discard` deletes its bytes.',
      example: 'discard',
    }),
  }),
  output: upload,
  async run(request, { upload: asked, decision }) {
    const states = decision === 'release' ? ['quarantined'] : ['quarantined', 'received']
    const row = await lockWaiting(request, asked, states)
    const state = decision === 'release' ? 'received' : 'discarded'
    await saveUploadState(request.tx, request.tenant, row.id, { state, at: request.now })
    return { output: await decided(request, row.id), refs: [row.id, row.linkId, row.profileId] }
  },
  replay: (request, [asked = '']) => decided(request, asked),
})
