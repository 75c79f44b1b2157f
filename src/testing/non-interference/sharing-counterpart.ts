import type { Level } from '../../policy/faces.js'
import { PREVIEW_CHARACTERS } from '../../runtime/record-view.js'
import type { SeenByLink, SeenCorpus } from './sharing-reference.js'
import { SHARED_DOCUMENTS, SHARING_HOST, type SharingStep } from './sharing-world.js'
import { WORDS } from './world.js'

/** What came of the whole history, as the reference has it, from step to step. */
export interface Course {
  readonly steps: readonly SharingStep[]
  readonly succeeded: ReadonlySet<string>
  /** Steps after which the viewer saw something else than before. */
  readonly telling: ReadonlySet<string>
  /** The most that the viewer ever saw of a record, and what a record ever lay in. */
  readonly ever: ReadonlyMap<string, SeenHistory>
  readonly corpora: ReadonlyMap<string, SeenCorpus>
}

export interface SeenHistory {
  level: Level
  /** Whether its coming or going was ever told by the drift bit (SV-4). */
  drifts: boolean
  /** Whether it was ever counted as left out (CV-4). */
  counted: boolean
  corpus: string
  readonly targets: Set<string>
  readonly people: Set<string>
}

const LEVELS = ['none', 'metadata', 'preview', 'full'] as const

/** Takes note of what is seen at a moment. */
export function noteSeen(ever: Map<string, SeenHistory>, { records, corpora }: SeenByLink): void {
  for (const { id, level, live, corpus, targets, people } of records.values()) {
    const one = ever.get(id) ?? {
      level: 'none',
      drifts: false,
      counted: false,
      corpus,
      targets: new Set<string>(),
      people: new Set<string>(),
    }
    if (LEVELS.indexOf(level) > LEVELS.indexOf(one.level)) one.level = level
    if (live !== 'none' && disclosesDrift(corpora.get(corpus))) one.drifts = true
    for (const target of targets) one.targets.add(target)
    for (const person of people) one.people.add(person)
    ever.set(id, one)
  }
}

export const disclosesDrift = (corpus: SeenCorpus | undefined) =>
  corpus?.temporalMode === 'snapshot_at_share_with_drift_disclosure'

/** What the viewer sees, spelled: which records, how much of each, and whether its snapshots have drifted. */
export function spellSeen({ records, corpora }: SeenByLink): string {
  return [...records.values()]
    .map(({ id, level, live, corpus }) => [id, level, disclosesDrift(corpora.get(corpus)) ? live : 'none'])
    .filter(([, level, live]) => level !== 'none' || live !== 'none')
    .map(each => each.join(' '))
    .sort()
    .join('\n')
}

/**
 * The other history, step by step; null where nothing is done. What the viewer never sees is left out with everything
 * that concerns it alone; of what it sees, whatever its face does not show is something else (NI-3). `everything` leaves
 * out no record, for worlds in which what is hidden decides later what is seen.
 */
export function counterpartOf(course: Course, { everything }: { readonly everything: boolean }) {
  const kept = everything
    ? new Set(course.steps.flatMap(({ creates, part }) => (part === 'content' ? (creates ?? []) : [])))
    : keptIn(course)
  const cited = new Set([...kept].flatMap(id => [...(course.ever.get(id)?.targets ?? [])]))
  const people = new Set([...kept].flatMap(id => [...(course.ever.get(id)?.people ?? [])]))
  return (step: SharingStep): SharingStep | null => {
    if (step.part === 'common') return step
    if (!course.succeeded.has(step.key)) return null
    switch (step.part) {
      case 'fact':
        return everything || cited.has(step.about ?? '') || people.has(step.about ?? '') ? step : null
      case 'content':
        if (step.creates !== null && !kept.has(step.creates) && !replaces(course, step, kept)) return null
        return step.names.every(id => kept.has(id)) ? otherwise(course, step) : null
      default:
        return null
    }
  }
}

/** Whether a step takes from the viewer's sight what it may have seen, though what comes instead is not seen. */
function replaces({ ever, corpora }: Course, { input, names, at }: SharingStep, kept: ReadonlySet<string>) {
  if ((input.how !== 'supersede' && input.how !== 'merge') || !names.every(id => kept.has(id))) return false
  const stoodAt = corpora.get(ever.get(names[0] ?? '')?.corpus ?? '')?.stoodAt ?? null
  return stoodAt === null || at <= stoodAt
}

function keptIn({ steps, telling, ever }: Course): ReadonlySet<string> {
  const kept = new Set<string>()
  const keep = (id: string) => {
    if (kept.has(id)) return
    kept.add(id)
    for (const source of steps.find(({ creates }) => creates === id)?.names ?? []) keep(source)
  }
  for (const [id, { level, drifts, counted }] of ever) if (level !== 'none' || drifts || counted) keep(id)
  for (const { key, names, creates, part } of steps) {
    if (!telling.has(key) || part !== 'content') continue
    for (const id of names) keep(id)
    if (creates !== null) keep(creates)
  }
  return kept
}

type Content = Readonly<Record<string, unknown>> & { readonly title: string; readonly text: string }

/** The step, saying something else wherever the viewer's face says nothing. */
function otherwise(course: Course, step: SharingStep): SharingStep {
  const { input, creates } = step
  if (creates === null) return step
  if (step.operation === 'memory.remember') {
    const [draft] = input.records as Content[]
    return draft === undefined ? step : { ...step, input: { records: [reworded(course, creates, draft)] } }
  }
  return { ...step, input: { ...input, by: reworded(course, creates, input.by as Content) } }
}

function reworded({ ever, corpora }: Course, id: string, draft: Content): Content {
  const { level, corpus } = ever.get(id) ?? { level: 'none', corpus: '' }
  const isWhole = level === 'full'
  const showsFields = isWhole && corpora.get(corpus)?.surfaces.has('filing_metadata') === true
  const other = id.slice(0, 4)
  const spans = draft.spans as { document: string }[]
  return {
    ...draft,
    // A recipient is told none of these, whatever the face.
    tags: [`other${other}`, ...WORDS.slice(0, 2)],
    salience: 0.5,
    pinned: draft.pinned !== true,
    confidence: 0.5,
    provenance: { note: `elsewhere ${other}` },
    // Where it leads to a document that is seen, a result says so; names of nothing are told to nobody.
    spans: isWhole
      ? spans.filter(span => (SHARED_DOCUMENTS as readonly string[]).includes(span.document))
      : [],
    ...(showsFields ? {} : { fields: { other, more: [1, 2] } }),
    ...(isWhole ? {} : { occurredAt: '2026-04-01T00:00:00.000Z' }),
    ...wordsFor(level, draft, other),
  }
}

function wordsFor(level: Level, { title, text }: Content, other: string) {
  switch (level) {
    case 'full':
      return { title, text }
    case 'preview':
      return {
        title,
        text: `${[...text].slice(0, PREVIEW_CHARACTERS).join('')} and then ${other}, at another length`,
      }
    default:
      return { title: `another title ${other}`, text: `other words of ${other}, the garden and the house` }
  }
}

/** Whose corpora a count of what was left out is about. */
export const countedCorpora = (steps: readonly SharingStep[]): ReadonlySet<string> =>
  new Set(
    steps
      .filter(
        ({ part, operation, input }) =>
          part === 'common' && operation === 'views.create' && input.disclosesExclusions === true,
      )
      .map(({ input }) => JSON.stringify(['corpus', SHARING_HOST.actor, input.corpus])),
  )
