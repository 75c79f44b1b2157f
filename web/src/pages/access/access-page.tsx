import { Page } from '../../components/page'
import { Tabs } from '../../components/tabs'
import { useParams } from '../../lib/use-params'
import { GrantsPanel } from './grants-panel'
import { ReadingPanel } from './reading-panel'
import { RestrictionsPanel } from './restrictions-panel'
import { SessionPoliciesPanel } from './session-policies-panel'

/** What is kept back, who is let in all the same, and by which rules sessions read. */
export default function AccessPage() {
  const [params, change] = useParams()
  return (
    <Page
      title="Access"
      lead="Restrict a document or a whole corpus, let somebody in, and limit how a session reads."
    >
      <Tabs
        label="Parts of access"
        value={params.get('view') ?? 'restrictions'}
        onChange={view => change({ view: view === 'restrictions' ? null : view, record: null })}
        tabs={[
          { value: 'restrictions', label: 'Restrictions', content: <RestrictionsPanel /> },
          { value: 'grants', label: 'Grants', content: <GrantsPanel /> },
          { value: 'sessions', label: 'Reading sessions', content: <ReadingPanel /> },
          { value: 'policies', label: 'Session policies', content: <SessionPoliciesPanel /> },
        ]}
      />
    </Page>
  )
}
