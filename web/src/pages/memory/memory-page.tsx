import { Plus } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Button } from '../../components/button'
import { Page } from '../../components/page'
import { Skeleton } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { useParams } from '../../lib/use-params'
import { AddDialog } from './add-dialog'
import { Browse } from './browse'
import { Import } from './import'
import { RecordPage } from './record-page'
import { Timeline } from './timeline'

const Graph = lazy(() => import('./graph'))

/** Everything that is kept: to browse, along time, as a graph; and one record. */
export default function MemoryPage() {
  return (
    <Switch>
      <Route path="/memory/:record">{({ record }) => <RecordPage key={record} id={record} />}</Route>
      <Route>
        <Overview />
      </Route>
    </Switch>
  )
}

function Overview() {
  const [params, change] = useParams()
  const [, navigate] = useLocation()
  const adding = params.get('add') !== null
  return (
    <Page
      title="Memory"
      lead="What you keep, and what others shared with you."
      actions={
        <Button kind="primary" icon={<Plus size={18} aria-hidden />} onClick={() => change({ add: '1' })}>
          Add a memory
        </Button>
      }
    >
      <Tabs
        label="Ways to look at it"
        value={params.get('view') ?? 'browse'}
        onChange={view => change({ view: view === 'browse' ? null : view })}
        tabs={[
          { value: 'browse', label: 'Browse', content: <Browse onAdd={() => change({ add: '1' })} /> },
          { value: 'timeline', label: 'Timeline', content: <Timeline /> },
          {
            value: 'graph',
            label: 'Graph',
            content: (
              <Suspense fallback={<Skeleton lines={1} height="24rem" />}>
                <Graph onOpen={id => navigate(`/memory/${id}`)} />
              </Suspense>
            ),
          },
          { value: 'import', label: 'Import', content: <Import /> },
        ]}
      />
      {adding ? <AddDialog onClose={() => change({ add: null })} /> : null}
    </Page>
  )
}
