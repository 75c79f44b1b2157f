import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from './components/error-boundary'
import { Layout } from './components/layout'
import { ErrorState, Skeleton } from './components/states'
import { useSession, WhoProvider } from './lib/session'
import { SignInPage } from './pages/sign-in-page'
import { ROUTES } from './routes'

const NotFoundPage = lazy(() => import('./pages/not-found-page'))

/** The console: the sign-in page, or the frame with a page in it. */
export function App() {
  const session = useSession()
  const [location] = useLocation()
  if (session.data === undefined)
    return session.error ? (
      <ErrorState error={session.error} onRetry={() => void session.refetch()} />
    ) : (
      <div className="main">
        <Skeleton lines={2} />
      </div>
    )
  const { who, version } = session.data
  // A one-time address signs in whoever opens it, also in place of somebody who is signed in.
  if (who === null || (location === '/sign-in' && window.location.hash.length > 1))
    return <SignInPage version={version} />
  return (
    <WhoProvider who={who}>
      <Layout>
        {/* Another caller sees something else, so nothing of the page is kept. */}
        <ErrorBoundary key={`${who.key}${location}`}>
          <Suspense fallback={<Skeleton lines={6} />}>
            <Switch>
              <Route path="/">
                <Redirect to="/ask" replace />
              </Route>
              <Route path="/sign-in">
                <Redirect to="/ask" replace />
              </Route>
              {ROUTES.map(({ path, component: Component }) => (
                <Route key={path} path={`${path}/*?`}>
                  <Component key={who.key} />
                </Route>
              ))}
              <Route>
                <NotFoundPage />
              </Route>
            </Switch>
          </Suspense>
        </ErrorBoundary>
      </Layout>
    </WhoProvider>
  )
}
