import { tokenize } from './tokenize.js'

/** A name, split into words, and the id of the person or thing that has it. */
export interface Name {
  readonly id: string
  readonly terms: readonly string[]
}

/** The ids whose names occur in a text word for word, sorted. A name without words never occurs. */
export function findNames(text: string, names: readonly Name[]): string[] {
  const byFirst = new Map<string, Name[]>()
  for (const name of names) {
    const [first] = name.terms
    if (first === undefined) continue
    const others = byFirst.get(first)
    if (others === undefined) byFirst.set(first, [name])
    else others.push(name)
  }
  const words = tokenize(text).map(({ term }) => term)
  const found = new Set<string>()
  for (const [at, word] of words.entries())
    for (const { id, terms } of byFirst.get(word) ?? [])
      if (!found.has(id) && terms.every((term, next) => words[at + next] === term)) found.add(id)
  return [...found].sort()
}
