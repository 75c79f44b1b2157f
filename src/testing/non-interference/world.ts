import { SENSITIVITIES, VISIBILITY_CLASSES } from '../../policy/vocabulary.js'
import type { Credential } from '../../runtime/caller.js'
import { idFrom } from '../clock.js'
import { type Asides, drawNamesakes, makeAsides } from './namesake.js'
import { type Random, random } from './random.js'

/** A caller, without the tenant. */
export type Who = Omit<Credential, 'tenant'>

/** One operation of a history. All ids are known in advance, because they are derived from the key. */
export interface Step {
  readonly key: string
  readonly at: number
  readonly by: Who
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** The record that it creates, if any. */
  readonly creates: string | null
  /** Records that it names. */
  readonly names: readonly string[]
  /** For a policy fact: its owner. */
  readonly factOf: string | null
  readonly options?: Readonly<Record<string, unknown>>
  /** Whether a credential did it that has the viewer's name and sees more: it discloses nothing (NI-10). */
  readonly isAside?: true
}

export interface World {
  readonly steps: readonly Step[]
  readonly viewer: Who
  readonly group: string
  readonly people: readonly string[]
  /** What the viewer asks last, if a credential with its name sees more: about what that one did. */
  readonly questions: Asides['questions']
  readonly end: number
}

interface MadeRecord {
  readonly id: string
  readonly by: Who
  readonly owner: string
  parent: boolean
}

const START = Date.parse('2026-01-01T00:00:00.000Z')
const MINUTE = 60_000
/** Moments before, at and after the start of a world. */
export const MOMENTS = [-10, 0, 20].map(minutes => new Date(START + minutes * MINUTE).toISOString())
export const PEOPLE = ['kim', 'lee'] as const
export const TAGS = ['red', 'green', 'blue'] as const
export const CORPORA = ['briefs', 'letters'] as const
const SCOPES = ['home', 'work'] as const
const KINDS = ['episodic', 'semantic', 'document', 'ai_synthesis'] as const
// Biased towards open labels: leaks show up where visible and hidden records meet.
const LEANING_SENSITIVITIES = ['public', 'public', ...SENSITIVITIES] as const
const LEANING_CLASSES = ['public_open', 'public_open', ...VISIBILITY_CLASSES.slice(0, 5)] as const

const ANA: Who = { actor: 'ana' }
const BEN: Who = { actor: 'ben' }
const agentOf = (owner: string, actor: string): Who => ({
  actor,
  audience: 'agent',
  for: owner,
  trust: { maxSensitivity: 'hyper' },
  visibility: { ceiling: 'firewalled' },
})

/** The id that a step creates for a purpose. */
export const idOf = (key: string, purpose: string, count = 0) => idFrom(JSON.stringify([key, purpose, count]))

/** How many compartments the records have: as few as possible, as chance decides, or one for each record. */
export type Variety = 'few' | 'many' | 'each'

/** A world: what several people and agents did before a viewer starts to ask. */
export function makeWorld(rng: Random, name: string, variety: Variety = 'many'): World {
  const { viewer, strong } = makeViewer(rng)
  const steps: Step[] = []
  const made: MadeRecord[] = []
  let at = START

  const add = (step: Omit<Step, 'key' | 'at'>): string => {
    at += MINUTE
    const key = keyAt(steps.length)
    steps.push({ ...step, key, at })
    return key
  }
  const keyAt = (index: number) => `${name}:${index}`
  const fact = (by: Who, factOf: string, operation: string, input: Step['input']) =>
    add({ by, operation, input, creates: null, names: [], factOf })

  const groupId = idOf(keyAt(0), 'group')
  const group = `group:${groupId}`
  fact(BEN, group, 'groups.create', { name: 'family' })
  if (rng.chance(0.7))
    fact(BEN, group, 'groups.add_member', {
      group: groupId,
      member: 'ana',
      ...maybe(rng, 0.3, { role: 'elder' }),
    })
  for (const person of PEOPLE) {
    fact(ANA, 'ana', 'people.add', { person })
    fact(BEN, 'ben', 'people.add', { person })
    fact(BEN, group, 'people.add', { person, owner: group })
  }

  const ownerOf = (by: Who) => (rng.chance(0.3) ? group : (by.for ?? by.actor))
  const writers: readonly Who[] = [ANA, ANA, BEN, agentOf('ana', 'scribe'), agentOf('ben', 'clerk')]
  const relate = (record: MadeRecord, other: MadeRecord, sources: string[] = []) =>
    add({
      by: record.by,
      operation: 'memory.relate',
      input: { from: record.id, to: other.id, type: 'about', sources },
      creates: null,
      names: [record.id, other.id, ...sources],
      factOf: null,
    })
  const relateToAny = (record: MadeRecord) => {
    const near = made.filter(({ owner }) => owner === record.owner)
    relate(record, rng.pick(rng.chance(0.7) ? near : made))
  }

  const count = 14 + rng.below(12)
  for (let turn = 0; turn < count; turn++) {
    const by = rng.pick(writers)
    const kind = rng.below(20)
    if (kind < 8 || made.length === 0) {
      const owner = ownerOf(by)
      const derivedFrom = rng.chance(0.25) ? rng.some(made, 0.3).slice(0, 2) : []
      for (const source of derivedFrom) source.parent = true
      const id = idOf(keyAt(steps.length), 'record')
      add({
        by,
        operation: 'memory.remember',
        input: {
          records: [
            {
              ...varied(makeDraft(rng, id, at, viewer), variety, id),
              owner,
              derivedFrom: derivedFrom.map(source => source.id),
            },
          ],
        },
        creates: id,
        names: derivedFrom.map(source => source.id),
        factOf: null,
      })
      made.push({ id, by, owner, parent: false })
      continue
    }
    const record = rng.pick(made)
    const on = { by: record.by, creates: null, names: [record.id], factOf: null }
    switch (kind) {
      case 8:
      case 9:
        relateToAny(record)
        break
      case 10:
      case 11: {
        const id = idOf(keyAt(steps.length), 'record')
        const how = rng.pick(['supersede', 'fork'] as const)
        const { kind: _, ...by } = varied(makeDraft(rng, id, at, viewer), variety, id)
        add({
          ...on,
          operation: 'memory.revise',
          input: { how, record: record.id, by: { ...by, corpus: undefined, document: undefined } },
          creates: id,
        })
        record.parent = true
        made.push({ id, by: record.by, owner: record.owner, parent: false })
        break
      }
      case 12:
        add({
          ...on,
          operation: 'memory.revise',
          input: { how: rng.pick(['contest', 'retract'] as const), record: record.id },
        })
        break
      case 13:
        // Raising the label of a source visibly raises what was derived from it, so only records without children are
        // relabelled.
        if (!record.parent)
          add({ ...on, operation: 'memory.relabel', input: { record: record.id, ...makeRelabel(rng) } })
        break
      case 14:
      case 15: {
        const owner = rng.pick(['ana', 'ben', group])
        const status = rng.pick(['granted', 'granted', 'revoked', 'pending'] as const)
        fact(owner === 'ana' ? ANA : BEN, owner, 'people.consent', {
          person: rng.pick(PEOPLE),
          status,
          owner,
        })
        break
      }
      case 16: {
        const owner = rng.pick(['ana', 'ben', group])
        const target = rng.chance(0.5)
          ? { kind: 'corpus', ref: rng.pick(CORPORA), owner }
          : { kind: 'document', ref: record.id, owner: record.owner }
        const restriction = rng.pick([
          'explicit_access_required',
          'preview_only',
          'preview_only',
          'redacted_only',
          'not_shareable',
          'blocked',
        ])
        fact(target.owner === 'ana' ? ANA : BEN, target.owner, 'overlays.add', { target, restriction })
        break
      }
      case 17: {
        const target = { kind: 'corpus', ref: rng.pick(CORPORA), owner: 'ana' }
        fact(ANA, 'ana', 'grants.add', { grantee: rng.pick(['ana', 'cat']), target })
        break
      }
      case 18:
        fact(BEN, group, rng.chance(0.5) ? 'groups.add_member' : 'groups.remove_member', {
          group: groupId,
          member: rng.pick(['ana', 'cat']),
        })
        break
      case 19:
        add({
          ...on,
          by: record.by.for === undefined ? record.by : { actor: record.by.for },
          operation: 'memory.forget',
          input: { records: [record.id] },
        })
        break
    }
  }
  // Edges are where visible and hidden records meet, so there are always some.
  for (let edge = 0; edge < 6; edge++) relateToAny(rng.pick(made))

  // Entities, mentions of them and edges with sources. They have a random generator of their own; the rest stays the
  // same.
  const chance = random(Number.parseInt(idOf(name, 'graph').slice(0, 8), 16))
  const near: MadeRecord[] = []
  const by = viewer.for === 'ben' ? BEN : ANA
  const remember = (more: { mentions?: string[] } & Record<string, unknown>) => {
    const id = idOf(keyAt(steps.length), 'record')
    const drafted = varied(makeDraft(chance, id, at, viewer), variety, id)
    // Mostly visible, or nearly so, because paths end where a record is not seen in full.
    const open = {
      visibilityClass: 'public_open',
      participants: [],
      scope: undefined,
      corpus: undefined,
      expiresAt: undefined,
      sensitivity: chance.pick(['public', 'public', 'public', oneAbove(viewer)]),
    }
    const draft = { ...drafted, ...(chance.chance(0.8) ? open : {}), owner: by.actor, ...more }
    const names = more.mentions ?? []
    add({ by, operation: 'memory.remember', input: { records: [draft] }, creates: id, names, factOf: null })
    near.push({ id, by, owner: by.actor, parent: false })
    return id
  }
  const entities = Array.from({ length: 2 }, () => {
    const [title, alias] = [chance.pick(WORDS), chance.pick(WORDS)]
    return remember({ kind: 'entity', title, fields: { aliases: [alias], size: chance.below(3) } })
  })
  for (let count = 0; count < 4; count++)
    remember({ mentions: chance.some(entities, 0.4), linkEntities: chance.chance(0.7), kind: 'semantic' })
  const tellers = [...near, ...made.filter(({ owner }) => owner === by.actor)]
  for (let edge = 0; edge < 6; edge++) {
    const [record, other] = [chance.pick(near), chance.pick(near)]
    // The same edge may also be asserted without a source, before or after.
    const tellings = [[chance.pick(tellers).id], ...(chance.chance(0.3) ? [[]] : [])]
    for (const sources of chance.chance(0.5) ? tellings : tellings.reverse()) relate(record, other, sources)
  }
  if (strong === null) return { steps, viewer, group, people: PEOPLE, questions: [], end: at + MINUTE }
  const first = steps.length
  const own = made.filter(({ owner }) => owner === (strong.for ?? strong.actor))
  const named = chance.some(
    own.map(({ id }) => id),
    0.5,
  )
  const { deeds, questions } = makeAsides(strong, named, (place, thing) => idOf(keyAt(first + place), thing))
  for (const deed of deeds)
    add({ ...deed, by: strong, creates: null, names: [], factOf: null, isAside: true })
  return { steps, viewer, group, people: PEOPLE, questions, end: at + MINUTE }
}

/** Words that tell in which part of a record they occurred. Each occurs in only one record. */
export const marks = (id: string) => ({
  title: `ttl${id.slice(0, 8)}`,
  early: `early${id.slice(0, 8)}`,
  late: `late${id.slice(0, 8)}`,
  field: `fld${id.slice(0, 8)}`,
  provenance: `prv${id.slice(0, 8)}`,
})

/** One sensitivity level above what the viewer may read in full, which gives a metadata face. */
function oneAbove(viewer: Who): (typeof SENSITIVITIES)[number] {
  const most = viewer.trust === undefined ? -1 : SENSITIVITIES.indexOf(viewer.trust.maxSensitivity)
  return SENSITIVITIES[most + 1] ?? 'hyper'
}

/** The vocabulary of texts: forms of one word, words one letter apart, common and rare words. */
export const WORDS = [
  'garden gardens gardening gardener rose roses letter letters better quarrel quarrels house houses',
  'money honey decide decided decision winter summer sister brother secret secrets the the the and and of',
]
  .join(' ')
  .split(' ')

/** Words for a record, derived only from its id, so that they change nothing else in the world. */
function wordsFor(id: string, count: number): string {
  const own = random(Number.parseInt(id.slice(0, 8), 16))
  return Array.from({ length: count }, () => own.pick(WORDS)).join(' ')
}

/** When a record happened, if known; derived only from its id, like its words. */
function happened(id: string): { occurredAt?: string } {
  const own = random(Number.parseInt(id.slice(9, 13), 16))
  return own.chance(0.5) ? { occurredAt: new Date(START + (own.below(80) - 30) * MINUTE).toISOString() } : {}
}

/** Two conversations, so that most of their turns have neighbours. */
export const TALKS = ['first talk', 'second talk'] as const

/** The place of a record in a conversation, if it is said in one; derived only from its id. */
function said(id: string): { conversation?: string; turn?: number; speaker?: string } {
  const own = random(Number.parseInt(id.slice(14, 18), 16))
  if (own.chance(0.3)) return {}
  return { conversation: own.pick(TALKS), turn: own.below(12), speaker: own.pick(['ann', 'ben', 'secret']) }
}

function varied<Draft extends ReturnType<typeof makeDraft>>(
  draft: Draft,
  variety: Variety,
  id: string,
): Draft {
  switch (variety) {
    case 'few': {
      const { scope: _, corpus: __, ...rest } = draft as Draft & { scope?: string; corpus?: string }
      return {
        ...rest,
        visibilityClass: 'public_open',
        participants: draft.participants.slice(0, 1),
      } as Draft
    }
    case 'many':
      return draft
    case 'each':
      return { ...draft, corpus: `corpus-${id.slice(0, 8)}` }
  }
}

function makeDraft(rng: Random, id: string, at: number, viewer: Who) {
  const mark = marks(id)
  const middle = rng.chance(0.5) ? ` ${wordsFor(id, 30 + rng.below(8))} ` : ` ${wordsFor(id, 4)} `
  return {
    kind: rng.pick(KINDS),
    title: mark.title,
    text: `${mark.early}${middle.padEnd(220, '.')}${mark.late}`,
    tags: rng.some(TAGS, 0.4),
    fields: { note: mark.field, size: rng.below(3) },
    provenance: { source: mark.provenance },
    sensitivity: rng.chance(0.25) ? oneAbove(viewer) : rng.pick(LEANING_SENSITIVITIES),
    visibilityClass: rng.pick(LEANING_CLASSES),
    participants: rng.some(PEOPLE, 0.18),
    ...maybe(rng, 0.2, { scope: rng.pick(SCOPES) }),
    ...maybe(rng, 0.3, { corpus: rng.pick(CORPORA) }),
    ...happened(id),
    ...said(id),
    ...maybe(rng, 0.15, { expiresAt: new Date(at + MINUTE * (2 + rng.below(40))).toISOString() }),
  }
}

function makeRelabel(rng: Random) {
  return rng.pick([
    { tags: rng.some(TAGS, 0.5) },
    { sensitivity: rng.pick(SENSITIVITIES) },
    { addParticipants: [rng.pick(PEOPLE)] },
    { markedShareable: true },
    { salience: rng.below(10) / 10 },
  ])
}

/** A viewer, and the credential with the same name that sees more, if there is one. */
function makeViewer(rng: Random): { viewer: Who; strong: Who | null } {
  const kind = rng.below(14)
  if (kind >= 10) {
    const { weak, strong } = drawNamesakes(rng, agentOf('ana', 'scribe'))
    return { viewer: weak, strong }
  }
  return { viewer: makeLoneViewer(rng, kind), strong: null }
}

function makeLoneViewer(rng: Random, kind: number): Who {
  const agent = (owner: string): Who => ({
    actor: 'eve',
    audience: 'agent',
    for: owner,
    session: 'watch',
    trust: {
      maxSensitivity: rng.pick([...SENSITIVITIES, 'high', 'hyper'] as const),
      ...maybe(rng, 0.3, { scopes: [rng.pick(SCOPES)] }),
    },
    ...maybe(rng, 0.5, { visibility: { ceiling: rng.pick(VISIBILITY_CLASSES) } }),
  })
  switch (kind) {
    case 0:
    case 1:
      return ANA
    case 2:
    case 3:
      return { actor: 'cat' }
    case 4:
      return { actor: 'rec', audience: 'recipient', for: 'ana', trust: { maxSensitivity: 'hyper' } }
    case 5:
      return agent('ben')
    default:
      return agent('ana')
  }
}

export function maybe<T extends object>(
  rng: Random,
  probability: number,
  value: T,
): T | Record<string, never> {
  return rng.chance(probability) ? value : {}
}
