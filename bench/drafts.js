import { policy } from './built.js'

/**
 * @typedef {import('./random.js').Random} Random
 * @typedef {Parameters<import('../src/handle.js').Handle['remember']>[0][number]} Draft
 */

export const TENANT = 'bench'
export const OWNER = { tenant: TENANT, actor: 'ana' }
/** @type {import('../src/runtime/caller.js').Credential} */
export const AGENT = {
  tenant: TENANT,
  actor: 'helper',
  for: 'ana',
  audience: 'agent',
  trust: { maxSensitivity: 'hyper' },
}

export const PEOPLE = Array.from({ length: 12 }, (_, at) => `person ${at}`)
const TAGS = Array.from({ length: 30 }, (_, at) => `tag ${at}`)
const WORDS = 60

/**
 * Drafts of about 60 words in about 100 compartments: 10 sets of people, 5 sensitivities, 2 kinds.
 *
 * @param {Random} random
 * @param {number} count
 * @returns {Draft[]}
 */
export function makeDrafts(random, count) {
  const vocabulary = Array.from({ length: 5_000 }, () => makeWord(random))
  const sets = Array.from({ length: 10 }, () => random.sample(PEOPLE, 1 + random.integer(3)))
  // Squared, so that some words are common and most are rare.
  const word = () => vocabulary[Math.floor(random.next() ** 2 * vocabulary.length)] ?? ''
  return Array.from({ length: count }, () => ({
    kind: random.pick(/** @type {const} */ (['semantic', 'episodic'])),
    text: `${Array.from({ length: WORDS - 10 + random.integer(21) }, word).join(' ')}.`,
    tags: random.sample(TAGS, random.integer(4)),
    sensitivity: random.pick(policy.SENSITIVITIES),
    participants: random.pick(sets),
    salience: random.next(),
  }))
}

/** @param {Random} random */
function makeWord(random) {
  const syllables = 1 + random.integer(4)
  return Array.from(
    { length: syllables },
    () => random.pick('bcdfglmnprst'.split('')) + random.pick('aeiou'.split('')),
  ).join('')
}
