import { useQuery } from '@tanstack/react-query'
import type { ContextItem } from 'privity/client'
import { type FormEvent, useState } from 'react'
import { Link } from 'wouter'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { SelectField, TextField } from '../../components/field'
import { Card } from '../../components/page'
import { EmptyState, QueryView } from '../../components/states'
import { Time } from '../../components/time'
import { privity } from '../../lib/api'
import { count, formatNumber, kindInWords } from '../../lib/format'
import { useParams } from '../../lib/use-params'
import { asOptions, useViewers } from '../../lib/viewers'
import { listOf } from '../memory/label-dialog'

const SECTIONS: Readonly<Record<ContextItem['section'], string>> = {
  pinned: 'Pinned',
  people: 'About the people in it',
  open: 'Open plans and tasks',
  relevant: 'Relevant to the topic',
  known: 'Known facts',
  recent: 'Recent',
}
const ORDER = Object.keys(SECTIONS) as ContextItem['section'][]

/** What an assistant is told before a conversation, within a number of tokens. */
export function ContextPanel() {
  const [params, change] = useParams()
  const { viewers } = useViewers()
  const readers = viewers.filter(({ kind }) => kind !== 'recipient')
  const viewer = readers.find(({ id }) => id === params.get('as')) ?? readers[0]
  const topic = params.get('q') ?? ''
  const people = params.get('people') ?? ''
  const [about, setAbout] = useState(topic)
  const [names, setNames] = useState(people)
  const budget = Number(params.get('tokens') ?? 1_000)
  const context = useQuery({
    queryKey: ['context', topic, people, budget, viewer?.id],
    queryFn: async () =>
      privity.context(
        {
          budget,
          ...(topic === '' ? {} : { about: topic }),
          ...(people === '' ? {} : { people: listOf(people) }),
        },
        viewer === undefined ? {} : await asOptions(viewer),
      ),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change({ q: about.trim(), people: names.trim() })
  }
  return (
    <div className="stack">
      <form className="filters" onSubmit={submit}>
        <TextField
          label="Topic"
          placeholder="What it is about"
          value={about}
          onChange={event => setAbout(event.target.value)}
        />
        <TextField
          label="Who takes part"
          placeholder="Names, separated by commas"
          value={names}
          onChange={event => setNames(event.target.value)}
        />
        <SelectField
          label="Assistant"
          value={viewer?.id ?? ''}
          onChange={event => change({ as: event.target.value })}
          choices={readers.map(({ id, label }) => ({ value: id, label }))}
        />
        <SelectField
          label="At most"
          value={String(budget)}
          onChange={event => change({ tokens: event.target.value })}
          choices={[250, 500, 1_000, 2_000, 4_000].map(value => ({
            value: String(value),
            label: `${formatNumber(value)} tokens`,
          }))}
        />
        <div className="field-button">
          <Button kind="primary" type="submit">
            Show
          </Button>
        </div>
      </form>
      <QueryView
        query={context}
        empty={{
          when: ({ items }) => items.length === 0,
          show: (
            <EmptyState title="There is nothing to tell">
              This reader sees nothing that fits. Choose another topic or reader.
            </EmptyState>
          ),
        }}
      >
        {({ items, tokens, left }) => (
          <div className="stack">
            <p className="muted" role="status">
              {count(items.length, 'memory', 'memories')}, {formatNumber(tokens)} of {formatNumber(budget)}{' '}
              tokens
              {left === 0 ? '' : `; ${count(left, 'more memory does', 'more memories do')} not fit`}.
            </p>
            {ORDER.filter(section => items.some(item => item.section === section)).map(section => (
              <Card key={section} title={SECTIONS[section]}>
                <ol>
                  {items
                    .filter(item => item.section === section)
                    .map(({ cite, record, kind, at, text }) => (
                      <li key={record} className="list-item stack-tight">
                        <p className="wrap-anywhere">
                          <span className="muted tabular">[{cite}]</span> {text}
                        </p>
                        <p className="row muted small">
                          <Badge>{kindInWords(kind)}</Badge>
                          <Time at={at} />
                          <Link href={`/memory/${record}`}>Open</Link>
                        </p>
                      </li>
                    ))}
                </ol>
              </Card>
            ))}
          </div>
        )}
      </QueryView>
    </div>
  )
}
