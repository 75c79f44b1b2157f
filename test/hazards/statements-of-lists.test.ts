import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'
import { few } from '../support/depth.js'
import { openTestPrivity, type TestPrivity } from '../support/privity.js'
import { engines } from '../support/stores.js'

type Draft = z.input<typeof draft>
type Answer = Awaited<ReturnType<Handle['list']>>

/** Values of what only a full face shows: those that hidden records have, or those that they have not. */
interface Guess {
  readonly owner: string
  readonly person: string
  readonly corpus: string
  readonly pin: string
  readonly year: number
}
const RIGHT = { person: 'kim', corpus: 'vault', pin: '4711', year: 1999 }
const WRONG = { person: 'lee', corpus: 'attic', pin: '0000', year: 1950 }

interface Page {
  readonly limit: number
  readonly order: 'newest' | 'oldest'
}
type Question = (caller: Handle, guess: Guess, page: Page) => Promise<Answer>

const QUESTIONS: Readonly<Record<string, Question>> = {
  'list by people': (caller, { person }, page) => caller.list({ ...page, people: [person] }),
  'list by fields': (caller, { pin }, page) => caller.list({ ...page, fields: { pin } }),
  'list by corpus': (caller, { corpus }, page) => caller.list({ ...page, corpus }),
  'list by owner': (caller, { owner }, page) => caller.list({ ...page, owner }),
  'list of metadata by fields': (caller, { pin }, page) =>
    caller.list({ ...page, fields: { pin }, face: 'metadata' }),
  'timeline by people': (caller, { person }, page) => caller.timeline({ ...page, people: [person] }),
  'timeline by when it happened': (caller, { year }, page) =>
    caller.timeline({ ...page, from: `${year}-01-01T00:00:00Z`, to: `${year + 1}-01-01T00:00:00Z` }),
}

const PAGES: readonly Page[] = few(
  [1, 2, 3].flatMap(limit => [
    { limit, order: 'newest' as const },
    { limit, order: 'oldest' as const },
  ]),
  2,
)

const draftOf = ({ owner, person, corpus, pin, year }: Guess, more: Partial<Draft> = {}): Draft => ({
  kind: 'note',
  text: 'text',
  sensitivity: 'low',
  owner,
  participants: [person],
  corpus,
  fields: { pin },
  occurredAt: `${year}-06-01T00:00:00Z`,
  ...more,
})

/** What hides records, or most of them, from an agent of Ana's that is trusted with medium. */
const HIDING: Readonly<Record<string, { more: Partial<Draft>; face: string | null }>> = {
  'a metadata face': { more: { sensitivity: 'high' }, face: 'metadata' },
  'a preview': { more: { document: 'previewed' }, face: 'preview' },
  'being no evidence': { more: { kind: 'ai_synthesis' }, face: null },
}

const MANY = 20
const AMOUNTS = few(
  [
    { hidden: MANY, bait: 0 },
    { hidden: MANY, bait: 1 },
    { hidden: 1, bait: 0 },
    { hidden: 1, bait: 1 },
    { hidden: 1, bait: 2 },
  ],
  3,
)

describe.each(engines)('the statements of lists and timelines on %s', engine => {
  const statements: string[] = []
  let store: TestPrivity
  beforeAll(async () => {
    store = await openTestPrivity(engine, { observe: sql => void statements.push(sql) })
  })
  afterAll(() => store.dispose())

  /** Hidden records with the right values, and for each guess records that the agent wrote to be found by it. */
  async function world(more: Partial<Draft>, { hidden, bait }: { hidden: number; bait: number }) {
    const tenant = store.tenant()
    const credential: Credential = {
      tenant,
      actor: 'helper',
      audience: 'agent',
      for: 'ana',
      trust: { maxSensitivity: 'medium' },
    }
    const ana = store.privity.as({ tenant, actor: 'ana' })
    const agent = store.privity.as(credential)
    const right: Guess = { ...RIGHT, owner: (await ana.groups.create({ name: 'right' })).principal }
    const wrong: Guess = { ...WRONG, owner: (await ana.groups.create({ name: 'wrong' })).principal }
    for (const { owner, person } of [right, wrong]) {
      await ana.people.add({ person, owner })
      await ana.people.consent({ person, owner, status: 'granted' })
    }
    const target = { kind: 'document', ref: 'previewed', owner: right.owner } as const
    await ana.overlays.add({ target, restriction: 'preview_only' })
    const bring = (by: Handle, drafts: Draft[]) => (drafts.length === 0 ? [] : by.remember(drafts))
    await bring(agent, Array(bait).fill(draftOf(right)))
    await bring(agent, Array(bait).fill(draftOf(wrong)))
    await bring(ana, Array(hidden).fill(draftOf(right, more)))
    return { tenant, ana, agent, right, wrong }
  }

  /** What a question runs, and how many records it finds. */
  async function run(ask: () => Promise<Answer>): Promise<{ statements: string[]; found: number }> {
    // Once before: facts are read, and what was shown is noted, the first time only.
    await ask()
    await store.privity.caughtUp()
    statements.length = 0
    const { records } = await ask()
    return { statements: [...statements], found: records.length }
  }

  describe.each(Object.entries(HIDING))('with records hidden by %s', (_, { more, face }) => {
    it.each(
      AMOUNTS,
    )('[NI-1, NI-4, NI-5] do not tell a right guess from a wrong one: $hidden hidden, $bait as bait', async amounts => {
      const { ana, agent, right, wrong } = await world(more, amounts)
      const shown = (await agent.list({ limit: 200 })).records.filter(one => one.face !== 'full')
      expect(new Set(shown.map(one => one.face))).toEqual(new Set(face === null ? [] : [face]))
      for (const [name, question] of Object.entries(QUESTIONS)) {
        for (const page of PAGES) {
          const told = `${name}, ${page.order} ${page.limit}`
          const guessed = await run(() => question(agent, right, page))
          const missed = await run(() => question(agent, wrong, page))
          expect(guessed.found, told).toBe(Math.min(amounts.bait, page.limit))
          expect(guessed.statements.length, told).toBe(missed.statements.length)
          expect(guessed, told).toEqual(missed)
        }
        // The guess is right: whoever sees these records in full finds them by it.
        if (face === 'metadata') {
          const { records } = await question(ana, right, { limit: 200, order: 'oldest' })
          expect(records.length, name).toBe(amounts.hidden + amounts.bait)
        }
      }
    })
  })

  it('[NI-1, NI-5] do not tell an owner of records that are no evidence', async () => {
    const { ana } = await world({ kind: 'ai_synthesis' }, { hidden: MANY, bait: 0 })
    for (const page of PAGES) {
      for (const ask of [ana.list, ana.timeline]) {
        const some = await run(() => ask({ ...page, kinds: ['ai_synthesis'] }))
        expect(some, JSON.stringify(page)).toEqual(
          await run(() => ask({ ...page, kinds: ['activity_rollup'] })),
        )
      }
    }
  })

  it('[NI-1, NI-5] do not tell a recipient of records that no view shows it', async () => {
    const { tenant } = await world({ visibilityClass: 'public_open' }, { hidden: MANY, bait: 0 })
    const recipient = (actor: string) =>
      store.privity.as({
        tenant,
        actor: 'reader',
        audience: 'recipient',
        for: actor,
        trust: { maxSensitivity: 'hyper' },
      })
    const list = async (actor: string, { limit }: Page): Promise<Answer> => ({
      records: (await recipient(actor).documents.list({ limit })).documents as never[],
      cursor: null,
    })
    for (const page of PAGES) {
      const some = await run(() => list('ana', page))
      expect(some.found).toBe(0)
      expect(some).toEqual(await run(() => list('nobody', page)))
    }
  })
})
