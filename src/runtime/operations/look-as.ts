import { z } from 'zod'
import { loadPreview } from '../../storage/queries/profiles.js'
import { LOOK_AS, lookAs, lookAsRecipient, viewer } from '../look-as.js'
import { readOperation } from '../operation.js'
import { audience, sensitivity, visibilityClass } from '../vocabulary.js'

/**
 * Tells what somebody holds whom the caller would look as. Its name is also the capability that any other request with
 * `as` needs (DE-7).
 */
export const describeViewer = readOperation({
  name: LOOK_AS,
  route: 'POST /viewers/look',
  summary: 'Show what somebody is trusted with when you look as them',
  sample: world => ({
    as: {
      actor: 'helper',
      audience: 'agent',
      trust: { maxSensitivity: world.pick(['low', 'hyper']) },
    },
  }),
  callers: 'owner',
  input: z.strictObject({ as: viewer.meta({ description: 'Whom to look as.' }) }),
  output: z.object({
    actor: z.string().meta({ description: 'Who looks.' }),
    audience: audience.meta({ description: 'What sort of caller it is.' }),
    for: z.string().meta({ description: 'The person it works for.' }),
    maxSensitivity: sensitivity.meta({
      description: 'The highest sensitivity that is shown in full: never more than you are trusted with.',
    }),
    scopes: z.array(z.string()).meta({ description: 'The scopes it is trusted with; empty for all.' }),
    ceiling: visibilityClass.meta({ description: 'The highest visibility class that is shown.' }),
  }),
  async run({ caller, tx, tenant }, { as }) {
    const { actor, audience, actingFor, trust, ceiling } =
      'profile' in as
        ? lookAsRecipient(caller, await loadPreview(tx, tenant, as.profile))
        : lookAs(caller, as)
    return {
      actor,
      audience,
      for: actingFor,
      maxSensitivity: sensitivity.parse(trust?.maxSensitivity),
      scopes: trust === null || trust.scopes === 'all' ? [] : [...trust.scopes].sort(),
      ceiling: visibilityClass.parse(ceiling),
    }
  },
})
