import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../components/button'
import { TextField } from '../components/field'
import { consoleApi, type SignInChoice } from '../lib/api'
import { describeFailure } from '../lib/errors'
import { useForgetAll } from '../lib/session'

const isRefused = (error: unknown) => describeFailure(error).code === 'unauthenticated'

/** Whether an address brings something to sign in with: a one-time token, or what an identity provider answered. */
export const bringsSomething = ({ hash, search }: Pick<Location, 'hash' | 'search'>) =>
  hash.length > 1 || /[?&](code|error)=/.test(search)

interface SignInProps {
  readonly version: string
  readonly issuers: readonly SignInChoice[]
}

/**
 * Signs in with a key, by a one-time address, or by way of an identity provider. The key is sent once and kept nowhere
 * in the browser.
 */
export function SignInPage({ version, issuers }: SignInProps) {
  const [, navigate] = useLocation()
  const [key, setKey] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const forgetAll = useForgetAll()
  const tried = useRef(false)

  const signIn = async (send: () => Promise<unknown>, refused: string) => {
    setBusy(true)
    setProblem(null)
    try {
      await send()
      await forgetAll()
      if (location.pathname === '/sign-in') navigate('/ask', { replace: true })
    } catch (error) {
      const { title, advice, code } = describeFailure(error)
      if (isRefused(error)) setProblem(refused)
      else if (code === 'not_allowed')
        setProblem('This key belongs to an agent or a recipient. Sign in with the key of a person.')
      else setProblem(`${title} ${advice}`)
      setBusy(false)
    }
  }

  useEffect(() => {
    document.title = 'Sign in · Privity'
    if (!bringsSomething(location) || tried.current) return
    tried.current = true
    const token = location.hash.slice(1)
    const returned = new URLSearchParams(location.search)
    // What opens the door leaves the address bar and the history before anything else happens.
    history.replaceState(null, '', location.pathname)
    if (token !== '')
      void signIn(
        () => consoleApi.signInWithToken(token),
        'This sign-in address was already used or has expired. Start the server again for a new one, or sign in with a key.',
      )
    else void comeBack(returned)
  })

  /** Ends what `goTo` began, once the identity provider has sent the browser back. */
  const comeBack = async (returned: URLSearchParams) => {
    const [code, state, iss] = ['code', 'state', 'iss'].map(name => returned.get(name))
    if (!code || !state)
      return setProblem(
        'The identity provider did not sign you in. Try again, or ask whoever runs it for access.',
      )
    await signIn(
      () => consoleApi.signInWithCode({ code, state, ...(iss ? { iss } : {}) }),
      'Signing in took too long or was begun in another browser. Try again from here.',
    )
  }

  const goTo = async (issuer: string) => {
    setBusy(true)
    setProblem(null)
    try {
      location.assign((await consoleApi.beginSignIn(issuer)).location)
    } catch (error) {
      const { title, advice } = describeFailure(error)
      setProblem(`${title} ${advice}`)
      setBusy(false)
    }
  }

  const submit = (event: FormEvent) => {
    event.preventDefault()
    void signIn(
      () => consoleApi.signInWithKey(key.trim()),
      'This key is wrong, was revoked or has expired. Check that you copied all of it.',
    )
  }
  return (
    <main className="sign-in">
      <form className="card stack" onSubmit={submit}>
        <div className="stack-tight">
          <span className="brand-mark" aria-hidden />
          <h1>Sign in to Privity</h1>
        </div>
        {issuers.length === 0 ? null : (
          <div className="stack-tight">
            {issuers.map(({ issuer, name }) => (
              <Button key={issuer} disabled={busy} onClick={() => void goTo(issuer)}>
                Sign in with {name}
              </Button>
            ))}
            <p className="sign-in-or muted small">or</p>
          </div>
        )}
        <TextField
          label="API key"
          hint="It is exchanged for a session of one day. This browser does not keep the key."
          type="password"
          name="key"
          autoComplete="off"
          placeholder="privity_…"
          required
          value={key}
          onChange={event => setKey(event.target.value)}
          error={problem}
        />
        <Button kind="primary" type="submit" busy={busy}>
          {busy ? 'Signing in …' : 'Sign in'}
        </Button>
        <p className="small muted">
          No key at hand? <code>npm start</code> prints an address that signs you in.
        </p>
      </form>
      <p className="small muted">Privity {version}</p>
    </main>
  )
}
