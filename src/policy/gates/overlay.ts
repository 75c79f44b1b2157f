import { meet } from '../faces.js'
import { full, gate, none, over, preview, substitute, type Verdict } from '../gate.js'
import { isRecipient, type Subject } from '../subject.js'
import type { PolicyTuple } from '../tuple.js'

/**
 * Applies every overlay on a record and on what contains it. The most restrictive wins; none relaxes another (OV-1,
 * OV-2).
 */
export const overlay = over(
  'overlayTargets',
  gate('overlay', ['overlayTargets', 'redacted', 'kind', 'opening'], (subject, record) => {
    let least: Verdict = full('access.no_overlay')
    for (const target of record.overlayTargets) {
      for (const restriction of subject.overlays.get(target) ?? []) {
        const verdict = restrict(subject, restriction, target, record)
        const face = meet(least.face, verdict.face)
        if (face !== least.face) least = { face, reason: verdict.reason }
      }
    }
    return least
  }),
)

function restrict(
  subject: Subject,
  restriction: string,
  target: string,
  { redacted, kind, opening }: Pick<PolicyTuple, 'redacted' | 'kind' | 'opening'>,
): Verdict {
  switch (restriction) {
    case 'none':
      return full('access.no_overlay')
    case 'explicit_access_required':
      return subject.grants.has(target)
        ? full('access.access_granted')
        : none('access.explicit_access_required')
    case 'preview_only':
      // A preview is of the document: of its chunks, only those that hold its beginning have one.
      return kind !== 'segment' || opening ? preview('access.preview_only') : none('access.beyond_preview')
    case 'redacted_only':
      // A redacted twin is itself the substitute.
      return redacted ? full('access.redacted_only') : substitute('access.redacted_only')
    case 'not_shareable':
      return isRecipient(subject.audience) ? none('access.not_shareable') : full('access.no_overlay')
    case 'blocked':
      return none('access.blocked')
    default:
      return none('access.unknown_restriction')
  }
}
