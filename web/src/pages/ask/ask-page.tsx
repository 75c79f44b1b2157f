import { Page } from '../../components/page'
import { EmptyState } from '../../components/states'

export default function AskPage() {
  return (
    <Page title="Ask">
      <EmptyState title="…" />
    </Page>
  )
}
