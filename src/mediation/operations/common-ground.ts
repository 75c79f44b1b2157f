import { z } from 'zod'
import { PrivityError } from '../../errors.js'
import { id } from '../../runtime/input.js'
import { readOperation, writeOperation } from '../../runtime/operation.js'
import type { WriteRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { listSharedVessel } from '../../storage/queries/mediation-records.js'
import type { SessionRow } from '../../storage/queries/sessions.js'
import { setRole } from '../../storage/queries/set-role.js'
import { loadStandingShared } from '../../storage/queries/standing-shared.js'
import { LEXICONS } from '../language/languages.js'
import { isNeedCategory, isSubNeed, NEED_CATEGORIES, needCategory, subNeed } from '../needs.js'
import {
  changeSession,
  enterContract,
  lockOpenSession,
  requireSession,
  requireStage,
  sessionId,
} from '../session.js'
import {
  changeShared,
  MOST_SHARED,
  namesIn,
  requireRecordForReplay,
  requireRecordInSession,
  writeSessionRecord,
} from '../shared-records.js'
import { findStandingConsents } from '../staleness.js'

const commonGround = z
  .object({
    id: z.string().meta({ description: 'The id of the common ground.' }),
    category: needCategory
      .nullable()
      .meta({ description: 'What the shared need is about; null if you state that there is none yet.' }),
    text: z.string().meta({ description: 'What you both need, in a sentence.' }),
    confirmedByYou: z.boolean().meta({ description: 'Whether you have confirmed it.' }),
    confirmed: z.boolean().meta({ description: 'Whether everybody has confirmed it.' }),
  })
  .meta({ id: 'CommonGround', description: 'Something that both participants need.' })

const viewOf = (
  request: WriteRequest,
  { id, text, fields, tuple }: RecordRow,
): z.input<typeof commonGround> => ({
  id,
  category: isNeedCategory(fields.category) ? fields.category : null,
  text,
  confirmedByYou: namesIn(fields.confirmedBy).includes(request.caller.actingFor),
  confirmed: tuple.confirmed,
})

const found = z.object({
  commonGround: z.array(commonGround).meta({ description: 'What both of you need.' }),
})

/** Records which needs everybody has shared. The runtime compares them; the caller gets only what it may see. */
export const findCommonGround = writeOperation({
  name: 'common_ground.find',
  route: 'POST /sessions/:session/common-ground/find',
  summary: 'Find the needs that all of you have shared, or state that there are none yet',
  positional: ['session', '...'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    none: z.boolean().default(false).meta({
      description:
        'Whether to state that there is no common ground yet. Once everybody has confirmed that, you can go on.',
    }),
  }),
  output: found,
  async run(request, { session, none }) {
    const { tx, tenant, now } = request
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 3)
    const contents = await loadStandingShared(tx, tenant, session, 'consented_content', now)
    const grounds = await loadStandingShared(tx, tenant, session, 'common_ground', now)
    const known = new Set(grounds.map(({ fields }) => fields.category))
    const refs = await changeSession(request, row, async () => {
      const made: string[] = []
      for (const category of NEED_CATEGORIES) {
        const sources = contents.filter(
          ({ tuple, fields }) => tuple.contentType === 'IDENTIFIED_NEED' && fields.category === category,
        )
        const sharedBy = new Set(sources.map(({ tuple }) => tuple.owner))
        if (known.has(category) || !row.members.every(member => sharedBy.has(member))) continue
        const fields = { category, confirmedBy: [] }
        // If everybody shared the same particular need, that is what they have in common.
        const particular = new Set(sources.map(({ fields }) => fields.need))
        const [need] = particular
        const { name } = LEXICONS.en.needs[particular.size === 1 && isSubNeed(need) ? need : category]
        made.push(
          await writeSessionRecord(request, row, {
            kind: 'common_ground',
            text: `We ${row.members.length === 2 ? 'both' : 'all'} need ${name}.`,
            fields,
            sources,
          }),
        )
      }
      if (none) made.push(...(await stateNone(request, row, [...grounds, ...made])))
      return made
    })
    return { output: await visibleGround(request, row), refs }
  },
  replay: async (request, _refs, { session }) =>
    visibleGround(request, await requireSession(request, session)),
})

/**
 * States that no need is shared yet. No stage is a dead end: this is common ground as well once everybody confirms it
 * (RC-20).
 */
async function stateNone(
  request: WriteRequest,
  row: SessionRow,
  known: readonly unknown[],
): Promise<string[]> {
  if (known.length > 0)
    throw new PrivityError('conflict', 'none: there is common ground, or that was stated before; confirm it')
  const confirmedBy = [request.caller.actingFor]
  const text = 'We have found no common ground yet.'
  return [
    await writeSessionRecord(request, row, {
      kind: 'common_ground',
      text,
      fields: { none: true, confirmedBy },
      sources: [],
    }),
  ]
}

/** The common ground that the caller sees now. An item is hidden while one of its inputs is revoked (CB-7). */
async function visibleGround(request: WriteRequest, row: SessionRow): Promise<z.input<typeof found>> {
  const { tx, tenant, caller } = request
  enterContract(request, row, 'browse')
  const filter = {
    relationship: row.relationship,
    session: row.sessionId,
    kinds: ['common_ground'],
    inFull: true,
  }
  await setRole(tx, 'privity_app')
  const rows = await listSharedVessel(tx, tenant, caller.actingFor, 'addressed', filter, null, MOST_SHARED)
  const views = await request.view(rows)
  await setRole(tx, request.role)
  const seen = rows.filter((_, at) => views[at]?.face === 'full')
  for (const view of views) if (view?.face === 'full') request.show(view)
  return { commonGround: seen.map(ground => viewOf(request, ground)) }
}

const sharedNeed = z
  .object({
    id: z.string().meta({ description: 'The id of what was shared.' }),
    text: z.string().meta({ description: 'The need in its owner’s words.' }),
    category: needCategory.nullable().meta({ description: 'What the need is about.' }),
    need: subNeed.nullable().meta({ description: 'The more particular need; null if there is none.' }),
  })
  .meta({ id: 'SharedNeed', description: 'A need that somebody shared in a session.' })

/** The needs of both beside each other, once both have shared some. */
export const compareNeeds = readOperation({
  name: 'common_ground.compare',
  route: 'GET /sessions/:session/needs',
  summary: 'See the needs that you and your partner shared, side by side, once both of you have shared some',
  positional: ['session'],
  sample: world => ({ session: world.made('session') }),
  callers: 'owner',
  input: z.strictObject({ session: sessionId }),
  output: z.object({
    ready: z.boolean().meta({ description: 'Whether both of you have shared needs.' }),
    yours: z.array(sharedNeed).meta({ description: 'The needs that you shared, oldest first.' }),
    theirs: z
      .array(sharedNeed)
      .meta({ description: 'The needs that your partner shared; empty until both of you have.' }),
    inCommon: z.array(needCategory).meta({
      description: 'What needs of both of you are about; empty until both of you have shared some.',
    }),
  }),
  async run(request, { session }) {
    const { tx, tenant, caller } = request
    const row = await requireSession(request, session)
    requireStage(request, row, 3)
    enterContract(request, row, 'browse')
    const filter = {
      relationship: row.relationship,
      session,
      kinds: ['consented_content'],
      contentTypes: ['IDENTIFIED_NEED'],
      inFull: true,
    }
    const rows = await listSharedVessel(
      tx,
      tenant,
      caller.actingFor,
      'addressed or own',
      filter,
      null,
      MOST_SHARED,
    )
    const standing = await findStandingConsents(
      request,
      rows.flatMap(({ tuple }) => tuple.consentRecord ?? []),
    )
    const views = await request.view(rows)
    const shown = rows
      .flatMap((need, at) => {
        const view = views[at]
        const stands = standing.has(need.tuple.consentRecord ?? '')
        return view?.face === 'full' && view.payload !== null && stands ? [{ need, view }] : []
      })
      .reverse()
    const own = shown.filter(({ need }) => need.tuple.owner === caller.actingFor)
    const others = shown.filter(({ need }) => need.tuple.owner !== caller.actingFor)
    const ready = own.length > 0 && others.length > 0
    const given = ready ? shown : own
    for (const { view } of given) request.show(view)
    const needsOf = (listed: typeof shown) => listed.map(({ need }) => needView(need))
    const categories = new Set(others.map(({ need }) => need.fields.category))
    return {
      ready,
      yours: needsOf(own),
      theirs: ready ? needsOf(others) : [],
      inCommon: NEED_CATEGORIES.filter(
        category =>
          ready && categories.has(category) && own.some(({ need }) => need.fields.category === category),
      ),
    }
  },
})

const needView = ({ id, text, fields }: RecordRow): z.input<typeof sharedNeed> => ({
  id,
  text,
  category: isNeedCategory(fields.category) ? fields.category : null,
  need: isSubNeed(fields.need) ? fields.need : null,
})

/** Common ground that everybody has confirmed counts in the last stage (RC-7). */
export const confirmCommonGround = writeOperation({
  name: 'common_ground.confirm',
  route: 'POST /sessions/:session/common-ground/:commonGround/confirm',
  summary: 'Confirm that you see this common ground as well',
  sample: world => ({
    session: world.made('session'),
    commonGround: world.record(),
  }),
  callers: 'owner',
  effects: ['common_ground_confirmed'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({
    session: sessionId,
    commonGround: id.meta({ description: 'Common ground, by its id.' }),
  }),
  output: commonGround,
  async run(request, { session, commonGround: ground }) {
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 3)
    const before = await requireRecordInSession(request, row, ground, 'common_ground')
    const confirmedBy = [...new Set([...namesIn(before.fields.confirmedBy), request.caller.actingFor])].sort()
    const after = await changeSession(request, row, () =>
      changeShared(request, before, {
        fields: { confirmedBy },
        confirmed: row.members.every(member => confirmedBy.includes(member)),
      }),
    )
    return { output: viewOf(request, after), refs: [ground] }
  },
  replay: async (request, [ground = ''], { session }) =>
    viewOf(request, await requireRecordForReplay(request, session, ground, 'common_ground')),
})
