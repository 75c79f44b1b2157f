import { Command, LogOut, Menu as MenuIcon, Monitor, Moon, Sun, Undo2 } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { consoleApi } from '../lib/api'
import { formatNumber } from '../lib/format'
import { useForgetAll, useWho } from '../lib/session'
import { setTheme, type Theme, useTheme } from '../lib/theme'
import { useTour } from '../lib/tour'
import { useWaiting } from '../lib/waiting'
import { ROUTES } from '../routes'
import { Button } from './button'
import { OfflineBanner } from './states'
import { useToast } from './toast'

const CommandPalette = lazy(() => import('./command-palette'))
const TourBar = lazy(() => import('./tour-bar'))

/** The frame around every page: navigation, who is signed in, and the command palette. */
export function Layout({ children }: { readonly children: ReactNode }) {
  const [menuOpen, setMenuOpen] = useState(false)
  const [paletteOpen, setPaletteOpen] = useState(false)
  const [location] = useLocation()
  const tour = useTour()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the address changes.
  useEffect(() => setMenuOpen(false), [location])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to the page
      </a>
      <div className="frame">
        <aside className="sidebar" aria-label="Console">
          <Brand />
          <Navigation />
          <Foot onPalette={() => setPaletteOpen(true)} />
        </aside>
        <header className="topbar">
          <Brand />
          <Dialog.Root open={menuOpen} onOpenChange={setMenuOpen}>
            <Dialog.Trigger asChild>
              <Button kind="quiet" label="Open the menu" icon={<MenuIcon size={20} aria-hidden />} />
            </Dialog.Trigger>
            <Dialog.Portal>
              <Dialog.Overlay className="overlay" />
              <Dialog.Content className="sheet" aria-describedby={undefined}>
                <Dialog.Title className="visually-hidden">Menu</Dialog.Title>
                <Brand />
                <Navigation />
                <Foot onPalette={() => setPaletteOpen(true)} />
              </Dialog.Content>
            </Dialog.Portal>
          </Dialog.Root>
        </header>
        <div className="column">
          <OfflineBanner />
          <SomebodyElse />
          <main id="main" className="main" tabIndex={-1}>
            {children}
          </main>
          {tour === null ? null : (
            <Suspense>
              <TourBar {...tour} />
            </Suspense>
          )}
        </div>
      </div>
      {paletteOpen ? (
        <Suspense>
          <CommandPalette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
    </>
  )
}

const Brand = () => (
  <Link href="/ask" className="brand">
    <span className="brand-mark" aria-hidden />
    Privity
  </Link>
)

function Navigation() {
  const [location] = useLocation()
  const who = useWho()
  const waiting = useWaiting()
  return (
    <nav className="nav" aria-label="Pages">
      {ROUTES.filter(({ shownTo }) => shownTo?.(who) ?? true).map(({ path, label, icon: Icon }) => (
        <Link
          key={path}
          href={path}
          className="nav-link"
          aria-current={location === path || location.startsWith(`${path}/`) ? 'page' : undefined}
        >
          <Icon size={18} aria-hidden />
          {label}
          {waiting[path] ? (
            <span className="nav-count">
              {formatNumber(waiting[path])}
              <span className="visually-hidden"> waiting</span>
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  )
}

const THEMES: readonly { value: Theme; label: string; icon: ReactNode }[] = [
  { value: 'system', label: 'Use the theme of the system', icon: <Monitor size={16} aria-hidden /> },
  { value: 'light', label: 'Use the light theme', icon: <Sun size={16} aria-hidden /> },
  { value: 'dark', label: 'Use the dark theme', icon: <Moon size={16} aria-hidden /> },
]

function Foot({ onPalette }: { readonly onPalette: () => void }) {
  const who = useWho()
  const theme = useTheme()
  const signOut = useSignOut()
  return (
    <div className="sidebar-foot">
      <Button kind="quiet" small icon={<Command size={16} aria-hidden />} onClick={onPalette}>
        Go to … <span className="muted small">Ctrl K</span>
      </Button>
      <fieldset className="row theme-choice">
        <legend className="visually-hidden">Theme</legend>
        {THEMES.map(({ value, label, icon }) => (
          <Button
            key={value}
            kind={theme === value ? 'plain' : 'quiet'}
            small
            label={label}
            icon={icon}
            aria-pressed={theme === value}
            onClick={() => setTheme(value)}
          />
        ))}
      </fieldset>
      <div className="who row-between">
        <div className="grow">
          <strong className="wrap-anywhere">{who.actor}</strong>
          <p className="muted small wrap-anywhere">
            {who.audience === 'host' ? 'Host' : 'Owner'} in {who.tenant}
          </p>
        </div>
        <Button
          kind="quiet"
          small
          label="Sign out"
          icon={<LogOut size={16} aria-hidden />}
          onClick={signOut}
        />
      </div>
    </div>
  )
}

/** Signs out, or returns to the session below. */
function useSignOut() {
  const forgetAll = useForgetAll()
  const toast = useToast()
  return async () => {
    try {
      await consoleApi.signOut()
    } catch (error) {
      toast.fail(error)
    }
    await forgetAll()
  }
}

/** Reminds a host that they act as somebody else. */
function SomebodyElse() {
  const who = useWho()
  const signOut = useSignOut()
  if (who.below === 0) return null
  return (
    <div className="banner" role="status">
      <span>
        You are using the console as <strong>{who.actor}</strong>. What you do is done in that name.
      </span>
      <Button small icon={<Undo2 size={16} aria-hidden />} onClick={signOut}>
        Return to yourself
      </Button>
    </div>
  )
}
