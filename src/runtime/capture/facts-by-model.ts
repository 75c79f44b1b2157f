import { z } from 'zod'
import { foldName } from '../../policy/person-name.js'
import { statementsIn } from '../../policy/recognise/statements.js'
import { ModelError } from '../model-calls.js'
import type { FoundFact, TurnToRead } from './found-fact.js'

const MOST_FACTS = 200
/** No model is as certain as somebody who writes a fact down. */
const MOST_CONFIDENCE = 0.9
const DEFAULT_CONFIDENCE = 0.7

const day = z
  .string()
  .nullish()
  .transform(said => dayOf(said ?? null))
const sentence = z
  .string()
  .transform(said => said.replace(/\s+/g, ' ').trim())
  .pipe(z.string().min(1).max(300))

const statedFact = z.object({
  turn: z.int(),
  quote: z.string().min(1),
  subject: sentence.pipe(z.string().max(200)),
  person: z.boolean(),
  says: sentence,
  attribute: sentence.pipe(z.string().max(100)),
  value: sentence,
  todo: z.boolean().catch(false),
  fixed: z.boolean().catch(false),
  confidence: z.number().min(0).max(1).catch(DEFAULT_CONFIDENCE),
  validFrom: day,
  validTo: day,
  due: day,
})
type StatedFact = z.output<typeof statedFact>

const answer = z.object({ facts: z.array(z.unknown()).max(10_000) })

/**
 * The facts in a model's answer. It decides nothing: a fact counts only where its words stand in a turn by somebody who
 * states facts, about somebody who speaks or is named there. It has no way to say who may see it (WR-7).
 */
export function factsByModel(
  turns: readonly TurnToRead[],
  people: readonly string[],
  answered: string,
): FoundFact[] {
  const { facts } = parseAnswer(answered)
  const speakers = new Set(turns.filter(({ states }) => states).map(({ speaker }) => foldName(speaker)))
  const known = new Set(people.map(foldName))
  return facts.slice(0, MOST_FACTS).flatMap(each => {
    const { data } = statedFact.safeParse(each)
    const turn = data === undefined ? undefined : turns[data.turn - 1]
    if (data === undefined || turn?.states !== true) return []
    const start = turn.text.indexOf(data.quote)
    if (start < 0) return []
    const subject = foldName(data.subject)
    const isNamed = foldName(turn.text).includes(subject)
    if (subject === '' || !(speakers.has(subject) || isNamed)) return []
    return {
      ...statementOf(data, turn.at),
      turn: data.turn - 1,
      subject: data.subject,
      // A model may take somebody for a thing; that does not make their consent count less.
      isPerson: data.person || speakers.has(subject) || known.has(subject),
      start,
      end: start + data.quote.length,
    }
  })
}

/** The fact under the key that rules give it, where they know such sentences, so that it meets what they found. */
function statementOf(
  said: StatedFact,
  at: Date,
): Omit<FoundFact, 'turn' | 'subject' | 'isPerson' | 'start' | 'end'> {
  const text = `${said.subject} ${said.says}`
  const [rule] = statementsIn({ text, at, people: [said.subject] })
  const validTo =
    said.validFrom !== null && said.validTo !== null && said.validTo < said.validFrom ? null : said.validTo
  const own = {
    text,
    kind: said.todo ? ('working' as const) : ('semantic' as const),
    confidence: Math.min(said.confidence, MOST_CONFIDENCE),
    validFrom: said.validFrom,
    validTo,
    due: said.due,
  }
  return rule === undefined
    ? { ...own, attribute: foldName(said.attribute), value: said.value, fixed: said.fixed }
    : {
        ...own,
        attribute: rule.attribute,
        value: rule.value,
        fixed: rule.fixed,
        kind: rule.kind,
        validFrom: said.validFrom ?? rule.validFrom,
        due: said.due ?? rule.due,
      }
}

/** Some models put their JSON between marks or words. */
function parseAnswer(answered: string): z.output<typeof answer> {
  const json = answered.slice(answered.indexOf('{'), answered.lastIndexOf('}') + 1)
  try {
    return answer.parse(JSON.parse(json))
  } catch {
    throw new ModelError('the model did not answer with a list of facts')
  }
}

function dayOf(said: string | null): Date | null {
  if (said === null || !/^\d{4}-\d\d-\d\d/.test(said)) return null
  const at = new Date(said)
  const year = at.getUTCFullYear()
  return Number.isNaN(at.getTime()) || year < 1 || year > 9999 ? null : at
}
