import { foldName } from '../person-name.js'
import { findMoments } from './moments.js'

/** Something that a turn of a conversation states, in a form that can be compared with what was stated before. */
export interface Statement {
  /** Whom it is about: a name, or null for whoever speaks. */
  readonly subject: string | null
  /** What of them: with the subject, the key under which one value holds at a time, for example `lives in`. */
  readonly attribute: string
  readonly value: string
  /** What it says of its subject, as the rest of a sentence: `lives in Graz`. */
  readonly predicate: string
  readonly kind: 'semantic' | 'working'
  /** Whether another value contradicts this one instead of replacing it: a day of birth does not change. */
  readonly fixed: boolean
  readonly confidence: number
  /** When it begins and ceases to hold, and by when something is to be done, as far as it says. */
  readonly validFrom: Date | null
  readonly validTo: Date | null
  readonly due: Date | null
  /** Where it stands in the turn. */
  readonly start: number
  readonly end: number
}

export interface Spoken {
  readonly text: string
  /** When it was said: days are named relative to that. */
  readonly at: Date
  /** The names of people who may be spoken of. Other capitalised words are not taken for people. */
  readonly people: readonly string[]
}

/** Longer turns are documents rather than talk. */
const MOST_CHARACTERS = 20_000
const MOST_STATEMENTS = 50

/** What a sentence of one attribute looks like. `{x}` stands for the value; verbs follow the subject. */
interface Rule {
  readonly attribute: string | ((found: RegExpMatchArray) => string)
  readonly pattern: RegExp
  readonly says: (value: string, found: RegExpMatchArray) => string
  readonly value?: (found: RegExpMatchArray) => string | null
  readonly kind?: Statement['kind']
  readonly fixed?: true
  /** Whether the present differs from before, and holds from the moment it is said. */
  readonly change?: true
  readonly confidence?: number
  /** Whether a day in the sentence is when it is due. */
  readonly dated?: true
}

// The beginnings of clauses after which a value has ended.
const END =
  /\s+(?:and|but|because|since|so|which|who|when|while|if|although|though|until|now|these days|at the moment|currently|anymore|any more|und|aber|weil|seit|wenn|bis|jetzt)\b.*$|\s*[,;:(–—].*$/iu
const NOUNS =
  'dogs?|cats?|kids?|children|sons?|daughters?|brothers?|sisters?|siblings?|cars?|bikes?|houses?|flats?|apartments?|boats?|horses?|rabbits?'
const KIN =
  'wife|husband|partner|girlfriend|boyfriend|fiancée?|mother|mum|mom|father|dad|sister|brother|son|daughter|aunt|uncle|cousin|grandmother|grandma|grandfather|grandpa|boss|manager|doctor|dentist|lawyer|therapist|landlord|neighbou?r|roommate|flatmate|colleague|best friend|friend|dog|cat'
const JOB =
  '(?:[\\p{L}-]+ ){0,2}(?:[\\p{L}-]+(?:er|or|ist|ian|eer|ect|ant|yst|man|woman)|nurse|chef|student|judge|coach|clerk|pilot|architect|attorney|barista|au pair)'
const STATUS = 'married|engaged|divorced|separated|single|widowed|pregnant|retired|unemployed|self-employed'
const DIET = 'vegan|vegetarian|pescatarian|gluten[- ]free|lactose[- ]intolerant|coeliac|celiac|diabetic'
const EVENT =
  'appointment|meeting|flight|wedding|exam|interview|surgery|operation|party|birthday party|check-?up|trip|holiday|vacation|conference|deadline|delivery|move|concert|dinner|lunch|call|visit'

const BE = "(?:am|'m|’m|is|'s|’s|are|'re|’re)"
const HAVE = "(?:have|has|'ve|’ve)"
const NOT = "(?:do not|does not|don'?t|don’t|doesn'?t|doesn’t)"
const SOMETIMES =
  '(?:really |also |still |just |now |both |absolutely |currently |actually |usually |always )*'

const rule = (pattern: string, rest: Omit<Rule, 'pattern'>): Rule => ({
  pattern: new RegExp(`^${SOMETIMES}${pattern}`, 'iu'),
  ...rest,
})
const first = (found: RegExpMatchArray) => found[1] ?? null
const item = (found: RegExpMatchArray) => foldName(trimmed(first(found) ?? ''))

/** What may follow a subject, in the order in which it is tried. */
const PREDICATES: readonly Rule[] = [
  rule(`(?:${HAVE} )?(?:just |recently )*moved (?:back )?to (.+)`, {
    attribute: 'lives in',
    says: value => `lives in ${value}`,
    change: true,
  }),
  rule(`(?:no longer lives?|${NOT} live) in (.+)`, {
    attribute: 'lives in',
    value: found => `not ${found[1]}`,
    says: value => `does not live in ${value.slice(4)} any more`,
    change: true,
  }),
  rule(`(?:lives?|${BE} living|resides?) in (.+)`, {
    attribute: 'lives in',
    says: value => `lives in ${value}`,
  }),
  rule(`(?:(?:${BE} )?(?:originally )?from|comes? from|grew up in) (?=\\p{Lu})(.+)`, {
    attribute: 'comes from',
    says: value => `comes from ${value}`,
    fixed: true,
  }),
  rule(`(?:was|were) born (?:on|in) (.+)`, {
    attribute: found => (/\d/.test(found[1] ?? '') ? 'was born on' : 'was born in'),
    says: (value, found) => `was born ${/\bborn on\b/i.test(found[0]) ? 'on' : 'in'} ${value}`,
    fixed: true,
  }),
  rule(
    `(?:(?:${HAVE} )?(?:quit|left)|no longer works? (?:at|for)|${NOT} work (?:at|for)) (?:(?:my|his|her|their|the) job at )?(?=\\p{Lu})(.+)`,
    {
      attribute: 'works at',
      value: found => `not ${found[1]}`,
      says: value => `does not work at ${value.slice(4)} any more`,
      change: true,
    },
  ),
  rule(`(?:(?:${HAVE} )?(?:just |recently )*(?:joined|started (?:working |a new job )?at)) (?=\\p{Lu})(.+)`, {
    attribute: 'works at',
    says: value => `works at ${value}`,
    change: true,
  }),
  rule(`(?:works?|${BE} working) (?:at|for) (.+?)(?= as |$)`, {
    attribute: 'works at',
    says: value => `works at ${value}`,
  }),
  rule(`(?:works?|${BE} working) as (?:an? |the )?(.+)`, {
    attribute: 'works as',
    says: value => `works as ${value}`,
  }),
  rule(`${BE} (?:an? )(${JOB})(?=$|[\\s.,!;])`, {
    attribute: 'works as',
    says: value => `works as ${value}`,
    confidence: 0.6,
  }),
  rule(`(?:studies|study|${BE} studying) (.+)`, { attribute: 'studies', says: value => `studies ${value}` }),
  rule(`speaks? (\\p{Lu}\\p{L}+(?:(?:,| and) \\p{Lu}\\p{L}+)*)`, {
    attribute: found => `speaks ${item(found)}`,
    value: () => 'yes',
    says: (_, found) => `speaks ${found[1]}`,
  }),
  rule(`${BE} (?:not|no longer) allergic to (.+)`, {
    attribute: found => `is allergic to ${item(found)}`,
    value: () => 'no',
    says: (_, found) => `is not allergic to ${trimmed(found[1] ?? '')}`,
  }),
  rule(`${BE} (?:very |severely )?allergic to (.+)`, {
    attribute: found => `is allergic to ${item(found)}`,
    value: () => 'yes',
    says: (_, found) => `is allergic to ${trimmed(found[1] ?? '')}`,
  }),
  rule(`${BE} (?:an? )?(${DIET})\\b`, { attribute: 'eats', says: value => `is ${value}` }),
  rule(`(?:${BE}|got|${HAVE} become) (?:now |recently )?(${STATUS})\\b`, {
    attribute: 'status',
    says: value => `is ${value}`,
  }),
  rule(`${BE} (?:turning )?(\\d{1,3}) years old\\b|${BE} (\\d{1,3})(?=$|[.,!])`, {
    attribute: 'age',
    value: found => found[1] ?? found[2] ?? null,
    says: value => `is ${value} years old`,
    confidence: 0.6,
  }),
  rule(
    `(?:${NOT} (?:really )?(?:like|enjoy|eat|drink|want)|hates?|dislikes?|can(?:'|’)?t stand|cannot stand|no longer likes?) (.+)`,
    {
      attribute: found => `likes ${item(found)}`,
      value: () => 'no',
      says: (_, found) => `does not like ${trimmed(found[1] ?? '')}`,
    },
  ),
  rule(`(?:loves?|likes?|enjoys?|adores?) (.+)`, {
    attribute: found => `likes ${item(found)}`,
    value: () => 'yes',
    says: (_, found) => `likes ${trimmed(found[1] ?? '')}`,
  }),
  rule(`prefers? (.+)`, {
    attribute: found => `prefers ${item(found)}`,
    value: () => 'yes',
    says: (_, found) => `prefers ${trimmed(found[1] ?? '')}`,
  }),
  rule(
    `(?:${HAVE}(?: got)?|own|owns) (an?|one|two|three|four|five|six|seven|\\d{1,2}) ((?:[\\p{L}-]+ )?(?:${NOUNS}))\\b`,
    {
      attribute: found => `has ${foldName(found[2] ?? '').replace(/s$/, '')}`,
      value: found => foldName(found[1] ?? '').replace(/^an?$/, 'one'),
      says: (_, found) => `has ${found[1]} ${found[2]}`,
    },
  ),
  rule(
    `(?:will|'ll|’ll|${BE} going to|promises? to|have to|has to|needs? to|must|should remember to) (?!be (?:able|fine|ok)|see$)(.+)`,
    {
      attribute: found => `will ${item(found)}`,
      value: () => 'yes',
      says: (_, found) => `will ${trimmed(found[1] ?? '', false)}`,
      kind: 'working',
      confidence: 0.6,
      dated: true,
    },
  ),
  // German
  rule(`(?:wohnt?|wohne|lebe|lebt) (?:jetzt )?in (.+)`, {
    attribute: 'lives in',
    says: value => `lives in ${value}`,
  }),
  rule(`(?:bin|ist) (?:jetzt )?nach (.+?) (?:um)?gezogen`, {
    attribute: 'lives in',
    says: value => `lives in ${value}`,
    change: true,
  }),
  rule(`(?:arbeite|arbeitet) (?:jetzt )?(?:bei|für) (.+)`, {
    attribute: 'works at',
    says: value => `works at ${value}`,
  }),
  rule(`(?:bin|ist) allergisch gegen (.+)`, {
    attribute: found => `is allergic to ${item(found)}`,
    value: () => 'yes',
    says: (_, found) => `is allergic to ${trimmed(found[1] ?? '')}`,
  }),
]

/** What somebody says of what is theirs. The subject is whoever speaks, or the person whose it is. */
const POSSESSIONS: readonly Rule[] = [
  rule(`birthday is (?:on )?(.+)`, {
    attribute: 'birthday',
    says: value => `has their birthday on ${value}`,
    fixed: true,
  }),
  rule(`name is (?!not\\b)(\\p{Lu}.*)`, { attribute: 'name', says: value => `is called ${value}` }),
  rule(`favou?rite ([\\p{L} -]{2,40}?) (?:is|are) (?!not\\b)(.+)`, {
    attribute: found => `favourite ${item(found)}`,
    value: found => found[2] ?? null,
    says: (value, found) => `has ${value} as favourite ${foldName(found[1] ?? '')}`,
  }),
  rule(
    `(${KIN})(?:'s name|’s name)? (?:is|are) (?:called |named )?(\\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?)(?=$|[.,!;]| and )`,
    {
      attribute: found => item(found),
      value: found => found[2] ?? null,
      says: (value, found) => `has a ${foldName(found[1] ?? '')} called ${value}`,
    },
  ),
  rule(
    `((?:[\\p{L}-]+ ){0,2}(?:${EVENT})) (?:is|was moved to|has moved to|got moved to|will be|starts|takes place) (?:now )?(?:on |at )?(.+)`,
    {
      attribute: found => item(found),
      value: found => found[2] ?? null,
      says: (value, found) => `has the ${foldName(found[1] ?? '')} on ${value}`,
      dated: true,
    },
  ),
  rule(
    `((?:phone|mobile|cell|passport|account|customer|member(?:ship)?|shoe|ring|shirt|dress|flat|room|locker|wi-?fi|email|e-mail|home|work|postal|licen[cs]e)(?: (?:number|size|address|password|code|plate|mail))?|size|address|postcode|zip code|pin|blood type|hobby|job|salary|budget|rent|weight|height) (?:is|are) (?!not\\b)(.+)`,
    {
      attribute: found => item(found),
      value: found => found[2] ?? null,
      says: (value, found) => `has the ${foldName(found[1] ?? '')} ${value}`,
    },
  ),
]

/** Things that somebody asks to have remembered or done. */
const REQUESTS =
  /^(?:please )?(?:remind me|don(?:'|’)?t forget|remember|remember me|make sure) (?:to |that i (?:have to|need to|must) )(.+)/iu
const TOLD =
  /^(?:please )?(?:remember|note|keep in mind|for the record,?|fyi,?) (?:that )?(?=(?:i|my|we|our)\b)/iu
const UNSURE =
  /\b(?:if|would|might|maybe|perhaps|probably|guess|wish|could|used to|imagine|pretend|suppose)\b|\?\s*$/iu

/** The statements of a turn, in order. */
export function statementsIn({ text, at, people }: Spoken): Statement[] {
  const found: Statement[] = []
  const names = [...new Set(people.filter(name => name.trim().length >= 2))].sort(
    (a, b) => b.length - a.length,
  )
  for (const { sentence, start } of sentencesOf(text.slice(0, MOST_CHARACTERS))) {
    if (UNSURE.test(sentence)) continue
    for (const clause of clausesOf(sentence, start)) {
      const statement = statementOf(clause.text, names, at)
      if (statement !== null)
        found.push({ ...statement, start: clause.start, end: clause.start + clause.text.length })
      if (found.length >= MOST_STATEMENTS) return found
    }
  }
  return found
}

type Unplaced = Omit<Statement, 'start' | 'end'>

function statementOf(clause: string, names: readonly string[], at: Date): Unplaced | null {
  const asked = REQUESTS.exec(clause)
  if (asked !== null) {
    const what = trimmed(asked[1] ?? '', false)
    const [day] = findMoments(clause, at)
    return {
      subject: null,
      attribute: `will ${foldName(what)}`,
      value: 'yes',
      predicate: `has to ${what}`,
      kind: 'working',
      fixed: false,
      confidence: 0.9,
      validFrom: null,
      validTo: null,
      due: day ?? null,
    }
  }
  const told = clause.replace(TOLD, '')
  const own = /^(?:our|my) (.+)$/isu.exec(told)
  if (own !== null) {
    const kin = new RegExp(`^(?:${KIN}) (\\p{Lu}[\\p{L}'’-]+) (.+)$`, 'isu').exec(own[1] ?? '')
    if (kin?.[1] !== undefined && /^\p{Lu}/u.test(kin[1]))
      return byRules(PREDICATES, kin[2] ?? '', kin[1], at)
    return byRules(POSSESSIONS, own[1] ?? '', null, at)
  }
  const me = /^(?:i|we|ich|wir)(?=['’\s])\s*(.+)$/isu.exec(told)
  if (me !== null) return byRules(PREDICATES, me[1] ?? '', null, at)
  for (const name of names) {
    if (told.slice(0, name.length).toLowerCase() !== name.toLowerCase()) continue
    const rest = told.slice(name.length)
    const theirs = /^['’]s (.+)$/su.exec(rest)
    if (theirs !== null) {
      const of = byRules(POSSESSIONS, theirs[1] ?? '', name, at)
      if (of !== null) return of
    }
    const own = /^(?=['’\s])\s*(.+)$/su.exec(rest)
    if (own !== null) return byRules(PREDICATES, own[1] ?? '', name, at)
  }
  return null
}

function byRules(rules: readonly Rule[], rest: string, subject: string | null, at: Date): Unplaced | null {
  for (const each of rules) {
    const found = each.pattern.exec(rest)
    if (found === null) continue
    const whole = each.value === undefined ? first(found) : each.value(found)
    const value = trimmed(whole ?? '')
    const attribute = typeof each.attribute === 'string' ? each.attribute : each.attribute(found)
    if (value === '' || VAGUE.test(value) || VAGUE.test(attribute.replace(/^(?:likes|prefers|will) /, '')))
      return null
    if (value.length > 200 || attribute.length > 150) return null
    const since = /\bsince (?:the )?(?:year )?((?:19|20)\d{2})\b/iu.exec(rest)
    const until = /\b(?:until|till|bis) (.+)$/iu.exec(rest)
    const [day = null] = findMoments(rest, at)
    return {
      subject,
      attribute,
      value,
      predicate: each.says(value, found),
      kind: each.kind ?? 'semantic',
      fixed: each.fixed ?? false,
      confidence: each.confidence ?? 0.8,
      validFrom: since !== null ? new Date(`${since[1]}-01-01T00:00:00Z`) : each.change ? at : null,
      validTo: until === null ? null : (findMoments(until[1] ?? '', at)[0] ?? null),
      due: each.dated ? day : null,
    }
  }
  return null
}

/** Values that say nothing by themselves. */
const VAGUE =
  /^(?:it|that|this|them|him|her|you|to|so|not|the|a|an|one|there|here|what|how|something|anything|nothing|my|your|good|great|fine|ok|okay|nice|bad|terrible|amazing|awesome|sure)?(?: (?:too|so much|a lot|very much|now|there|then))*$/iu

/** A value without what follows it in its sentence, quotes and full stops. */
function trimmed(value: string, cutsClauses = true): string {
  const cut = cutsClauses ? value.replace(END, '') : value
  return cut
    .replace(/^["'“‘\s]+|["'”’\s.!?]+$/gu, '')
    .replace(/^(?:the|a|an) (?=\p{Ll})/iu, '')
    .replace(/\s+/gu, ' ')
    .trim()
}

/** Sentences with where they begin. Lines are sentences too; abbreviations and numbers do not end one. */
function sentencesOf(text: string): { sentence: string; start: number }[] {
  const found = []
  for (const match of text.matchAll(/(?:[^.!?\n]|[.](?=\d|\p{Ll}))+[.!?]*/gu)) {
    const lead = match[0].length - match[0].trimStart().length
    const sentence = match[0].trim()
    if (sentence.length > 3 && sentence.length <= 600) found.push({ sentence, start: match.index + lead })
  }
  return found
}

/** The parts of a sentence that begin with a subject of their own. */
function* clausesOf(sentence: string, start: number): Generator<{ text: string; start: number }> {
  const cuts = [0]
  for (const { index, 0: mark } of sentence.matchAll(
    /(?:,|;| –| -)?\s+(?:and|but|und|aber)\s+(?=(?:i|my|we|our|ich|\p{Lu}\p{L}+)\b)|[,;]\s+(?=(?:i|my|we|our)\b)/giu,
  ))
    cuts.push(index + mark.length)
  const greeting =
    /^(?:yes|no|yeah|hi|hey|hello|well|oh|ok|okay|so|actually|btw|by the way|thanks|thank you|also|and|but)(?: there)?(?: \p{Lu}\p{L}+)?[,!.:]?\s+(?=(?:i|my|we|our|\p{Lu})\b)/iu
  for (const [at, cut] of cuts.entries()) {
    const text = sentence
      .slice(cut, cuts[at + 1] ?? sentence.length)
      .replace(/[,;.!\s]*(?:\s(?:and|but|und|aber))?[,;.!\s]*$/iu, '')
    const skipped = greeting.exec(text)?.[0].length ?? 0
    yield { text: text.slice(skipped), start: start + cut + skipped }
  }
}
