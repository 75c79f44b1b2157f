import { Page } from '../../components/page'
import { EmptyState } from '../../components/states'

export default function MemoryPage() {
  return (
    <Page title="Memory">
      <EmptyState title="…" />
    </Page>
  )
}
