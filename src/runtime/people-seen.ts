import { ownerOfKey, personIdOf } from '../policy/tuple.js'
import { VisibleSet } from './index/visible-set.js'
import type { ReadRequest } from './request.js'
import { peopleOf } from './search/seen-names.js'

/**
 * The people of an owner whom this caller knows, by their ids: those whom records name that it sees in full (NI-10).
 * Null stands for all of them, for a caller who sees everything.
 */
export async function peopleSeen(request: ReadRequest, owner: string): Promise<string[] | null> {
  if (request.seesEverything) return null
  const { segments } = await VisibleSet.of(request)
  return [...peopleOf(segments)]
    .filter(key => ownerOfKey(key) === owner)
    .map(personIdOf)
    .sort()
}
