import { useQuery } from '@tanstack/react-query'
import cytoscape from 'cytoscape'
import type { MemoryRecord } from 'privity/client'
import { useEffect, useMemo, useRef } from 'react'
import { Link } from 'wouter'
import { Card } from '../../components/page'
import { titleOf } from '../../components/record-line'
import { EmptyState, QueryView } from '../../components/states'
import { privity } from '../../lib/api'
import { count, inWords } from '../../lib/format'
import { useTheme } from '../../lib/theme'

interface Edge {
  readonly from: string
  readonly to: string
  readonly label: string
}

/** The newest records, the people in them, and how they are related; drawn, and as a list for who cannot see it. */
export default function Graph({ onOpen }: { readonly onOpen: (id: string) => void }) {
  const records = useQuery({ queryKey: ['records', 'graph'], queryFn: () => privity.list({ limit: 200 }) })
  return (
    <QueryView
      query={records}
      empty={{
        when: ({ records }) => records.length === 0,
        show: (
          <EmptyState title="Nothing to draw yet">
            Add memories with people in them, or relate two of them.
          </EmptyState>
        ),
      }}
    >
      {({ records }) => <Drawn records={records} onOpen={onOpen} />}
    </QueryView>
  )
}

const personId = (name: string) => `person:${name.toLowerCase()}`

function edgesOf(records: readonly MemoryRecord[]): Edge[] {
  const known = new Set(records.map(({ id }) => id))
  return records.flatMap(({ id, relations, payload }) => [
    ...relations
      .filter(({ direction, record }) => direction === 'out' && known.has(record))
      .map(({ type, record }) => ({ from: id, to: record, label: inWords(type).toLowerCase() })),
    ...(payload?.participants ?? []).map(name => ({ from: id, to: personId(name), label: 'with' })),
  ])
}

function Drawn({
  records,
  onOpen,
}: {
  readonly records: readonly MemoryRecord[]
  readonly onOpen: (id: string) => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const theme = useTheme()
  const edges = useMemo(() => edgesOf(records), [records])
  const people = useMemo(
    () => [
      ...new Map(
        records.flatMap(({ payload }) => payload?.participants ?? []).map(name => [personId(name), name]),
      ),
    ],
    [records],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colours follow the theme.
  useEffect(() => {
    if (box.current === null) return
    const colour = (name: string) => resolveColour(box.current as HTMLElement, name)
    const drawn = cytoscape({
      container: box.current,
      elements: [
        ...records.map(record => ({
          data: { id: record.id, label: shorten(titleOf(record)), kind: record.face },
        })),
        ...people.map(([id, label]) => ({ data: { id, label, kind: 'person' } })),
        ...edges.map(({ from, to, label }) => ({
          data: { id: `${from} ${to} ${label}`, source: from, target: to, label },
        })),
      ],
      style: [
        {
          selector: 'node',
          style: {
            label: 'data(label)',
            color: colour('--text'),
            'background-color': colour('--accent'),
            'text-wrap': 'wrap',
            'text-valign': 'bottom',
          },
        },
        {
          selector: 'node[kind = "person"]',
          style: {
            'background-color': colour('--violet'),
            shape: 'round-rectangle',
            'font-weight': 'bold',
          },
        },
        { selector: 'node[kind = "metadata"]', style: { 'background-color': colour('--line-strong') } },
        {
          selector: 'edge',
          style: {
            'line-color': colour('--line-strong'),
            'curve-style': 'bezier',
            'target-arrow-shape': 'triangle',
            'target-arrow-color': colour('--line-strong'),
          },
        },
        { selector: 'edge[label = "with"]', style: { 'target-arrow-shape': 'none', 'line-style': 'dashed' } },
      ],
      layout: LAYOUT,
      minZoom: 0.1,
      maxZoom: 3,
      wheelSensitivity: 0.3,
    })
    drawn.on('tap', 'node', event => {
      const id: string = event.target.id()
      if (!id.startsWith('person:')) onOpen(id)
    })
    // Dots and labels keep their size on the screen, so that they can be read however far away one looks.
    const keepSize = () => {
      const unit = 1 / drawn.zoom()
      drawn.batch(() => {
        drawn.nodes().style({
          'font-size': LABEL * unit,
          'text-max-width': `${LABEL * 11 * unit}px`,
          'text-margin-y': 3 * unit,
          width: DOT * unit,
          height: DOT * unit,
        })
        drawn.edges().style({ width: unit, 'arrow-scale': 0.6 * unit })
      })
    }
    drawn.on('zoom', keepSize)
    keepSize()
    // The box gets its width after the drawing is made, and another one with the window.
    const observer = new ResizeObserver(() => {
      drawn.resize()
      drawn.fit(undefined, PADDING)
      // On a phone all of it at once could not be read: one moves over it instead.
      if (drawn.zoom() < LEAST_ZOOM) drawn.zoom(LEAST_ZOOM).center()
      keepSize()
    })
    observer.observe(box.current)
    return () => {
      observer.disconnect()
      drawn.destroy()
    }
  }, [records, edges, people, theme, onOpen])
  const titles = new Map([...records.map(record => [record.id, titleOf(record)] as const), ...people])
  return (
    <div className="stack">
      <p className="muted">
        {count(records.length, 'memory', 'memories')}, {count(people.length, 'person', 'people')} and{' '}
        {count(edges.length, 'relation')}. Drag to move, scroll to zoom, click a memory to open it.
      </p>
      <div
        ref={box}
        className="graph"
        role="img"
        aria-label="Graph of memories and people. The list below says the same."
      />
      <Card flat>
        <details>
          <summary>The same as a list</summary>
          <ul>
            {edges.map(({ from, to, label }) => (
              <li key={`${from}${to}${label}`} className="small">
                <Link href={`/memory/${from}`}>{titles.get(from)}</Link> {label}{' '}
                {to.startsWith('person:') ? (
                  titles.get(to)
                ) : (
                  <Link href={`/memory/${to}`}>{titles.get(to)}</Link>
                )}
              </li>
            ))}
          </ul>
        </details>
      </Card>
    </div>
  )
}

const PADDING = 48
/** The size of a label and of a dot on the screen, in pixels. */
const LABEL = 12
const DOT = 16
const LEAST_ZOOM = 0.5
const LAYOUT = {
  name: 'cose',
  animate: false,
  padding: PADDING,
  // Labels need room too.
  nodeDimensionsIncludeLabels: true,
  componentSpacing: 130,
  nodeOverlap: 20,
  nodeRepulsion: () => 400_000,
  idealEdgeLength: () => 80,
} as const

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 39)}…` : text)

/** A canvas does not know variables or both themes at once, so the colour is asked of an element that has it. */
function resolveColour(within: HTMLElement, name: string): string {
  const probe = document.createElement('span')
  probe.style.color = `var(${name})`
  within.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}
