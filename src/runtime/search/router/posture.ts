import { z } from 'zod'
import { PrivityError } from '../../../errors.js'
import type { QueryIntent } from './intent.js'
import { HAS_THEME, OCCURRENCES } from './phrases.js'

/** What an answer should be made of (002 §12.1). */
export const POSTURES = [
  'document_text_primary',
  'derived_memory_primary',
  'metadata_primary',
  'mixed_surface_disclosed',
  'cross_source_synthesis',
] as const
export type Posture = (typeof POSTURES)[number]
export const posture = z
  .enum(POSTURES)
  .meta({ id: 'Posture', description: 'What an answer is to be made of.' })

/** Where in filings to look (002 §12.1). */
export const FILING_CONTENT_SCOPES = [
  'lead_argument_only',
  'all_argument_parts',
  'exhibits_only',
  'proposed_orders_only',
  'all_filing_parts',
  'package_metadata_only',
] as const
export type FilingContentScope = (typeof FILING_CONTENT_SCOPES)[number]
export const filingContentScope = z
  .enum(FILING_CONTENT_SCOPES)
  .meta({ id: 'FilingContentScope', description: 'Which parts of filings are searched.' })

export interface RetrievalPosture {
  readonly posture: Posture
  /** Absent means everywhere. */
  readonly filingContentScope?: FilingContentScope
  readonly sourceSpanRequired: boolean
  /** The minimum number of sources; only a synthesis has one. */
  readonly sourceSpanCountMinimum?: number
  readonly requiredSurfaceDisclosure: boolean
  readonly schemaVersion: 1
}

/** The kinds of parts of a document. */
export const PART_KINDS = [
  'lead_argument',
  'argument',
  'exhibit',
  'proposed_order',
  'declaration',
  'front_matter',
  'certificate',
] as const
export type PartKind = (typeof PART_KINDS)[number]
export const partKind = z
  .enum(PART_KINDS)
  .meta({ id: 'PartKind', description: 'What sort of part of a document it is.' })

const PARTS_OF: Readonly<Record<FilingContentScope, readonly PartKind[] | null>> = {
  lead_argument_only: ['lead_argument'],
  all_argument_parts: ['lead_argument', 'argument'],
  exhibits_only: ['exhibit'],
  proposed_orders_only: ['proposed_order'],
  all_filing_parts: null,
  // No parts at all but the cards of documents: a search filters by the kind `document` instead.
  package_metadata_only: null,
}

/** The parts that a scope covers; null means all. An unknown scope covers none. */
export const partKindsOf = (scope: FilingContentScope | undefined): readonly PartKind[] | null =>
  scope === undefined ? null : Object.hasOwn(PARTS_OF, scope) ? PARTS_OF[scope] : []

const MINIMUM_SOURCES = 2

/** Source text and syntheses require spans; memories, facts about documents and mixtures do not. */
export const made = (
  posture: Posture,
  filingContentScope?: FilingContentScope,
  sourceSpanCountMinimum = MINIMUM_SOURCES,
): RetrievalPosture => ({
  posture,
  ...(filingContentScope !== undefined && { filingContentScope }),
  sourceSpanRequired: posture === 'document_text_primary' || posture === 'cross_source_synthesis',
  ...(posture === 'cross_source_synthesis' && { sourceSpanCountMinimum }),
  requiredSurfaceDisclosure: true,
  schemaVersion: 1,
})

export interface PostureRule {
  readonly id: string
  readonly intents: readonly QueryIntent[]
  /** Absent means any question with that intent. */
  readonly test?: RegExp
  readonly posture: RetrievalPosture
}

/**
 * The rules for any question; a domain has its own. The first match decides, and each intent's last rule matches
 * always.
 */
export const POSTURE_RULES: readonly PostureRule[] = [
  { id: 'any_evidence', intents: ['evidence_search'], posture: made('mixed_surface_disclosed') },
  { id: 'exact_words', intents: ['quotation'], posture: made('document_text_primary') },
  {
    id: 'occurrences',
    intents: ['synthesis'],
    test: OCCURRENCES,
    posture: made('cross_source_synthesis', undefined, 2),
  },
  {
    id: 'themes',
    intents: ['synthesis'],
    test: HAS_THEME,
    posture: made('cross_source_synthesis', undefined, 3),
  },
  { id: 'any_synthesis', intents: ['synthesis'], posture: made('cross_source_synthesis') },
  {
    id: 'document_facts',
    intents: ['metadata_lookup'],
    posture: made('metadata_primary', 'package_metadata_only'),
  },
  { id: 'own_notes', intents: ['notes_recall'], posture: made('derived_memory_primary') },
  { id: 'doctrine', intents: ['doctrine_lookup'], posture: made('document_text_primary') },
  { id: 'review', intents: ['review_audit'], posture: made('mixed_surface_disclosed') },
]

interface PostureInput {
  readonly query: string
  readonly intent: QueryIntent
}

export function postureRuleFor({ query, intent }: PostureInput, rules = POSTURE_RULES): PostureRule {
  const rule = rules.find(
    ({ intents, test }) => intents.includes(intent) && (test === undefined || test.test(query)),
  )
  if (rule === undefined) throw new PrivityError('invalid_input', 'intent: is unknown')
  return rule
}

/** The posture for a question, from its intent and its words. */
export const postureFor = (asked: PostureInput, rules = POSTURE_RULES): RetrievalPosture =>
  postureRuleFor(asked, rules).posture

/** Former names of postures (002 §12.1). */
const LEGACY_NAMES: Readonly<Record<string, Posture>> = {
  content_primary: 'document_text_primary',
  memory_primary: 'derived_memory_primary',
  hybrid_disclosed: 'mixed_surface_disclosed',
  synthesis_disclosed: 'cross_source_synthesis',
}

/**
 * The posture that a caller names: it covers all parts of filings and requires spans where the posture does. Facts about
 * documents are on their cards.
 */
export function namedPosture(name: string): RetrievalPosture {
  const posture = POSTURES.find(known => known === name)
  if (posture === 'metadata_primary') return made(posture, 'package_metadata_only')
  if (posture !== undefined) return made(posture)
  if (Object.hasOwn(LEGACY_NAMES, name))
    throw new PrivityError('invalid_input', `posture: this is now called ${LEGACY_NAMES[name]}`, {
      reason: 'posture_name_v3_legacy',
    })
  throw new PrivityError('invalid_input', `posture: must be one of ${POSTURES.join(', ')}`)
}
