/** What kind of text a short one is, as bits. */
export const ASKS = 1
export const COUNTS = 2
export const DATES = 4

/** Only short texts have traits: in a long one there is always some number and some date. */
export const LONGEST_WITH_TRAITS = 1_000

/** A note in brackets at the end, such as `[image: …]`, does not say whether a text asks. */
const ENDS_ASKING = /[?？؟][\s"'”’)*]*(?:\[[^\]]*\]\s*)?$/u

const COUNT =
  /\p{N}|(?<!\p{L})(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|hundred|thousand|once|twice|couple|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|dutzend|hundert|tausend|einmal|zweimal|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|cent|mille|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|cien|mil)(?!\p{L})/iu

const DATE =
  /(?<!\p{N})(?:1[89]|20)\p{N}{2}(?!\p{N})|(?<!\p{L})(?:yesterday|today|tonight|tomorrow|last|next|ago|weeks?|weekend|months?|years?|morning|evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december|gestern|heute|morgen|vorgestern|übermorgen|letzte[nrs]?|nächste[nrs]?|wochen?|wochenende|monate?|jahre?|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|mai|juni|juli|oktober|dezember|hier|aujourd'hui|demain|semaines?|mois|années?|ans?|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|ayer|hoy|mañana|semanas?|mes|meses|años?|lunes|martes|miércoles|jueves|viernes|sábado|domingo|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre)(?!\p{L})/iu

/** Whether a text ends with a question, as bits. What its words name is found when they are indexed. */
export const traitsOf = (text: string): number =>
  text.length <= LONGEST_WITH_TRAITS && ENDS_ASKING.test(text) ? ASKS : 0

/** Whether a word names a number or a time, as bits. */
export const traitsOfTerm = (term: string): number =>
  (COUNT.test(term) ? COUNTS : 0) | (DATE.test(term) ? DATES : 0)

const WHEN =
  /(?<!\p{L})(?:when|(?:what|which) (?:time|day|date|week|month|year)|since when|wann|(?:an )?welche[mnrs]? (?:tag|datum|jahr|monat|woche)|quand|quel(?:le)? (?:jour|date|heure|mois|année)|cuándo|qué (?:día|fecha|hora|mes|año))(?!\p{L})/iu

const HOW_MANY =
  /(?<!\p{L})(?:how (?:many|much|old|long|often|far|big|tall)|wie ?viele?|wie (?:alt|lange|oft|weit|groß)|combien|quel âge|cuánt[oa]s?)(?!\p{L})/iu

const BEGINS_ASKING =
  /^\P{L}*(?:who|whom|whose|what|when|where|which|why|how|is|are|was|were|do|does|did|has|have|had|can|could|will|would|should|wer|wen|wem|wessen|was|wann|wo|wohin|woher|warum|wieso|welche[mnrs]?|wie|ist|sind|war|hat|haben|kann|qui|que|quoi|quand|où|pourquoi|comment|combien|quel(?:le)?s?|est-ce|quién|qué|cuándo|dónde|por qué|cómo|cuál|cuánt[oa]s?)(?!\p{L})/iu

/** What a question asks for, as the traits that answers have: a time, a number, and no question in return. */
export interface Wanted {
  readonly answers: number
  /** Whether it is a question at all, and not just some words. */
  readonly isQuestion: boolean
}

export function wantedBy(question: string): Wanted {
  return {
    answers: (WHEN.test(question) ? DATES : 0) | (HOW_MANY.test(question) ? COUNTS : 0),
    isQuestion: ENDS_ASKING.test(question) || BEGINS_ASKING.test(question),
  }
}
