import { describe, expect, it } from 'vitest'
import { narrowingOf, withNarrowing } from './narrowing.js'
import { FILING_CONTENT_SCOPES, made, POSTURES } from './posture.js'

describe('[SR-17] what the router leaves out', () => {
  it('is told wherever the words of a question leave out parts or documents', () => {
    for (const scope of FILING_CONTENT_SCOPES) {
      const narrowed = narrowingOf({}, made('document_text_primary', scope))
      expect(narrowed === null, scope).toBe(scope === 'all_filing_parts')
      if (narrowed !== null)
        expect(narrowed.wider).toEqual({
          posture: 'mixed_surface_disclosed',
          filingContentScope: 'all_filing_parts',
        })
    }
    for (const posture of POSTURES)
      expect(narrowingOf({}, made(posture)) !== null, posture).toBe(posture === 'derived_memory_primary')
  })

  it('is not told to whoever asked for it', () => {
    const exhibits = made('document_text_primary', 'exhibits_only')
    expect(narrowingOf({ filingContentScope: 'exhibits_only' }, exhibits)).toBeNull()
    expect(narrowingOf({ posture: 'derived_memory_primary' }, made('derived_memory_primary'))).toBeNull()
  })

  it('stands beside what else is to be said', () => {
    const narrowed = narrowingOf({}, made('document_text_primary', 'exhibits_only'))
    expect(withNarrowing(null, null)).toBeNull()
    expect(withNarrowing('No results found.', null)).toBe('No results found.')
    expect(withNarrowing('No results found.', narrowed)).toMatch(
      /^No results found\. Only exhibits were searched\./,
    )
  })
})
