import type { Handle } from '../../src/handle.js'

export type Asked = Parameters<Handle['documents']['search']>[0]
export type Answer = Awaited<ReturnType<Handle['documents']['search']>>
type Ingest = Parameters<Handle['documents']['ingest']>[0]

export const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64')

/** Takes in a text as a document of one part; its card. */
export async function file(
  host: Handle,
  document: string,
  text: string,
  more: Partial<Ingest> = {},
): Promise<string> {
  const { card, problem } = await host.documents.ingest({
    document,
    corpus: 'bank',
    content: base64(text),
    partKind: 'lead_argument',
    visibilityClass: 'public_open',
    sensitivity: 'low',
    ...more,
  })
  if (card === null) throw new Error(`${document} was not read: ${problem}`)
  return card.id
}

/** The names of the documents that were found, in order. */
export const namesOf = ({ results }: Pick<Answer, 'results'>) =>
  results.map(({ document }) => document.documentName)

/** The documents, or what stands for them, that a question finds, in no order. */
export async function foundBy(handle: Handle, query: string, more: Partial<Asked> = {}): Promise<string[]> {
  const answer = await handle.documents.search({ query, mode: 'text', limit: 100, ...more })
  return [...new Set(namesOf(answer).map(String))].sort()
}

/** A plan without what is new each time. */
export const lasting = <Plan extends { planId: string; planAt: string }>({
  planId: _,
  planAt: __,
  ...plan
}: Plan) => plan

/** Everything that is said of results but for ids that are new each time. */
export const lastingResults = ({ results }: Answer) => results.map(({ resultId: _, ...result }) => result)

/** Checks that each span of each result says what its document says there. */
export async function readSpans(handle: Handle, { results }: Pick<Answer, 'results'>) {
  const cards = (await handle.documents.cards({ limit: 200 })).documents
  const read: { span: Answer['results'][number]['sourceSpans'][number]; text: string | null }[] = []
  const spans = results.flatMap(({ sourceSpans, more }) => [
    ...sourceSpans,
    ...more.flatMap(one => one.sourceSpans),
  ])
  for (const span of spans) {
    const card = cards.find(
      ({ document, version }) => document === span.document && (span.version ?? version) === version,
    )
    const text =
      card === undefined
        ? null
        : ((await handle.documents.read(card.id, { from: span.start, to: span.end }))?.text ?? null)
    read.push({ span, text })
  }
  return read
}
