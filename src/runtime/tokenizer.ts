import { createRequire } from 'node:module'

/** How the tokens of a text are counted, for everything that has a budget of them. */
export interface Tokenizer {
  readonly name: string
  count(text: string): number
}

type CountTokens = typeof import('gpt-tokenizer/encoding/o200k_base').countTokens

/** Loaded with the first text that is counted: the vocabulary takes 60 MB of memory and up to a second. */
let countTokens: CountTokens | undefined
const load = (): CountTokens =>
  createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base').countTokens

/** What looks like a special token is text of somebody. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/**
 * The encoder takes the square of the length of a run without a break, as of letters, signs or spaces: 100,000 letters
 * took it half a minute. Longer runs are cut, which costs a token a cut and at times one more.
 */
const LONG_RUNS = /[\p{L}\p{M}]{128}|[^\s\p{L}\p{N}]{128}|\s{128}|[\r\n/]{128}/gu

/** o200k_base, as current models of OpenAI count; never fewer than it. */
export const o200k: Tokenizer = {
  name: 'o200k_base',
  count(text) {
    countTokens ??= load()
    let tokens = 0
    let start = 0
    for (const { index, 0: run } of text.matchAll(LONG_RUNS)) {
      const end = index + run.length
      tokens += countTokens(text.slice(start, end), AS_TEXT) + 1
      start = end
    }
    return tokens + countTokens(text.slice(start), AS_TEXT)
  },
}
