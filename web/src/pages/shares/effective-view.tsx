import { useQuery } from '@tanstack/react-query'
import type { OutputOf } from 'privity/client'
import { QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { formatDateTime, inWords } from '../../lib/format'
import { FIELD_LABELS, settingInWords } from './link-words'

interface EffectiveViewProps {
  readonly views: readonly string[]
  /** The names of views by their ids. */
  readonly names: ReadonlyMap<string, string>
}

/** What several views show together, with how much that is and which of them restricted what. */
export function EffectiveView({ views, names }: EffectiveViewProps) {
  const query = useQuery({
    queryKey: ['views', 'effective', ...views],
    queryFn: () => privity.views.effective([...views]),
    enabled: views.length > 0,
  })
  if (views.length === 0) return <p className="muted">Choose at least one view to see what it shows.</p>
  return (
    <QueryView query={query}>
      {({ corpora }) => (
        <div className="stack">
          {corpora.map(corpus => (
            <CorpusAccount
              key={`${corpus.owner}/${corpus.corpus}`}
              corpus={corpus}
              names={names}
              several={views.length > 1}
            />
          ))}
        </div>
      )}
    </QueryView>
  )
}

type Corpus = OutputOf<'views.effective'>['corpora'][number]

interface AccountProps {
  readonly corpus: Corpus
  readonly names: ReadonlyMap<string, string>
  /** With one view alone, all of it comes from that one. */
  readonly several: boolean
}

function CorpusAccount({ corpus, names, several }: AccountProps) {
  const { shows } = corpus
  return (
    <section className="stack-tight" aria-label={`What recipients see of ${corpus.corpus}`}>
      <h3>{corpus.corpus}</h3>
      <Bar label="documents" shown={shows.documents} of={shows.ofDocuments} />
      <Bar label="records" shown={shows.records} of={shows.ofRecords} />
      {shows.documents === 0 ? (
        <p className="notice notice-warn">
          A recipient would see no document. Raise the highest visibility class, or show more kinds of
          content.
        </p>
      ) : null}
      <div className="table-scroll">
        <table className="table">
          <thead>
            <tr>
              <th>Setting</th>
              <th>In effect</th>
              {several ? <th>Restricted by</th> : null}
            </tr>
          </thead>
          <tbody>
            {corpus.account.map(({ field, value, restrictedBy }) => (
              <tr key={field}>
                <td>{FIELD_LABELS[field] ?? inWords(field)}</td>
                <td>{inEffect(field, value)}</td>
                {several ? (
                  <td className="muted">
                    {restrictedBy.length === 0
                      ? 'all views alike'
                      : restrictedBy.map(view => names.get(view) ?? view.slice(0, 8)).join(', ')}
                  </td>
                ) : null}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function inEffect(field: string, value: Corpus['account'][number]['value']): string {
  if (value === null) return 'None'
  if (Array.isArray(value)) return value.map(settingInWords).join(', ')
  if (typeof value === 'number') {
    // The earliest time there is stands for a snapshot that is taken once the view is shared.
    const isOpen = !/At/.test(field) || Math.abs(value) >= 8.64e15
    return isOpen
      ? /At/.test(field)
        ? 'when it is first shared'
        : String(value)
      : formatDateTime(new Date(value))
  }
  return settingInWords(value as string)
}

/** How much of something is shown. */
function Bar({ label, shown, of }: { readonly label: string; readonly shown: number; readonly of: number }) {
  return (
    <div className="share-bar">
      <meter min={0} max={Math.max(1, of)} value={shown} aria-label={label} />
      <span className="small tabular">
        {shown} of {of} {label}
      </span>
    </div>
  )
}
