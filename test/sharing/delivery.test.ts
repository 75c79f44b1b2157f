import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Handle } from '../../src/handle.js'
import type { Privity } from '../../src/open.js'
import { type Random, random } from '../../src/testing/non-interference/random.js'
import { times } from '../support/depth.js'
import { base64 } from '../support/router.js'
import { type SharedStore, sharedStore } from '../support/shared-store.js'
import { passingClock } from '../support/sharing.js'
import { engines } from '../support/stores.js'

type Overlay = Parameters<Handle['overlays']['add']>[0]
type Restriction = Exclude<Overlay['restriction'], 'access_ceremony_required'>
type Action = NonNullable<Parameters<Handle['links']['grant']>[0]['allowedActions']>[number]
type Sensitivity = NonNullable<Parameters<Handle['documents']['ingest']>[0]['sensitivity']>

/** A document of words that stand nowhere else, so that an answer tells which place it was taken from. */
interface Deck {
  readonly name: string
  readonly letter: string
  readonly text: string
  readonly sensitivity: Sensitivity
  readonly restriction: Restriction | null
  /** Whether it was read from a file, so that its text is in pieces. */
  readonly isFile: boolean
}

const RANKS: readonly Sensitivity[] = ['public', 'low', 'medium', 'high', 'hyper']
const WORD = /\b[a-d]\d{5}z\b/g
const wordOf = (letter: string, at: number) => `${letter}${String(at).padStart(5, '0')}z`

/** Nine paragraphs with a heading each. */
const textOf = (letter: string) =>
  Array.from({ length: 9 }, (_, part) => {
    const words = Array.from({ length: 80 }, (_, at) => wordOf(letter, part * 80 + at))
    return `# ${words[0]}\n\n${words.slice(1).join(' ')}.`
  }).join('\n\n')

/** What a caller may do, as its link or its profile says. */
interface Limits {
  readonly opens: boolean
  readonly copies: boolean
  readonly most: Sensitivity
  readonly isRecipient: boolean
}

/**
 * The words of a document that a caller may ever be given, and how many characters of it one answer may hold: written
 * from the rules alone, without a line of the code that decides.
 */
function allowed(deck: Deck, { opens, copies, most, isRecipient }: Limits) {
  const above = RANKS.indexOf(deck.sensitivity) - RANKS.indexOf(most)
  const words = new Set(deck.text.match(WORD))
  const nothing = { words: new Set<string>(), perAnswer: 0 }
  if (above > 0) return nothing
  switch (deck.restriction) {
    case 'blocked':
    case 'explicit_access_required':
    case 'redacted_only':
      return nothing
    case 'not_shareable':
      if (isRecipient) return nothing
      break
    case 'preview_only':
      return { words: new Set(deck.text.slice(0, 200).match(WORD)), perAnswer: 200 }
  }
  return { words, perAnswer: opens || copies ? deck.text.length : 200 }
}

/** Where in a document the words of an answer stand, as stretches without a gap. */
function stretchesOf(deck: Deck, found: ReadonlySet<string>): number[] {
  const lengths: number[] = []
  let last = -2
  let begun = 0
  for (const match of deck.text.matchAll(WORD)) {
    const at = Number(match[0].slice(1, -1))
    if (!found.has(match[0])) continue
    if (at !== last + 1) {
      begun = match.index
      lengths.push(0)
    }
    lengths[lengths.length - 1] = match.index + match[0].length - begun
    last = at
  }
  return lengths
}

describe.each(engines)('everything that can be asked of documents, on %s', engine => {
  let store: SharedStore
  let privity: Privity
  beforeAll(async () => {
    store = await sharedStore(engine)
    privity = await store.instance(passingClock())
  })
  afterAll(async () => {
    await privity?.close()
    await store?.dispose()
  })

  const exact = (capability: string): Action => ({ kind: 'exact', capability })
  const all = (namespace: string): Action => ({ kind: 'namespace_all', namespace })

  async function makeWorld(rng: Random) {
    const tenant = store.tenant()
    const host = privity.as({ tenant, actor: 'hana' })
    const decks: (Deck & { readonly id: string })[] = []
    for (const [letter, isFile] of [
      ['a', true],
      ['b', true],
      ['c', false],
    ] as const) {
      const deck: Deck = {
        name: `${letter}.md`,
        letter,
        text: textOf(letter),
        isFile,
        sensitivity: rng.pick(['low', 'low', 'medium', 'high']),
        restriction: rng.pick([
          null,
          null,
          'preview_only',
          'preview_only',
          'not_shareable',
          'blocked',
          'redacted_only',
        ]),
      }
      const label = { visibilityClass: 'public_open', sensitivity: deck.sensitivity } as const
      const id = isFile
        ? ((
            await host.documents.ingest({
              document: deck.name,
              corpus: 'bank',
              title: `Deck ${letter}`,
              content: base64(deck.text),
              ...label,
            })
          ).card?.id ?? '')
        : (
            await host.remember({
              kind: 'document',
              corpus: 'bank',
              surface: 'source_documents',
              title: `Deck ${letter}`,
              document: deck.name,
              text: deck.text,
              ...label,
            })
          ).id
      decks.push({ ...deck, id })
      if (deck.restriction !== null) {
        const target = rng.pick([
          { kind: 'document', ref: deck.name },
          { kind: 'document', ref: id },
        ] as const)
        await host.overlays.add({ target, restriction: deck.restriction })
      }
    }
    // Something derived, that quotes a long stretch of a document.
    const [first] = decks
    if (first !== undefined && rng.chance(0.7))
      await host.remember({
        kind: 'semantic',
        corpus: 'bank',
        surface: 'derived_memories',
        visibilityClass: 'public_open',
        sensitivity: 'low',
        markedShareable: true,
        text: 'a summary of the decks',
        spans: [{ document: first.name, start: 0, end: 1_500 }],
      })
    return { tenant, host, decks }
  }

  /** Every operation that gives words of documents, with something to ask it for. */
  function callsOf(handle: Handle, ids: readonly string[], rng: Random, options: { profile?: string }) {
    const word = () => wordOf(rng.pick(['a', 'b', 'c']), rng.below(720))
    const asked = { query: '' }
    const query = () => {
      asked.query = rng.pick([word(), `${word()} ${word()}`, 'deck', 'summary decks', word().slice(0, 4)])
      return asked.query
    }
    const id = () => rng.pick(ids)
    const context = () => rng.pick([0, 0, 100, 2_000])
    const limit = 100
    const calls: Record<string, () => Promise<unknown>> = {
      'documents.search': () =>
        handle.documents.search({ query: query(), limit, context: context() }, options),
      'documents.bundle': () =>
        handle.documents.bundle({ query: query(), tokenBudget: 50_000, context: context() }, options),
      'documents.open': () => handle.documents.open(id(), options),
      'documents.download': () => handle.documents.download(id(), {}, options),
      'documents.file': () => handle.documents.file(id(), options),
      'documents.list': () => handle.documents.list({}, options),
      'documents.read': () => handle.documents.read(id(), {}, options),
      'documents.original': () => handle.documents.original(id(), options),
      'documents.get': () => handle.documents.get(id(), options),
      'documents.cards': () => handle.documents.cards({}, options),
      'documents.fields': () => handle.documents.fields({ id: id() }, options),
      get: () => handle.get(id(), options),
      list: () => handle.list({ limit: 200 }, options),
      timeline: () => handle.timeline({ limit: 200 }, options),
      search: () => handle.search(query(), { limit, snippet: { passages: 10, length: 2_000 } }, options),
      graph: () => handle.retrieveGraph(query(), { kinds: ['document', 'segment'] }, options),
      complete: () => handle.complete(word().slice(0, 3), {}, options),
      'documents.complete': () => handle.documents.complete({ text: word().slice(0, 3) }, options),
      expand: () => handle.documents.expand({ query: query() }, options),
      context: () => handle.context({ about: query(), budget: 50_000 }, options),
      history: () => handle.history(id(), options),
      'labels.review': () => handle.labels.review({}, options),
      'forget.preview': () => handle.forgetPreview([id()], options),
      'forget.candidates': () => handle.forgetCandidates({ phrase: query() }, options),
      'searches.changes': async () => {
        const { id: search } = await handle.searches.save({ name: query(), query: asked.query }, options)
        return handle.searches.changes(search, {}, options)
      },
      'receipts.list': () => handle.receipts.list({}, options),
      'documents.plan': () => handle.documents.plan({ query: query() }, options),
      'views.changes': () => handle.views.changes({}, options),
      current: () => handle.profiles.current(options),
      log: () => handle.profiles.log({}, options),
    }
    return { calls, asked }
  }

  /** Asks for everything, in an order by chance, and compares what came with what may. */
  async function askEverything(
    handle: Handle,
    decks: readonly (Deck & { readonly id: string })[],
    limits: Limits,
    rng: Random,
    options: { profile?: string } = {},
  ) {
    const pieces = (
      await handle.list({ kinds: ['segment'], limit: 200 }, options).catch(() => ({ records: [] }))
    ).records
    const ids = [...decks.map(deck => deck.id), ...pieces.map(({ id }) => id)]
    const { calls, asked } = callsOf(handle, ids, rng, options)
    const names = Object.keys(calls)
    const order = Array.from({ length: 2 }, () => [...names].sort(() => rng.below(3) - 1)).flat()
    const union = new Map<string, Set<string>>()
    let reads = 0
    let answers = 0
    for (const name of order) {
      const answer = await calls[name]?.().catch((error: { code?: string }) => {
        expect(['not_allowed', 'not_found'], `${name}: ${String(error)}`).toContain(error.code)
        return null
      })
      if (answer === null || answer === undefined) continue
      answers++
      const told = decode(answer)
      const found = new Set(told.match(WORD) ?? [])
      let isRead = false
      for (const deck of decks) {
        const here = new Set([...found].filter(word => word.startsWith(deck.letter)))
        const { words, perAnswer } = allowed(deck, limits)
        // A question may be told again to whoever asked it.
        const beyond = [...here].filter(word => !words.has(word) && !asked.query.includes(word))
        expect(
          beyond,
          `${name} gives words of ${deck.name}: ${JSON.stringify({ deck: { ...deck, text: '' }, limits })}`,
        ).toEqual([])
        for (const word of here) union.set(deck.name, (union.get(deck.name) ?? new Set()).add(word))
        // Completions are words one by one, in the order of the alphabet.
        if (name.endsWith('complete') || name === 'expand') continue
        const given = new Set([...here].filter(word => !asked.query.includes(word)))
        const stretches = stretchesOf(deck, given)
        const sum = stretches.reduce((total, length) => total + length, 0)
        expect(sum, `${name} gives too much of ${deck.name}: ${JSON.stringify(limits)}`).toBeLessThanOrEqual(
          perAnswer,
        )
        if (stretches.some(length => length > 320)) isRead = true
      }
      if (isRead && name !== 'documents.download') reads++
    }
    return { union, reads, answers }
  }

  /** An answer with its files in clear. */
  const decode = (answer: unknown): string => {
    const content = (answer as { content?: unknown }).content
    const file = typeof content === 'string' ? Buffer.from(content, 'base64').toString() : ''
    return `${JSON.stringify(answer)} ${file}`
  }

  it('[NI-12, ST-1] through a link, the union of all answers stays within what its actions and overlays allow', async () => {
    for (let trial = 0; trial < times(2, 40); trial++) {
      const rng = random(7_000 + trial)
      const { host, decks } = await makeWorld(rng)
      const { view } = await host.views.create({
        corpus: 'bank',
        viewTemporalMode: 'live_view',
        exposedSurfaces: ['source_documents', 'filing_metadata', 'derived_memories'],
        derivedMemorySharePolicy: 'include_only_user_marked_shareable',
      })
      const actions = [
        all('search'),
        ...rng.some(
          [exact('document_view.list'), exact('document_view.open'), all('document_download')],
          0.4,
        ),
      ]
      const opens = actions.some(
        action => action.kind === 'exact' && action.capability === 'document_view.open',
      )
      const copies = actions.some(
        action => action.kind === 'namespace_all' && action.namespace === 'document_download',
      )
      const most = rng.pick(['low', 'medium'] as const)
      const { token, link } = await host.links.grant({
        views: [view],
        recipientIdentityMode: 'anonymous_share_token',
        allowedActions: actions,
        maxSensitivity: most,
        rateLimits: { maxQueriesPerHour: 10_000, maxDocumentViewsPerHour: 10_000 },
      })
      const opened = await privity.redeem({ token: token ?? '' })
      if (opened.status !== 'open') throw new Error(opened.status)
      const guest = privity.as((await privity.authenticate(opened.key)).credential)
      const { reads, answers } = await askEverything(
        guest,
        decks,
        { opens, copies, most, isRecipient: true },
        rng,
      )
      expect(answers).toBeGreaterThan(5)
      // Whatever reproduced more than passages stands in the log as a view.
      const { totals } = await host.links.accessLog({ link: link.link })
      expect(totals.views).toBeGreaterThanOrEqual(reads)
    }
  })

  it('[NI-12, SP-1] under a profile, for its owner and for sub-agents, the same holds by its policies', async () => {
    for (let trial = 0; trial < times(2, 40); trial++) {
      const rng = random(8_000 + trial)
      const { host, decks } = await makeWorld(rng)
      const access = rng.pick(['open', 'list_only', 'list_only'] as const)
      const delivery = rng.pick(['view_only', 'view_and_download'] as const)
      await host.profiles.setPolicy({
        kind: 'document_access_policy',
        policy: 'access',
        settings: { access },
      })
      await host.profiles.setPolicy({
        kind: 'document_delivery_policy',
        policy: 'delivery',
        settings: { delivery },
      })
      const { profile } = await host.profiles.create({
        documentAccessPolicyRef: 'access',
        documentDeliveryPolicyRef: 'delivery',
      })
      await host.profiles.activate(profile)
      const opens = access === 'open'
      const copies = opens && delivery === 'view_and_download'
      const limits = { opens, copies, isRecipient: false }
      await askEverything(host, decks, { ...limits, most: 'hyper' }, rng, { profile })
      const most = rng.pick(['low', 'medium'] as const)
      const { secret } = await host.agents.spawn({ agent: 'reader', maxSensitivity: most }, { profile })
      const agent = privity.as((await privity.authenticate(secret ?? '')).credential)
      await askEverything(agent, decks, { ...limits, most }, rng)
      // A file is refused to whoever only looks, with the reason.
      const original = host.documents.original(decks[0]?.id ?? '', { profile })
      if (!copies)
        await expect(original).rejects.toMatchObject({
          reason: opens ? 'session.document_copy_not_allowed' : 'session.document_view_not_allowed',
        })
    }
  })
})
