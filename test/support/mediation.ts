import { randomBytes } from 'node:crypto'
import type { Handle } from '../../src/handle.js'
import type { NeedCategory } from '../../src/mediation/needs.js'
import type { Privity } from '../../src/open.js'
import type { Stage } from '../../src/policy/retrieval-contract.js'

/** A mediation between two people, and an agent of each. */
export interface Mediation {
  readonly tenant: string
  readonly session: string
  readonly alice: Handle
  readonly bob: Handle
  /** The mediator, working for one of them. */
  agentFor(actor: string): Handle
}

/** Opens a session between alice and bob, and takes both to a stage by what people do. */
export async function openMediation(
  privity: Privity,
  { stage = 0, tenant = `t-${randomBytes(6).toString('hex')}` }: { stage?: Stage; tenant?: string } = {},
): Promise<Mediation> {
  const as = (actor: string) => privity.as({ tenant, actor })
  const [alice, bob] = [as('alice'), as('bob')]
  const { id: session } = await alice.sessions.create({ participants: ['bob'] })
  await bob.sessions.join(session)
  const mediation: Mediation = {
    tenant,
    session,
    alice,
    bob,
    agentFor: actor =>
      privity.as({
        tenant,
        actor: 'mediator',
        audience: 'agent',
        for: actor,
        trust: { maxSensitivity: 'high' },
      }),
  }
  for (const pass of PASSES.slice(0, stage)) {
    await pass(mediation)
    for (const person of [alice, bob]) await person.stages.advance(session)
  }
  return mediation
}

/** What both do in each stage, so that both may enter the next. */
const PASSES: readonly ((mediation: Mediation) => Promise<void>)[] = [
  async ({ alice, bob, session }) => {
    for (const person of [alice, bob]) await person.stages.signCompact(session)
  },
  async ({ alice, bob, session }) => {
    for (const person of [alice, bob]) await person.stages.confirmHeard(session)
  },
  async ({ alice, bob, session }) => {
    const ofAlice = await shareAttempt(alice, session, 'I imagine that evenings feel long to you.')
    const ofBob = await shareAttempt(bob, session, 'I imagine that mornings feel hectic to you.')
    await bob.empathy.validate({ session, attempt: ofAlice.id, validated: true })
    await alice.empathy.validate({ session, attempt: ofBob.id, validated: true })
  },
  async mediation => {
    const { ground } = await findGround(mediation, 'RECOGNITION')
    for (const person of [mediation.alice, mediation.bob])
      await person.commonGround.confirm({ session: mediation.session, commonGround: ground.id })
  },
]

/** Drafts and shares what somebody thinks the other feels. */
export async function shareAttempt(person: Handle, session: string, content: string) {
  const draft = await person.empathy.draft({ session, text: `For later: ${content}`, ready: true })
  return { draft: draft.id, ...(await person.empathy.share({ session, draft: draft.id, content })) }
}

/** Writes, confirms and shares a need; answers the consent that it is shared by. */
export async function shareNeed(person: Handle, session: string, category: NeedCategory, text: string) {
  const { items } = await person.vessel.write({ session, items: [{ type: 'need', category, text }] })
  const need = items[0]?.id ?? ''
  await person.vessel.confirmNeeds({ session, needs: [need] })
  const pending = async () =>
    (await person.bridge.pending(session)).pendingRequests.find(asked => asked.originalContentId === need)
  let asked = await pending()
  if (asked === undefined) {
    // In the last stage nobody is asked unless the app asks.
    await person.bridge.request({ session, content: need, contentType: 'IDENTIFIED_NEED' })
    asked = await pending()
  }
  const { consentRecord, sharedContent } = await person.bridge.decide({
    session,
    consentRequestId: asked?.id ?? '',
    decision: 'GRANTED',
  })
  return { need, consentRecordId: consentRecord.id, content: sharedContent?.id ?? '' }
}

/** Lets both share a need of one category, which makes common ground. Both have to be in stage 3 or later. */
export async function findGround({ alice, bob, session }: Mediation, category: NeedCategory) {
  const ofAlice = await shareNeed(alice, session, category, 'Somebody should see what I do every single day')
  const ofBob = await shareNeed(bob, session, category, 'My work is taken as a matter of course')
  const { commonGround } = await alice.commonGround.find(session)
  const ground = commonGround.find(found => found.category === category)
  if (ground === undefined) throw new Error('there is no common ground')
  return { ground, ofAlice, ofBob }
}
