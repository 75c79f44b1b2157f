import type { Authorities } from '../runtime/domain.js'
import type { ParsedQuestion } from '../runtime/search/question.js'
import type { Range } from '../search/legal/citation.js'
import { LEGAL_TERMS } from '../search/legal/legal-terms.js'
import { type LegalQuery, legalQuery, type QueryCitation } from '../search/legal/query.js'
import type { QueryTerm, TermKey } from '../search/match.js'
import { tokenize } from '../search/tokenize.js'

/** Words outside of citations count half: they only order documents that cite the same authority. */
const REST_SHARE = 0.5
const PINPOINT_SHARE = 0.5

/** Statutes and rules are authorities like decisions; other terms are legal vocabulary. */
const AUTHORITY = /\b(?:act|acts|code|law|rules|amendment|amendments|regulation|constitution|procedure)\b/i

export function authoritiesIn({
  question: { query: text, citations, legalTerms },
  query: { terms: words },
}: ParsedQuestion): Authorities {
  const { citations: cites, terms, ranges }: LegalQuery = legalQuery(text)
  const kindOf = new Map<string, 'citation_normalization' | 'legal_term_expansion'>()
  const cited: QueryTerm[] = []
  const ofWord = new Map<string, TermKey[]>()
  const ofPhrases: QueryTerm[] = []
  const named: Range[] = [...ranges]
  for (const one of citations ? cites : []) {
    const asTerm = termOf(keysOf(one))
    cited.push(asTerm)
    ofPhrases.push(asTerm)
    // The form that the question itself uses is not reported as another form.
    if (one.normal !== text.slice(one.start, one.end)) kindOf.set(one.normal, 'citation_normalization')
  }
  for (const { id, start, end, form, keys, otherForm } of terms) {
    const isAuthority = AUTHORITY.test(LEGAL_TERMS.get(id)?.long ?? '')
    if (isAuthority ? !citations : !legalTerms) continue
    const written = LEGAL_TERMS.get(id)?.[form] ?? text.slice(start, end)
    const other = { key: otherForm.key, spelled: otherForm.text }
    kindOf.set(otherForm.text, isAuthority ? 'citation_normalization' : 'legal_term_expansion')
    if (isAuthority) {
      named.push({ start, end })
      cited.push(
        termOf([...keys.filter(key => key !== otherForm.key).map(key => ({ key, spelled: written })), other]),
      )
    }
    const [word, ...more] = tokenize(text.slice(start, end))
    if (form === 'short' && word !== undefined && more.length === 0)
      ofWord.set(word.term, [...(ofWord.get(word.term) ?? []), other])
    else ofPhrases.push(termOf([other]))
  }
  const inCitation = ({ start, end }: Range) => named.some(range => start < range.end && end > range.start)
  const outside = new Set(tokenize(text).flatMap(token => (inCitation(token) ? [] : [token.term])))
  return {
    cited,
    pinpoints: (citations ? cites : []).flatMap(({ normal, preferred }) =>
      preferred.map(key => ({ ...termOf([{ key, spelled: normal }]), share: PINPOINT_SHARE })),
    ),
    rest: words
      .filter(({ term }) => outside.has(term))
      .map(({ term, prefix, exact }) => ({ term, prefix, exact, synonyms: [], share: REST_SHARE })),
    ofWord,
    ofPhrases,
    forms: [...cited, ...[...ofWord.values()].map(termOf), ...ofPhrases],
    kindOf,
  }
}

const keysOf = ({ normal, keys, walk }: QueryCitation): TermKey[] => [
  ...keys.map(key => ({ key, spelled: normal })),
  ...(walk === null ? [] : [{ key: walk.prefix, spelled: normal, chooses: walk.accepts }]),
]

/** A term that matches only by its keys, because it is not a word. */
const termOf = (keys: readonly TermKey[]): QueryTerm => ({
  term: '',
  prefix: false,
  exact: true,
  synonyms: [],
  keys,
})
