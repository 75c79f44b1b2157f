import { createHash } from 'node:crypto'
import { z } from 'zod'
import { documentName, EMPTY_FILE } from '../documents/file-input.js'
import { PrivityError } from '../errors.js'
import { disclose } from '../policy/reason-codes.js'
import {
  DEFAULT_UPLOAD_CONTROLS,
  strictestControls,
  type UploadControls,
  type UploadFailure,
  type UploadInspection,
} from '../policy/upload-controls.js'
import { nextCursor } from '../runtime/fields.js'
import { fileContent } from '../runtime/file-content.js'
import { text } from '../runtime/input.js'
import { listNewestFirst, pageInput } from '../runtime/list-newest-first.js'
import { readOperation, writeOperation } from '../runtime/operation.js'
import { attachReason } from '../runtime/refusal.js'
import { absent, type WriteRequest } from '../runtime/request.js'
import { tellHost, whoIsIn } from '../sharing/tell-host.js'
import { loadOpenableLink } from '../storage/queries/share-links.js'
import { findCardsOfBytes, insertUpload, listUploads, wasSentBefore } from '../storage/queries/uploads.js'

const sent = z
  .object({
    upload: z.string().meta({ description: 'The id of the upload.' }),
    fileName: z.string().meta({ description: 'The name of the file.' }),
    state: z.string().meta({
      description: '`received`, `quarantined` until the host has looked at it, `filed` or `discarded`.',
    }),
    size: z.int().meta({ description: 'Its size in bytes.' }),
    mediaType: z.string().meta({ description: 'Its type, by its bytes.' }),
    warnings: z.array(z.string()).meta({
      description:
        'What the checks noticed: `active_content_detected`, `upload_duplicate_detected` and the like.',
    }),
    createdAt: z.string().meta({ description: 'When it was sent.' }),
  })
  .meta({ id: 'SentFile', description: 'A file that was sent in by a link.' })

/**
 * Takes a file in from a recipient. Its checks come first, in a process of their own: nothing else sees a byte of a file
 * that does not pass (ST-7).
 */
export const sendUpload = writeOperation({
  name: 'upload.send',
  route: 'POST /uploads',
  summary: 'Send a file to whoever shared a link with you',
  policies: ['recipient'],
  sample: world => ({
    document: `${world.key}.txt`,
    content: Buffer.from(`sent in: ${world.word()}`).toString('base64'),
  }),
  callers: 'anyone',
  rate: 'upload',
  effects: ['file_uploaded'],
  reversibility: 'compensating_operation_only',
  changesFacts: false,
  input: z.strictObject({
    document: documentName.refine(value => !/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(value), {
      message: 'must not contain characters that change the direction of writing',
    }),
    content: fileContent.meta({ description: 'The file in base64.', example: 'VGhlIHRlcm1zLg==' }),
    mediaType: text(200)
      .optional()
      .meta({ description: 'What you say it is. It is refused if it is not.', example: 'application/pdf' }),
    message: text(2_000).optional().meta({ description: 'A few words with it.', example: 'As promised.' }),
  }),
  output: sent.extend({
    duplicateOf: z.string().nullable().meta({
      description: 'A document that you can see and that is the same, by its id; null if there is none.',
    }),
  }),
  async run(request, { document, content, mediaType: declaredType = null, message = '' }) {
    const { tx, tenant, now, parts } = request
    const profile = parts.profile
    if (profile?.link == null) throw absent()
    const { linkId } = profile.link
    const bytes = Buffer.from(content, 'base64')
    if (bytes.length === 0) throw new PrivityError('invalid_input', EMPTY_FILE)
    const controls = controlsOf(request)
    const found = inspect(request, bytes, document, declaredType, controls)
    const state = stateAfter(request, found.failure, controls)
    const link = await loadOpenableLink(tx, tenant, linkId)
    if (link === undefined) throw absent()
    const kept = found.stripped ?? bytes
    const sha256 = createHash('sha256').update(kept).digest()
    const duplicate = controls.localDuplicateCheck
      ? await findDuplicate(request, link.owner, sha256)
      : { isKnown: false, visible: null }
    const warnings = [
      ...(found.failure === null ? [] : [found.failure]),
      ...(found.hasActiveContent && found.stripped === null && controls.activeContentMacroWarning
        ? ['active_content_detected']
        : []),
      ...(duplicate.isKnown ? ['upload_duplicate_detected'] : []),
    ]
    const row = {
      id: parts.clock.newId('upload'),
      owner: link.owner,
      linkId,
      profileId: profile.row.profileId,
      name: document,
      declaredType,
      mediaType: found.mediaType,
      message,
      size: kept.length,
      sha256,
      state,
      failure: found.failure,
      warnings,
      createdAt: now,
    }
    await insertUpload(tx, tenant, row, kept)
    await tellHost(request, link, {
      event: 'uploaded',
      who: whoIsIn(request, link),
      refs: { upload: row.id },
      isAlert: state === 'quarantined',
    })
    return { output: { ...viewSent(row), duplicateOf: duplicate.visible }, refs: [row.id] }
  },
  async replay(request, [uploadId = '']) {
    const { tx, tenant, parts } = request
    const profile = parts.profile?.row.profileId ?? null
    const filter = { owners: null, profile, link: null, state: null }
    const rows = profile === null ? [] : await listUploads(tx, tenant, filter, null, 1_000)
    const row = rows.find(({ id }) => id === uploadId)
    if (row === undefined) throw absent()
    return { ...viewSent(row), duplicateOf: null }
  },
})

/** The controls of the session: those of 002, and whatever its profiles name. One that is not there lets nothing in. */
function controlsOf({ parts }: WriteRequest): UploadControls {
  const named = parts.profile?.policies.all('external_upload_file_safety_controls') ?? []
  const [first, ...rest] = named.map(
    controls => controls ?? { ...DEFAULT_UPLOAD_CONTROLS, maxFileSizeBytes: 0 },
  )
  return first === undefined ? DEFAULT_UPLOAD_CONTROLS : strictestControls([first, ...rest])
}

function inspect(
  { parts }: WriteRequest,
  bytes: Uint8Array,
  name: string,
  declaredType: string | null,
  controls: UploadControls,
): UploadInspection {
  const answer = parts.prepared.of(JSON.stringify(['upload', controls]), () =>
    parts.extraction.inspectUpload(bytes, name, declaredType, controls, parts.party),
  )
  if (!('problem' in answer)) return answer
  // Whatever breaks the process that looks at it is no file to let in.
  const failure = answer.problem === 'too_large' ? 'file_size_exceeds_cap' : 'decompression_bomb_detected'
  return { mediaType: 'application/octet-stream', failure, hasActiveContent: false, stripped: null }
}

/** What becomes of a file after its checks; throws if it is rejected. */
function stateAfter(
  { parts }: WriteRequest,
  failure: UploadFailure | null,
  { onSafetyFailure }: UploadControls,
): 'received' | 'quarantined' {
  if (failure === null) return 'received'
  switch (onSafetyFailure) {
    case 'warn_recipient_proceed_anyway':
      return 'received'
    case 'quarantine_and_alert_host':
      return 'quarantined'
    case 'reject_with_reason': {
      const { text: why } = disclose(failure, 'other', parts.tenantFacts.reasonCodes)
      const reason = 'upload_safety_failed'
      throw attachReason(
        new PrivityError('not_allowed', why, { reason, details: { check: failure } }),
        reason,
      )
    }
  }
}

/** Whether the recipient sent this before or sees it. What they do not see is not told (NI-6). */
async function findDuplicate(
  request: WriteRequest,
  owner: string,
  sha256: Uint8Array,
): Promise<{ isKnown: boolean; visible: string | null }> {
  const { tx, tenant, parts } = request
  const wasSent = await wasSentBefore(tx, tenant, parts.profile?.row.profileId ?? '', sha256)
  const cards = await findCardsOfBytes(tx, tenant, owner, sha256)
  const decided = await request.fetchVisible(cards)
  const visible = cards.find(card => decided.get(card)?.level === 'full') ?? null
  const row = visible === null ? undefined : decided.get(visible)
  if (row !== undefined) request.showRow(row.row, row.level)
  return { isKnown: wasSent || visible !== null, visible }
}

/** Lists what the caller's own session has sent in. */
export const listSent = readOperation({
  name: 'upload.list',
  route: 'GET /session/uploads',
  summary: 'List the files that your session sent in',
  policies: ['recipient'],
  sample: world => ({ limit: world.pick([1, 50]) }),
  callers: 'anyone',
  input: z.strictObject(pageInput),
  output: z.object({
    uploads: z.array(sent).meta({ description: 'The files, newest first.' }),
    cursor: nextCursor,
  }),
  async run(request, { limit, cursor }) {
    const profile = request.parts.profile?.row
    if (profile?.linkId == null) return { uploads: [], cursor: null }
    const filter = { owners: null, profile: profile.profileId, link: null, state: null }
    const found = await listNewestFirst(
      request,
      ['upload.list'],
      { limit, cursor },
      (before, most) => listUploads(request.tx, request.tenant, filter, before, most),
      row => ({ createdAt: row.createdAt, id: row.id }),
    )
    return { uploads: found.rows.map(viewSent), cursor: found.cursor }
  },
})

function viewSent(row: {
  readonly id: string
  readonly name: string
  readonly state: string
  readonly size: number
  readonly mediaType: string
  readonly warnings: readonly string[]
  readonly createdAt: Date
}): z.input<typeof sent> {
  return {
    upload: row.id,
    fileName: row.name,
    state: row.state,
    size: row.size,
    mediaType: row.mediaType,
    warnings: [...row.warnings],
    createdAt: row.createdAt.toISOString(),
  }
}
