import { z } from 'zod'
import { FULL_LEVEL } from '../../search/mask.js'
import { match } from '../../search/match.js'
import { tokenize } from '../../search/tokenize.js'
import { derivedFrom } from '../../storage/queries/derived-from.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { type VisibleSegment, VisibleSet } from '../index/visible-set.js'
import { id, personName, text } from '../input.js'
import { readOperation } from '../operation.js'
import { recordView } from '../record-view.js'
import type { ReadRequest } from '../request.js'
import type { SampleInput } from '../sample-world.js'
import { loadFilterContext, narrowToQuestion } from '../search/predicates.js'
import { filters } from '../search/question.js'

/** How far derivations are followed, and how many records are looked at: enough to be told before deciding. */
const MOST_STEPS = 8
const MOST_RECORDS = 1_000
const MOST_SHOWN = 50

const preview = z.object({
  derived: z
    .array(recordView)
    .meta({ description: `What was made from them and would be deleted too, at most ${MOST_SHOWN}.` }),
  count: z.int().meta({ description: 'Number of such records that you can see.' }),
  complete: z.boolean().meta({ description: 'Whether all of them were counted.' }),
})

/**
 * Tells what `memory.forget` would delete besides, as far as the caller can see it. It goes from one visible record to
 * the next: what is reached only through a hidden one is hidden too, or its deletion would tell of that one (NI-6).
 */
export const forgetPreview = readOperation({
  name: 'memory.forget_preview',
  route: 'POST /records/forget-preview',
  summary: 'Show what would be deleted with records',
  positional: ['records'],
  sample: world => ({ records: [world.record()] }),
  callers: 'owner',
  input: z.strictObject({
    records: z.array(id).min(1).max(100).meta({ description: 'Ids of the records to delete.' }),
  }),
  output: preview,
  run: (request, { records }) => previewOf(request, records),
})

const conditions = {
  kinds: filters.kinds,
  tags: filters.tags,
  people: filters.people,
  corpus: filters.corpus,
  createdAfter: filters.createdAfter,
  createdBefore: filters.createdBefore,
}

/**
 * Finds what an owner may want to forget: by a person who takes part or is named, by words, kinds, tags or times. It
 * deletes nothing: `memory.forget` does, by id.
 */
export const forgetCandidates = readOperation({
  name: 'memory.forget_candidates',
  route: 'POST /records/forget-candidates',
  summary: 'Find records to forget, and what would be deleted with them',
  sample: world => ({
    ...world.pick<SampleInput>([
      { about: world.person() },
      { phrase: world.word() },
      { tags: [world.tag()] },
    ]),
    ...world.maybe(0.3, { kinds: [world.kind()] }),
  }),
  callers: 'owner',
  input: z
    .strictObject({
      about: personName.optional().meta({
        description: 'A person: what they take part in, and what names them in its text.',
        example: 'Frank',
      }),
      phrase: text(500)
        .refine(value => tokenize(value).length > 0, { message: 'must hold a word' })
        .optional()
        .meta({ description: 'Words that stand one after the other in a record.', example: 'new job' }),
      ...conditions,
    })
    .refine(input => Object.values(input).some(value => value !== undefined), {
      message: 'must name at least one condition',
    })
    .meta({ example: { about: 'Frank' }, minProperties: 1 }),
  output: z.object({
    records: z.array(z.string()).meta({
      description: `Ids of what was found, newest first, at most ${MOST_RECORDS}; pass them to forget.`,
    }),
    complete: z.boolean().meta({ description: 'Whether that is all that was found.' }),
    found: z.array(recordView).meta({ description: `The first of them, at most ${MOST_SHOWN}.` }),
    derived: preview.shape.derived,
    derivedCount: preview.shape.count,
    derivedComplete: preview.shape.complete,
  }),
  async run(request, { about, phrase, ...asked }) {
    const { segments } = await VisibleSet.of(request)
    const everything = { ...asked, asOf: 'any' as const }
    let holding = narrowToQuestion(segments, everything, await loadFilterContext(request, everything))
    if (phrase !== undefined) holding = keep(holding, having(holding, phrase))
    if (about !== undefined) {
      const person = { people: [about], asOf: 'any' as const }
      const takingPart = narrowToQuestion(holding, person, await loadFilterContext(request, person))
      const naming = having(holding, about)
      holding = keep(
        holding,
        takingPart.map(({ mask }, at) => new Set([...mask.documents, ...(naming[at] ?? [])])),
      )
    }
    const all = holding.flatMap(part => candidatesOf(request, part))
    const newest = all.sort((a, b) => b.createdAt - a.createdAt || (a.id < b.id ? -1 : 1))
    const records = newest.slice(0, MOST_RECORDS).map(({ id }) => id)
    const shown = records.slice(0, MOST_SHOWN)
    const views = (
      await request.view(await fetchRecords(request.tx, request.tenant, [...shown].sort()))
    ).flatMap(view => (view === null ? [] : [[view.id, view] as const]))
    const byId = new Map(views)
    for (const [, view] of views) request.show(view)
    const { derived, count, complete } = await previewOf(request, records)
    return {
      records,
      complete: newest.length === records.length,
      found: shown.flatMap(id => byId.get(id) ?? []),
      derived,
      derivedCount: count,
      derivedComplete: complete,
    }
  },
})

/** The documents of each part whose visible text has these words one after the other. */
function having(parts: readonly VisibleSegment[], phrase: string): ReadonlySet<number>[] {
  const words = tokenize(phrase).map(({ term }) => term)
  const terms = words.map(term => ({ term, prefix: false, exact: true, synonyms: [] }))
  const query = { terms, phrases: [words], excluded: [], excludedPhrases: [], stemming: false }
  // Turns beside a match are found as well, without a score.
  return match(parts, query).parts.map(
    ({ documents, scores }) => new Set(documents.filter((_, at) => (scores[at] ?? 0) > 0)),
  )
}

const keep = (parts: readonly VisibleSegment[], kept: readonly ReadonlySet<number>[]): VisibleSegment[] =>
  parts.map((part, at) => ({ ...part, mask: part.mask.where(document => kept[at]?.has(document) === true) }))

/** What can be forgotten by id: records that are seen in full; the pages of a file go with the file. */
const candidatesOf = ({ parts: { identity } }: ReadRequest, { segment, mask, table }: VisibleSegment) =>
  [...mask.documents].flatMap(document => {
    const compartment = segment.data.compartments[document] as number
    const isOwn = identity.principals.has(table.value('owner', compartment))
    if (mask.levels[document] !== FULL_LEVEL || table.value('kind', compartment) === 'segment' || !isOwn)
      return []
    return [{ id: segment.id(document), createdAt: segment.data.createdAt[document] as number }]
  })

/** What was made from records, as far as it can be seen from one visible record to the next. */
async function previewOf(request: ReadRequest, records: readonly string[]): Promise<z.input<typeof preview>> {
  const { tx, tenant } = request
  const known = new Set(records)
  const derived: z.input<typeof recordView>[] = []
  const visible = async (ids: readonly string[]) =>
    (await request.view(await fetchRecords(tx, tenant, ids))).filter(view => view !== null)
  let last = (await visible([...known])).map(view => view.id)
  for (let step = 0; step < MOST_STEPS && last.length > 0; step++) {
    const next = await derivedFrom(tx, tenant, last, [...known], MOST_RECORDS + 1)
    const views = await visible(next)
    for (const view of views) known.add(view.id)
    derived.push(...views)
    if (derived.length > MOST_RECORDS) break
    last = views.map(view => view.id)
  }
  const shown = derived.slice(0, MOST_SHOWN)
  for (const view of shown) request.show(view)
  return {
    derived: shown,
    count: Math.min(derived.length, MOST_RECORDS),
    complete: last.length === 0,
  }
}
