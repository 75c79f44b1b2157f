import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { linkId } from '../../runtime/fields.js'
import { writeOperation } from '../../runtime/operation.js'
import { absent, type WriteRequest } from '../../runtime/request.js'
import { findPreview, loadPreview } from '../../storage/queries/profiles.js'
import { findLinks, type LinkRow } from '../../storage/queries/share-links.js'
import { openPreview } from '../open-profile.js'
import { requireWholeCredential } from '../require-whole-credential.js'
import { isLinkValid } from '../share-link.js'

/** A preview that ends sooner is not worth going on with. */
const LEAST_SECONDS = 600

/** Lets the host of a link look as a recipient would, without being counted as one (DE-8). */
export const previewLink = writeOperation({
  name: 'links.preview',
  route: 'POST /links/:link/preview',
  summary: 'Look at a share link as its recipient would',
  sample: world => ({ link: world.madeOrOther('link') }),
  positional: ['link'],
  callers: 'owner',
  effects: ['share_link_preview'],
  reversibility: 'reversible',
  changesFacts: true,
  needsWholeSight: 'absent',
  input: z.strictObject({ link: linkId }),
  output: z.object({
    profile: z.string().meta({
      description: 'The preview, by its id. Send reads with `as: { profile }` to see what a recipient sees.',
    }),
    expiresAt: z.string().meta({ description: 'When it expires.' }),
  }),
  async run(request, asked) {
    requireWholeCredential(request)
    const link = await requireOpenLink(request, asked.link)
    const until = new Date(request.now.getTime() + LEAST_SECONDS * 1_000)
    const known = await findPreview(request.tx, request.tenant, link.linkId, request.caller.actor, until)
    const { profile, expiresAt } =
      known === undefined
        ? await openPreview(request, link)
        : { profile: known.profileId, expiresAt: known.expiresAt }
    return { output: { profile, expiresAt: expiresAt.toISOString() }, refs: [link.linkId, profile] }
  },
  async replay(request, [, profileId = '']) {
    const known = await loadPreview(request.tx, request.tenant, profileId)
    if (known === undefined) throw absent()
    return { profile: known.profileId, expiresAt: known.expiresAt.toISOString() }
  },
})

async function requireOpenLink(request: WriteRequest, link: string): Promise<LinkRow> {
  const owners = [...request.parts.identity.principals]
  const [row] = await findLinks(request.tx, request.tenant, owners, [link])
  if (row === undefined) throw absent()
  if (!isLinkValid(row, request.now))
    throw new PrivityError(
      'conflict',
      'this link was revoked or has expired, so its recipients see nothing; preview a link that is open',
    )
  return row
}
