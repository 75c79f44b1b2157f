import { randomUUID } from 'node:crypto'
import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import type { Privity } from '../open.js'
import type { InputOf } from '../operations.js'
import { doOnce } from './do-once.js'
import type { ExampleAnswer, ExampleCaller, ExampleCommand, ExampleWorld } from './world.js'

type VesselItem = InputOf<'vessel.write'>['items'][number]

const MESSAGE = 'What should I know before we talk tonight?'

/** What each of them tells their mediator in private. */
const SAID = {
  mara: [
    {
      type: 'user_event',
      text: 'Jonah came home at eleven on Friday, and dinner had been cold for hours. I sat there and felt invisible.',
    },
    {
      type: 'user_event',
      text: 'On Saturday I looked at a flat of my own. I am lonely in the evenings, and I have told nobody.',
    },
    {
      type: 'emotional_reading',
      intensity: 6,
      emotion: 'lonely',
      text: 'Lonely, even with him in the room.',
    },
  ],
  jonah: [
    {
      type: 'user_event',
      text: 'My boss gave me until December. I stay late so that nobody at home sees how afraid I am of losing the job.',
    },
    {
      type: 'emotional_reading',
      intensity: 7,
      emotion: 'ashamed',
      text: 'Ashamed when she asks about my day.',
    },
    { type: 'boundary', text: 'No talk about money while the children are awake.' },
  ],
} as const satisfies Record<string, readonly VesselItem[]>
const NAMES = Object.keys(SAID) as (keyof typeof SAID)[]

/** What Mara shares with Jonah about her Friday, in her own words. */
const SHARED = 'I felt alone on Friday evening, and I need to know when to expect you.'

const callersOf = (actor: string, name: string): ExampleCaller[] => [
  { who: `${name}, with what is shared, and what waits for a decision`, key: { name: actor, actor } },
  {
    who: `the model that talks with ${name}, and what it is told before it answers`,
    key: {
      name: `${actor}-mediator`,
      actor: 'mediator',
      audience: 'agent',
      for: actor,
      trust: { maxSensitivity: 'high' },
      choosesSession: true,
    },
  },
]

/** Mara and Jonah in mediation, both at the stage where each tries to see the other's side. */
export const COUPLE: ExampleWorld = {
  name: 'couple',
  about: 'a couple in mediation',
  callers: [...callersOf('mara', 'Mara'), ...callersOf('jonah', 'Jonah')],
  asked: `Both ask their mediator the same: “${MESSAGE}”`,
  fill,
  ask: tellCaller,
  toTry,
}

async function fill(privity: Privity, tenant: string): Promise<void> {
  const as = {
    mara: privity.as({ tenant, actor: 'mara' }),
    jonah: privity.as({ tenant, actor: 'jonah' }),
  }
  const session = await sessionBetween(as.mara)
  if (session === null) return
  await as.jonah.sessions.join(session, doOnce('jonah joins'))
  for (const name of NAMES) await as[name].stages.signCompact(session, doOnce(`${name} signs`))
  for (const name of NAMES) {
    await as[name].stages.advance(session, doOnce(`${name} begins`))
    await as[name].vessel.write({ session, items: [...SAID[name]] }, doOnce(`${name} speaks`))
    await as[name].stages.confirmHeard(session, doOnce(`${name} feels heard`))
    // Entering this stage creates requests to share for both of them.
    await as[name].stages.advance(session, doOnce(`${name} looks at the other side`))
  }
  await shareFriday(as.mara, session)
}

/** Their session; null if a host has deleted it. */
async function sessionBetween(mara: Handle): Promise<string | null> {
  try {
    const made = await mara.sessions.create({ participants: ['jonah'], title: 'Evenings' }, doOnce('session'))
    return made.id
  } catch (error) {
    if (error instanceof PrivityError && error.code === 'not_found') return null
    throw error
  }
}

async function shareFriday(mara: Handle, session: string): Promise<void> {
  const { pendingRequests } = await mara.bridge.pending(session)
  const friday = pendingRequests.find(({ originalContentSummary }) =>
    originalContentSummary.includes('Friday'),
  )
  const { records } = await mara.bridge.history(session)
  if (friday === undefined || records.length > 0) return
  await mara.bridge.decide(
    { session, consentRequestId: friday.id, decision: 'GRANTED', editedContent: SHARED },
    doOnce('mara shares'),
  )
}

const sessionOf = async (caller: Handle) =>
  (await caller.sessions.list({ states: ['ACTIVE'], limit: 1 })).sessions[0]?.id

async function tellCaller(handle: Handle, { key }: ExampleCaller, most: number): Promise<ExampleAnswer> {
  const session = await sessionOf(handle)
  if (session === undefined) return { lines: [], more: 0 }
  const lines = await (key.audience === 'agent' ? bundleOf(handle, session) : decisionsOf(handle, session))
  return { lines: lines.slice(0, most), more: Math.max(0, lines.length - most) }
}

/** What a model sees, starting with what was shared across the bridge. */
async function bundleOf(mediator: Handle, session: string): Promise<string[]> {
  const { bundle } = await mediator.turns.context({ session, turn: randomUUID(), message: MESSAGE })
  const told = bundle.items.filter(({ source }) => source !== 'metadata')
  const [own, shared] = [
    told.filter(({ provenance }) => provenance.from === 'you'),
    told.filter(({ provenance }) => provenance.from !== 'you'),
  ]
  return [
    ...shared.map(({ text }) => `shared by the other: “${text}”`),
    ...own.map(({ text }) => `told in private: “${text}”`),
  ]
}

async function decisionsOf(person: Handle, session: string): Promise<string[]> {
  const { items } = await person.shared.list({ session })
  const { pendingRequests } = await person.bridge.pending(session)
  return [
    ...items
      .filter(({ consentActive }) => consentActive !== false)
      .map(({ source, text }) => `${source === 'you' ? 'shares' : 'may read'}: “${text}”`),
    ...pendingRequests.map(
      ({ originalContentSummary, transformedPreview }) =>
        `may share “${originalContentSummary}”\n      in these words: “${transformedPreview}”`,
    ),
  ]
}

async function toTry(mara: Handle): Promise<ExampleCommand[]> {
  const session = await sessionOf(mara)
  const at = `curl -s $PRIVITY_URL/api/v1/sessions/${session}`
  const key = '-H "Authorization: Bearer $PRIVITY_KEY"'
  if (session === undefined) return []
  return [
    { as: 'mara', line: `${at}/consent/pending ${key}` },
    {
      as: 'mara-mediator, then jonah-mediator',
      line: `${at}/turns ${key} -d '${JSON.stringify({ turn: 'first', message: MESSAGE })}'`,
    },
  ]
}
