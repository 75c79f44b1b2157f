import { INTERNAL_KINDS, KINDS, SENSITIVITIES } from '../../policy/vocabulary.js'

/*
 * What the gates decide of `records r`, said in SQL with the settings that row-level security reads: a statement that
 * fetches a page by them fetches what is seen and nothing else. Were more fetched and left out afterwards, another
 * statement would have to fill the page, and how many there are would tell what is hidden (NI-1, NI-4, NI-5).
 */

const literal = (values: readonly string[]) => `array[${values.map(value => `'${value}'`).join(', ')}]`

const EVIDENCE = KINDS.filter(kind => !(INTERNAL_KINDS as readonly string[]).includes(kind))
const LEVELS = literal(SENSITIVITIES)

/**
 * Whether it is seen at all, as far as row-level security leaves that open. Two gates are left: nothing but evidence is
 * shown to anyone; and nothing of a mediation to whoever asks outside of one.
 */
export const IS_SEEN = `(
      r.kind = any (${literal(EVIDENCE)})
      and r.vessel = 'user'
      and r.session is null)`

/** Whether what is seen of it is all of it: within the caller's trust, and under no overlay that leaves a preview. */
export const IS_SEEN_IN_FULL = `(
      array_position(${LEVELS}, r.sensitivity) <= array_position(${LEVELS}, privity.setting('max_sensitivity'))
      and not exists (
        select 1
        from privity.overlays o
        where o.tenant_id = r.tenant_id
          and o.target = any (r.targets)
          and o.restriction = 'preview_only'))`

/** Whether everybody takes part in it whose name stands in a parameter. */
export const allTakePartSql = (names: `$${number}`): string => `not exists (
      select 1
      from unnest(${names}::text[]) as wanted (name)
      where not exists (
        select 1
        from privity.people p
        where p.tenant_id = r.tenant_id
          and p.owner = r.owner
          and p.name = wanted.name
          and p.person_id = any (r.participants)))`
