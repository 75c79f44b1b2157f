import type { MemorySearchOutput } from 'privity/client'
import { Link } from 'wouter'
import { buttonClass } from '../../components/button'
import { Highlighted } from '../../components/highlighted'
import { RecordLabels, titleOf } from '../../components/record-line'
import { Time } from '../../components/time'
import { inWords } from '../../lib/format'
import type { Viewer } from '../../lib/viewers'

type Result = MemorySearchOutput['results'][number]

/** The document that a chunk is of, and where in it the passage stands. */
export function placeOf({ record, snippet }: Result): string | null {
  const [passage] = snippet.passages
  const span = record.payload?.spans?.[0] as { start?: number } | undefined
  const source = record.relations.find(
    ({ type, direction }) => type === 'derived_from' && direction === 'out',
  )
  const isDocument = record.kind === 'document'
  if (record.kind !== 'segment' && !isDocument) return null
  const document = isDocument ? record.id : source?.record
  if (document === undefined) return null
  const start = (span?.start ?? 0) + (passage?.start ?? 0)
  const length = passage === undefined ? 0 : passage.end - passage.start
  return `/memory/${document}?from=${start}&to=${start + length}`
}

/** One result, drawn as the face it is: in full, as a preview, redacted, or as a substitute. */
export function ResultCard({ result, viewer }: { readonly result: Result; readonly viewer: Viewer }) {
  const { record, snippet, score, scores } = result
  const { payload } = record
  const place = placeOf(result)
  const why = new URLSearchParams({ record: record.id, ...(viewer.kind === 'self' ? {} : { as: viewer.id }) })
  return (
    <article className={`card result result-${record.face}`}>
      <div className="row-between">
        <h3 className="wrap-anywhere">
          <Link href={`/memory/${record.id}`}>
            {payload?.title ? (
              <Highlighted text={payload.title} at={snippet.title.highlights} />
            ) : (
              titleOf(record)
            )}
          </Link>
        </h3>
        <span className="muted small">
          <Time at={payload?.occurredAt ?? record.createdAt} />
        </span>
      </div>
      {payload === null ? (
        <p className="redacted" title="The text is not shown.">
          <span aria-hidden>██████ ███ ████████ ████ ██████</span>
          <span className="visually-hidden">The text is not shown.</span>
        </p>
      ) : snippet.passages.length === 0 ? (
        <p className="clamp-2 wrap-anywhere">{payload.text}</p>
      ) : (
        snippet.passages.map(passage => (
          <p key={passage.start} className="wrap-anywhere">
            {passage.start > 0 ? '… ' : ''}
            <Highlighted text={passage.text} at={passage.highlights} />
            {passage.end < payload.text.length ? ' …' : ''}
          </p>
        ))
      )}
      <RecordLabels record={record} showsFull />
      <div className="row-between">
        <details className="small score">
          <summary>
            Score <span className="tabular">{score.toFixed(2)}</span>
          </summary>
          <table className="table">
            <thead>
              <tr>
                <th>Part</th>
                <th>Value</th>
                <th>Weight</th>
              </tr>
            </thead>
            <tbody>
              {(scores.parts ?? []).map(({ part, normalised, weight }) => (
                <tr key={part}>
                  <td>{inWords(part)}</td>
                  <td className="tabular">{normalised.toFixed(2)}</td>
                  <td className="tabular">{weight.toFixed(2)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </details>
        <div className="row">
          {place === null ? null : (
            <Link href={place} className={buttonClass('quiet', true)}>
              Open at this place
            </Link>
          )}
          <Link href={`/why?${why}`} className={buttonClass('quiet', true)}>
            Why?
          </Link>
        </div>
      </div>
    </article>
  )
}
