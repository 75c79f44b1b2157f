import { describe, expect, it } from 'vitest'
import { PrivityError } from '../../../errors.js'
import { LEGAL_QUESTIONS } from '../../../legal/questions.js'
import { findReasonCode } from '../../../policy/reason-codes.js'
import * as question from '../question.js'
import { QUERY_INTENTS, type QueryIntent, resolveIntent as resolve } from './intent.js'
import {
  FILING_CONTENT_SCOPES,
  postureFor as forQuestion,
  POSTURE_RULES as GENERAL,
  namedPosture,
  PART_KINDS,
  POSTURES,
  type PostureRule,
  partKindsOf,
  type RetrievalPosture,
  postureRuleFor as ruleFor,
} from './posture.js'

/** Uses the legal tables, because they have the most rules. */
const { intents: patterns, postures: POSTURE_RULES } = LEGAL_QUESTIONS
type RouterQuery = { query: string; intent: QueryIntent }
const resolveIntent = ({ query }: { query: string }) => resolve({ query, patterns })
const postureFor = (asked: RouterQuery): RetrievalPosture => forQuestion(asked, POSTURE_RULES)
const postureRuleFor = (asked: RouterQuery): PostureRule => ruleFor(asked, POSTURE_RULES)

/** Routes as the router does: the intent from the words, then the posture from both. */
const routed = (query: string): RetrievalPosture =>
  postureFor({ query, intent: resolveIntent({ query }).resolvedIntent })

const ALWAYS = { requiredSurfaceDisclosure: true, schemaVersion: 1 }

const EXAMPLES: readonly (readonly [posture: object, sentences: readonly string[]])[] = [
  [
    { posture: 'document_text_primary', filingContentScope: 'lead_argument_only', sourceSpanRequired: true },
    [
      'What does brief argue about X?',
      'What does the opposition argue about loss causation?',
      'What do defendants contend regarding scienter?',
      'How does the reply address materiality?',
      'What is the argument on falsity in the motion?',
      'What position does the brief take on standing?',
    ],
  ],
  [
    { posture: 'document_text_primary', filingContentScope: 'all_filing_parts', sourceSpanRequired: true },
    [
      'Find risk disclosure defendants cite',
      'Find the risk disclosures that defendants rely on',
      'Locate every cautionary statement the defendants point to',
      'Search for the analyst reports the complaint cites',
      'Which press releases do plaintiffs cite?',
    ],
  ],
  [
    {
      posture: 'document_text_primary',
      filingContentScope: 'proposed_orders_only',
      sourceSpanRequired: true,
    },
    [
      'Show me the proposed order',
      'Pull up the proposed order',
      'What does the proposed order say about fees?',
      'Open the draft order filed with the motion',
    ],
  ],
  [
    { posture: 'metadata_primary', filingContentScope: 'package_metadata_only', sourceSpanRequired: false },
    [
      'What documents were filed with motion?',
      'Which exhibits were attached to the motion to dismiss?',
      'List everything submitted with the opposition',
      'How many declarations accompany the motion?',
      'When was the reply brief filed?',
      'Who filed the amended complaint?',
    ],
  ],
  [
    { posture: 'document_text_primary', filingContentScope: 'lead_argument_only', sourceSpanRequired: true },
    [
      'Quote what they said',
      'Quote what the court said about scienter',
      'Give me the exact words they used',
      'What did they say, verbatim?',
      'I need a word-for-word passage from the opposition',
    ],
  ],
  [
    {
      posture: 'cross_source_synthesis',
      filingContentScope: 'all_argument_parts',
      sourceSpanRequired: true,
      sourceSpanCountMinimum: 3,
    },
    [
      'Themes across briefs',
      'What themes run through these briefs?',
      'Common themes in the oppositions',
      'Recurring arguments across the filings',
      'Summarize the patterns in all briefs',
    ],
  ],
  [
    {
      posture: 'cross_source_synthesis',
      filingContentScope: 'all_filing_parts',
      sourceSpanRequired: true,
      sourceSpanCountMinimum: 2,
    },
    [
      'Across these briefs, where did X come up',
      'Where does loss causation come up across the briefs?',
      'In which of these filings is Tellabs discussed?',
      'Across all oppositions, which ones mention the safe harbor?',
      'Everywhere the core operations inference is raised in these briefs',
    ],
  ],
  [
    { posture: 'derived_memory_primary', sourceSpanRequired: false },
    [
      'Show me my notes on this brief',
      'What did I note about this brief?',
      'Pull up our annotations on the opposition',
      'My highlights from the reply',
    ],
  ],
  // Example 21.1.
  [
    { posture: 'document_text_primary', filingContentScope: 'all_filing_parts', sourceSpanRequired: true },
    [
      'Find oppositions to MTDs that argue PSLRA falls short on scienter.',
      'Show me briefs that contend the PSLRA standard is not met',
      'Which oppositions argue that scienter was adequately pleaded?',
      'Look for motions where defendants assert the safe harbor',
    ],
  ],
]

describe('the examples', () => {
  it.each(
    EXAMPLES.flatMap(([posture, sentences]) => sentences.map(sentence => [sentence, posture] as const)),
  )('[SR-3] %s', (sentence, posture) => {
    expect(routed(sentence)).toStrictEqual({ ...posture, ...ALWAYS })
    expect(routed(sentence.toLowerCase())).toStrictEqual({ ...posture, ...ALWAYS })
  })

  it('[SR-3] a plain question is for documents and memories alike', () => {
    for (const query of ['garden shed', 'the argument I had with Kim', 'PSLRA'])
      expect(routed(query)).toStrictEqual({
        posture: 'mixed_surface_disclosed',
        sourceSpanRequired: false,
        ...ALWAYS,
      })
  })
})

describe('the rules', () => {
  const WINS: Readonly<Record<string, readonly [QueryIntent, string]>> = {
    proposed_order: ['quotation', 'Quote the proposed order'],
    in_exhibits: ['evidence_search', 'Look in the exhibits for the email'],
    arguments_found: ['evidence_search', 'Find briefs that argue estoppel'],
    cited_material: ['evidence_search', 'Find the cases that the reply cites'],
    argument_of_filing: ['evidence_search', 'What does the brief argue about estoppel?'],
    any_evidence: ['evidence_search', 'garden shed'],
    exact_words: ['quotation', 'Quote what they said'],
    occurrences: ['synthesis', 'Where did estoppel come up across the briefs?'],
    themes: ['synthesis', 'Themes across briefs'],
    any_synthesis: ['synthesis', 'Compare the two briefs'],
    filing_facts: ['metadata_lookup', 'When was the reply filed?'],
    own_notes: ['notes_recall', 'my notes'],
    doctrine: ['doctrine_lookup', 'elements of fraud'],
    review: ['review_audit', 'Review this search'],
  }

  it('[SR-3] each have a sentence that they win, which its words lead to', () => {
    expect(Object.keys(WINS)).toEqual(POSTURE_RULES.map(({ id }) => id))
    for (const [id, [intent, query]] of Object.entries(WINS)) {
      expect([id, resolveIntent({ query }).resolvedIntent]).toEqual([id, intent])
      expect([query, postureRuleFor({ query, intent }).id]).toEqual([query, id])
    }
  })

  it('[SR-3] follow the intent, whatever the words are', () => {
    const [, sentences] = EXAMPLES[5] ?? []
    for (const query of sentences ?? []) {
      expect(postureFor({ query, intent: 'notes_recall' }).posture).toBe('derived_memory_primary')
      expect(postureFor({ query, intent: 'metadata_lookup' }).posture).toBe('metadata_primary')
    }
  })

  it('[SR-3] have one for every intent and every question', () => {
    for (const intent of QUERY_INTENTS)
      for (const query of ['', 'garden shed', ...EXAMPLES.flatMap(([, sentences]) => sentences)]) {
        const { posture, filingContentScope } = postureFor({ query, intent })
        expect(POSTURES).toContain(posture)
        expect([undefined, ...FILING_CONTENT_SCOPES]).toContain(filingContentScope)
      }
  })

  it('[SR-3] let a synthesis do without spans under no circumstances', () => {
    for (const { posture } of POSTURE_RULES)
      if (posture.posture === 'cross_source_synthesis') {
        expect(posture.sourceSpanRequired).toBe(true)
        expect(posture.sourceSpanCountMinimum).toBeGreaterThanOrEqual(2)
      } else expect(posture).not.toHaveProperty('sourceSpanCountMinimum')
  })

  it('[SR-3] look at the exhibits, and where the law is argued, and at least at two sources', () => {
    expect(routed('Look in the exhibits for the email')).toMatchObject({
      filingContentScope: 'exhibits_only',
    })
    expect(routed('elements of fraud')).toStrictEqual({
      posture: 'document_text_primary',
      filingContentScope: 'all_argument_parts',
      sourceSpanRequired: true,
      ...ALWAYS,
    })
    expect(routed('Compare the two briefs')).toStrictEqual({
      posture: 'cross_source_synthesis',
      filingContentScope: 'all_argument_parts',
      sourceSpanRequired: true,
      sourceSpanCountMinimum: 2,
      ...ALWAYS,
    })
    expect(routed('Review this search')).toStrictEqual({
      posture: 'mixed_surface_disclosed',
      sourceSpanRequired: false,
      ...ALWAYS,
    })
  })

  it('[SR-3] know no other intent', () => {
    expect(() => postureFor({ query: 'x', intent: 'other' as QueryIntent })).toThrow(
      expect.objectContaining({ code: 'invalid_input' }),
    )
  })
})

describe('a posture that a caller names', () => {
  it('[SR-3] has the spans that it rests on', () => {
    expect(POSTURES.map(namedPosture)).toStrictEqual([
      { posture: 'document_text_primary', sourceSpanRequired: true, ...ALWAYS },
      { posture: 'derived_memory_primary', sourceSpanRequired: false, ...ALWAYS },
      {
        posture: 'metadata_primary',
        filingContentScope: 'package_metadata_only',
        sourceSpanRequired: false,
        ...ALWAYS,
      },
      { posture: 'mixed_surface_disclosed', sourceSpanRequired: false, ...ALWAYS },
      { posture: 'cross_source_synthesis', sourceSpanRequired: true, sourceSpanCountMinimum: 2, ...ALWAYS },
    ])
  })

  it.each([
    ['content_primary', 'document_text_primary'],
    ['memory_primary', 'derived_memory_primary'],
    ['hybrid_disclosed', 'mixed_surface_disclosed'],
    ['synthesis_disclosed', 'cross_source_synthesis'],
  ])('[SR-3] is refused by its old name %s, with the new one', (legacy, name) => {
    const refused = (): unknown => {
      try {
        return namedPosture(legacy)
      } catch (error) {
        return error
      }
    }
    expect(refused()).toBeInstanceOf(PrivityError)
    expect(refused()).toMatchObject({
      code: 'invalid_input',
      reason: 'posture_name_v3_legacy',
      message: `posture: this is now called ${name}`,
    })
    expect(findReasonCode('posture_name_v3_legacy')?.visibility).toBe('expose')
  })

  it.each(['', 'other', 'toString', '__proto__', 'Metadata_primary'])('[SR-3] is not %j', name => {
    expect(() => namedPosture(name)).toThrow(
      expect.objectContaining({ code: 'invalid_input', reason: undefined }),
    )
  })

  it('[SR-3] is of the one list that there is', () => {
    expect(question.POSTURES).toBe(POSTURES)
  })
})

describe('parts of filings', () => {
  it('[SR-3] are those that the scope takes in', () => {
    expect(FILING_CONTENT_SCOPES.map(scope => [scope, partKindsOf(scope)])).toEqual([
      ['lead_argument_only', ['lead_argument']],
      ['all_argument_parts', ['lead_argument', 'argument']],
      ['exhibits_only', ['exhibit']],
      ['proposed_orders_only', ['proposed_order']],
      ['all_filing_parts', null],
      ['package_metadata_only', null],
    ])
    expect(partKindsOf(undefined)).toBeNull()
    expect(PART_KINDS).toEqual([
      'lead_argument',
      'argument',
      'exhibit',
      'proposed_order',
      'declaration',
      'front_matter',
      'certificate',
    ])
  })

  it('[SR-3] are none of an unknown scope', () => {
    for (const scope of ['other', 'toString', '__proto__']) expect(partKindsOf(scope as never)).toEqual([])
  })
})

describe('the rules of any question', () => {
  it('[SR-3] answer every intent, and look at no parts of filings', () => {
    for (const intent of QUERY_INTENTS) {
      const { filingContentScope } = forQuestion({ query: 'garden', intent })
      expect([undefined, 'package_metadata_only']).toContain(filingContentScope)
    }
    expect(GENERAL.map(({ posture }) => posture.filingContentScope).join('')).toBe('package_metadata_only')
  })
})
