import { isDeepStrictEqual } from 'node:util'
import type { z } from 'zod'
import { PrivityError } from '../errors.js'
import { isAgentAudience } from '../policy/subject.js'
import { type PolicyTuple, placeKey, placeOfKey, sortedSet, targetKey } from '../policy/tuple.js'
import { changeTuple, followSources } from '../runtime/change-tuple.js'
import { writerLabel } from '../runtime/labels-of-writes.js'
import type { WriteRequest } from '../runtime/request.js'
import { describeDocument, describeSource } from '../storage/queries/describe-documents.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import { findNamedTargets } from '../storage/queries/named-targets.js'
import { loadDescendants, retupleRecords } from '../storage/queries/retuple-records.js'
import type { SourceRow } from '../storage/queries/sources.js'
import {
  DEFAULT_TIME_ZONE,
  type FileRequest,
  type fileMetadata,
  fileRequest,
  readMetadata,
} from './file-input.js'
import type { KnownFile } from './known-file.js'
import { isCoveredByPredecessor } from './make-records.js'
import { retitledText } from './structure/card.js'

/** The description that a caller may change for a file that was ingested before. */
export type FileUpdate = Pick<FileRequest, 'title' | 'tags'> & {
  readonly metadata?: z.output<typeof fileMetadata> | undefined
  readonly filingUnit?: string | undefined
  readonly versionKind?: string | undefined
}

/**
 * Updates the description of a file whose bytes are already stored; returns null if nothing in it is new. The card
 * and chunks keep their ids, so spans stay valid and nothing derived from them becomes stale. Labels do not change,
 * and overlays on the filing unit that the file was in still apply (WR-4, TR-7).
 */
export async function describeFile(
  request: WriteRequest,
  file: KnownFile,
  source: SourceRow,
  said: FileUpdate,
): Promise<SourceRow | null> {
  const { tx, tenant, now } = request
  const before = fileRequest.partial().parse(source.asked)
  const title = said.title === before.title ? undefined : said.title
  const tags = said.tags && sortedSet(said.tags)
  const after: SourceRow = {
    ...source,
    metadata: {
      ...source.metadata,
      ...readMetadata(said.metadata ?? {}, before.timeZone ?? DEFAULT_TIME_ZONE),
    },
    asked: {
      ...source.asked,
      ...(title === undefined ? {} : { title }),
      ...(tags === undefined ? {} : { tags }),
    },
    filingUnit: said.filingUnit ?? source.filingUnit,
    versionKind: said.versionKind ?? source.versionKind,
  }
  const isSame =
    isDeepStrictEqual(after.metadata, source.metadata) &&
    title === undefined &&
    isDeepStrictEqual(tags ?? sortedSet(before.tags ?? []), sortedSet(before.tags ?? [])) &&
    after.filingUnit === source.filingUnit &&
    after.versionKind === source.versionKind
  if (isSame) return null

  const unit = after.filingUnit === source.filingUnit ? null : after.filingUnit
  // The card of an earlier version keeps the description of that version.
  const cards = file.cards.filter(({ id }) => id === source.recordId)
  await requireMayDescribe(request, file, unit !== null)
  const target = unit === null ? [] : [targetKey('filing_unit', file.owner, unit)]
  await describeSource(tx, tenant, { ...after, targets: sortedSet([...source.targets, ...target]) })
  for (const card of cards) {
    const chunks = await describeDocument(
      tx,
      tenant,
      {
        card: card.id,
        title: title ?? null,
        text: title === undefined ? null : retitledText(card.text, card.title ?? '', title),
        tags: tags ?? null,
        fields: after.metadata,
        filingUnit: unit,
        versionKind: after.versionKind,
      },
      now,
    )
    if (unit !== null) await moveTo(request, card, chunks, unit)
    if (title !== undefined) request.noteWritten([card.id, ...chunks])
  }
  return after
}

/**
 * The description carries the label of the card, so it must not reveal what its writer saw under a stricter label.
 */
async function requireMayDescribe(request: WriteRequest, { cards }: KnownFile, moves: boolean) {
  const atLeast = await writerLabel(request)
  if (!cards.every(card => isCoveredByPredecessor({}, atLeast, card)))
    throw new PrivityError(
      'conflict',
      'the metadata needs a stricter label than the file has; relabel its card first',
    )
  // A view of that filing unit would disclose the document to others from then on.
  if (moves && isAgentAudience(request.caller.audience))
    throw new PrivityError(
      'not_allowed',
      'only an owner may move a document to another filing unit; ask the person you work for',
      {
        reason: 'session.audience_not_allowed',
      },
    )
}

/**
 * Moves a card and its chunks to another filing unit, whose overlays then apply to them and to everything derived
 * from them.
 */
async function moveTo(request: WriteRequest, card: RecordRow, chunks: readonly string[], unit: string) {
  const { tx, tenant, now } = request
  const { owner } = card.tuple
  const target = targetKey('filing_unit', owner, unit)
  const left = card.filingUnit === null ? null : targetKey('filing_unit', owner, card.filingUnit)
  const { overlaid, scoped } = await findNamedTargets(tx, tenant, [target])
  await followSources(request, [
    { id: card.id, label: card.tuple, targets: [target], inputConsents: card.tuple.inputConsents },
  ])
  const own = new Set(chunks)
  const derived = await loadDescendants(tx, tenant, [card.id])
  const rows = [card, ...derived.filter(({ id }) => own.has(id))]
  const quoting = derived.flatMap(row => {
    const citedPlaces = placesAfter(row.tuple, targetKey('document', owner, card.id), left, target)
    return own.has(row.id) || citedPlaces === null ? [] : [changeTuple(row, { ...row.tuple, citedPlaces })]
  })
  const moved = rows.map(row =>
    changeTuple(
      row,
      {
        ...row.tuple,
        overlayTargets: sortedSet([...row.tuple.overlayTargets, ...(overlaid.has(target) ? [target] : [])]),
        scopeTargets: sortedSet([
          ...row.tuple.scopeTargets.filter(one => one !== left),
          ...(scoped.has(target) ? [target] : []),
        ]),
      },
      { targets: sortedSet([...row.targets, target]) },
    ),
  )
  await retupleRecords(tx, tenant, [...moved, ...quoting], now)
}

/** Where what a memory cites stands, once a document moved to another unit; null if it does not cite the document. */
function placesAfter(
  { citedPlaces }: PolicyTuple,
  document: string,
  left: string | null,
  unit: string,
): readonly string[] | null {
  const places = (citedPlaces ?? []).map(placeOfKey)
  if (!places.some(({ targets }) => targets.includes(document))) return null
  return sortedSet(
    places.map(place =>
      placeKey(
        place.targets.includes(document)
          ? { ...place, targets: [...place.targets.filter(one => one !== left), unit] }
          : place,
      ),
    ),
  )
}
