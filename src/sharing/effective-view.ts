import { z } from 'zod'
import { BEFORE_ALL_TIME } from '../policy/shared-view.js'
import type { EffectiveView } from '../policy/subject.js'

/** How much of a corpus a view shows. */
export const shownByView = {
  exposedSurfaces: z.array(z.string()).meta({ description: 'The surfaces it shows.' }),
  derivedMemorySharePolicy: z
    .string()
    .meta({ description: 'How much it shows of what was derived from documents.' }),
  hostAnnotationPolicy: z
    .string()
    .meta({ description: "How much it shows of the host's notes on documents." }),
  visibilityClassCeiling: z.string().meta({ description: 'The highest visibility class it shows.' }),
  viewTemporalMode: z.string().meta({
    description:
      'Whether it shows what is there now (`live`) or what was there when it was shared (`snapshot`).',
  }),
}

// SV-2
export const effectiveView = z
  .object({
    effective: z
      .literal(true)
      .meta({ description: 'It is the view that all views of the corpus give together.' }),
    corpus: z.string().meta({ description: 'The collection.' }),
    owner: z.string().meta({ description: 'Who owns the collection.' }),
    ...shownByView,
    snapshotAtTimestamp: z
      .string()
      .nullable()
      .meta({ description: 'When the snapshot was taken; null if it is live or was not shared yet.' }),
    limitedToDocuments: z
      .boolean()
      .meta({ description: 'Whether it is limited to some documents of the corpus.' }),
  })
  .meta({ id: 'EffectiveView', description: 'What all views of a corpus show together.' })

/** `key` is the corpus key: owner and name. */
export function viewEffective(key: string, view: EffectiveView): z.input<typeof effectiveView> {
  const [, owner, corpus] = JSON.parse(key) as [string, string, string]
  return {
    effective: true,
    corpus,
    owner,
    exposedSurfaces: [...view.surfaces],
    derivedMemorySharePolicy: view.derivedMemorySharePolicy,
    hostAnnotationPolicy: view.hostAnnotationPolicy,
    visibilityClassCeiling: view.visibilityClassCeiling,
    viewTemporalMode: view.temporalMode,
    // Before it is shared a snapshot has no time, and shows nothing.
    snapshotAtTimestamp:
      view.snapshotAt === null || view.snapshotAt <= BEFORE_ALL_TIME
        ? null
        : new Date(view.snapshotAt).toISOString(),
    limitedToDocuments: view.scopes.length > 0,
  }
}

/** The notices that a recipient gets for every corpus, whatever its host has (SV-5). */
export function noticesOf(view: Pick<EffectiveView, 'snapshotAt'>): [string, string] {
  return [
    'Host annotations and analysis are not included in this share unless the host chose to include them.',
    view.snapshotAt === null
      ? 'You are viewing this corpus as it is now.'
      : `You are viewing a snapshot of this corpus as of ${new Date(view.snapshotAt).toISOString()}.`,
  ]
}
