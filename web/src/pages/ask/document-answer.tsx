import { useQuery } from '@tanstack/react-query'
import { Sparkles } from 'lucide-react'
import type { Citation, DocumentAnswer } from 'privity/client'
import { useState } from 'react'
import { Link } from 'wouter'
import { Card } from '../../components/page'
import { QueryView, Skeleton } from '../../components/states'
import { privity } from '../../lib/api'
import { count } from '../../lib/format'

const placeOf = ({ record, start, end }: Citation) => `/memory/${record}?from=${start}&to=${end}`

type Sentences = DocumentAnswer['sentences']

/** An answer that a model writes from documents: every sentence cites the passages that support it. */
export function DocumentAnswerCard({ query }: { readonly query: string }) {
  const [heard, setHeard] = useState<Sentences>([])
  const answer = useQuery({
    queryKey: ['answer', query],
    queryFn: () => {
      setHeard([])
      return privity.documents.answer(
        { query },
        {
          onSentence: ({ text, citations }) =>
            setHeard(before => [...before, { text, citations: [...citations] }]),
        },
      )
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  return (
    <Card
      title={
        <span className="row">
          <Sparkles size={18} aria-hidden /> Answer from documents
        </span>
      }
    >
      <QueryView
        query={answer}
        loading={heard.length === 0 ? <Skeleton lines={3} /> : <Writing sentences={heard} />}
      >
        {found => <Answer {...found} />}
      </QueryView>
    </Card>
  )
}

/** What was written so far. Where its sources stand is known at the end. */
const Writing = ({ sentences }: { readonly sentences: Sentences }) => (
  <div className="stack" role="status" aria-busy="true">
    <Cited sentences={sentences} places={new Map()} />
    <p className="muted small">The model is writing …</p>
  </div>
)

/** Sentences, each with the numbers of its sources. */
const Cited = ({
  sentences,
  places,
}: {
  readonly sentences: Sentences
  readonly places: ReadonlyMap<number, string>
}) => (
  <p className="wrap-anywhere">
    {sentences.map(({ text, citations }) => (
      <span key={text}>
        {text}
        {citations.map(ref => {
          const place = places.get(ref)
          return (
            <sup key={ref}>
              {place === undefined ? (
                `[${ref}]`
              ) : (
                <Link href={place} aria-label={`Source ${ref}`}>
                  [{ref}]
                </Link>
              )}
            </sup>
          )
        })}{' '}
      </span>
    ))}
  </p>
)

function Answer({ sentences, citations, notice, failure, unsupported, model }: DocumentAnswer) {
  const places = new Map(citations.map(citation => [citation.ref, placeOf(citation)]))
  const cited = new Set(sentences.flatMap(({ citations }) => citations))
  const sources = citations.filter(({ ref }) => sentences.length === 0 || cited.has(ref))
  return (
    <div className="stack" role="status">
      {sentences.length === 0 ? null : <Cited sentences={sentences} places={places} />}
      {notice === null ? null : <p className="notice">{notice}</p>}
      {failure === null ? null : <p className="notice notice-warn">{failure.remediationHint}</p>}
      {sources.length === 0 ? null : (
        <div className="stack-tight">
          <h3>{sentences.length === 0 ? 'Passages that fit' : 'Sources'}</h3>
          <ol className="stack-tight small">
            {sources.map(citation => (
              <li key={citation.ref}>
                <span className="muted tabular">[{citation.ref}]</span>{' '}
                <Link href={placeOf(citation)}>{citation.title ?? 'Untitled document'}</Link>
                {citation.page === undefined ? '' : `, page ${citation.page}`}
              </li>
            ))}
          </ol>
        </div>
      )}
      {sentences.length === 0 ? null : (
        <p className="muted small">
          Written by {model}.{' '}
          {unsupported === 0
            ? 'Every sentence is supported by what it cites.'
            : `${count(unsupported, 'sentence was', 'sentences were')} left out, because no passage supports ${unsupported === 1 ? 'it' : 'them'}.`}
        </p>
      )}
    </div>
  )
}
