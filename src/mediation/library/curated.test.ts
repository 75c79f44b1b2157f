import { expect, it } from 'vitest'
import { NEED_CATEGORIES } from '../needs.js'
import { anonymise } from './anonymise.js'
import { BETWEEN, CURATED } from './curated.js'

const sentencesOf = (text: string) => text.split(/(?<=[.!?]) (?=[A-Z])/)

it('[RC-14] there are enough curated experiments, each with an id, a title and words of its own', () => {
  expect(CURATED.length).toBeGreaterThanOrEqual(48)
  for (const part of ['id', 'title', 'text'] as const)
    expect(new Set(CURATED.map(experiment => experiment[part])).size).toBe(CURATED.length)
  for (const { id, needs } of CURATED) {
    expect(id).toMatch(/^curated\/[a-z]+(?:-[a-z]+)*$/)
    expect(new Set(needs).size).toBe(needs.length)
  }
})

it.each(
  NEED_CATEGORIES,
)('they are spread evenly: %s comes first in as many as any other, for everybody', need => {
  const own = CURATED.filter(({ needs }) => needs[0] === need)
  expect(own).toHaveLength(CURATED.length / NEED_CATEGORIES.length)
  expect(new Set(own.map(({ between }) => between))).toEqual(new Set(BETWEEN))
})

it.each(CURATED)('$id is small: two to four short sentences, a month at most', ({
  title,
  text,
  durationDays,
}) => {
  const sentences = sentencesOf(text)
  expect(sentences.length).toBeGreaterThanOrEqual(2)
  expect(sentences.length).toBeLessThanOrEqual(4)
  expect(text.length).toBeLessThanOrEqual(400)
  expect(title.length).toBeLessThanOrEqual(40)
  expect(durationDays).toBeGreaterThanOrEqual(1)
  expect(durationDays).toBeLessThanOrEqual(30)
})

it('they name nobody: each stands as it is when it is anonymised', () => {
  const changed = CURATED.filter(({ title, text }) => {
    const { replaced } = anonymise({ title, text }, [])
    return Object.values(replaced).some(count => count > 0)
  })
  expect(changed.map(({ id }) => id)).toEqual([])
})
