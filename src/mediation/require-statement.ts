import { PrivityError } from '../errors.js'
import { text } from '../runtime/input.js'
import type { WriteRequest } from '../runtime/request.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { listUserVessel } from '../storage/queries/mediation-records.js'
import type { SessionRow } from '../storage/queries/sessions.js'
import { setRole } from '../storage/queries/set-role.js'
import { namesOfOthers } from './names-of-others.js'
import { makeRepetitionCheck } from './repeats.js'
import { screen } from './screen.js'
import { enterContract } from './session.js'
import { stripInvisible } from './words.js'

/** A text that a participant writes for the others to read. The screen limits its length further. */
export const statement = text(10_000)

/** Kinds of private records. Empathy drafts are not among them, because they are written to be shared. */
const PRIVATE_KINDS = ['user_event', 'emotional_reading', 'need', 'boundary'] as const

const AT_ONCE = 50

/** How many characters of the newest private records are compared; more than anybody says in a session. */
const MOST_COMPARED = 4_000_000
const LONG = 5_000

/**
 * Checks a statement and returns the text that will be shared. It must not attack or accuse, or repeat anything in
 * its writer's own vessel of this session (CB-3, CB-4).
 */
export async function requireStatement(
  request: WriteRequest,
  session: SessionRow,
  content: string,
): Promise<string> {
  const said = stripInvisible(content)
  const names = await namesOfOthers(request, session)
  const screened = screen(said, '', { kind: 'statement', names })
  if (!screened.ok) throw refused(screened.reason)
  const isRepeated = makeRepetitionCheck(said)
  let compared = 0
  for await (const row of privateRecords(request, session)) {
    if (isRepeated(row.text)) throw refused('bridge_repeats_original')
    compared += row.text.length
    if (compared > MOST_COMPARED) break
    // Yield to other requests after a long text.
    if (row.text.length > LONG) await new Promise(setImmediate)
  }
  return said
}

const refused = (reason: string) =>
  new PrivityError('invalid_input', 'this text cannot be shared as it is; reason says what to change', {
    reason,
  })

/**
 * The private records that the caller sees in full. Others are skipped, so that a refusal cannot reveal them (NI-1).
 */
async function* privateRecords(request: WriteRequest, session: SessionRow): AsyncGenerator<RecordRow> {
  const { tx, tenant, caller } = request
  enterContract(request, session, 'browse')
  const filter = {
    relationship: session.relationship,
    session: session.sessionId,
    kinds: PRIVATE_KINDS,
    inFull: true,
  }
  let last: RecordRow | undefined
  do {
    await setRole(tx, 'privity_app')
    const rows = await listUserVessel(tx, tenant, caller.actingFor, filter, last ?? null, AT_ONCE)
    await setRole(tx, request.role)
    for (const { row, level } of await request.decide(rows)) if (level === 'full') yield row
    last = rows.length < AT_ONCE ? undefined : rows.at(-1)
  } while (last !== undefined)
}
