import { Plus, Trash2 } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { Button } from '../../components/button'
import { Page } from '../../components/page'
import { Skeleton } from '../../components/states'
import { Tabs } from '../../components/tabs'
import { useParams } from '../../lib/use-params'
import { AddDialog } from './add-dialog'
import { Browse } from './browse'
import { Conversation } from './conversation'
import { Files } from './files'
import { ForgetAboutDialog } from './forget-about-dialog'
import { Import } from './import'
import { LabelReview } from './label-review'
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
        <>
          <Button icon={<Trash2 size={18} aria-hidden />} onClick={() => change({ forget: '1' })}>
            Forget …
          </Button>
          <Button kind="primary" icon={<Plus size={18} aria-hidden />} onClick={() => change({ add: '1' })}>
            Add a memory
          </Button>
        </>
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
          { value: 'conversation', label: 'Conversation', content: <Conversation /> },
          { value: 'files', label: 'Files', content: <Files /> },
          { value: 'labels', label: 'Review labels', content: <LabelReview /> },
        ]}
      />
      {adding ? <AddDialog onClose={() => change({ add: null })} /> : null}
      {params.get('forget') === null ? null : <ForgetAboutDialog onClose={() => change({ forget: null })} />}
    </Page>
  )
}
