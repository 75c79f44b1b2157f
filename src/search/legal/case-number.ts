import { readDistrictDocket } from './read-numbered.js'

/** A docket number without its office and judge, which may be left out when it is written. */
interface CaseNumber {
  readonly normal: string
  readonly office: string | null
}

/**
 * Treats `3:24-cv-01180-WHO`, `3:24-CV-1180` and `24 Civ. 1180` as the same number. Of a number that is not of a
 * district court only case, white space and the initials of a judge are normalised.
 */
function caseNumberOf(written: string): CaseNumber {
  const text = written
    .trim()
    .replace(/[\u2010-\u2015]/g, '-')
    .replace(/^(?:case\s+)?no\.\s*/i, '')
  const docket = readDistrictDocket(text, 0)
  if (docket === null || docket.end !== text.length) return { normal: withoutJudge(text), office: null }
  return { normal: docket.item, office: docket.pinpoints[0] ?? null }
}

/** `22-10984 (KBO)` is `22-10984`: the initials of a judge may be left out. */
const withoutJudge = (text: string) =>
  text
    .replace(/(?<=\d)\s*\([A-Z]{2,5}\)$/, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')

const ANY = '*'
const NONE = ''
const caseKey = (normal: string, office: string) => JSON.stringify(['case', normal, office])

/** The index keys of a document of a case: one with its office, and one that matches any office. */
export function caseKeys(written: string): string[] {
  const { normal, office } = caseNumberOf(written)
  return [caseKey(normal, office ?? NONE), caseKey(normal, ANY)]
}

/**
 * The keys that match a docket number in a question. If it names an office, documents of other offices do not match.
 */
export function keysOfCase(asked: string): string[] {
  const { normal, office } = caseNumberOf(asked)
  return office === null ? [caseKey(normal, ANY)] : [caseKey(normal, office), caseKey(normal, NONE)]
}
