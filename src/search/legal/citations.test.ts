import { describe, expect, it } from 'vitest'
import { findCitations } from './citations.js'
import { REAL_CITATIONS } from './real-citations.test-data.js'

const normals = (text: string) => findCitations(text).map(({ normal }) => normal)

describe('real citations', () => {
  it('[SR-5] are many', () => expect(REAL_CITATIONS.length).toBeGreaterThanOrEqual(300))
  it.each(REAL_CITATIONS)('[SR-5] %s', (text, expected) => {
    expect(normals(text)).toEqual(expected)
  })
})
