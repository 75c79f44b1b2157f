import { existsSync } from 'node:fs'
import { threadId } from 'node:worker_threads'

/** A model for threads that does as its texts say, and tells in its vectors which thread it runs in. */
export async function load(/** @type {{ needs?: string, slowMs?: number } | null} */ options) {
  if (options?.needs && !existsSync(options.needs)) throw new Error('no such file')
  let asked = 0
  return {
    /** @param {string} text */
    async embed(text) {
      asked++
      if (text === 'nothing') return null
      if (text === 'throw') throw new Error(`cannot embed ${text}`)
      if (text === 'exit') process.exit(3)
      if (text === 'hang') return new Promise(() => setInterval(() => {}, 1_000))
      if (text === 'crash') {
        setTimeout(() => {
          throw new Error(`crashed on ${text}`)
        })
        return new Promise(() => {})
      }
      if (text.startsWith('slow')) await new Promise(resolve => setTimeout(resolve, options?.slowMs ?? 50))
      return Float32Array.of(threadId, asked, text.length)
    },
    /** @param {string} word @param {number} most */
    neighbours: (word, most) => Array.from({ length: most }, (_, at) => `${word}${at}`),
  }
}
