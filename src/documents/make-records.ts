import { joinLabels, type Label } from '../policy/labels.js'
import { nameInReplaced } from '../runtime/change-tuple.js'
import type { Caption } from '../runtime/domain.js'
import type { Draft } from '../runtime/draft.js'
import { endRecords } from '../runtime/end-records.js'
import type { WriteRequest } from '../runtime/request.js'
import { type Source, writeSources } from '../runtime/write-records.js'
import { detectLanguage } from '../search/languages.js'
import { fetchGuarded } from '../storage/queries/chunks.js'
import type { RecordRow } from '../storage/queries/fetch-records.js'
import type { SourceRow } from '../storage/queries/sources.js'
import type { FileReading } from './extract-file.js'
import { DEFAULT_SURFACE, DOCUMENT_FIELDS, type DocumentFields, type FileRequest } from './file-input.js'
import { GuardedText } from './guarded-text.js'
import { cardText, cardTitle, segmentTitle } from './structure/card.js'

/**
 * Creates a card and chunks from an extracted file. They replace the previous cards, whose chunks and everything
 * derived from those become stale (SR-11). Labels and overlays of the previous records carry over (TR-7).
 */
export async function makeRecords(
  request: WriteRequest,
  source: SourceRow,
  asked: FileRequest,
  { extracted, structure }: FileReading,
  replaced: readonly RecordRow[],
  atLeast: Label,
): Promise<{ card: Source; segments: number; found: DocumentFields }> {
  const { owner } = source
  const found = foundIn(structure.caption)
  const fields: DocumentFields = { ...found, ...source.metadata }
  const version = `${source.document}@${source.version}`
  const place = {
    vessel: 'user',
    surface: asked.surface ?? DEFAULT_SURFACE,
    corpus: source.corpus,
    document: source.document,
    version,
    ...(source.filingUnit === null ? {} : { filingUnit: source.filingUnit }),
    ...(source.versionKind === null ? {} : { versionKind: source.versionKind as Draft['versionKind'] }),
    ...(asked.expiresAt === undefined ? {} : { expiresAt: asked.expiresAt }),
  } as const
  // Metadata that the caller gave goes only into the fields, which a view may omit. The text of the card comes from
  // the document.
  const { caption } = structure
  const titles = { filing: structure.title, file: extracted.title }
  const title = asked.title ?? cardTitle(source.document, titles, caption)
  const languageOf = languages(asked.language, detectLanguage(extracted.text))
  const pages = extracted.pages.length
  const recognised = extracted.pages.flatMap(({ number: page, confidence }) =>
    confidence === undefined ? [] : [{ page, confidence }],
  )
  const parts = namedParts(source.document, structure.parts)
  // A new version starts from the existing labels, so leaving the label out does not lower it.
  const least = replaced.length === 0 ? {} : LEAST
  const before = await fetchGuarded(
    request.tx,
    request.tenant,
    replaced.map(({ id }) => id),
  )
  const guarded = new GuardedText(before, replaced)
  if (replaced.length > 0) await endRecords(request, replaced, 'superseded')
  const [card] = await writeSources(request, [
    {
      draft: {
        ...place,
        ...least,
        ...labelOf(asked),
        kind: 'document',
        title,
        ...languageOf(title),
        text: cardText({
          title,
          caption,
          pages: pages === 0 ? null : pages,
          mediaType: extracted.mediaType,
          documentType: caption.documentType,
        }),
        tags: asked.tags,
        fields: {
          ...fields,
          mediaType: extracted.mediaType,
          state: extracted.state,
          // Scanned pages can be downloaded, but have no text to quote.
          ...(extracted.state === 'needs_ocr' ? { materializationState: 'not_materialized' } : {}),
          pages,
          ...(recognised.length === 0 ? {} : { recognisedPages: recognised }),
          parts: parts.map(({ kind }) => kind),
        } as Draft['fields'],
      },
      owner,
      sources: replaced,
      atLeast,
    },
  ])
  if (card === undefined) throw new Error('a record was not written')
  await nameInReplaced(request, [card])
  const drafts = structure.chunks.map(({ start, end, part, page, turns }, at): Draft => {
    const within = parts[part]
    return {
      ...place,
      ...LEAST,
      kind: 'segment',
      // The lead argument has no title of its own: it has the title of the document.
      title: segmentTitle(within?.kind === 'lead_argument' ? null : (within?.title ?? null), title, {
        // What the caller calls it is all that it is called.
        ...(asked.title === undefined ? caption : { documentType: caption.documentType }),
      }),
      text: extracted.text.slice(start, end),
      ...languageOf(extracted.text.slice(start, end)),
      segment: `${version}#${at + 1}`,
      fields: { ...fields, partKind: within?.kind } as Draft['fields'],
      // The first is all of it; each further one is what stands on another page.
      spans: [
        { document: source.document, start, end, version, ...(page === null ? {} : { page }) },
        ...turns.map((turn, nth) => ({
          document: source.document,
          start: turn.start,
          end: turns[nth + 1]?.start ?? end,
          page: turn.page,
          version,
        })),
      ],
      ...(within === undefined ? {} : { part: within.ref }),
    }
  })
  if (drafts.length > 0)
    await writeSources(
      request,
      drafts.map(draft => ({ draft, owner, sources: [card, ...guarded.sharing(draft.text)], atLeast })),
    )
  return { card, segments: drafts.length, found }
}

/**
 * The language of each record of a document: the one that was named, or else its own where it is clear, or else that of the
 * whole. A caption or a table has too few words of its own, and without a language other forms of its words are not found.
 */
const languages =
  (named: string | undefined, ofAll: string) =>
  (text: string): Pick<Draft, 'language'> => {
    if (named !== undefined) return { language: named }
    return ofAll === 'und' || detectLanguage(text) !== 'und' ? {} : { language: ofAll }
  }

/** The weakest label, which adds nothing to the labels of the sources. */
const LEAST = { sensitivity: 'public', visibilityClass: 'public_open' } as const

const labelOf = ({ sensitivity, scope, visibilityClass, participants }: FileRequest) => ({
  ...(sensitivity === undefined ? {} : { sensitivity }),
  ...(scope === undefined ? {} : { scope }),
  ...(visibilityClass === undefined ? {} : { visibilityClass }),
  ...(participants === undefined ? {} : { participants }),
})

/**
 * Whether the label of the previous version already covers a file. Participants never count as covered: they may be
 * new.
 */
export function isCoveredByPredecessor(asked: FileRequest, atLeast: Label, { tuple }: RecordRow): boolean {
  const label = joinLabels(tuple, { ...LEAST, scope: null, ...labelOf(asked), participants: [] }, atLeast)
  return (
    (asked.participants ?? []).length === 0 &&
    label.sensitivity === tuple.sensitivity &&
    label.scope === tuple.scope &&
    label.visibilityClass === tuple.visibilityClass &&
    label.participants.length === tuple.participants.length
  )
}

function foundIn(caption: Caption): DocumentFields {
  return Object.fromEntries(
    DOCUMENT_FIELDS.flatMap(field => (caption[field] === undefined ? [] : [[field, caption[field]]])),
  )
}

/** Parts with their names, `<document>#<kind>-<n>`, numbered by kind. */
function namedParts(document: string, parts: FileReading['structure']['parts']) {
  const counts = new Map<string, number>()
  return parts.map(({ kind, title }) => {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return { kind, title, ref: `${document}#${kind}-${count}` }
  })
}
