import type { MemorySearchOutput } from 'privity/client'
import { inWords, kindInWords } from '../../lib/format'

export type Filters = Readonly<Partial<Record<'kind' | 'tag' | 'person' | 'corpus', string>>>

/** The facets that a click narrows the search by. */
const CHOICES = ['kind', 'person', 'tag', 'corpus'] as const
const MOST = 6

interface FacetsProps {
  readonly facets: MemorySearchOutput['facets']
  readonly filters: Filters
  readonly onFilter: (changes: Record<string, string | null>) => void
}

/** How the results spread, as filters to choose from. */
export function Facets({ facets, filters, onFilter }: FacetsProps) {
  const groups = CHOICES.map(name => ({ name, values: (facets[name] ?? []).slice(0, MOST) })).filter(
    ({ name, values }) => values.length > 1 || filters[name] !== undefined,
  )
  if (groups.length === 0) return null
  return (
    <details className="facets">
      <summary>Filter by {groups.map(({ name }) => name).join(', ')}</summary>
      <div className="stack-tight">
        {groups.map(({ name, values }) => (
          <fieldset key={name} className="row facet">
            <legend className="small muted">{inWords(name)}</legend>
            {values.map(({ value, count }) => (
              <button
                key={value}
                type="button"
                className="chip"
                aria-pressed={filters[name] === value}
                onClick={() => onFilter({ [name]: filters[name] === value ? null : value })}
              >
                {name === 'kind' ? kindInWords(value) : value} <span className="muted tabular">{count}</span>
              </button>
            ))}
          </fieldset>
        ))}
      </div>
    </details>
  )
}
