import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../components/button'
import { TextField } from '../components/field'
import { consoleApi } from '../lib/api'
import { describeFailure } from '../lib/errors'
import { useForgetAll } from '../lib/session'

const isRefused = (error: unknown) => describeFailure(error).code === 'unauthenticated'

/** Signs in with a key, or by a one-time address. The key is sent once and kept nowhere in the browser. */
export function SignInPage({ version }: { readonly version: string }) {
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
    const token = location.hash.slice(1)
    if (token === '' || tried.current) return
    tried.current = true
    // The token leaves the address bar and the history before anything else happens.
    history.replaceState(null, '', location.pathname)
    void signIn(
      () => consoleApi.signInWithToken(token),
      'This sign-in address was already used or has expired. Start the server again for a new one, or sign in with a key.',
    )
  })

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
          <p className="muted">
            Paste an API key. It is exchanged for a session that lasts a day, and is not kept in this browser.
          </p>
        </div>
        <TextField
          label="API key"
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
