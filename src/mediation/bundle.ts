import { PrivityError } from '../errors.js'
import type { QuerySource, QueryType } from '../policy/retrieval-contract.js'
import { asData, dataJson } from '../runtime/data-markers.js'
import type { Tokenizer } from '../runtime/tokenizer.js'
import type { ItemFacts } from './item-facts.js'

/** One item for a model, with its provenance and the consent that it rests on (RC-15). */
export interface BundleItem {
  readonly type: QueryType
  readonly text: string
  /** Facts besides the text: status, when it was agreed, how it went, how strong a feeling was. */
  readonly facts: ItemFacts
  readonly source: QuerySource
  readonly provenance: {
    readonly from: 'you' | 'partner' | 'session' | 'library'
    readonly session: 'current' | 'prior' | null
    readonly at: string | null
    readonly record: string | null
  }
  readonly consentState: 'own' | 'granted' | 'derived' | 'not_needed'
  readonly stageScope: number
  readonly face: 'full'
}

export interface TurnBundle {
  readonly items: readonly BundleItem[]
  /** The text for the model. */
  readonly text: string
  readonly tokens: number
  /** How many retrieved items did not fit. */
  readonly leftOut: number
}

const PREAMBLE = [
  'You speak with one person. Use nothing about them or anybody else but what stands between the markers below: it is all',
  'you know. What is not there did not happen as far as you can tell; do not guess at what the other person said or feels.',
].join('\n')

const TAGS = ['type', 'source', 'provenance', 'consentState', 'stageScope', 'face'] as const

/** Every item that reaches a model says what it is (RC-15). */
function requireTags(item: BundleItem): void {
  if (TAGS.some(tag => item[tag] === undefined || item[tag] === null) || item.text === '')
    throw new PrivityError('internal', 'an item of a bundle lacks its tags')
}

/** The message and as many items as fit, in order. An item that does not fit is left out as a whole. */
export function makeBundle(
  message: string,
  items: readonly BundleItem[],
  budget: number,
  tokenizer: Tokenizer,
): TurnBundle {
  const count = (text: string) => tokenizer.count(text)
  for (const item of items) requireTags(item)
  const render = (chosen: readonly BundleItem[]) =>
    `${PREAMBLE}\n${asData({ message, items: chosen.map(told) })}`
  const chosen: BundleItem[] = []
  let tokens = count(render([]))
  if (tokens > budget)
    throw new PrivityError(
      'invalid_input',
      `tokenBudget: the message alone takes ${tokens} tokens of the ${budget} there are`,
    )
  for (const item of items) {
    const more = count(dataJson(told(item))) + BETWEEN
    if (tokens + more > budget) continue
    chosen.push(item)
    tokens += more
  }
  let text = render(chosen)
  tokens = count(text)
  // Joined items can take more tokens than the sum of their counts, though rarely, and the whole text must fit.
  while (tokens > budget) {
    chosen.pop()
    text = render(chosen)
    tokens = count(text)
  }
  return { items: chosen, text, tokens, leftOut: items.length - chosen.length }
}

/** Tokens for the comma between two items and a bracket beside it. */
const BETWEEN = 2

/** The parts of an item that a model reads. Ids are left out because they tell it nothing. */
const told = ({ type, text, facts, source, provenance, consentState, stageScope, face }: BundleItem) => ({
  type,
  text,
  ...facts,
  source,
  provenance: { from: provenance.from, session: provenance.session, at: provenance.at },
  consentState,
  stageScope,
  face,
})
