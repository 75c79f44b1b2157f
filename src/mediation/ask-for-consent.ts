import { isKeptLocal } from '../policy/labels.js'
import type { ChatRequest } from '../runtime/completions.js'
import type { WriteRequest } from '../runtime/request.js'
import {
  closeExpiredRequests,
  findRequestedOriginals,
  insertBridgeRequests,
  listOpenRequests,
} from '../storage/queries/bridge.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { listUserVessel } from '../storage/queries/mediation-records.js'
import type { SessionRow } from '../storage/queries/sessions.js'
import { namesOfOthers } from './names-of-others.js'
import { isNeedCategory, isSubNeed } from './needs.js'
import { screen, screenKindOf } from './screen.js'
import { selectConsentedRecords } from './select-consented-records.js'
import { notifyInSession, stageOf } from './session.js'
import { type Transformation, transformBuiltIn } from './transformation.js'
import { NOTHING_TO_SHARE, transformationPrompt } from './transformation-prompt.js'
import { stripInvisible } from './words.js'

const DAY_MS = 86_400_000

/** How many requests the runtime opens for one person; the rest wait until some of them are decided (CB-10). */
const MOST_OPEN = 3

/** How many records are read for something worth sharing, the newest first. */
const MOST_READ = 20

/** The content types that can be asked for, with the kind of record and the earliest stage of each (CB-2). */
export const ASKABLE = {
  EVENT_SUMMARY: { kind: 'user_event', stage: 2 },
  EMOTIONAL_PATTERN: { kind: 'emotional_reading', stage: 2 },
  IDENTIFIED_NEED: { kind: 'need', stage: 3 },
  BOUNDARY: { kind: 'boundary', stage: 3 },
} as const
export type AskableType = keyof typeof ASKABLE

/** The content types that the runtime asks for by itself in each stage. */
const ASKED_IN_STAGE: Readonly<Record<number, readonly AskableType[]>> = {
  2: ['EVENT_SUMMARY'],
  3: ['IDENTIFIED_NEED', 'BOUNDARY'],
}

/** A record in somebody's own vessel, and the content type that it would be shared as. */
export interface Original {
  readonly row: RecordRow
  readonly contentType: AskableType
}

/** Asks the caller's principal to share what belongs to their stage and was not asked for before. */
export async function askForStage(request: WriteRequest, session: SessionRow): Promise<void> {
  const { tx, tenant, caller, now } = request
  const types = ASKED_IN_STAGE[stageOf(request, session)] ?? []
  if (types.length === 0) return
  const owner = caller.actingFor
  await closeExpiredRequests(tx, tenant, session.sessionId, owner, now)
  const open = await listOpenRequests(tx, tenant, session.sessionId, owner, now, MOST_OPEN)
  const originals: Original[] = []
  for (const contentType of types) {
    const { kind } = ASKABLE[contentType]
    const filter = {
      relationship: session.relationship,
      session: session.sessionId,
      kinds: [kind],
      confirmed: kind === 'need' ? true : undefined,
    }
    const rows = await listUserVessel(tx, tenant, owner, filter, null, 200)
    for (const row of rows)
      if (isCurrent(row, now) && row.fields.ask !== false) originals.push({ row, contentType })
  }
  const asked = await findRequestedOriginals(
    tx,
    tenant,
    session.sessionId,
    originals.map(({ row }) => row.id),
  )
  const room = Math.max(0, MOST_OPEN - open.length)
  if (room === 0) return
  const unasked = originals.filter(({ row }) => !asked.has(row.id)).slice(0, MOST_READ)
  const worth = (await transform(request, session, unasked)).filter(({ isWorthSharing }) => isWorthSharing)
  await insertRequests(request, session, worth.slice(0, room))
}

const isCurrent = ({ tuple, expiresAt }: RecordRow, now: Date) =>
  (tuple.lifecycle === 'active' || tuple.lifecycle === 'contested') && (expiresAt === null || expiresAt > now)

/**
 * Creates consent requests, each with the text that the partner would read. Nothing is shared before the owner
 * decides (CB-3).
 */
export async function askForConsent(
  request: WriteRequest,
  session: SessionRow,
  originals: readonly Original[],
): Promise<string[]> {
  return insertRequests(request, session, await transform(request, session, originals))
}

async function insertRequests(
  request: WriteRequest,
  session: SessionRow,
  transformed: readonly (Original & Transformation)[],
): Promise<string[]> {
  if (transformed.length === 0) return []
  const { tx, tenant, caller, now } = request
  const owner = caller.actingFor
  await closeExpiredRequests(tx, tenant, session.sessionId, owner, now)
  const made = await insertBridgeRequests(
    tx,
    tenant,
    transformed.map(({ row, contentType, description, text }) => ({
      requestId: request.parts.clock.newId('bridge_request'),
      sessionId: session.sessionId,
      owner,
      contentType,
      contentDescription: description,
      transformedPreview: text,
      originalId: row.id,
      createdAt: now,
      expiresAt: new Date(now.getTime() + request.parts.mediation.requestDays * DAY_MS),
    })),
  )
  // Only the owner of the original is notified (CB-8).
  await notifyInSession(
    request,
    session,
    made.map(id => ({ recipient: owner, type: 'consent.requested', refs: { consentRequest: id } })),
  )
  return made
}

/**
 * The originals that the configured model may see: none that are sealed unless the model is local (OV-4), and none
 * about people who have not consented to models being told about them (PC-2).
 */
async function forTheModel(request: WriteRequest, originals: readonly Original[]): Promise<Original[]> {
  const { model } = request.parts.completions
  if (model === null) return []
  const granted = await selectConsentedRecords(
    request,
    originals.map(({ row }) => row),
  )
  return originals.filter(
    ({ row }) => (model.local || !isKeptLocal(row.tuple.visibilityClass)) && granted.has(row),
  )
}

/**
 * The text that the partner would read, and whether to ask for it at all: as the model says, if what it says passes
 * the screen, or else as the built-in transformation does (CB-4, CB-10).
 */
async function transform(
  request: WriteRequest,
  session: SessionRow,
  originals: readonly Original[],
): Promise<(Original & Transformation)[]> {
  const { completions } = request.parts
  const names = await namesOfOthers(request, session)
  const askable = await forTheModel(request, originals)
  // Records written by this request are not stored yet while the model is asked, and get other ids on the next run.
  const isNew = new Set(request.written)
  const answers = completions.of(
    askable.map(
      ({ row, contentType }): ChatRequest => ({
        messages: transformationPrompt(row.text, contentType),
        records: isNew.has(row.id) ? [] : [row.id],
      }),
    ),
    new Map(),
  )
  const answerTo = new Map(askable.map((original, at) => [original, stripInvisible(answers[at] ?? '')]))
  return originals.map(original => {
    const { row, contentType } = original
    const { category, need, emotion } = row.fields
    const builtIn = transformBuiltIn(row.text, contentType, {
      wording: row.id,
      category: isNeedCategory(category) ? category : undefined,
      need: isSubNeed(need) ? need : undefined,
      emotion: typeof emotion === 'string' ? emotion : undefined,
    })
    const answer = answerTo.get(original) ?? ''
    const kind = screenKindOf(contentType)
    // A model that finds nothing worth sharing is believed, except about what its owner states in order to share it.
    if (kind === 'transformation' && answer.toUpperCase().startsWith(NOTHING_TO_SHARE))
      return { ...original, ...builtIn, text: '', isWorthSharing: false }
    return { ...original, ...builtIn, ...shareable(answer, row, kind, names) }
  })
}

/** A model's wording, if it may be shared. */
const shareable = (
  text: string,
  { text: original }: RecordRow,
  kind: ReturnType<typeof screenKindOf>,
  names: ReadonlySet<string>,
) => (text !== '' && screen(text, original, { kind, names }).ok ? { text, isWorthSharing: true } : {})
