import { viewOf } from '../../policy/subject.js'
import { personKey } from '../../policy/tuple.js'
import { SOURCE_KINDS } from '../../policy/vocabulary.js'
import { Hits } from '../../search/hits.js'
import { FULL_LEVEL, type MaskLevel } from '../../search/mask.js'
import { salienceNow } from '../../search/salience.js'
import { findPeopleOf } from '../../storage/queries/people.js'
import {
  dateKeyPrefix,
  dateOfKey,
  fieldKey,
  holdsAt,
  NAMED_PART_PREFIX,
  namedPartKey,
  unitName,
  VALIDITY_PREFIX,
} from '../index/document.js'
import type { VisibleSegment } from '../index/visible-set.js'
import { meantBy, peopleKnownInPart } from '../known-people.js'
import type { ReadRequest } from '../request.js'
import type { Conditions, QuestionScope } from './question.js'
import type { PartKind } from './router/posture.js'
import { dateOfIngestion, withinScope } from './router/scope.js'

type DocumentPredicate = (document: number) => boolean

/** By owner, for each name in a filter on people: the keys under which records may hold that person. */
type PeopleByOwner = ReadonlyMap<string, readonly ReadonlySet<string>[]>

/** What the filters need to know about the caller. */
export interface FilterContext {
  readonly people: PeopleByOwner
  /** Whether the caller sees custom fields of records in full; a view without filing metadata hides them. */
  readonly showsFields: (owner: string, corpus: string | null) => boolean
  /** Whether the caller is told the corpus of what it sees in part, because a view names it. */
  readonly knowsCorpora: boolean
  /** The index keys of a case number: as it is written, and as a domain reads it. */
  readonly keysOfCase: (number: string) => readonly string[]
  /** The moment at which records have to hold; null for any (TR-9). */
  readonly asOf: number | null
  readonly now: number
  readonly halfLifeOf: (kind: string) => number
}

export async function loadFilterContext(request: ReadRequest, question: Conditions): Promise<FilterContext> {
  const { domain, identity } = request.parts
  const { views } = identity
  return {
    people: await peopleAskedFor(request, question),
    showsFields: (owner, corpus) =>
      views === null || viewOf({ views }, { owner, corpus })?.surfaces.has('filing_metadata') === true,
    knowsCorpora: views !== null,
    keysOfCase: number => [fieldKey('caseNumber', number), ...(domain?.keysOfCase(number) ?? [])],
    asOf: question.asOf === 'any' ? null : (question.asOf ?? request.now).getTime(),
    now: request.now.getTime(),
    halfLifeOf: request.parts.halfLifeOf,
  }
}

/** Looks up the people that a question names, among those of the owners whose records the caller could see. */
async function peopleAskedFor(request: ReadRequest, { people }: Conditions): Promise<PeopleByOwner> {
  if (people === undefined) return new Map()
  const owners = [...request.parts.identity.principals].sort()
  const found = new Map(owners.map(owner => [owner, people.map(() => new Set<string>())]))
  if (request.seesEverything) {
    for (const { owner, at, personId } of await findPeopleOf(request.tx, request.tenant, owners, people))
      found.get(owner)?.[at]?.add(personKey(owner, personId))
    return found
  }
  const known = await peopleKnownInPart(request, owners, people)
  for (const [at, name] of people.entries())
    for (const { owner, ids } of meantBy(name, known))
      for (const personId of ids) found.get(owner)?.[at]?.add(personKey(owner, personId))
  return found
}

/** Removes what the question's filters exclude from the visible set, before any statistic is computed (OP-3). */
export function narrowToQuestion(
  visible: readonly VisibleSegment[],
  question: Conditions,
  asking: FilterContext,
): VisibleSegment[] {
  return visible.map(part => {
    const keeps = conditionOf(part, question, asking)
    return keeps === null ? part : { ...part, mask: part.mask.where(keeps) }
  })
}

/** Whether a visible document passes the question's filters; null if every one does. */
export function conditionOf(
  part: VisibleSegment,
  question: Conditions,
  asking: FilterContext,
): ((document: number, level: MaskLevel) => boolean) | null {
  const compartments = compartmentPredicate(part, question, asking)
  const documents = [
    ...documentPredicates(part, question, asking),
    ...scopePredicates(part, question.scope ?? {}, asking),
  ]
  if (compartments === null && documents.length === 0) return null
  const { compartments: column } = part.segment.data
  return (document, level) =>
    (compartments === null || compartments(column[document] as number, level === FULL_LEVEL)) &&
    documents.every(keeps => keeps(document))
}

/** A lesser face is found only by what it shows, so a filter on the payload never matches it (NI-4). */
function compartmentPredicate(
  { table }: VisibleSegment,
  { kinds, owner, corpus, people, scope = {} }: Conditions,
  { people: peopleByOwner, knowsCorpora }: FilterContext,
): ((compartment: number, full: boolean) => boolean) | null {
  const { corpusScope, visibilityClassScope } = scope
  const asksCorpus = corpus !== undefined || corpusScope !== undefined
  const asksPayload = [owner, people, visibilityClassScope].some(one => one !== undefined)
  if (kinds === undefined && !asksPayload && !asksCorpus) return null
  const wantedKinds = kinds === undefined ? null : new Set<string>(kinds)
  const decide = (place: number): { any: boolean; full: boolean } => {
    const ofKind = wantedKinds === null || wantedKinds.has(table.value('kind', place))
    const inCorpus =
      (corpus === undefined || table.value('corpus', place) === corpus) &&
      (corpusScope === undefined || corpusScope.includes(table.value('corpus', place) ?? ''))
    const any = ofKind && !asksPayload && (!asksCorpus || (knowsCorpora && inCorpus))
    const recordOwner = table.value('owner', place)
    const full =
      ofKind &&
      inCorpus &&
      (owner === undefined || recordOwner === owner) &&
      (visibilityClassScope === undefined ||
        (visibilityClassScope as readonly string[]).includes(table.value('visibilityClass', place))) &&
      (people === undefined ||
        people.every((_, at) => {
          const keys = peopleByOwner.get(recordOwner)?.[at]
          return table.value('participants', place).some(key => keys?.has(key) === true)
        }))
    return { any, full }
  }
  const known = new Map<number, { any: boolean; full: boolean }>()
  return (compartment, full) => {
    let verdict = known.get(compartment)
    if (verdict === undefined) {
      verdict = decide(compartment)
      known.set(compartment, verdict)
    }
    return full ? verdict.full : verdict.any
  }
}

function documentPredicates(
  part: VisibleSegment,
  question: Conditions,
  asking: FilterContext,
): DocumentPredicate[] {
  const { segment, mask } = part
  const { createdAt, occurredAt, tagSets, tags } = segment.data
  const predicates: DocumentPredicate[] = []
  const between = (column: Float64Array, from: Date | undefined, to: Date | undefined) => {
    const least = from?.getTime() ?? Number.NEGATIVE_INFINITY
    const beyond = to?.getTime() ?? Number.POSITIVE_INFINITY
    predicates.push(document => {
      const at = column[document] as number
      return at >= least && at < beyond
    })
  }
  if (question.createdAfter !== undefined || question.createdBefore !== undefined)
    between(createdAt, question.createdAfter, question.createdBefore)
  if (question.occurredAfter !== undefined || question.occurredBefore !== undefined) {
    between(occurredAt, question.occurredAfter, question.occurredBefore)
    // `occurredAt` is part of the payload, so only a full face matches.
    predicates.push(document => mask.levels[document] === FULL_LEVEL)
  }
  if (question.tags !== undefined) {
    const wanted = question.tags
    const has = tagSets.map(set => wanted.every(tag => set.includes(tag)))
    predicates.push(document => has[tags[document] as number] === true)
  }
  const { asOf } = asking
  if (asOf !== null) {
    // Only a full face shows when a record holds, and only its keys are read here: a lesser face stays as it is.
    const outside = withKeys(
      part,
      { ...asking, showsFields: () => true },
      [VALIDITY_PREFIX],
      key => !holdsAt(key, asOf),
    )
    if (outside.size > 0) predicates.push(document => !outside.has(document))
  }
  const { minSalience } = question
  if (minSalience !== undefined)
    predicates.push(document => salienceIn(part, asking, document) >= minSalience)
  for (const [field, value] of Object.entries(question.fields ?? {})) {
    const found = withKeys(part, asking, [fieldKey(field, value)])
    predicates.push(document => found.has(document))
  }
  return predicates
}

/** What a document matters at the time of the request. Every face shows it (TR-3). */
function salienceIn(
  { segment, table }: VisibleSegment,
  { halfLifeOf, now }: FilterContext,
  document: number,
): number {
  const kind = table.value('kind', segment.data.compartments[document] as number)
  return salienceNow(segment.salienceOf(document), halfLifeOf(kind), now)
}

/**
 * The filters of a plan's scope (SR-4). A name that the caller does not see counts as unknown and matches nothing.
 */
function scopePredicates(
  part: VisibleSegment,
  scope: QuestionScope,
  asking: FilterContext,
): DocumentPredicate[] {
  const { segment, mask, table } = part
  const { filings, filing, createdAt, compartments } = segment.data
  const predicates: DocumentPredicate[] = []
  const { filingUnitScope, caseScope, temporalScope, hostTimeZone = 'UTC', partKinds } = scope
  if (filingUnitScope !== undefined) {
    const wanted = filings.map(({ unit }) => filingUnitScope.includes(unitName(unit)))
    predicates.push(
      document => mask.levels[document] === FULL_LEVEL && wanted[(filing[document] as number) - 1] === true,
    )
  }
  if (caseScope !== undefined) {
    const found = withKeys(part, asking, caseScope.flatMap(asking.keysOfCase))
    predicates.push(document => found.has(document))
  }
  for (const [fields, wanted, isWhole] of [
    [['documentType'], scope.typeScope, true],
    [['court', 'courtShortName'], scope.courtScope, false],
    [['parties'], scope.partyScope, false],
  ] as const) {
    if (wanted === undefined) continue
    const folded = wanted.map(fold)
    const isMeant = (key: string) => {
      const value = fold(String((JSON.parse(key) as unknown[])[2]))
      return folded.some(one => (isWhole ? value === one : value.includes(one)))
    }
    const prefixes = fields.map(field => `["field",${JSON.stringify(field)},`)
    const found = withKeys(part, asking, prefixes, isMeant)
    predicates.push(document => found.has(document))
  }
  if (temporalScope !== undefined) {
    const within = withinScope(temporalScope, hostTimeZone)
    if (temporalScope.dateField === 'ingested_at')
      predicates.push(document => {
        const at = new Date(createdAt[document] as number)
        return within(dateOfIngestion(at, hostTimeZone))
      })
    else {
      const found = withKeys(part, asking, [dateKeyPrefix(temporalScope.dateField)], key =>
        within(dateOfKey(key)),
      )
      predicates.push(document => found.has(document))
    }
  }
  if (partKinds !== undefined) {
    const isOf = ofPartKinds(part, partKinds, asking)
    predicates.push(document => {
      if (!DOCUMENTS.has(table.value('kind', compartments[document] as number))) return true
      return mask.levels[document] === FULL_LEVEL && isOf(document)
    })
  }
  return predicates
}

/** Upper and lower case and the form of spaces do not tell names apart. */
const fold = (name: string) => name.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

const DOCUMENTS: ReadonlySet<string> = new Set<string>(SOURCE_KINDS)
const PART_KIND_PREFIX = '["field","partKind",'

/**
 * Which documents are parts of these kinds. The name of a part decides, because it is shown with the text whatever a
 * view hides; otherwise the fields decide, if they are shown.
 */
function ofPartKinds(
  part: VisibleSegment,
  kinds: readonly PartKind[],
  asking: FilterContext,
): DocumentPredicate {
  const allowed = new Set(kinds.flatMap(kind => [namedPartKey(kind), fieldKey('partKind', kind)]))
  // A document that says nothing about its parts counts as an argument as a whole. With `lead_argument` the check is
  // therefore reversed: documents known to be of other kinds are left out.
  const takesWhole = kinds.includes('lead_argument')
  if (takesWhole) allowed.add(fieldKey('partKind', 'text'))
  const isTold = (key: string) => allowed.has(key) !== takesWhole
  const namesShown = { ...asking, showsFields: () => true }
  const named = withKeys(part, namesShown, [NAMED_PART_PREFIX], () => true)
  const toldByName = withKeys(part, namesShown, [NAMED_PART_PREFIX], isTold)
  const toldByFields = withKeys(part, asking, [PART_KIND_PREFIX], isTold)
  return document => (named.has(document) ? toldByName : toldByFields).has(document) !== takesWhole
}

/**
 * The documents whose custom fields, if shown, have one of these keys, or a key under one of these prefixes that is
 * chosen.
 */
function withKeys(
  { segment, mask, table }: VisibleSegment,
  { showsFields }: FilterContext,
  keys: readonly string[],
  chooses?: (key: string) => boolean,
): Set<number> {
  const hits = new Hits()
  for (const key of keys)
    for (const place of segment.full.keys(key, chooses)) segment.full.read(place, mask, null, hits)
  const shown = (document: number) => {
    const compartment = segment.data.compartments[document] as number
    return showsFields(table.value('owner', compartment), table.value('corpus', compartment))
  }
  return new Set(hits.documents.subarray(0, hits.length).filter(shown))
}
