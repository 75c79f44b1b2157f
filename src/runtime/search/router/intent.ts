import { z } from 'zod'
import { PrivityError } from '../../../errors.js'
import type { ChatMessage } from '../../completions.js'
import { asData } from '../../data-markers.js'
import { ACROSS_DOCUMENTS, COMPARES, EXACT_WORDS, OWN_NOTES, REVIEWS, THEMES_ACROSS } from './phrases.js'

/** What a question is meant for (SR-2). */
export const QUERY_INTENTS = [
  'evidence_search',
  'doctrine_lookup',
  'quotation',
  'synthesis',
  'metadata_lookup',
  'notes_recall',
  'review_audit',
] as const
export type QueryIntent = (typeof QUERY_INTENTS)[number]
export const queryIntent = z
  .enum(QUERY_INTENTS)
  .meta({ id: 'QueryIntent', description: 'What a question is for.' })

/** How the intent was found (002 §15.7). */
export const RESOLVER_KINDS = [
  'deterministic_pattern',
  'deterministic_session_profile',
  'deterministic_user_specified',
  'model_assisted_disclosed',
  'user_corrected',
] as const
export type ResolverKind = (typeof RESOLVER_KINDS)[number]

export interface QueryIntentResolution {
  readonly resolvedIntent: QueryIntent
  readonly resolverKind: ResolverKind
  readonly patternId?: string
  readonly classifierModelRef?: string
  readonly classifierConfidence?: number
  readonly userCanOverride: boolean
  /** The search whose intent the user corrected. */
  readonly correctsSearchRun?: string
  /** Set if the model was so unsure that its classification must be disclosed prominently. */
  readonly prominent?: boolean
  readonly schemaVersion: 1
}

export interface IntentPattern {
  readonly id: string
  readonly intent: QueryIntent
  readonly test: RegExp
}

/** The patterns for any question; a domain has its own. The first match decides, so narrower patterns come first. */
export const PATTERNS: readonly IntentPattern[] = [
  { id: 'review_or_audit', intent: 'review_audit', test: REVIEWS },
  { id: 'own_notes', intent: 'notes_recall', test: OWN_NOTES },
  { id: 'exact_words', intent: 'quotation', test: EXACT_WORDS },
  { id: 'themes_across', intent: 'synthesis', test: THEMES_ACROSS },
  { id: 'across_documents', intent: 'synthesis', test: ACROSS_DOCUMENTS },
  { id: 'compare_documents', intent: 'synthesis', test: COMPARES },
]

/** The pattern id if no pattern matched. */
const NO_PATTERN = 'default'

const patternOf = (query: string, patterns: readonly IntentPattern[]) =>
  patterns.find(({ test }) => test.test(query))

/** Whether a pattern decides, so that no model has to be asked. */
export const matchesPattern = (query: string, patterns = PATTERNS): boolean =>
  patternOf(query, patterns) !== undefined

export interface Classification {
  readonly intent: QueryIntent
  readonly confidence: number
}

export interface IntentInput {
  readonly query: string
  /** The patterns of the question's domain; the general ones if absent. */
  readonly patterns?: readonly IntentPattern[] | undefined
  /** The intent that the profile prescribes. */
  readonly forced?: QueryIntent | undefined
  /** The intent that the user chose. */
  readonly tagged?: QueryIntent | undefined
  /** Whether the user's choice corrects what a model had said. */
  readonly corrects?: boolean | undefined
  readonly classified?: (Classification & { readonly model: string }) | undefined
  /** A model's confidence below this value is disclosed prominently. */
  readonly disclosureBelow?: number | undefined
}

/**
 * The profile decides first, then the user, then patterns, then a model. What comes from a model is disclosed (SR-2).
 */
export function resolveIntent(asked: IntentInput): QueryIntentResolution {
  const {
    query,
    patterns = PATTERNS,
    forced,
    tagged,
    corrects = false,
    classified,
    disclosureBelow = 0.85,
  } = asked
  const resolved = (
    resolvedIntent: QueryIntent,
    resolverKind: ResolverKind,
    more: Partial<QueryIntentResolution> = {},
  ): QueryIntentResolution => ({
    resolvedIntent,
    resolverKind,
    userCanOverride: true,
    ...more,
    schemaVersion: 1,
  })
  if (forced !== undefined)
    return resolved(known(forced), 'deterministic_session_profile', { userCanOverride: false })
  if (tagged !== undefined)
    return resolved(known(tagged), corrects ? 'user_corrected' : 'deterministic_user_specified')
  const pattern = patternOf(query, patterns)
  if (pattern !== undefined)
    return resolved(pattern.intent, 'deterministic_pattern', { patternId: pattern.id })
  if (classified !== undefined && isClassification(classified)) {
    const { intent, model, confidence } = classified
    return resolved(intent, 'model_assisted_disclosed', {
      classifierModelRef: model,
      classifierConfidence: confidence,
      ...(confidence < disclosureBelow && { prominent: true }),
    })
  }
  return resolved('evidence_search', 'deterministic_pattern', { patternId: NO_PATTERN })
}

function known(intent: QueryIntent): QueryIntent {
  if (QUERY_INTENTS.includes(intent)) return intent
  throw new PrivityError('invalid_input', `intent: must be one of ${QUERY_INTENTS.join(', ')}`)
}

const classification = z.object({ intent: queryIntent, confidence: z.number().min(0).max(1) })

const isClassification = (value: Classification): boolean => classification.safeParse(value).success

/** The explanation of each intent for a model; a domain has its own. */
export const MEANINGS: Readonly<Record<QueryIntent, string>> = {
  evidence_search: 'find documents, passages or memories that show something',
  doctrine_lookup: 'a rule, a standard or a definition',
  quotation: 'the exact words of a document or a person',
  synthesis: 'what several documents have in common or where they differ',
  metadata_lookup: 'facts about documents: when, by whom, with what',
  notes_recall: "the asker's own notes and remarks",
  review_audit: 'how an earlier search or answer came about',
}

const instructions = (meanings: Readonly<Record<QueryIntent, string>>): string =>
  [
    'You sort a question by what it is for. You do not answer the question.',
    ...QUERY_INTENTS.map(intent => `- ${intent}: ${meanings[intent]}`),
    'Answer with JSON alone: {"intent": one of these, "confidence": how sure you are, from 0 to 1}. Nothing else.',
  ].join('\n')

/** The prompt for classification: it contains the question as data, and nothing from memory (RC-15). */
export const classificationMessages = (query: string, meanings = MEANINGS): ChatMessage[] => [
  { role: 'system', content: instructions(meanings) },
  { role: 'user', content: asData({ question: query }) },
]

/** Reads a model's answer. Anything but the JSON it was asked for counts as no classification. */
export function readClassification(text: string): Classification | null {
  try {
    return classification.strict().safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
