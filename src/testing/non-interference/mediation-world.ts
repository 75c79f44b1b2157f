import { LEXICONS } from '../../mediation/language/languages.js'
import type { NeedCategory } from '../../mediation/needs.js'
import type { IdPurpose } from '../../runtime/clock.js'
import type { Random } from './random.js'
import { idOf, type Who } from './world.js'

/** An action: an operation with its input. */
export interface Act {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /**
   * For a decision: the record in the vessel that it is about, or the first open request. The request is looked up.
   */
  readonly about?: { readonly original: string; readonly contentType: string } | 'whatever is asked'
}

/** One step of two histories that differ only in what ben keeps private. */
export interface MediationStep {
  readonly key: string
  readonly at: number
  readonly by: Who
  /** The action in each history; null means none. */
  readonly whole: Act | null
  readonly other: Act | null
  /** Whether only ben knows of it; then it may be refused in either history. */
  readonly hidden: boolean
  /** Ids that ana must not learn from now on: hidden, or no longer shared. */
  readonly hides: readonly string[]
  /** How many requests ana makes afterwards. */
  readonly asks: number
}

export interface MediationWorld {
  readonly steps: readonly MediationStep[]
  /** Sessions that ana may know, her own first. */
  readonly sessions: readonly string[]
  /** Ids of what is shared or ana's own. */
  readonly open: readonly string[]
  /** Ids of what ben keeps private in either history. */
  readonly hidden: readonly string[]
  readonly end: number
}

export const ANA: Who = { actor: 'ana' }
/** A key of ana's that holds less than she does. */
export const NARROWED_ANA: Who = { ...ANA, trust: { maxSensitivity: 'low' } }
export const BEN: Who = { actor: 'ben' }
const CAT: Who = { actor: 'cat' }
/** The same mediator works for both. */
export const mediatorFor = (person: string): Who => ({
  actor: 'mediator',
  audience: 'agent',
  for: person,
  trust: { maxSensitivity: 'high' },
})
export const MEDIATION_CALLERS: readonly Who[] = [ANA, BEN, CAT, mediatorFor('ana'), mediatorFor('ben')]

const START = Date.parse('2026-03-01T09:00:00.000Z')
const MINUTE = 60_000

/** Marks that occur only in what ben keeps private. */
export const KEPT = /kept[0-9a-f]{8}/g

/** Words of private records. No shared text has five of them in a row. */
const WORDS = [
  'kettle umbrella platform invoice neighbour ladder carpet garage bicycle curtain printer suitcase',
  'cousin dentist parcel ceiling balcony jacket blanket candle window basement orchard thunder',
]
  .join(' ')
  .split(' ')

/** Texts that the other may read, in their owner's words. */
const WORDINGS = [
  'I feel calm when we plan the week together.',
  'I wish for a quiet hour after work.',
  'I need some time to rest in the evening.',
  'I feel close to you when we cook together.',
  'I feel rested when mornings are slow.',
]
const GUESSES = ['I imagine that evenings feel long to you.', 'I imagine that mornings feel hectic to you.']
const IDEAS = [
  'We could walk together on Sundays.',
  'We could plan the week on Friday evening.',
  'We could take turns with dinner.',
  'We could keep phones away from the table.',
  'We could read to each other at night.',
]
const REFUSED_EDITS = ['You are a pathetic liar.', 'You always ruin everything.', '']
const CATEGORIES = ['SAFETY', 'CONNECTION', 'AUTONOMY', 'RECOGNITION', 'MEANING', 'FAIRNESS'] as const

export const worldWords = (rng: Random, count: number): string =>
  Array.from({ length: count }, () => rng.pick(WORDS)).join(' ')

/** A mediation between ana and ben, sometimes after an earlier one, and ben's other activities. */
export function makeMediation(rng: Random, name: string): MediationWorld {
  const script = new Script(name)
  if (rng.chance(0.2)) {
    const before = new Mediation(rng, script, 4, 0)
    before.goThrough()
    script.common(rng.pick([ANA, BEN]), {
      operation: 'sessions.set_state',
      input: { session: before.session, state: 'RESOLVED' },
    })
  }
  new Mediation(rng, script, rng.pick([0, 1, 2, 2, 3, 3, 4, 4]), 0.6).goThrough()
  return script.world()
}

/** Collects steps. All ids are known in advance, because they are derived from the key. */
class Script {
  readonly steps: MediationStep[] = []
  readonly sessions: string[] = []
  readonly open: string[] = []
  readonly hidden: string[] = []
  readonly #name: string
  #at = START

  constructor(name: string) {
    this.#name = name
  }

  /** The id that the next step will create for a purpose. */
  next(purpose: IdPurpose, count = 0): string {
    return idOf(this.#key(), purpose, count)
  }

  /** A step that both histories have, either identical or with other words of ben's. */
  common(by: Who, whole: Act, more: { other?: Act; asks?: number; hides?: readonly string[] } = {}): void {
    this.#add({
      by,
      whole,
      other: more.other ?? whole,
      hidden: false,
      hides: more.hides ?? [],
      asks: more.asks ?? 0,
    })
  }

  /** A step that only ben knows of. */
  hide(by: Who, whole: Act | null, other: Act | null, makes: readonly IdPurpose[], asks: number): void {
    const hides = makes.flatMap(purpose => [0, 1, 2].map(count => this.next(purpose, count)))
    this.hidden.push(...hides)
    this.#add({ by, whole, other, hidden: true, hides, asks })
  }

  world(): MediationWorld {
    const { steps, sessions, open, hidden } = this
    return { steps, sessions, open, hidden, end: this.#at + MINUTE }
  }

  #key(): string {
    return `${this.#name}:${this.steps.length}`
  }

  #add(step: Omit<MediationStep, 'key' | 'at'>): void {
    this.#at += MINUTE
    this.steps.push({ ...step, key: this.#key(), at: this.#at })
  }
}

/** A participant of a session: their progress and what they have yet to do. */
interface Seat {
  readonly who: Who
  readonly name: 'ana' | 'ben'
  readonly todo: PendingStep[]
  stage: number
  joined: boolean
  signed: boolean
  events: string[]
  boundaries: string[]
  need: string | null
  attempt: string | null
  /** Whether the other felt understood. */
  validated: boolean
  sharedNeed: boolean
  confirmedGround: boolean
  submitted: boolean
  ranked: boolean
}

interface PendingStep {
  readonly ready?: () => boolean
  readonly run: () => void
}

/** Something shared that can be revoked, and its ids. */
interface SharedItem {
  readonly by: Seat
  readonly consent: string
  readonly content: string
  /** Whether stages depend on it: then it is not revoked before the last stage. */
  readonly counts: boolean
}

class Mediation {
  readonly session: string
  readonly #rng: Random
  readonly #script: Script
  /** How often ana asks after a step. */
  readonly #asking: number
  readonly #target: number
  readonly #ana: Seat
  readonly #ben: Seat
  readonly #category: NeedCategory
  /** How far ben gets ahead of ana. */
  readonly #haste: number
  readonly #shared: SharedItem[] = []
  readonly #pool: string[] = []
  #ground: string | null = null
  #agreement: string | null = null
  /** Records in ben's vessel of this session that he may be asked to share. */
  readonly #kept: { id: string; contentType: string; stage: number }[] = []
  #elsewhere: string | null = null

  constructor(rng: Random, script: Script, target: number, asking: number) {
    this.#rng = rng
    this.#script = script
    this.#target = target
    this.#asking = asking
    this.#category = rng.pick(CATEGORIES)
    this.#haste = rng.pick([0, 0.5, 0.8])
    this.session = script.next('session')
    const [opens, follows] = rng.chance(0.5) ? [ANA, BEN] : [BEN, ANA]
    script.sessions.push(this.session)
    script.open.push(this.session)
    script.common(opens, {
      operation: 'sessions.create',
      input: { participants: [follows.actor], ...(rng.chance(0.5) ? { title: 'between us' } : {}) },
    })
    this.#ana = seat(ANA, opens === ANA)
    this.#ben = seat(BEN, opens === BEN)
    for (const one of [this.#ana, this.#ben]) this.#plan(one)
  }

  /** Both do what they have to do, each at their own pace, and ben does other things meanwhile. */
  goThrough(): void {
    for (;;) {
      const next = [this.#ana, this.#ben].filter(({ todo }) => todo[0]?.ready?.() ?? todo.length > 0)
      if (next.length === 0) break
      const isFaster = next.includes(this.#ben) && this.#rng.chance(this.#haste)
      const turn = isFaster ? this.#ben : this.#rng.pick(next)
      turn.todo.shift()?.run()
      while (this.#rng.chance(0.4)) this.#keepToHimself()
      if (this.#rng.chance(0.12)) this.#takeBack(false)
      if (this.#rng.chance(0.02)) this.#pause()
    }
    if (this.#ana.todo.length + this.#ben.todo.length > 0) throw new Error('the mediation does not go on')
    if (this.#target === 4) while (this.#rng.chance(0.6)) this.#takeBack(true)
    if (this.#asking > 0 && this.#rng.chance(0.2)) this.#leave()
  }

  /** Ben leaves, which revokes what he shared. How much else was erased is not revealed. */
  #leave(): void {
    const shared = this.#shared.filter(({ by }) => by === this.#ben)
    const input = { erase: this.#rng.chance(0.7) }
    this.#act(this.#ben, 'sessions.leave', input, { hides: shared.map(({ content }) => content) })
  }

  #plan(one: Seat): void {
    const rng = this.#rng
    const other = () => (one === this.#ana ? this.#ben : this.#ana)
    const both = (holds: (each: Seat) => boolean) => holds(one) && holds(other())
    const todo = (run: () => void, ready?: () => boolean) => one.todo.push({ run, ...(ready && { ready }) })
    const advance = (ready?: () => boolean) =>
      todo(() => {
        this.#act(one, 'stages.advance')
        one.stage++
      }, ready)

    if (!one.joined)
      todo(() => {
        this.#act(one, 'sessions.join')
        one.joined = true
      })
    todo(
      () => {
        this.#act(one, 'stages.sign_compact')
        one.signed = true
      },
      () => both(({ joined }) => joined),
    )
    if (this.#target === 0) return
    advance(() => both(({ signed }) => signed))
    todo(() => this.#write(one))
    if (this.#target === 1) return
    todo(() => this.#act(one, 'stages.confirm_heard'))
    advance()
    for (let count = rng.below(3); count > 0; count--)
      todo(() => this.#share(one, one.events[count - 1], 'EVENT_SUMMARY', false))
    todo(() => this.#guess(one))
    const validate = () =>
      todo(
        () => {
          this.#act(one, 'empathy.validate', {
            attempt: other().attempt,
            validated: true,
            ...(rng.chance(0.3) ? { feedback: rng.pick(GUESSES) } : {}),
          })
          other().validated = true
        },
        () => other().attempt !== null && both(({ stage }) => stage >= 2),
      )
    const early = rng.chance(0.5)
    if (early || this.#target === 2) validate()
    if (this.#target === 2) return
    advance()
    if (!early) validate()
    todo(() => this.#need(one))
    todo(() => {
      this.#share(one, one.need ?? undefined, 'IDENTIFIED_NEED', true)
      one.sharedNeed = true
    })
    if (rng.chance(0.4)) todo(() => this.#share(one, one.boundaries[0], 'BOUNDARY', false))
    todo(
      () => {
        if (this.#ground === null) {
          this.#ground = this.#script.next('record')
          this.#script.open.push(this.#ground)
        }
        this.#act(one, 'common_ground.find')
      },
      () => both(({ sharedNeed }) => sharedNeed),
    )
    todo(() => {
      this.#act(one, 'common_ground.confirm', { commonGround: this.#ground })
      one.confirmedGround = true
    })
    if (this.#target === 3) return
    advance(() => both(({ validated, confirmedGround }) => validated && confirmedGround))
    for (let count = 1 + rng.below(3); count > 0; count--) {
      const last = count === 1
      todo(() => {
        this.#idea(one)
        one.submitted ||= last
      })
    }
    todo(
      () => this.#rank(one),
      () => both(({ submitted }) => submitted),
    )
    todo(
      () => this.#agree(one),
      () => both(({ ranked }) => ranked),
    )
    if (rng.chance(0.5))
      todo(() => {
        const experiment = this.#script.next('record')
        this.#script.open.push(experiment)
        this.#act(one, 'experiments.add', { text: rng.pick(IDEAS) })
        if (rng.chance(0.6))
          this.#act(rng.pick([one, other()]), 'experiments.report', {
            experiment,
            status: 'DONE',
            outcome: rng.pick(WORDINGS),
          })
      })
  }

  /** A step of the session that both histories have. */
  #act(
    one: Seat,
    operation: string,
    input: Record<string, unknown> = {},
    more: { about?: Act['about']; other?: Record<string, unknown>; hides?: readonly string[] } = {},
  ): void {
    const act = (given: Record<string, unknown>): Act => ({
      operation,
      input: { session: this.session, ...given },
      ...(more.about === undefined ? {} : { about: more.about }),
    })
    this.#script.common(one.who, act(input), {
      ...(more.other === undefined ? {} : { other: act(more.other) }),
      hides: more.hides ?? [],
      asks: this.#asks(),
    })
  }

  #asks(): number {
    return this.#asking > 0 && this.#rng.chance(this.#asking) ? 1 + this.#rng.below(3) : 0
  }

  /** Private words. Ben's carry a mark, and differ between the histories. */
  #secret(one: Seat): string {
    const words = worldWords(this.#rng, 5 + this.#rng.below(9))
    if (one.name === 'ana') return words
    return `${words} kept${idOf(words + this.#rng.below(2 ** 30), 'mark').slice(0, 8)}`
  }

  /** Everybody writes the same kinds of records; ben's differ between the histories in words and in sensitivity. */
  #write(one: Seat): void {
    const rng = this.#rng
    const ids = Array.from({ length: 5 }, (_, at) => this.#script.next('record', at))
    one.events = ids.slice(0, 2)
    one.boundaries = ids.slice(2, 3)
    this.#own(one, ids)
    const sensitivity = rng.pick(['low', 'medium', 'high'])
    const items = (first: string) => [
      { type: 'user_event', text: this.#secret(one), sensitivity: first },
      { type: 'user_event', text: this.#secret(one) },
      { type: 'boundary', text: this.#secret(one) },
      { type: 'emotional_reading', intensity: 1 + rng.below(10), text: this.#secret(one) },
      { type: 'emotional_reading', intensity: 1 + rng.below(10), emotion: this.#secret(one).slice(0, 200) },
    ]
    const input = { items: items(sensitivity) }
    this.#act(one, 'vessel.write', input, {
      // That is above the trust of the mediator, who must meet what is shared of it all the same.
      other: one.name === 'ana' ? input : { items: items('hyper') },
      hides: one.name === 'ana' ? [] : ids,
    })
  }

  /** Notes ids as known to ana or as hidden from her, depending on whose they are. */
  #own(one: Seat, ids: readonly string[]): void {
    ;(one.name === 'ana' ? this.#script.open : this.#script.hidden).push(...ids)
  }

  #share(one: Seat, original: string | undefined, contentType: string, counts: boolean): void {
    if (original === undefined) throw new Error('there is nothing to share')
    this.#shares(one, counts)
    // A shared need must name its category.
    const editedContent =
      contentType === 'IDENTIFIED_NEED'
        ? `I need ${LEXICONS.en.needs[this.#category].name}.`
        : this.#rng.pick(WORDINGS)
    this.#act(
      one,
      'bridge.decide',
      { decision: 'GRANTED', editedContent },
      { about: { original, contentType } },
    )
  }

  /** Records what the next step shares. */
  #shares(one: Seat, counts: boolean): string {
    const [consent, content] = [this.#script.next('consent_record'), this.#script.next('record')]
    this.#shared.push({ by: one, consent, content, counts })
    this.#own(one, [consent])
    this.#script.open.push(content)
    return content
  }

  #guess(one: Seat): void {
    const draft = this.#script.next('record')
    this.#own(one, [draft])
    const input = () => ({ text: this.#secret(one), ready: true })
    const given = input()
    this.#act(one, 'empathy.draft', given, {
      other: one.name === 'ana' ? given : input(),
      hides: one.name === 'ana' ? [] : [draft],
    })
    one.attempt = this.#shares(one, true)
    this.#act(one, 'empathy.share', { draft, content: this.#rng.pick(GUESSES) })
  }

  #need(one: Seat): void {
    const need = this.#script.next('record')
    one.need = need
    this.#own(one, [need])
    const items = () => ({ items: [{ type: 'need', category: this.#category, text: this.#secret(one) }] })
    const given = items()
    this.#act(one, 'vessel.write', given, {
      other: one.name === 'ana' ? given : items(),
      hides: one.name === 'ana' ? [] : [need],
    })
    this.#act(one, 'vessel.confirm_needs', { needs: [need] })
  }

  #idea(one: Seat): void {
    this.#pool.push(this.#shares(one, true))
    this.#act(one, 'strategies.submit', { content: this.#rng.pick(IDEAS) })
  }

  /** The same first three in both histories, in any order: only their overlap is revealed. */
  #rank(one: Seat): void {
    const rng = this.#rng
    const order = shuffled(rng, this.#pool)
    const again = () => [...shuffled(rng, order.slice(0, 3)), ...shuffled(rng, order.slice(3))]
    this.#act(
      one,
      'strategies.rank',
      { proposals: order },
      { other: { proposals: one.name === 'ana' ? order : again() } },
    )
    one.ranked = true
  }

  /** One proposes and the other agrees. */
  #agree(one: Seat): void {
    if (this.#agreement === null) {
      this.#agreement = this.#script.next('record')
      this.#script.open.push(this.#agreement)
      const proposals = shuffled(this.#rng, this.#pool).slice(0, 1 + this.#rng.below(2))
      this.#act(one, 'agreements.propose', { text: this.#rng.pick(IDEAS), proposals })
    } else this.#act(one, 'agreements.agree', { agreement: this.#agreement })
  }

  /** Somebody revokes what they shared; from then on the other must not see it. */
  #takeBack(anything: boolean): void {
    const among = this.#shared.filter(({ counts }) => anything || !counts)
    if (among.length === 0) return
    const taken = this.#rng.pick(among)
    this.#shared.splice(this.#shared.indexOf(taken), 1)
    this.#act(
      taken.by,
      'bridge.revoke',
      { consentRecordId: taken.consent },
      { hides: taken.by.name === 'ben' ? [taken.content] : [] },
    )
  }

  #pause(): void {
    if (!this.#ana.joined || !this.#ben.joined) return
    for (const state of ['PAUSED', 'ACTIVE'])
      this.#act(this.#rng.pick([this.#ana, this.#ben]), 'sessions.set_state', { state })
  }

  /** A private step of ben's: in one history, in the other, or in both with different words. */
  #keepToHimself(): void {
    const rng = this.#rng
    const doing = rng.pick(this.#hidings())
    const which = rng.below(3)
    const act = (present: boolean) => (present ? doing.act() : null)
    doing.note?.()
    this.#script.hide(doing.by ?? BEN, act(which !== 1), act(which !== 0), doing.makes ?? [], this.#asks())
  }

  #hidings(): HiddenStep[] {
    const { stage, joined, need } = this.#ben
    const inside = joined ? [...this.#hiddenInVessel(), this.#hiddenTurn()] : []
    if (joined && stage >= 2 && this.#ana.stage < 2 && this.#rng.chance(0.4)) return this.#sharedTooEarly()
    return [
      ...this.#hiddenOutside(),
      ...this.#hiddenElsewhere(),
      ...inside,
      ...inside,
      ...(joined && stage >= 2 ? [...this.#hiddenAtBridge(), ...this.#hiddenAtBridge()] : []),
      ...(stage >= 3 && need !== null ? this.#moreNeeds() : []),
    ]
  }

  /** Ben's own memories outside of any mediation. */
  #hiddenOutside(): HiddenStep[] {
    const rng = this.#rng
    return [
      {
        makes: ['record'],
        act: () => ({
          operation: 'memory.remember',
          input: {
            records: [
              {
                kind: 'episodic',
                text: this.#secret(this.#ben),
                visibilityClass: 'public_open',
                sensitivity: 'public',
              },
            ],
          },
        }),
      },
      {
        makes: ['person'],
        act: () => ({ operation: 'people.add', input: { person: `friend ${rng.below(5)}` } }),
      },
      {
        makes: ['key'],
        act: () => ({ operation: 'keys.create', input: { name: rng.pick(['phone', 'laptop']) } }),
      },
      {
        makes: ['saved_search'],
        act: () => ({ operation: 'searches.save', input: { name: 'mine', query: worldWords(rng, 2) } }),
      },
    ]
  }

  /** Another mediation of ben's, and one with ana to which he has not invited her. */
  #hiddenElsewhere(): HiddenStep[] {
    const rng = this.#rng
    const session = this.#elsewhere
    const open: HiddenStep = {
      makes: ['session', 'relationship'],
      note: () => {
        this.#elsewhere = this.#script.next('session')
        this.#script.sessions.push(this.#elsewhere)
      },
      act: () => ({ operation: 'sessions.create', input: { participants: ['cat'] } }),
    }
    const uninvited: HiddenStep = {
      makes: ['session'],
      note: () => this.#script.sessions.push(this.#script.next('session')),
      act: () => ({ operation: 'sessions.create', input: { participants: ['ana'], invite: false } }),
    }
    if (session === null) return [open, uninvited]
    const inIt = (by: Who, operation: string, more: object = {}): HiddenStep => ({
      by,
      makes: ['record'],
      act: () => ({ operation, input: { session, ...more } }),
    })
    return [
      uninvited,
      inIt(CAT, 'sessions.join'),
      inIt(rng.pick([CAT, BEN]), 'stages.sign_compact'),
      inIt(rng.pick([CAT, BEN]), 'stages.advance'),
      inIt(BEN, 'vessel.write', { items: [{ type: 'user_event', text: this.#secret(this.#ben) }] }),
    ]
  }

  #hiddenInVessel(): HiddenStep[] {
    const rng = this.#rng
    const { session } = this
    const item = () =>
      rng.pick([
        { type: 'user_event', text: this.#secret(this.#ben) },
        { type: 'user_event', text: this.#secret(this.#ben), sensitivity: 'hyper' },
        { type: 'emotional_reading', intensity: 1 + rng.below(10), text: this.#secret(this.#ben) },
        { type: 'boundary', text: this.#secret(this.#ben) },
        { type: 'need', category: rng.pick(CATEGORIES), text: this.#secret(this.#ben) },
      ])
    const first = { type: 'user_event', text: this.#secret(this.#ben) }
    return [
      {
        makes: ['record', 'bridge_request', 'notification'],
        by: rng.pick([BEN, BEN, mediatorFor('ben')]),
        note: () =>
          this.#kept.push({ id: this.#script.next('record'), contentType: 'EVENT_SUMMARY', stage: 2 }),
        act: () => ({
          operation: 'vessel.write',
          input: { session, items: [first, ...Array.from({ length: rng.below(4) }, item)] },
        }),
      },
      ...(this.#ben.stage >= 2
        ? [
            {
              makes: ['record'] as const,
              act: () => ({
                operation: 'empathy.draft',
                input: { session, text: this.#secret(this.#ben), ready: false },
              }),
            },
          ]
        : []),
    ]
  }

  #hiddenTurn(): HiddenStep {
    const rng = this.#rng
    const { session } = this
    return {
      by: rng.pick([BEN, mediatorFor('ben')]),
      makes: ['turn'],
      act: () => ({
        operation: 'turns.context',
        input: {
          session,
          message: worldWords(rng, 3),
          ...(rng.chance(0.5) ? { turn: rng.pick(TURNS) } : {}),
        },
      }),
    }
  }

  /** Requests that ben gets or denies, and wordings that he may not share. */
  #hiddenAtBridge(): HiddenStep[] {
    const rng = this.#rng
    const { session } = this
    const about = 'whatever is asked' as const
    const kept = this.#kept.filter(({ stage }) => stage <= this.#ben.stage)
    return [
      {
        makes: ['consent_record'],
        act: () => ({ operation: 'bridge.decide', input: { session, decision: 'DENIED' }, about }),
      },
      {
        act: () => ({
          operation: 'bridge.decide',
          input: { session, decision: 'GRANTED', editedContent: rng.pick(REFUSED_EDITS) },
          about,
        }),
      },
      ...kept.slice(-1).map(
        ({ id, contentType }): HiddenStep => ({
          by: rng.pick([BEN, mediatorFor('ben')]),
          makes: ['bridge_request', 'notification'],
          act: () => ({ operation: 'bridge.request', input: { session, content: id, contentType } }),
        }),
      ),
    ]
  }

  /** Until ana has reached the stage to read it, only ben knows of what he shares and revokes. */
  #sharedTooEarly(): HiddenStep[] {
    const rng = this.#rng
    const { session } = this
    const original = this.#rng.pick([
      ...this.#ben.events.map(id => ({ id, contentType: 'EVENT_SUMMARY' })),
      ...this.#kept.slice(-1),
    ])
    const share: HiddenStep = {
      makes: ['consent_record', 'record'],
      note: () => {
        const consentRecordId = this.#script.next('consent_record')
        // This comes at once, so that ana cannot reach the stage before.
        this.#ben.todo.unshift({ run: () => this.#takeBackUnseen(consentRecordId) })
        this.#ana.todo.unshift({ run: () => {}, ready: () => this.#isTakenBack.has(consentRecordId) })
      },
      act: () => ({
        operation: 'bridge.decide',
        input: { session, decision: 'GRANTED', editedContent: rng.pick(WORDINGS) },
        about: { original: original.id, contentType: original.contentType },
      }),
    }
    return [share]
  }

  readonly #isTakenBack = new Set<string>()
  #takeBackUnseen(consentRecordId: string): void {
    this.#isTakenBack.add(consentRecordId)
    const act = { operation: 'bridge.revoke', input: { session: this.session, consentRecordId } }
    this.#script.hide(BEN, act, act, [], this.#asks())
  }

  /** More needs besides the one that counts. */
  #moreNeeds(): HiddenStep[] {
    const { session } = this
    return [
      {
        makes: ['record', 'bridge_request', 'notification'],
        note: () =>
          this.#kept.push({ id: this.#script.next('record'), contentType: 'IDENTIFIED_NEED', stage: 3 }),
        act: () => ({
          operation: 'vessel.write',
          input: {
            session,
            items: [
              { type: 'need', category: this.#rng.pick(CATEGORIES), text: this.#secret(this.#ben) },
              { type: 'boundary', text: this.#secret(this.#ben) },
            ],
          },
        }),
      },
    ]
  }
}

/** A private step of ben's, created for each history that has it. */
interface HiddenStep {
  readonly by?: Who
  readonly makes?: readonly IdPurpose[]
  readonly note?: () => void
  readonly act: () => Act
}

/** Names of turns. Each participant has turns of their own, even with the same names. */
export const TURNS = ['first', 'second', 'third', 'fourth'] as const

const seat = (who: Who, joined: boolean): Seat => ({
  who,
  name: who === ANA ? 'ana' : 'ben',
  todo: [],
  stage: 0,
  joined,
  signed: false,
  events: [],
  boundaries: [],
  need: null,
  attempt: null,
  validated: false,
  sharedNeed: false,
  confirmedGround: false,
  submitted: false,
  ranked: false,
})

function shuffled<T>(rng: Random, items: readonly T[]): T[] {
  return items
    .map(item => ({ item, at: rng.below(2 ** 30) }))
    .sort((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
