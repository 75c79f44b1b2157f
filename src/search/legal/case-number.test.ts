import { describe, expect, it } from 'vitest'
import { caseKeys, keysOfCase } from './case-number.js'

const answers = (asked: string, written: string) => {
  const keys = new Set(caseKeys(written))
  return keysOfCase(asked).some(key => keys.has(key))
}

describe('[SR-4] the number of a case', () => {
  it.each([
    ['3:24-cv-01180-WHO', '3:24-cv-01180-WHO'],
    ['3:24-cv-01180', '3:24-cv-01180-WHO'],
    ['3:24-cv-1180', '3:24-cv-01180-WHO'],
    ['3:24-CV-01180', '3:24-cv-01180'],
    ['24-cv-01180', '3:24-cv-01180'],
    ['3:24-cv-01180', '24 Civ. 1180 (WHO)'],
    ['No. 3:24–cv–01180', '3:24-cv-01180'],
    ['bc 123456', 'BC 123456'],
  ])('%s finds %s', (asked, written) => {
    expect(answers(asked, written)).toBe(true)
  })

  it.each([
    ['3:24-cv-01181', '3:24-cv-01180'],
    ['2:24-cv-01180', '3:24-cv-01180'],
    ['3:24-cr-01180', '3:24-cv-01180'],
    ['24-cv-01180 and more', '24-cv-01180'],
  ])('%s does not find %s', (asked, written) => {
    expect(answers(asked, written)).toBe(false)
  })

  it('[SR-4] leaves the initials of a judge out', () => {
    expect(keysOfCase('22-10984').some(key => caseKeys('22-10984 (KBO)').includes(key))).toBe(true)
    expect(keysOfCase('22-10985').some(key => caseKeys('22-10984 (KBO)').includes(key))).toBe(false)
  })
})
