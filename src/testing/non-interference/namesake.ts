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
  const trust = { maxSensitivity: rng.pick(SENSITIVITIES.slice(0, 4)) }
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

/** Nobody else uses this corpus, so that what lies on it restricts nothing that the viewer could notice. */
const ASIDE = 'set aside'

/**
 * What the stronger credential does that the weaker one must not notice: it reads, and stores words, names and keys under
 * the names that the weaker one will use.
 */
export function deedsOf(strong: Who, records: readonly string[]): Deed[] {
  const isAgent = strong.audience === 'agent'
  const hidden = { kind: 'episodic', text: 'set aside', sensitivity: 'hyper', visibilityClass: 'sealed' }
  const once = { idempotencyKey: 'once' }
  const target = { kind: 'corpus', ref: ASIDE }
  return [
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
}

const asideFile = (document: string) => ({
  document,
  corpus: ASIDE,
  content: Buffer.from('set aside').toString('base64'),
  sensitivity: 'hyper',
  visibilityClass: 'sealed',
})
