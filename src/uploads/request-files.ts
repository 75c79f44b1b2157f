import { name, text } from '../runtime/input.js'
import { writeOperation } from '../runtime/operation.js'
import { grantedLink, grantLinkTo, requireLink } from '../sharing/operations/links.js'
import {
  DEFAULT_RATE_LIMITS,
  LINK_SENSITIVITY,
  newLink,
  rateLimitFields,
  viewLink,
} from '../sharing/share-link.js'
import { folderToFileUnder, RECEIVED_FILES } from './filing-place.js'

/** What a sender may do: nothing but send. */
const UPLOAD_ONLY = [{ kind: 'namespace_all', namespace: 'upload' } as const]

/** More than by a link that shows something: files are what this one is for. */
const MAX_UPLOADS_PER_DAY = 100

/** How senders prove who they are and how long it lasts are the terms of any link. */
const terms = newLink.pick({
  hostSession: true,
  recipientEmail: true,
  passcode: true,
  approvedName: true,
  allowList: true,
  denyList: true,
  agreement: true,
  expiresAt: true,
  sessionSeconds: true,
  sessionIdleSeconds: true,
  notices: true,
})

/** Grants a link that shows nothing and only takes files in (ST-12). */
export const requestFiles = writeOperation({
  name: 'links.request_files',
  route: 'POST /file-requests',
  summary: 'Ask somebody outside for files, by a link that only takes files in',
  answeredOnce: true,
  sample: world => ({
    name: world.word(),
    message: world.word(),
    ...world.maybe(0.3, { corpus: world.corpus(), folder: 'sent in' }),
  }),
  callers: 'owner',
  effects: ['share_link_grant'],
  reversibility: 'irreversible_external_effect',
  changesFacts: true,
  input: terms.extend({
    name: name.meta({ description: 'A name for it, which only you see.', example: 'Tax papers of Berg' }),
    message: text(2_000)
      .default('')
      .meta({ description: 'What you ask for. The sender sees it.', example: 'Please send your payslips.' }),
    corpus: name
      .default(RECEIVED_FILES)
      .meta({ description: 'The collection that files are filed in.', example: 'Tax 2026' }),
    folder: folderToFileUnder
      .optional()
      .meta({ description: 'The folder of the collection to file them in.', example: 'Berg/payslips' }),
    recipientIdentityMode: newLink.shape.recipientIdentityMode
      .default('anonymous_share_token')
      .meta({ description: 'How a sender proves who they are.' }),
    maxUploadsPerDay: rateLimitFields.maxUploadsPerDay.default(MAX_UPLOADS_PER_DAY),
    externalUploadFileSafetyControlsRef:
      newLink.shape.policyRefs.unwrap().shape.externalUploadFileSafetyControlsRef,
  }),
  output: grantedLink,
  async run(request, asked) {
    const {
      message,
      corpus,
      folder = null,
      maxUploadsPerDay,
      externalUploadFileSafetyControlsRef,
      ...rest
    } = asked
    const { views: _, ...granted } = await grantLinkTo(
      request,
      {
        ...rest,
        views: [],
        allowedActions: UPLOAD_ONLY,
        rateLimits: { ...DEFAULT_RATE_LIMITS, maxUploadsPerDay },
        // Nothing leaves by it.
        watermarkDownloads: false,
        auditVisibility: 'both',
        policyRefs: { externalUploadFileSafetyControlsRef },
        maxSensitivity: LINK_SENSITIVITY,
      },
      { message, corpus, folder },
    )
    return granted
  },
  async replay(request, [link = '']) {
    return { link: viewLink(request, await requireLink(request, link)), token: null }
  },
})
