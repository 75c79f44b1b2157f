import { z } from 'zod'
import { id } from '../../runtime/input.js'
import { writeOperation } from '../../runtime/operation.js'
import type { WriteRequest } from '../../runtime/request.js'
import type { RecordRow } from '../../storage/queries/fetch-records.js'
import { listSharedVessel } from '../../storage/queries/mediation-records.js'
import type { SessionRow } from '../../storage/queries/sessions.js'
import { setRole } from '../../storage/queries/set-role.js'
import { loadStandingShared } from '../../storage/queries/standing-shared.js'
import { NEED_CATEGORIES, type NeedCategory } from '../needs.js'
import {
  changeSession,
  enterContract,
  lockOpenSession,
  requireSession,
  requireStage,
  sessionId,
} from '../session.js'
import {
  changeRecord,
  MOST_SHARED,
  namesIn,
  requireAgain,
  requireOne,
  writeOfSession,
} from '../shared-records.js'
import { NEEDS } from '../templates.js'

const commonGround = z.object({
  id: z.string(),
  category: z.enum(NEED_CATEGORIES),
  text: z.string(),
  confirmedByYou: z.boolean(),
  /** By everybody. */
  confirmed: z.boolean(),
})

const viewOf = (
  request: WriteRequest,
  { id, text, fields, tuple }: RecordRow,
): z.input<typeof commonGround> => ({
  id,
  category: fields.category as NeedCategory,
  text,
  confirmedByYou: namesIn(fields.confirmedBy).includes(request.caller.actingFor),
  confirmed: tuple.confirmed,
})

const found = z.object({ commonGround: z.array(commonGround) })

/** Notes which needs everybody has shared. It is the runtime that looks: the answer is what the caller may see of it. */
export const findCommonGround = writeOperation({
  name: 'common_ground.find',
  summary: 'Find the needs that all of you have shared',
  callers: 'owner',
  effects: ['record_created'],
  reversibility: 'compensating_operation_only',
  changesFacts: true,
  input: z.strictObject({ session: sessionId }),
  output: found,
  async run(request, { session }) {
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
        made.push(
          await writeOfSession(request, row, {
            kind: 'common_ground',
            text: `We ${row.members.length === 2 ? 'both' : 'all'} need ${NEEDS[category].noun}.`,
            fields,
            sources,
          }),
        )
      }
      return made
    })
    return { output: await visibleGround(request, row), refs }
  },
  replay: async (request, _refs, { session }) =>
    visibleGround(request, await requireSession(request, session)),
})

/** The common ground of a session as the caller sees it now: none of it while an input is taken back (CB-7). */
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

/** Once everybody has confirmed it, it counts in the last stage (RC-7). */
export const confirmCommonGround = writeOperation({
  name: 'common_ground.confirm',
  summary: 'Confirm that you see this common ground as well',
  callers: 'owner',
  effects: ['common_ground_confirmed'],
  reversibility: 'irreversible',
  changesFacts: true,
  input: z.strictObject({ session: sessionId, commonGround: id }),
  output: commonGround,
  async run(request, { session, commonGround: ground }) {
    const row = await lockOpenSession(request, session)
    requireStage(request, row, 3)
    const before = await requireOne(request, row, ground, 'common_ground')
    const confirmedBy = [...new Set([...namesIn(before.fields.confirmedBy), request.caller.actingFor])].sort()
    const after = await changeSession(request, row, () =>
      changeRecord(request, before, {
        fields: { confirmedBy },
        confirmed: row.members.every(member => confirmedBy.includes(member)),
      }),
    )
    return { output: viewOf(request, after), refs: [ground] }
  },
  replay: async (request, [ground = ''], { session }) =>
    viewOf(request, await requireAgain(request, session, ground, 'common_ground')),
})
