import { statementsIn } from '../../policy/recognise/statements.js'
import type { FoundFact, KeptTurn } from './found-fact.js'

/** The facts that the turns state, by rules alone. `people` are those who may be spoken of beside the speakers. */
export async function factsByRules(
  turns: readonly KeptTurn[],
  people: readonly string[],
): Promise<FoundFact[]> {
  const names = [...new Set([...people, ...turns.map(({ speaker }) => speaker)])]
  const found: FoundFact[] = []
  for (const [turn, { text, at, speaker, states }] of turns.entries()) {
    if (!states) continue
    for (const { subject: named, predicate, ...statement } of statementsIn({ text, at, people: names })) {
      const subject = named ?? speaker
      found.push({ ...statement, turn, subject, isPerson: true, text: `${subject} ${predicate}` })
    }
    // Patterns take time, and a conversation may be long: others get their turn in between (OP-8).
    if (turn % 20 === 19) await new Promise(setImmediate)
  }
  return found
}
