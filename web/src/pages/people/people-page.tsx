import { Page } from '../../components/page'
import { EmptyState } from '../../components/states'

export default function PeoplePage() {
  return (
    <Page title="People">
      <EmptyState title="…" />
    </Page>
  )
}
