import type { Level } from '../../policy/faces.js'
import { targetKey } from '../../policy/tuple.js'
import { PREVIEW_CHARACTERS } from '../../runtime/preview.js'
import type { SeenDocument, SeenDocuments } from './documents-reference.js'
import {
  base64,
  CASES,
  DAYS,
  DOCUMENT_HOST,
  type DocumentStep,
  FORMS,
  HEADINGS,
  RARE_WORDS,
  UNITS,
} from './documents-world.js'
import { random } from './random.js'
import { idOf, type Who } from './world.js'

/** The most records that one step creates. */
const MOST = 12

/** The records that a step created, as far as they exist. */
export const recordsMadeBy = (key: string, records: SeenDocuments): SeenDocument[] =>
  Array.from({ length: MOST }, (_, at) => records.get(idOf(key, 'record', at)) ?? []).flat()

/**
 * The other history, step by step; null means that nothing is done. What the viewer does not see at all is left out
 * or replaced, and so is whatever its face of a visible record does not show (NI-3). Hidden chunks of a visible
 * document get other words of the same length, because the offsets of the other chunks are recorded.
 */
export function documentCounterpart(
  steps: readonly DocumentStep[],
  records: SeenDocuments,
  succeeded: ReadonlySet<string>,
  viewer: Who,
) {
  const restricted = new Set(
    steps.flatMap(({ key, part, about }) => (part === 'fact' && succeeded.has(key) ? (about ?? []) : [])),
  )
  const kept = keptSteps(steps, records)
  const followed = new Set(
    steps.flatMap(({ operation, input, names }) =>
      operation === 'documents.ingest' && input.extract === 'now' ? names : [],
    ),
  )
  const there = [...kept].flatMap(key => recordsMadeBy(key, records))
  const cited = new Set(there.flatMap(({ targets }) => targets))
  const files = filesOf(steps, records, kept)
  return (step: DocumentStep): DocumentStep | null => {
    // The viewer may know its own steps, but not those of a credential of the same name that sees more (NI-10).
    const isOwn = step.by.actor === viewer.actor && viewer.trust === undefined
    if (step.part === 'common' || isOwn) return step
    if (!succeeded.has(step.key)) return null
    if (step.part === 'watch') return otherWatch(step, files)
    if (step.part === 'fact') return cited.has(step.about ?? '') ? step : null
    if (!kept.has(step.key)) return null
    return step.operation === 'documents.ingest'
      ? { ...step, input: otherFile(step, recordsMadeBy(step.key, records), { restricted, followed }) }
      : { ...step, input: otherRecord(step, recordsMadeBy(step.key, records), restricted) }
  }
}

/** Whether a document's card is seen in full, exists unseen, or does not exist in the other history. */
type FileState = 'seen' | 'there' | 'gone'

/** The final state of each file, by owner and document. */
type Files = (owner: string, document: string) => FileState

function filesOf(steps: readonly DocumentStep[], records: SeenDocuments, kept: ReadonlySet<string>): Files {
  const last = new Map(
    steps.flatMap(({ key, by, operation, input }) =>
      operation === 'documents.ingest' && records.has(idOf(key, 'record'))
        ? [[JSON.stringify([by.actor, input.document]), key] as const]
        : [],
    ),
  )
  return (owner, document) => {
    const key = last.get(JSON.stringify([owner, document]))
    if (key === undefined) return 'gone'
    if (records.get(idOf(key, 'record'))?.level === 'full') return 'seen'
    return kept.has(key) ? 'there' : 'gone'
  }
}

/**
 * The steps of a watch that concern visible files. For other files the outcome is replaced or left out, and a watch
 * that brings nothing visible is replaced or left out. A missing file keeps its place in front of others, so that
 * their ids stay.
 */
function otherWatch({ watched, ...step }: DocumentStep, files: Files): DocumentStep | null {
  const states = (watched?.documents ?? []).map(document => files(step.by.actor, document))
  switch (step.operation) {
    case 'bindings.create':
      if (states.includes('seen')) return step
      return states.includes('there')
        ? { ...step, input: { ...step.input, name: `${step.input.name} elsewhere`, corpus: 'attic' } }
        : null
    case 'bindings.judge':
      if (states[0] === 'seen') return step
      return states[0] === 'gone' ? null : { ...step, input: { ...step.input, verdict: 'reject' } }
    default: {
      const entries = (step.input.entries as readonly { document: string }[]).map((entry, at) => {
        if (states[at] === 'seen') return entry
        return { document: entry.document, outcome: 'failed', problem: 'something_else' }
      })
      const seen = entries
        .filter((_, at) => states[at] === 'seen')
        .map(({ document }) => document)
        .sort()
      const told = entries.filter(
        ({ document }, at) => states[at] !== 'gone' || document < (seen.at(-1) ?? ''),
      )
      return told.length === 0 ? null : { ...step, input: { ...step.input, entries: told } }
    }
  }
}

const isSeen = ({ level, framed }: SeenDocument) => level !== 'none' || framed === 'full'

/** Steps that create visible records, the steps they need, and some hidden ones with other content. */
function keptSteps(steps: readonly DocumentStep[], records: SeenDocuments): ReadonlySet<string> {
  const makers = new Map(
    steps.flatMap(({ key }) => recordsMadeBy(key, records).map(({ id }) => [id, key] as const)),
  )
  const kept = new Set<string>()
  const keep = (step: DocumentStep) => {
    if (kept.has(step.key)) return
    kept.add(step.key)
    for (const id of step.names) {
      const maker = steps.find(({ key }) => key === makers.get(id))
      if (maker !== undefined) keep(maker)
    }
  }
  for (const step of steps) {
    if (step.part !== 'content') continue
    const made = recordsMadeBy(step.key, records)
    const follows = step.names.map(id => records.get(id))
    const replaces = step.operation === 'documents.ingest' && follows.some(one => one && isSeen(one))
    const saysOtherwise = Number.parseInt(idOf(step.key, 'kept').slice(0, 2), 16) % 3 === 0
    const hidesAlone = saysOtherwise && made.length > 0 && follows.length === 0
    if (made.some(isSeen) || replaces || hidesAlone) keep(step)
  }
  // A step that replaces something in both histories stays in both.
  for (const step of steps)
    if (step.operation === 'documents.ingest' && step.names.some(id => kept.has(makers.get(id) ?? '')))
      keep(step)
  return kept
}

/** The file with hidden chunks replaced by other words of the same length. */
function otherFile(
  { input, key }: DocumentStep,
  [card, ...segments]: readonly SeenDocument[],
  { restricted, followed }: Record<'restricted' | 'followed', ReadonlySet<string>>,
): DocumentStep['input'] {
  if (card === undefined) return input
  const text = Buffer.from(String(input.content), 'base64').toString()
  const other = segments.map(one => otherChunk(one, key)).join('')
  if (other.length !== text.length) throw new Error(`the segments of ${key} are not its text`)
  const isFree = ![card, ...segments].some(({ targets }) => targets.some(target => restricted.has(target)))
  // Options that were given with a file carry over to its later versions.
  const isNamed = followed.has(card.id) || [card, ...segments].some(({ level }) => NAMED.has(level))
  const place = isFree && input.filingUnit !== undefined ? { filingUnit: otherUnit(restricted) } : {}
  return {
    ...input,
    content: base64(other),
    ...(isNamed ? {} : { title: `Another brief ${key}`, ...place }),
    ...(isNamed && card.showsFields ? {} : { metadata: otherMetadata(key) }),
  }
}

const NAMED: ReadonlySet<Level> = new Set<Level>(['full', 'preview'])

function otherChunk({ level, text, spans }: SeenDocument, key: string): string {
  if (level === 'full') return text
  // A preview is of the document: of a chunk, it shows what lies within its first characters.
  const left = PREVIEW_CHARACTERS - (spans[0]?.start ?? PREVIEW_CHARACTERS)
  const shown = level === 'preview' ? [...text].slice(0, Math.max(0, left)).join('') : ''
  // Where chunks begin is recorded as well, so a heading that begins one stays.
  const heading = HEADINGS.find(one => text.startsWith(one)) ?? ''
  const kept = shown.length > heading.length ? shown : heading
  return kept + reworded(text.slice(kept.length), key)
}

function otherMetadata(key: string) {
  const rng = random(Number.parseInt(idOf(key, 'other metadata').slice(0, 8), 16))
  return { caseNumber: rng.pick(CASES), filingDate: rng.pick(DAYS) }
}

/** Other words of the same length, so that citations disappear and rare words become others. */
function reworded(text: string, key: string): string {
  const rng = random(Number.parseInt(idOf(key, 'other words').slice(0, 8), 16))
  return text.replace(/[A-Za-z]{3,}|\d+/g, word => {
    if (/^\d/.test(word)) return word.replaceAll(/\d/g, () => String(1 + rng.below(9)))
    const letters = [...word.toLowerCase()].map(() => rng.pick([...'aeioulnrst'])).join('')
    return /^[A-Z]/.test(word) ? letters.charAt(0).toUpperCase() + letters.slice(1) : letters
  })
}

/** The record with other content wherever the viewer's face shows nothing. */
function otherRecord(
  { input, key }: DocumentStep,
  [record]: readonly SeenDocument[],
  restricted: ReadonlySet<string>,
): DocumentStep['input'] {
  const [draft] = input.records as Record<string, unknown>[]
  if (record === undefined || draft === undefined) return input
  const level: Level = record.framed === 'full' ? 'full' : record.level
  if (level === 'full')
    return record.showsFields ? input : { records: [{ ...draft, fields: otherFields(key, draft.kind) }] }
  // Where it is filed is not shown either. Targets of restrictions must stay, because they decide what is shown.
  const isFree = !record.targets.some(target => restricted.has(target) && isPlace(target, record.id))
  return {
    records: [
      {
        ...draft,
        ...(level === 'preview' ? {} : { title: `Another title of ${key}` }),
        text: otherText(String(draft.text), level, key),
        // Spans stay, because what they cite decides on the label.
        fields: otherFields(key, draft.kind),
        ...(isFree
          ? {
              filingUnit: otherUnit(restricted),
              version: 'another-v9',
              versionKind: 'amended',
              document: 'z.pdf',
            }
          : {}),
      },
    ],
  }
}

/** Whether a target names where a record is filed, and not the record itself or its corpus. */
function isPlace(target: string, id: string): boolean {
  const [kind, , ref] = JSON.parse(target) as [string, string, string]
  return kind !== 'corpus' && ref !== id
}

/** Another filing unit, without any restriction. */
const otherUnit = (restricted: ReadonlySet<string>): string =>
  UNITS.toReversed().find(unit => !restricted.has(targetKey('filing_unit', DOCUMENT_HOST.actor, unit))) ??
  'unit-8'

function otherFields(key: string, kind: unknown): Record<string, unknown> {
  const rng = random(Number.parseInt(idOf(key, 'other fields').slice(0, 8), 16))
  return {
    caseNumber: rng.pick(['1:24-cv-01234', '9:99-cv-09999']),
    filingDate: { date: '2024-03-01', timeZone: 'UTC', at: '2024-03-01T00:00:00.000Z' },
    ...(kind === 'segment' || kind === 'document' ? { partKind: rng.pick(['exhibit', 'argument']) } : {}),
  }
}

function otherText(text: string, level: Level, key: string): string {
  const rng = random(Number.parseInt(idOf(key, 'other text').slice(0, 8), 16))
  const words = `other words of ${rng.pick(rng.pick(FORMS))} and ${rng.pick(RARE_WORDS)}, scienter`
  if (level !== 'preview') return words
  const characters = [...text]
  // A text that fits into a preview is seen as a whole.
  if (characters.length <= PREVIEW_CHARACTERS) return text
  return `${characters.slice(0, PREVIEW_CHARACTERS).join('')} and then ${words}`
}
