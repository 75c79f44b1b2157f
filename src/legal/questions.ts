import type { QuestionTables } from '../runtime/domain.js'
import { type IntentPattern, MEANINGS } from '../runtime/search/router/intent.js'
import { HAS_THEME, OCCURRENCES, OWN_NOTES, REVIEWS } from '../runtime/search/router/phrases.js'
import { made, type PostureRule } from '../runtime/search/router/posture.js'
import {
  ACROSS_FILINGS,
  ASKS_ARGUMENT,
  COMPARES_FILINGS,
  DOCTRINE,
  EXACT_WORDS_OF_LAW,
  FILING_FACTS,
  FINDS_ARGUMENTS,
  FINDS_CITED,
  IN_EXHIBITS,
  PROPOSED_ORDER,
  THEMES_ACROSS_LAW,
} from './phrases.js'

/** The first match decides, so narrower patterns come before wider ones. */
const INTENTS: readonly IntentPattern[] = [
  { id: 'review_or_audit', intent: 'review_audit', test: REVIEWS },
  { id: 'own_notes', intent: 'notes_recall', test: OWN_NOTES },
  { id: 'exact_words', intent: 'quotation', test: EXACT_WORDS_OF_LAW },
  { id: 'themes_across', intent: 'synthesis', test: THEMES_ACROSS_LAW },
  { id: 'across_documents', intent: 'synthesis', test: ACROSS_FILINGS },
  { id: 'compare_documents', intent: 'synthesis', test: COMPARES_FILINGS },
  { id: 'legal_argument_search', intent: 'evidence_search', test: FINDS_ARGUMENTS },
  { id: 'filing_facts', intent: 'metadata_lookup', test: FILING_FACTS },
  { id: 'proposed_order', intent: 'evidence_search', test: PROPOSED_ORDER },
  { id: 'in_exhibits', intent: 'evidence_search', test: IN_EXHIBITS },
  { id: 'cited_material_search', intent: 'evidence_search', test: FINDS_CITED },
  { id: 'doctrine_question', intent: 'doctrine_lookup', test: DOCTRINE },
  { id: 'argument_question', intent: 'evidence_search', test: ASKS_ARGUMENT },
]

/** The first match decides (002 §12.4). The last rule of each intent matches every question. */
const POSTURES: readonly PostureRule[] = [
  {
    id: 'proposed_order',
    intents: ['evidence_search', 'quotation'],
    test: PROPOSED_ORDER,
    posture: made('document_text_primary', 'proposed_orders_only'),
  },
  {
    id: 'in_exhibits',
    intents: ['evidence_search', 'quotation'],
    test: IN_EXHIBITS,
    posture: made('document_text_primary', 'exhibits_only'),
  },
  {
    id: 'arguments_found',
    intents: ['evidence_search'],
    test: FINDS_ARGUMENTS,
    posture: made('document_text_primary', 'all_filing_parts'),
  },
  {
    id: 'cited_material',
    intents: ['evidence_search'],
    test: FINDS_CITED,
    posture: made('document_text_primary', 'all_filing_parts'),
  },
  {
    id: 'argument_of_filing',
    intents: ['evidence_search'],
    test: ASKS_ARGUMENT,
    posture: made('document_text_primary', 'lead_argument_only'),
  },
  { id: 'any_evidence', intents: ['evidence_search'], posture: made('mixed_surface_disclosed') },
  {
    id: 'exact_words',
    intents: ['quotation'],
    posture: made('document_text_primary', 'lead_argument_only'),
  },
  {
    id: 'occurrences',
    intents: ['synthesis'],
    test: OCCURRENCES,
    posture: made('cross_source_synthesis', 'all_filing_parts', 2),
  },
  {
    id: 'themes',
    intents: ['synthesis'],
    test: HAS_THEME,
    posture: made('cross_source_synthesis', 'all_argument_parts', 3),
  },
  {
    id: 'any_synthesis',
    intents: ['synthesis'],
    posture: made('cross_source_synthesis', 'all_argument_parts'),
  },
  {
    id: 'filing_facts',
    intents: ['metadata_lookup'],
    posture: made('metadata_primary', 'package_metadata_only'),
  },
  { id: 'own_notes', intents: ['notes_recall'], posture: made('derived_memory_primary') },
  {
    id: 'doctrine',
    intents: ['doctrine_lookup'],
    posture: made('document_text_primary', 'all_argument_parts'),
  },
  { id: 'review', intents: ['review_audit'], posture: made('mixed_surface_disclosed') },
]

export const LEGAL_QUESTIONS: QuestionTables = {
  intents: INTENTS,
  postures: POSTURES,
  meanings: {
    ...MEANINGS,
    doctrine_lookup: 'a rule of law, a legal standard, the elements of a claim',
    metadata_lookup: 'facts about documents: when, by whom, with what, in which case',
  },
}
