import { Page } from '../../components/page'
import { EmptyState } from '../../components/states'

export default function WelcomePage() {
  return (
    <Page title="Welcome">
      <EmptyState title="…" />
    </Page>
  )
}
