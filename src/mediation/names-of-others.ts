import type { ReadRequest } from '../runtime/request.js'
import { namesOfActors } from '../storage/queries/people.js'
import type { SessionRow } from '../storage/queries/sessions.js'
import { othersIn } from './session.js'
import { wordsOf } from './words.js'

/** An initial or a number is not a name. */
const IS_NAME = /\p{L}.*\p{L}/u

/**
 * The words by which the caller may name the others in a session: their names as actors and as the caller's people.
 */
export async function namesOfOthers(request: ReadRequest, session: SessionRow): Promise<ReadonlySet<string>> {
  const { tx, tenant, caller } = request
  const others = othersIn(request, session)
  const known = await namesOfActors(tx, tenant, caller.actingFor, others)
  const own = new Set(wordsOf(caller.actingFor))
  // Of an email address, only the part before the @ counts.
  const words = [...others, ...known].flatMap(name => wordsOf(name.replace(/@.*/s, '')))
  return new Set(words.filter(word => IS_NAME.test(word) && !own.has(word)))
}
