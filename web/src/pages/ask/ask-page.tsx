import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { Columns2, Pin, Search, Sparkles, X } from 'lucide-react'
import type { MemorySearchInput } from 'privity/client'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { Link } from 'wouter'
import { Button, buttonClass } from '../../components/button'
import { SelectField } from '../../components/field'
import { Card, Page } from '../../components/page'
import { EmptyState, ErrorState, Skeleton } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { privity } from '../../lib/api'
import { count, inWords, kindInWords } from '../../lib/format'
import { useWho } from '../../lib/session'
import { useParams } from '../../lib/use-params'
import { asOptions, useViewers, type Viewer } from '../../lib/viewers'
import { ContextPanel } from './context-panel'
import { DocumentAnswerCard } from './document-answer'
import { Facets, type Filters } from './facets'
import { ReceiptPanel } from './receipt-panel'
import { RecipientAnswer } from './recipient-answer'
import { ResultCard } from './result-card'
import { SavedSearches, SaveSearchDialog } from './saved-searches'
import { Suggestion } from './suggestion'

const FACETS = ['kind', 'tag', 'person', 'sensitivity', 'scope', 'corpus'] as const

/** What the filters say, in the words of a search. */
const inputOf = (filters: Filters): Omit<MemorySearchInput, 'query'> => ({
  limit: 20,
  explain: true,
  facets: [...FACETS],
  snippet: { passages: 2, length: 240 },
  ...(filters.kind ? { kinds: [filters.kind as never] } : {}),
  ...(filters.tag ? { tags: [filters.tag] } : {}),
  ...(filters.person ? { people: [filters.person] } : {}),
  ...(filters.corpus ? { corpus: filters.corpus } : {}),
})

function useSearch(query: string, filters: Filters, viewer: Viewer) {
  return useInfiniteQuery({
    queryKey: ['search', query, filters, viewer.id],
    enabled: query !== '',
    initialPageParam: null as string | null,
    queryFn: async ({ pageParam }) => {
      const began = performance.now()
      const cursor = pageParam === null ? {} : { cursor: pageParam }
      const options = await asOptions(viewer)
      const answer = await privity.search(query, { ...inputOf(filters), ...cursor }, options)
      return { ...answer, took: performance.now() - began }
    },
    getNextPageParam: page => page.cursor,
    placeholderData: keepPreviousData,
  })
}

/** Asks one question, alone or side by side as somebody else; and what an assistant is told before a conversation. */
export default function AskPage() {
  const [params, change] = useParams()
  return (
    <Page title="Ask" lead="Search everything you may see, by words and by meaning.">
      <Tabs
        label="Ways to ask"
        value={params.get('view') ?? 'search'}
        onChange={view => change({ view: view === 'search' ? null : view, as: null })}
        tabs={[
          { value: 'search', label: 'Search', content: <SearchPanel /> },
          { value: 'context', label: 'What an assistant is told', content: <ContextPanel /> },
        ]}
      />
    </Page>
  )
}

function SearchPanel() {
  const [params, change] = useParams()
  const query = params.get('q') ?? ''
  const [saving, setSaving] = useState(false)
  const { viewers, self } = useViewers()
  const beside = viewers.find(({ id }) => id === params.get('as'))
  const filters: Filters = Object.fromEntries(
    (['kind', 'tag', 'person', 'corpus'] as const).flatMap(name => {
      const value = params.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )
  const ask = (q: string) => change({ q, answer: null })
  return (
    <div className="stack">
      <QuestionBox query={query} onAsk={ask} />
      {query === '' ? (
        <>
          <BeforeAsking onAsk={ask} />
          <SavedSearches onAsk={ask} />
        </>
      ) : (
        <>
          <div className="row-between">
            <Filtered filters={filters} onClear={name => change({ [name]: null })} />
            <div className="row">
              {params.get('answer') === null ? (
                <Button
                  small
                  icon={<Sparkles size={16} aria-hidden />}
                  onClick={() => change({ answer: '1' })}
                >
                  Answer from documents
                </Button>
              ) : null}
              <Button small icon={<Pin size={16} aria-hidden />} onClick={() => setSaving(true)}>
                Save
              </Button>
              {beside === undefined ? (
                <Button
                  small
                  icon={<Columns2 size={16} aria-hidden />}
                  onClick={() => change({ as: viewers.find(({ kind }) => kind !== 'self')?.id ?? null })}
                >
                  Compare with somebody else
                </Button>
              ) : (
                <div className="row compare">
                  <SelectField
                    label="Compare with"
                    value={beside.id}
                    choices={viewers
                      .filter(({ kind }) => kind !== 'self')
                      .map(({ id, label }) => ({ value: id, label }))}
                    onChange={event => change({ as: event.target.value })}
                  />
                  <Button
                    kind="quiet"
                    label="Stop comparing"
                    icon={<X size={16} aria-hidden />}
                    onClick={() => change({ as: null })}
                  />
                </div>
              )}
            </div>
          </div>
          {params.get('answer') === null ? null : <DocumentAnswerCard query={query} />}
          <div className={beside ? 'side-by-side' : undefined}>
            <Answer
              query={query}
              filters={filters}
              viewer={self}
              titled={beside !== undefined}
              onFilter={change}
              onAsk={ask}
            />
            {beside?.kind === 'recipient' ? (
              <RecipientAnswer
                key={beside.id}
                query={query}
                corpus={filters.corpus ?? null}
                viewer={beside}
                onAsk={ask}
              />
            ) : beside ? (
              <Answer
                key={beside.id}
                query={query}
                filters={filters}
                viewer={beside}
                titled
                onFilter={change}
                onAsk={ask}
              />
            ) : null}
          </div>
          {saving ? <SaveSearchDialog query={query} onClose={() => setSaving(false)} /> : null}
        </>
      )}
    </div>
  )
}

function QuestionBox({ query, onAsk }: { readonly query: string; readonly onAsk: (query: string) => void }) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(query)
  useEffect(() => setText(query), [query])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement
      if (event.key !== '/' || target.closest('input, textarea, select, [role=dialog]')) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() !== '') onAsk(text.trim())
  }
  return (
    <search>
      <form className="question" onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          Your question
        </label>
        <input
          ref={input}
          id={id}
          className="input"
          type="search"
          placeholder="What do you want to know?   ( / )"
          value={text}
          onChange={event => setText(event.target.value)}
        />
        <Button kind="primary" type="submit" icon={<Search size={18} aria-hidden />}>
          Ask
        </Button>
      </form>
    </search>
  )
}

function BeforeAsking({ onAsk }: { readonly onAsk: (query: string) => void }) {
  const who = useWho()
  return (
    <EmptyState
      icon={<Search size={28} aria-hidden />}
      title="Ask a question"
      action={
        <div className="row">
          <Button onClick={() => onAsk('what should I know?')}>Try “what should I know?”</Button>
          {who.audience === 'host' ? (
            <Link href="/welcome" className={buttonClass()}>
              Load an example
            </Link>
          ) : null}
        </div>
      }
    >
      Use plain words. Put “quotes” around a phrase, a minus before a word to leave it out, and a star after a
      word for all its endings.
    </EmptyState>
  )
}

function Filtered({
  filters,
  onClear,
}: {
  readonly filters: Filters
  readonly onClear: (name: string) => void
}) {
  const set = Object.entries(filters)
  if (set.length === 0) return <span />
  return (
    <ul className="row" aria-label="Filters in use">
      {set.map(([name, value]) => (
        <li key={name}>
          <button type="button" className="chip" aria-pressed="true" onClick={() => onClear(name)}>
            {inWords(name)}: {name === 'kind' ? kindInWords(value) : value}
            <X size={14} aria-label="Remove" />
          </button>
        </li>
      ))}
    </ul>
  )
}

/** What to try next: other words, or somebody who has memories at all. */
function NothingFound({ searched, isSelf }: { readonly searched: number; readonly isSelf: boolean }) {
  const { audience } = useWho()
  if (searched > 0)
    return (
      <EmptyState title="Nothing matches">
        Use fewer or other words, check their spelling, or remove a filter.
      </EmptyState>
    )
  if (!isSelf) return <EmptyState title="This reader can see nothing at all" />
  return (
    <EmptyState
      title="You have no memories yet"
      action={
        <div className="row">
          <Link href="/memory?add=1" className={buttonClass('primary')}>
            Add a memory
          </Link>
          {audience === 'host' ? (
            <Link href="/welcome" className={buttonClass()}>
              Load an example
            </Link>
          ) : null}
        </div>
      }
    >
      What you add can be found at once.
    </EmptyState>
  )
}

interface AnswerProps {
  readonly query: string
  readonly filters: Filters
  readonly viewer: Viewer
  readonly titled: boolean
  readonly onFilter: (changes: Record<string, string | null>) => void
  readonly onAsk: (query: string) => void
}

function Answer({ query, filters, viewer, titled, onFilter, onAsk }: AnswerProps) {
  const search = useSearch(query, filters, viewer)
  const heading = titled ? (
    <div className="stack-tight">
      <h2>{viewer.label}</h2>
      <p className="muted small">{viewer.detail}</p>
    </div>
  ) : null
  const [first] = search.data?.pages ?? []
  if (first === undefined)
    return (
      <section className="stack" aria-label={viewer.label}>
        {heading}
        {search.error ? (
          <ErrorState error={search.error} onRetry={() => void search.refetch()} />
        ) : (
          <Skeleton lines={6} height="2.5rem" />
        )}
      </section>
    )
  const results = search.data?.pages.flatMap(page => page.results) ?? []
  return (
    <section
      className="stack"
      aria-label={`Results for ${viewer.label}`}
      aria-busy={search.isPlaceholderData}
    >
      {heading}
      <p role="status" className="muted">
        {first.count === 0 ? (first.notice ?? 'No results found.') : count(first.count, 'result')}
        <Suggestion suggestion={first.suggestion} onAsk={onAsk} />
      </p>
      {first.count === 0 ? (
        <NothingFound searched={first.receipt.searchedCount} isSelf={viewer.kind === 'self'} />
      ) : null}
      <Facets facets={first.facets} filters={filters} onFilter={onFilter} />
      <ol className="stack" aria-label="Results">
        {results.map(result => (
          <li key={result.record.id}>
            <ResultCard result={result} viewer={viewer} />
          </li>
        ))}
      </ol>
      {search.hasNextPage ? (
        <Button busy={search.isFetchingNextPage} onClick={() => void search.fetchNextPage()}>
          Show more
        </Button>
      ) : null}
      <Card flat>
        <ReceiptPanel
          receipt={first.receipt}
          expansions={first.expansions}
          took={first.took}
          own={viewer.kind === 'self'}
        />
      </Card>
    </section>
  )
}
