import {
  CircleHelp,
  Inbox,
  type LucideIcon,
  MessagesSquare,
  NotebookText,
  ScrollText,
  Search,
  Settings,
  Share2,
  ShieldCheck,
  Sparkles,
  Users,
} from 'lucide-react'
import { type ComponentType, lazy } from 'react'
import type { Who } from './lib/api'

export interface ConsoleRoute {
  /** The server knows the same addresses (`src/http/console.ts`). */
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  readonly component: ComponentType
  /** Whether it stands in the navigation. The server decides what is answered; this only spares people dead ends. */
  readonly shownTo?: (who: Who) => boolean
}

/** Every page, in the order of the navigation. Each is loaded when somebody goes there. */
export const ROUTES: readonly ConsoleRoute[] = [
  { path: '/ask', label: 'Ask', icon: Search, component: lazy(() => import('./pages/ask/ask-page')) },
  {
    path: '/memory',
    label: 'Memory',
    icon: NotebookText,
    component: lazy(() => import('./pages/memory/memory-page')),
  },
  {
    path: '/people',
    label: 'People',
    icon: Users,
    component: lazy(() => import('./pages/people/people-page')),
  },
  { path: '/why', label: 'Why', icon: CircleHelp, component: lazy(() => import('./pages/why/why-page')) },
  { path: '/inbox', label: 'Inbox', icon: Inbox, component: lazy(() => import('./pages/inbox/inbox-page')) },
  {
    path: '/sessions',
    label: 'Sessions',
    icon: MessagesSquare,
    component: lazy(() => import('./pages/sessions/sessions-page')),
  },
  {
    path: '/shares',
    label: 'Shares',
    icon: Share2,
    component: lazy(() => import('./pages/shares/shares-page')),
  },
  {
    path: '/access',
    label: 'Access',
    icon: ShieldCheck,
    component: lazy(() => import('./pages/access/access-page')),
  },
  {
    path: '/audit',
    label: 'Audit',
    icon: ScrollText,
    component: lazy(() => import('./pages/audit/audit-page')),
  },
  {
    path: '/settings',
    label: 'Settings',
    icon: Settings,
    component: lazy(() => import('./pages/settings/settings-page')),
  },
  {
    path: '/welcome',
    label: 'Examples',
    icon: Sparkles,
    component: lazy(() => import('./pages/welcome/welcome-page')),
    shownTo: ({ audience, below }) => audience === 'host' || below > 0,
  },
]
