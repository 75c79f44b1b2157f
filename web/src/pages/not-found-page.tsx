import { Link } from 'wouter'
import { buttonClass } from '../components/button'
import { Page } from '../components/page'
import { EmptyState } from '../components/states'

export default function NotFoundPage() {
  return (
    <Page title="Page not found">
      <EmptyState
        title="There is no page at this address."
        action={
          <Link href="/ask" className={buttonClass('primary')}>
            Go to Ask
          </Link>
        }
      >
        Check the address for a typing error.
      </EmptyState>
    </Page>
  )
}
