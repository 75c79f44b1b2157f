import { namesKnownOf } from '../runtime/known-people.js'
import type { ReadRequest } from '../runtime/request.js'
import type { SessionRow } from '../storage/queries/sessions.js'
import { contractOf, othersIn } from './session.js'
import { wordsOf } from './words.js'

/** An initial or a number is not a name. */
const IS_NAME = /\p{L}.*\p{L}/u

/**
 * The words by which the caller may name the others in a session: their names as actors, and as people of its principal
 * as far as the caller knows them, in the session or outside of it. A refusal tells of no other name (NI-10).
 */
export async function namesOfOthers(request: ReadRequest, session: SessionRow): Promise<ReadonlySet<string>> {
  const { actingFor } = request.caller
  const others = othersIn(request, session)
  const contracts = [null, contractOf(request, session, 'browse')]
  const known: string[] = []
  for (const contract of request.knowsEverybodyOf(actingFor) ? [null] : contracts)
    known.push(...(await request.underContract(contract, () => namesKnownOf(request, actingFor, others))))
  const own = new Set(wordsOf(actingFor))
  // Of an email address, only the part before the @ counts.
  const words = [...others, ...known].flatMap(name => wordsOf(name.replace(/@.*/s, '')))
  return new Set(words.filter(word => IS_NAME.test(word) && !own.has(word)))
}
