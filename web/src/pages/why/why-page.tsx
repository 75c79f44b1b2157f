import { Page } from '../../components/page'
import { EmptyState } from '../../components/states'

export default function WhyPage() {
  return (
    <Page title="Why">
      <EmptyState title="…" />
    </Page>
  )
}
