import { readDistrictDocket } from './read-numbered.js'

/** The number of a case, told apart from its office and judge, which may be left out. */
interface CaseNumber {
  readonly normal: string
  readonly office: string | null
}

/** `3:24-cv-01180-WHO`, `3:24-CV-1180` and `24 Civ. 1180` are one; what is no number of a district court is itself. */
function caseNumberOf(written: string): CaseNumber {
  const text = written
    .trim()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/^(?:case\s+)?no\.\s*/i, '')
  const docket = readDistrictDocket(text, 0)
  if (docket === null || docket.end !== text.length)
    return { normal: text.toLowerCase().replace(/\s+/g, ' '), office: null }
  return { normal: docket.item, office: docket.pinpoints[0] ?? null }
}

const ANY = '*'
const NONE = ''
const caseKey = (normal: string, office: string) => JSON.stringify(['case', normal, office])

/** What a document of a case is found by: with its office, and whatever its office is. */
export function caseKeys(written: string): string[] {
  const { normal, office } = caseNumberOf(written)
  return [caseKey(normal, office ?? NONE), caseKey(normal, ANY)]
}

/** What answers to a number: where it names an office, no other one does. */
export function keysOfCase(asked: string): string[] {
  const { normal, office } = caseNumberOf(asked)
  return office === null ? [caseKey(normal, ANY)] : [caseKey(normal, office), caseKey(normal, NONE)]
}
