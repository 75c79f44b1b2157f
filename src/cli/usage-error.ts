import { PrivityError } from '../errors.js'

/** The command line cannot be run; the help of `command` explains how to write it. */
export class UsageError extends PrivityError {
  readonly command: string | undefined

  constructor(message: string, command?: string) {
    super('invalid_input', message)
    this.command = command
  }
}

/** The closest of some words, if it is close enough to be meant. */
export function findNearest(word: string, words: Iterable<string>): string | undefined {
  let best: string | undefined
  let least = Math.max(2, Math.ceil(word.length / 3)) + 1
  for (const candidate of words) {
    const distance = editDistance(word, candidate)
    if (distance < least) {
      least = distance
      best = candidate
    }
  }
  return best
}

export const didYouMean = (found: string | undefined): string =>
  found === undefined ? '' : `; did you mean ${found}?`

/** Edit distance: letters to add, drop, change or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      row.push(least)
    }
    before = last
    last = row
  }
  return last[b.length] ?? 0
}
