import { INTERNAL_KINDS, KINDS, SENSITIVITIES } from '../../policy/vocabulary.js'

/*
 * These conditions express the gates' decisions about `records r` in SQL, with the settings that row-level security
 * reads. A statement that uses them fetches exactly what is visible. If hidden records were fetched and then left out,
 * further statements would have to fill the page, and their number would reveal what is hidden (NI-1, NI-4, NI-5).
 */

const literal = (values: readonly string[]) => `array[${values.map(value => `'${value}'`).join(', ')}]`

const EVIDENCE = KINDS.filter(kind => !(INTERNAL_KINDS as readonly string[]).includes(kind))
const LEVELS = literal(SENSITIVITIES)

/**
 * Whether a record is visible at all, as far as row-level security does not decide that already. Two gates remain:
 * only evidence is shown to anyone, and nothing of a mediation to a caller outside it.
 */
export const IS_SEEN = `(
      r.kind = any (${literal(EVIDENCE)})
      and r.vessel = 'user'
      and r.session is null)`

/** Whether a record is seen in full: within the caller's trust, and under no overlay that leaves a preview. */
export const IS_SEEN_IN_FULL = `(
      array_position(${LEVELS}, r.sensitivity) <= array_position(${LEVELS}, privity.setting('max_sensitivity'))
      and not exists (
        select 1
        from privity.overlays o
        where o.tenant_id = r.tenant_id
          and o.target = any (r.targets)
          and o.restriction = 'preview_only'))`
