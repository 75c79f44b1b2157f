import { expect } from 'vitest'
import {
  type ExtractedText,
  isFailure,
  MEDIA_TYPES,
  PROBLEMS,
  type ReadFailure,
} from '../../src/documents/extract/extract.js'

/** What holds of every answer about every file. */
export function expectLawful(answer: ExtractedText | ReadFailure): void {
  if (isFailure(answer)) {
    expect(PROBLEMS).toContain(answer.problem)
    expect(answer.message).toMatch(/^[a-zA-Z0-9 :,]{3,80}$/)
    return
  }
  const { text, pages, headings } = answer
  expect(MEDIA_TYPES).toContain(answer.mediaType)
  expect(/[\0\r]|\p{Cs}/u.test(text)).toBe(false)
  expect(answer.title === null || answer.title.trim() !== '').toBe(true)
  for (const value of Object.values(answer.about)) expect(typeof value).toBe('string')
  let at = 0
  for (const [index, page] of pages.entries()) {
    expect([page.number, page.start]).toEqual([index + 1, at])
    expect(page.end).toBeGreaterThanOrEqual(page.start)
    expect(page.state === 'text').toBe(text.slice(page.start, page.end).trim() !== '')
    at = page.end
  }
  if (pages.length > 0) expect(at).toBe(text.length)
  const states = new Set(pages.map(({ state }) => state))
  // Of a message, what is attached has a state as well.
  if (answer.attached === undefined)
    expect(answer.state).toBe(
      states.has('failed') ? 'partial' : states.has('needs_ocr') ? 'needs_ocr' : 'complete',
    )
  let attached = 0
  for (const { name, start, end } of answer.attached ?? []) {
    expect(start).toBeGreaterThanOrEqual(attached)
    expect(end).toBeLessThanOrEqual(text.length)
    expect(text.startsWith(`Attachment: ${name.split('/').at(-1)}\n`, start)).toBe(true)
    attached = end
  }
  let before = 0
  for (const { start, end, level } of headings) {
    expect(start).toBeGreaterThanOrEqual(before)
    expect(end).toBeGreaterThan(start)
    expect(end).toBeLessThanOrEqual(text.length)
    expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
    expect(level).toBeGreaterThanOrEqual(1)
    before = end
  }
}
