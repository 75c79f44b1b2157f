import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { SearchExecuteOutput } from 'privity/client'
import { Link } from 'wouter'
import { Badge, FaceBadge } from '../../components/badge'
import { buttonClass } from '../../components/button'
import { Highlighted } from '../../components/highlighted'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'
import { asOptions, type Viewer } from '../../lib/viewers'
import { ReceiptPanel } from './receipt-panel'
import { Suggestion } from './suggestion'

type Result = SearchExecuteOutput['results'][number]

interface RecipientAnswerProps {
  readonly query: string
  readonly corpus: string | null
  readonly viewer: Viewer
  readonly onAsk: (query: string) => void
}

/** What the recipient of a link finds. They search documents, as the page of the link does. */
export function RecipientAnswer({ query, corpus, viewer, onAsk }: RecipientAnswerProps) {
  const search = useQuery({
    queryKey: ['search', 'recipient', query, corpus, viewer.id],
    queryFn: async () => {
      const began = performance.now()
      const scope = corpus === null ? {} : { scope: { corpusScope: [corpus] } }
      const answer = await privity.documents.search({ query, ...scope }, await asOptions(viewer))
      return { ...answer, took: performance.now() - began }
    },
    placeholderData: keepPreviousData,
  })
  return (
    <section
      className="stack"
      aria-label={`Results for ${viewer.label}`}
      aria-busy={search.isPlaceholderData}
    >
      <div className="stack-tight">
        <h2>{viewer.label}</h2>
        <p className="muted small">{viewer.detail}</p>
      </div>
      <QueryView query={search}>
        {({ results, resultCount, notice, suggestion, failure, receipt, expansions, took }) => (
          <>
            <p role="status" className="muted">
              {resultCount === 0 ? (notice ?? 'No results found.') : count(resultCount, 'result')}
              <Suggestion suggestion={suggestion} onAsk={onAsk} />
            </p>
            {failure === null ? null : (
              <EmptyState title="This could not be searched">{failure.remediationHint}</EmptyState>
            )}
            <ol className="stack" aria-label="Results">
              {results.map(result => (
                <li key={result.document.document}>
                  <SharedResult result={result} viewer={viewer} />
                </li>
              ))}
            </ol>
            {receipt === null ? null : (
              <Card flat>
                <ReceiptPanel receipt={receipt} expansions={expansions} took={took} own={false} />
              </Card>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

function SharedResult({ result, viewer }: { readonly result: Result; readonly viewer: Viewer }) {
  const { document, snippet } = result
  const title = document.title ?? document.documentName ?? 'Untitled document'
  const why = new URLSearchParams({ record: document.document, as: viewer.id })
  return (
    <article className={`card result result-${document.face}`}>
      <div className="row-between">
        <h3 className="wrap-anywhere">
          {document.title === null ? title : <Highlighted text={title} at={snippet.title.highlights} />}
        </h3>
        <span className="muted small">
          <Time at={document.occurredAt ?? document.createdAt} />
        </span>
      </div>
      {snippet.passages.map(({ start, text, highlights }) => (
        <p key={start} className="wrap-anywhere">
          <Highlighted text={text} at={highlights} />
        </p>
      ))}
      <div className="row-between">
        <div className="row small">
          <FaceBadge level={document.face} />
          {document.corpus === null ? null : <Badge>{document.corpus}</Badge>}
        </div>
        <Link href={`/why?${why}`} className={buttonClass('quiet', true)}>
          Why?
        </Link>
      </div>
    </article>
  )
}
