import { PrivityError } from '../errors.js'
import type { MemoryIntent } from '../policy/memory-intent.js'
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

/** What a stage asks of the model, and what it must not do (RC-19). */
const STAGE_TASKS: Readonly<Record<number, string>> = {
  0: 'Onboarding. Explain the process and the compact. Do not discuss the conflict yet.',
  1: 'Witness. Help the speaker to feel heard: reflect what they say. Say nothing about the partner and solve nothing.',
  2: 'Perspective. Help the speaker to imagine what the partner feels, from what the partner shared and nothing else. Take no side.',
  3: 'Needs. Help the speaker to name needs behind positions, and what both need. Do not return to events or propose solutions.',
  4: 'Repair. Help both to find small steps to try, from what both shared and agreed. Do not tell who proposed which strategy.',
}

const INTENT_TASKS: Readonly<Record<MemoryIntent, string>> = {
  avoid_recall:
    'The speaker may be in distress: listen, remind them of nothing, and follow the course that the app was told.',
  stage_enforcement:
    'The speaker has to stay in this stage: say kindly what is still to be done, and skip nothing.',
  emotional_validation: 'Validate what the speaker feels now.',
  offer_continuity: 'Greet the speaker and offer to go on where they were.',
  recall_commitment: 'Answer from what was said, shared and agreed.',
}

const RULES = [
  'You are a mediator and talk with one person, called the speaker; the other one is called the partner.',
  'Use nothing about them but what stands between the markers below: it is all you know. What is not there did not happen as',
  'far as you can tell; do not guess at what the partner said or feels, and quote nothing that the speaker said in private.',
].join('\n')

/** What a turn is about, besides what is recalled for it. */
export interface TurnBrief {
  readonly stage: number
  readonly intent: MemoryIntent
  readonly message: string
}

const briefOf = ({ stage, intent }: TurnBrief): string =>
  `${RULES}\nStage ${stage} of 4: ${STAGE_TASKS[stage] ?? ''}\n${INTENT_TASKS[intent]}`

/** The message follows the data, so that nobody takes it for some; it cannot imitate the markers either (RC-15). */
const saidOf = ({ message }: TurnBrief): string => `The speaker says now: ${dataJson(message)}`

const TAGS = ['type', 'source', 'provenance', 'consentState', 'stageScope', 'face'] as const

/** Every item that reaches a model says what it is (RC-15). */
function requireTags(item: BundleItem): void {
  if (TAGS.some(tag => item[tag] === undefined || item[tag] === null) || item.text === '')
    throw new PrivityError('internal', 'an item of a bundle lacks its tags')
}

/** The brief, as many items as fit in order, and the message. An item that does not fit is left out as a whole. */
export function makeBundle(
  brief: TurnBrief,
  items: readonly BundleItem[],
  budget: number,
  tokenizer: Tokenizer,
): TurnBundle {
  const count = (text: string) => tokenizer.count(text)
  for (const item of items) requireTags(item)
  const render = (chosen: readonly BundleItem[]) =>
    `${briefOf(brief)}\n${asData(inGroups(chosen))}\n${saidOf(brief)}`
  const chosen: BundleItem[] = []
  let tokens = count(render([]))
  if (tokens > budget)
    throw new PrivityError(
      'invalid_input',
      `tokenBudget: the message alone takes ${tokens} tokens of the ${budget} there are`,
    )
  const groups = new Set<string>()
  for (const item of items) {
    const group = groupOf(item)
    const heading = groups.has(group) ? 0 : count(dataJson(group)) + BETWEEN
    const more = count(dataJson(told(item))) + BETWEEN + heading
    if (tokens + more > budget) continue
    groups.add(group)
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

const GROUPS: Readonly<Record<QueryType, string>> = {
  session_metadata: 'earlier sessions',
  relationship_metadata: 'this relationship',
  session_outcomes: 'agreed before',
  user_event: 'the speaker said in private',
  emotional_reading: 'the speaker felt',
  need: 'the speaker needs',
  boundary: 'boundaries of the speaker',
  consented_content: '',
  common_ground: 'common ground',
  agreement: 'agreed by both',
  micro_experiment: 'experiments',
  experiment_suggestion: 'ideas from a library',
}
const SHARED_BY = {
  partner: 'the partner shared',
  you: 'the speaker shared',
  session: 'strategies, by whom is not told',
  library: '',
} as const

/** What an item is, in words that name nobody "you". Items of one group share its heading. */
function groupOf({ type, provenance: { from, session } }: BundleItem): string {
  const group = type === 'consented_content' ? SHARED_BY[from] : GROUPS[type]
  return session === 'prior' ? `${group} (earlier session)` : group
}

function inGroups(items: readonly BundleItem[]): Readonly<Record<string, readonly unknown[]>> {
  const groups: Record<string, unknown[]> = {}
  for (const item of items) {
    const group = groupOf(item)
    groups[group] = [...(groups[group] ?? []), told(item)]
  }
  return groups
}

/** What a model reads of an item: its text, and the facts about it if there are any. Ids tell it nothing. */
function told({ text, facts }: BundleItem): unknown {
  const { outcomes, ...rest } = facts
  const whoSays = outcomes?.map(({ by, text: outcome }) => ({
    by: by === 'you' ? 'speaker' : by,
    text: outcome,
  }))
  return Object.keys(facts).length === 0 ? text : { text, ...rest, ...(whoSays ? { outcomes: whoSays } : {}) }
}
