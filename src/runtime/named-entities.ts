import { shownLevel } from '../policy/faces.js'
import { findNames, type Name } from '../search/find-names.js'
import { tokenize } from '../search/tokenize.js'
import { type EntityRow, fetchEntities } from '../storage/queries/fetch-entities.js'
import { setRole } from '../storage/queries/set-role.js'
import type { Draft } from './draft.js'
import type { WriteRequest } from './request.js'

/**
 * For each new record that asks for it, finds the entities of its owner whose names occur in the text. Only entities
 * that the writer sees in full are considered.
 */
export async function findNamedEntities(
  request: WriteRequest,
  records: readonly Draft[],
  owners: readonly string[],
): Promise<string[][]> {
  const asking = owners.filter((_, at) => records[at]?.linkEntities === true)
  if (asking.length === 0) return records.map(() => [])
  await setRole(request.tx, 'privity_app')
  const rows = await fetchEntities(request.tx, request.tenant, [...new Set(asking)].sort())
  await setRole(request.tx, 'privity_writer')
  const faces = await request.faces(rows)
  const names = new Map<string, Name[]>(asking.map(owner => [owner, []]))
  for (const [at, row] of rows.entries())
    if (shownLevel(faces[at] ?? 0) === 'full') names.get(row.tuple.owner)?.push(...namesOf(row))
  return records.map(({ text, linkEntities }, at) =>
    linkEntities === true ? findNames(text, names.get(owners[at] ?? '') ?? []) : [],
  )
}

function namesOf({ id, title, aliases }: EntityRow): Name[] {
  const spelled = [title, ...(Array.isArray(aliases) ? aliases : [])]
  return spelled.flatMap(name =>
    typeof name === 'string' ? [{ id, terms: tokenize(name).map(({ term }) => term) }] : [],
  )
}
