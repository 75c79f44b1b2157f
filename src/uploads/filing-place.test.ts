import { describe, expect, it } from 'vitest'
import { MOST_NAME_BYTES } from '../documents/file-input.js'
import { folderToFileUnder, nameToFileUnder } from './filing-place.js'

const id = '3f0c2f9e-5a57-4d0e-9a2b-0f2f4c1d7e61'

describe('where files are filed that were sent in', () => {
  it('[ST-12] in their folder, apart from files of the same name', () => {
    expect(nameToFileUnder(null, { id, name: 'a.pdf' })).toBe('3f0c2f9e/a.pdf')
    expect(nameToFileUnder('Berg/payslips', { id, name: 'a.pdf' })).toBe('Berg/payslips/3f0c2f9e/a.pdf')
  })

  it('[ST-12] under a name that is not too long, with its extension', () => {
    const long = nameToFileUnder('Berg', { id, name: `${'ü'.repeat(78)}.pdf` })
    expect(Buffer.byteLength(long)).toBeLessThanOrEqual(MOST_NAME_BYTES)
    expect(long).toMatch(/^Berg\/3f0c2f9e\/ü{70,}\.pdf$/)
  })

  it.each(['/a', 'a/', 'a//b', '..', 'a/../b', './a', 'a'.repeat(81)])('[ST-12] in no folder %s', folder => {
    expect(folderToFileUnder.safeParse(folder).success).toBe(false)
  })
})
