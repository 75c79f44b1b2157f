import { SENSITIVITIES, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import type { Random } from './random.js'
import type { Who } from './world.js'

/** A viewer that has its name in common with a credential that sees more, and that credential (NI-10). */
export interface Namesakes {
  readonly weak: Who
  readonly strong: Who
}

/** Lower than what the stronger one has in at least one respect. */
function narrower(rng: Random): Pick<Who, 'trust' | 'visibility'> {
  const drawn = rng.pick(SENSITIVITIES.slice(0, 4))
  // One rank below what the stronger one stores, the weaker one would see that it is there (TR-1).
  const trust = { maxSensitivity: drawn === 'high' ? 'medium' : drawn }
  const ceiling = rng.pick(VISIBILITY_CLASSES.slice(0, 4))
  return rng.pick([
    { trust },
    { trust: { maxSensitivity: 'hyper', scopes: ['home'] } },
    { trust, visibility: { ceiling } },
  ])
}

/** An owner's key that holds less than its owner, or an agent's second key. */
export function drawNamesakes(rng: Random, strongAgent: Who): Namesakes {
  const less = narrower(rng)
  const owner: Who = { actor: 'ana', ...(rng.chance(0.5) ? { audience: 'host' } : {}) }
  return rng.chance(0.6)
    ? {
        strong: owner,
        weak: { ...owner, ...less, ...(rng.chance(0.3) ? { visibility: { ceiling: 'public_open' } } : {}) },
      }
    : { strong: strongAgent, weak: { ...strongAgent, ...less } }
}

interface Deed {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  readonly options?: Readonly<Record<string, unknown>>
}

type IdOfDeed = (place: number, thing: string) => string

/** Nobody else uses this corpus, so that what lies on it restricts nothing that the viewer could notice. */
const ASIDE = 'set aside'
const ASIDE_SCOPE = 'aside'
const HIDDEN = { sensitivity: 'hyper', visibilityClass: 'sealed' }

/** What a stronger credential does, and what the weaker one asks afterwards: chance would seldom name the same things. */
export interface Asides {
  readonly deeds: readonly Deed[]
  readonly questions: readonly Deed[]
}

/**
 * What the stronger credential does that the weaker one must not notice: it reads, and stores words, names and keys under
 * the names that the weaker one will use. `idOf` tells what the deed at a place creates.
 */
export function makeAsides(strong: Who, records: readonly string[], idOf: IdOfDeed): Asides {
  const isAgent = strong.audience === 'agent'
  const hidden = { kind: 'episodic', text: 'set aside', ...HIDDEN }
  const once = { idempotencyKey: 'once' }
  const target = { kind: 'corpus', ref: ASIDE }
  const deeds: Deed[] = [
    {
      operation: 'memory.remember',
      input: { records: [{ ...hidden, participants: ['zed'] }] },
      options: once,
    },
    ...records.map(record => ({ operation: 'memory.get', input: { record } })),
    { operation: 'memory.search', input: { query: 'garden letters' } },
    { operation: 'searches.save', input: { name: 'mine', query: 'garden' } },
    { operation: 'consents.request', input: { person: 'kim', reason: 'set aside' } },
    ...(isAgent
      ? []
      : [
          { operation: 'overlays.add', input: { target, restriction: 'preview_only' } },
          { operation: 'grants.add', input: { grantee: 'cat', target } },
          { operation: 'groups.create', input: { name: 'family' } },
          { operation: 'keys.create', input: { name: 'laptop' } },
          { operation: 'people.add', input: { person: 'yan' } },
          { operation: 'documents.ingest', input: asideFile('mine.txt') },
          { operation: 'people.update', input: { person: 'zed', addAliases: ['zz'] } },
        ]),
  ]
  if (isAgent) return { deeds, questions: [] }
  // In a scope that a key which holds less does not hold either.
  const beyond = { ...HIDDEN, scope: ASIDE_SCOPE }
  deeds.push(
    { operation: 'memory.capture', input: captured('I live in Graz, and kim likes honey.', beyond) },
    ...records.map(record => ({
      operation: 'memory.remember',
      input: { records: [{ kind: 'episodic', text: 'set aside', ...beyond, derivedFrom: [record] }] },
    })),
  )
  const open = { sensitivity: 'public', visibilityClass: 'public_open' }
  const questions: Deed[] = [
    { operation: 'memory.capture', input: captured('I live in Linz.', open) },
    { operation: 'memory.list', input: { limit: 100 } },
    { operation: 'memory.context', input: { budget: 400, about: 'set aside' } },
    ...records.slice(0, 3).map(record => ({ operation: 'memory.get', input: { record } })),
  ]
  const shared = shareAside((place, thing) => idOf(deeds.length + place, thing))
  return {
    deeds: [...deeds, ...shared.deeds],
    questions: [...questions, ...askAside(records), ...shared.questions],
  }
}

/** The same message of the same conversation, saying one thing or another. */
const captured = (text: string, label: Readonly<Record<string, string>>) => ({
  messages: [{ text, id: 'm-1' }],
  conversation: 'talk',
  ...label,
})

/** What a key of an owner asks about records and people. */
const askAside = (records: readonly string[]): Deed[] => [
  { operation: 'memory.forget_candidates', input: { phrase: 'set aside' } },
  ...records.map(record => ({ operation: 'memory.forget_preview', input: { records: [record] } })),
  { operation: 'labels.propose', input: { text: 'yan has the PIN 4821' } },
  ...['overlays.list', 'grants.list', 'groups.list', 'keys.list', 'searches.list'].map(operation => ({
    operation,
    input: {},
  })),
  { operation: 'people.matches', input: {} },
  { operation: 'people.merge_preview', input: { person: 'zed', into: 'kim' } },
  { operation: 'people.merge', input: { person: 'yan', into: 'yan yu' } },
]

/** A link and what is done with it, and a person who may be another one. */
function shareAside(idOf: IdOfDeed): Asides {
  const link = idOf(1, 'link')
  return {
    deeds: [
      { operation: 'views.create', input: { corpus: ASIDE } },
      {
        operation: 'links.grant',
        input: {
          name: 'aside',
          views: [idOf(0, 'view')],
          recipientIdentityMode: 'anonymous_share_token',
          maxSensitivity: 'low',
        },
      },
      { operation: 'links.copy', input: { link, recipients: [{ name: 'berg' }] } },
      { operation: 'links.change', input: { link, rateLimits: { maxQueriesPerHour: 7 } } },
      { operation: 'people.add', input: { person: 'yan yu' } },
    ],
    questions: [
      { operation: 'links.list', input: {} },
      { operation: 'links.readings', input: { link } },
      { operation: 'links.change', input: { link, rateLimits: { maxQueriesPerHour: 8 } } },
      { operation: 'links.copy', input: { link, recipients: [{ name: 'berg' }] } },
    ],
  }
}

const asideFile = (document: string) => ({
  document,
  corpus: ASIDE,
  content: Buffer.from('set aside').toString('base64'),
  sensitivity: 'hyper',
  visibilityClass: 'sealed',
})
