import { createHash } from 'node:crypto'
import type { Role } from './queries/set-role.js'

/**
 * A function in the database that runs as one of the roles of requests, so that row-level security is in force within
 * one statement. Its name ends in a digest of its text: processes of two versions on one database each call their own.
 */
export interface StoredFunction {
  /** The name to call it by, with its schema. */
  readonly name: string
  /** The type of its only parameter is jsonb. */
  readonly create: string
  readonly owner: Role
}

/**
 * Declares a function `name(asked jsonb) returns json`. A stable one sees what its statement sees, so all that it reads
 * is one snapshot. Each statement of a volatile one sees what was committed before it. Its plans are made once and kept:
 * under row-level security, planning costs several times what running does.
 */
export function storedFunction(
  name: string,
  { owner, volatility, body }: { owner: Role; volatility: 'stable' | 'volatile'; body: string },
): StoredFunction {
  const definition = `language plpgsql ${volatility} strict security definer
  set search_path = pg_catalog, pg_temp
  set timezone = 'UTC'
  set extra_float_digits = '1'
  set plan_cache_mode = 'force_generic_plan'
  set bytea_output = 'hex'
as $function$${body}$function$`
  const digest = createHash('sha256').update(definition).digest('hex').slice(0, 12)
  const full = `privity.${name}_${digest}`
  return { name: full, owner, create: `create function ${full}(asked jsonb) returns json\n${definition}` }
}

/** Puts expressions of a function in place of the parameters of a statement. */
export const withParams = (sql: string, ...params: readonly string[]): string =>
  sql.replace(/\$(\d+)/g, (_, place) => params[Number(place) - 1] ?? 'null')

/** The settings that row-level security reads. A function that is called outside of a transaction makes them itself. */
export const RLS_SETTINGS = [
  'privity.tenant',
  'privity.principal',
  'privity.audience',
  'privity.respect_consent',
  'privity.max_sensitivity',
  'privity.all_scopes',
  'privity.scopes',
  'privity.ceiling',
  'privity.floor',
  'privity.now',
  'privity.profile',
  'privity.bound',
  'privity.link',
] as const

/** Makes the settings that were asked for. In a transaction, which has made its own, none are given. */
export const MAKE_SETTINGS = `
  if asked ? 'settings' then
    perform
      ${RLS_SETTINGS.map(name => `set_config('${name}', coalesce(asked #>> '{settings,${name}}', ''), true)`).join(',\n      ')};
  end if;`
