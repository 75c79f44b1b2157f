import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { packageFile } from '../embedding/package-file.js'

/** Counts the tokens of a text, for everything that has a token budget. */
export interface Tokenizer {
  readonly name: string
  count(text: string): number
}

type CountTokens = (text: string, options: { readonly disallowedSpecial: Set<string> }) => number

/** Loaded when the first text is counted, because the vocabulary takes 60 MB of memory and up to a second. */
let countTokens: CountTokens | undefined
const load = (): CountTokens =>
  createRequire(import.meta.url)(fileURLToPath(packageFile('models/o200k-base.cjs'))).countTokens

/** Text that looks like a special token is ordinary text. */
const AS_TEXT = { disallowedSpecial: new Set<string>() }

/**
 * The encoder needs quadratic time for a run without a break, such as letters, signs or spaces: 100,000 letters took
 * half a minute. Longer runs are cut, which adds one token per cut, sometimes two.
 */
const LONG_RUNS = /[\p{L}\p{M}]{128}|[^\s\p{L}\p{N}]{128}|\s{128}|[\r\n/]{128}/gu

/** The o200k_base encoding of OpenAI's current models. It never counts fewer tokens than they do. */
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
