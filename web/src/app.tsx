import { lazy, Suspense } from 'react'
import { Redirect, Route, Switch, useLocation } from 'wouter'
import { ErrorBoundary } from './components/error-boundary'
import { Layout } from './components/layout'
import { ErrorState, Skeleton } from './components/states'
import { useSession, WhoProvider } from './lib/session'
import { bringsSomething, SignInPage } from './pages/sign-in-page'
import { ROUTES } from './routes'

const isKnown = (location: string) =>
  ['/', '/sign-in'].includes(location) ||
  ROUTES.some(({ path }) => location === path || location.startsWith(`${path}/`))

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
  const { who, version, issuers } = session.data
  const signIn = <SignInPage version={version} issuers={issuers} />
  // A one-time address signs in whoever opens it, also in place of somebody who is signed in.
  if (location === '/sign-in' && bringsSomething(window.location)) return signIn
  if (who === null)
    return isKnown(location) ? (
      signIn
    ) : (
      <Suspense>
        <main className="main">
          <NotFoundPage />
        </main>
      </Suspense>
    )
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
