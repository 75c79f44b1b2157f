import { z } from 'zod'
import type { EffectiveView } from '../policy/subject.js'

/** A corpus as all the views on it show it together. Never stored: it follows from the views (SV-2). */
export const effectiveView = z.object({
  effective: z.literal(true),
  corpus: z.string(),
  owner: z.string(),
  exposedSurfaces: z.array(z.string()),
  derivedMemorySharePolicy: z.string(),
  hostAnnotationPolicy: z.string(),
  visibilityClassCeiling: z.string(),
  viewTemporalMode: z.string(),
  snapshotAtTimestamp: z.string().nullable(),
  /** Whether it is limited to some documents of the corpus. */
  limitedToDocuments: z.boolean(),
})

/** `key` is the corpus key: its owner and its name. */
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
    snapshotAtTimestamp: view.snapshotAt === null ? null : new Date(view.snapshotAt).toISOString(),
    limitedToDocuments: view.scopes.length > 0,
  }
}

/** What a recipient reads of every corpus, whatever its host has (SV-5). */
export function noticesOf(view: Pick<EffectiveView, 'snapshotAt'>): [string, string] {
  return [
    'Host annotations and analysis are not included in this share unless the host chose to include them.',
    view.snapshotAt === null
      ? 'You are viewing this corpus as it is now.'
      : `You are viewing a snapshot of this corpus as of ${new Date(view.snapshotAt).toISOString()}.`,
  ]
}
