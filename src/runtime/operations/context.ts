import { z } from 'zod'
import { MEMORY_KINDS, SOURCE_KINDS } from '../../policy/vocabulary.js'
import { FULL_LEVEL } from '../../search/mask.js'
import { salienceNow } from '../../search/salience.js'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { VisibleSet } from '../index/visible-set.js'
import { personName, text } from '../input.js'
import { type Asks, readOperation } from '../operation.js'
import type { RecordView } from '../record-view.js'
import type { ReadRequest } from '../request.js'
import { loadFilterContext, narrowToQuestion } from '../search/predicates.js'
import { type ParsedQuestion, parseQuestion, QUESTION } from '../search/question.js'
import { receipt } from '../search/receipt.js'
import { cutPage, fetchResults, runSearch } from '../search/run.js'

const SECTIONS = ['pinned', 'people', 'open', 'relevant', 'known', 'recent'] as const
type Section = (typeof SECTIONS)[number]

/** The most records of each section, so that none takes the whole budget. */
const MOST: Readonly<Record<Section, number>> = {
  pinned: 20,
  people: 20,
  open: 10,
  relevant: 20,
  known: 20,
  recent: 20,
}
/** Longer texts are cut: a context is an overview, and `get` reads the whole. */
const MOST_CHARACTERS = 600
/** The kinds that a person works on at present. */
const OPEN: ReadonlySet<string> = new Set(['working', 'plan_graph'])
const FILES: ReadonlySet<string> = new Set<string>(SOURCE_KINDS)

const question = z.object(QUESTION)

/** What to put in front of a model each time: the records that matter most now, cited, within a budget of tokens. */
export const gatherContext = readOperation({
  name: 'memory.context',
  route: 'POST /context',
  summary: 'Gather what a model should know now, within a budget of tokens',
  policies: ['agent', 'reader'],
  sample: world => ({
    budget: world.pick([50, 200, 1_000]),
    ...world.maybe(0.5, { about: world.word() }),
    ...world.maybe(0.3, { people: [world.person()] }),
  }),
  callers: 'anyone',
  rate: 'query',
  forModel: true,
  input: z.strictObject({
    about: text(2_000)
      .refine(value => value.trim().length > 0, { message: 'must not be empty' })
      .optional()
      .meta({
        description: 'What the conversation is about now; it is searched for.',
        example: 'the garden',
      }),
    people: z
      .array(personName)
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'Who takes part, by name: what is known of them comes first.', example: ['ben'] }),
    budget: z
      .int()
      .min(50)
      .max(100_000)
      .default(1_000)
      .meta({ description: 'Most tokens of text (o200k_base).' }),
    asOf: QUESTION.asOf,
    minSalience: QUESTION.minSalience,
  }),
  asks: ({ about, asOf, minSalience }): Asks =>
    about === undefined
      ? { meaning: null }
      : parseQuestion(question.parse({ query: about, asOf, minSalience })),
  output: z.object({
    items: z
      .array(
        z
          .object({
            cite: z.int().meta({ description: 'The number to cite it by, from 1.' }),
            section: z.enum(SECTIONS).meta({
              description:
                'Why it is here: pinned, of these people, still open, found by `about`, known, or recent.',
            }),
            record: z.string().meta({ description: 'The id of the record.' }),
            kind: z.string().meta({ description: 'What sort of record it is.' }),
            at: z.string().meta({ description: 'When it happened, or was kept.' }),
            text: z.string().meta({ description: 'What it says, cut if it is long.' }),
          })
          .meta({ id: 'ContextItem', description: 'A record to put in front of a model.' }),
      )
      .meta({ description: 'The records, in the order in which to read them.' }),
    tokens: z.int().meta({ description: 'Number of tokens of all texts.' }),
    left: z.int().meta({ description: 'Number of further records that did not fit.' }),
    receipt: receipt.nullable().meta({ description: 'How complete the search was; null without `about`.' }),
  }),
  async run(request, input, asked) {
    const chosen = new Map<string, Section>()
    const choose = (section: Section, ids: readonly string[]) => {
      for (const id of ids.filter(id => !chosen.has(id)).slice(0, MOST[section])) chosen.set(id, section)
    }
    const { about: _, budget, people = [], ...conditions } = input
    const all = await visibleRecords(request, conditions)
    choose('pinned', idsOf(all.filter(({ pinned }) => pinned).sort(byLayer)))
    for (const person of people)
      choose(
        'people',
        idsOf((await visibleRecords(request, { ...conditions, people: [person] })).sort(byLayer)),
      )
    choose('open', idsOf(all.filter(({ kind }) => OPEN.has(kind)).sort(byAge)))
    const searched = input.about === undefined ? null : await runSearch(request, asked as ParsedQuestion)
    if (searched !== null) {
      const { page } = cutPage(searched.executed.ranked, null, MOST.relevant)
      const found = await fetchResults(request, searched, page)
      choose(
        'relevant',
        found.filter(({ view }) => view.face === 'full').map(({ view }) => view.id),
      )
      request.leave(searched.account.run)
    }
    // Layers in their order, the most salient first: what to know without a task (TR-5).
    choose('known', idsOf(all.filter(({ kind }) => kind !== 'episodic').sort(byLayer)))
    choose('recent', idsOf([...all].sort(byAge)))
    const filled = await fill(request, chosen, budget)
    return { ...filled, receipt: searched?.account.receipt ?? null }
  },
})

interface Candidate {
  readonly id: string
  readonly kind: string
  readonly salience: number
  readonly pinned: boolean
  readonly createdAt: number
}

const idsOf = (candidates: readonly Candidate[]) => candidates.map(({ id }) => id)
const layer = (kind: string) => {
  const at = (MEMORY_KINDS as readonly string[]).indexOf(kind)
  return at < 0 ? MEMORY_KINDS.length : at
}
const byId = (a: Candidate, b: Candidate) => (a.id < b.id ? -1 : 1)
const byLayer = (a: Candidate, b: Candidate) =>
  layer(a.kind) - layer(b.kind) || b.salience - a.salience || b.createdAt - a.createdAt || byId(a, b)
const byAge = (a: Candidate, b: Candidate) => b.createdAt - a.createdAt || byId(a, b)

/** What the caller sees in full, from the index; parts of files are left to searches. */
async function visibleRecords(
  request: ReadRequest,
  conditions: Parameters<typeof narrowToQuestion>[1],
): Promise<Candidate[]> {
  const { segments } = await VisibleSet.of(request)
  const holding = narrowToQuestion(segments, conditions, await loadFilterContext(request, conditions))
  const now = request.now.getTime()
  return holding.flatMap(({ segment, mask, table }) =>
    [...mask.documents].flatMap((document): Candidate[] => {
      const kind = table.value('kind', segment.data.compartments[document] as number)
      if (mask.levels[document] !== FULL_LEVEL || FILES.has(kind)) return []
      const stored = segment.salienceOf(document)
      return [
        {
          id: segment.id(document),
          kind,
          salience: salienceNow(stored, request.parts.halfLifeOf(kind), now),
          pinned: stored.pinned,
          createdAt: segment.data.createdAt[document] as number,
        },
      ]
    }),
  )
}

/** Reads the chosen records under every policy and takes them in their order, as many as fit. */
async function fill(request: ReadRequest, chosen: ReadonlyMap<string, Section>, budget: number) {
  const rows = await fetchRecords(request.tx, request.tenant, [...chosen.keys()].sort())
  const views = new Map<string, RecordView>()
  for (const view of await request.view(rows)) if (view?.face === 'full') views.set(view.id, view)
  const items = []
  let tokens = 0
  let left = 0
  for (const [id, section] of chosen) {
    const view = views.get(id)
    if (view === undefined) continue
    const text = textOf(view)
    const cost = request.parts.tokenizer.count(text)
    if (tokens + cost > budget) {
      left++
      continue
    }
    tokens += cost
    request.show(view)
    const at = view.payload?.occurredAt ?? view.createdAt
    items.push({ cite: items.length + 1, section, record: id, kind: view.kind, at, text })
  }
  return { items, tokens, left }
}

function textOf({ payload }: RecordView): string {
  const whole = [payload?.title, payload?.text].filter(Boolean).join(': ')
  return whole.length > MOST_CHARACTERS ? `${whole.slice(0, MOST_CHARACTERS - 1)}…` : whole
}
