import type { Level } from '../../policy/faces.js'
import { PREVIEW_CHARACTERS } from '../../runtime/preview.js'
import type { SeenByLink, SeenCorpus } from './sharing-reference.js'
import { SHARED_DOCUMENTS, SHARING_HOST, type SharingStep } from './sharing-world.js'
import { WORDS } from './world.js'

/** The outcome of the whole history, step by step, according to the reference. */
export interface Course {
  readonly steps: readonly SharingStep[]
  readonly succeeded: ReadonlySet<string>
  /** Steps that changed what the viewer sees. */
  readonly telling: ReadonlySet<string>
  /** The most that the viewer ever saw of each record, and every target that the record ever had. */
  readonly ever: ReadonlyMap<string, SeenHistory>
  readonly corpora: ReadonlyMap<string, SeenCorpus>
}

export interface SeenHistory {
  level: Level
  /** Whether the drift bit ever revealed its appearance or disappearance (SV-4). */
  drifts: boolean
  /** Whether it was ever counted as left out (CV-4). */
  counted: boolean
  corpus: string
  readonly targets: Set<string>
  readonly people: Set<string>
}

const LEVELS = ['none', 'metadata', 'preview', 'full'] as const

/** Records what is visible at a moment. */
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

/** What the viewer sees as text: which records, how much of each, and whether its snapshots have drifted. */
export function spellSeen({ records, corpora }: SeenByLink): string {
  return [...records.values()]
    .map(({ id, level, live, corpus }) => [id, level, disclosesDrift(corpora.get(corpus)) ? live : 'none'])
    .filter(([, level, live]) => level !== 'none' || live !== 'none')
    .map(each => each.join(' '))
    .sort()
    .join('\n')
}

/**
 * The other history, step by step; null means that nothing is done. What the viewer never sees is left out with
 * everything that concerns only that; whatever its faces do not show is replaced (NI-3). `everything` leaves out no
 * record, for worlds in which a hidden record later decides what is visible.
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

/** Whether a step removes something that the viewer may have seen, although its replacement is hidden. */
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

/** The step with other content wherever the viewer's face shows nothing. */
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
    // A recipient never sees these, whatever the face.
    tags: [`other${other}`, ...WORDS.slice(0, 2)],
    salience: 0.5,
    pinned: draft.pinned !== true,
    confidence: 0.5,
    provenance: { note: `elsewhere ${other}` },
    // A result shows a span if it leads to a visible document; other document names are never shown.
    // One leads nowhere in both histories: a memory rests on what it cites only if all of it is found.
    spans: [
      ...(isWhole
        ? spans.filter(span => (SHARED_DOCUMENTS as readonly string[]).includes(span.document))
        : []),
      // Whether a preview shows some of a piece depends on where it begins.
      { document: `elsewhere ${other}`, start: 0, end: 5 },
    ],
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

/** The corpora whose left-out records are counted. */
export const countedCorpora = (steps: readonly SharingStep[]): ReadonlySet<string> =>
  new Set(
    steps
      .filter(
        ({ part, operation, input }) =>
          part === 'common' && operation === 'views.create' && input.disclosesExclusions === true,
      )
      .map(({ input }) => JSON.stringify(['corpus', SHARING_HOST.actor, input.corpus])),
  )
