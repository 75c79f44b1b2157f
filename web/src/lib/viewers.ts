import { useQuery } from '@tanstack/react-query'
import { privity } from './api'
import { useWho } from './session'

/** Through whose eyes something is looked at. */
export interface Viewer {
  readonly id: string
  readonly label: string
  readonly detail: string
  /** What the request says. Without it, one looks as oneself. */
  readonly as?: {
    readonly actor: string
    readonly audience: 'agent'
    readonly trust: { readonly maxSensitivity: Sensitivity; readonly scopes: string[] }
  }
}

export const SENSITIVITIES = ['public', 'low', 'medium', 'high', 'hyper'] as const
export type Sensitivity = (typeof SENSITIVITIES)[number]

/** Agents that everybody could have, to try what would be shown. */
const IMAGINED: readonly Viewer[] = (['public', 'low', 'medium', 'high'] as const).map(maxSensitivity => ({
  id: `imagined-${maxSensitivity}`,
  label: `An agent trusted up to ${maxSensitivity}`,
  detail: 'Not a real key: shows what such an agent would see.',
  as: { actor: 'preview', audience: 'agent', trust: { maxSensitivity, scopes: [] } },
}))

/** Yourself, your agents by their keys, and agents you could make. */
export function useViewers() {
  const who = useWho()
  const keys = useQuery({
    queryKey: ['keys', 'agents'],
    queryFn: () => privity.keys.list({ limit: 200 }),
    staleTime: 60_000,
  })
  const now = new Date().toISOString()
  const agents = (keys.data?.keys ?? [])
    .filter(key => key.audience === 'agent' && key.for === who.actor && key.revokedAt === null)
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > now)
    .map(
      (key): Viewer => ({
        id: key.id,
        label: key.actor.replace(`${who.actor}/`, ''),
        detail: `Your agent, trusted up to ${key.trust.maxSensitivity}${key.trust.scopes.length === 0 ? '' : `, only ${key.trust.scopes.join(', ')}`}.`,
        as: { actor: key.actor, audience: 'agent', trust: key.trust },
      }),
    )
  const self: Viewer = { id: 'self', label: `You (${who.actor})`, detail: 'What you see yourself.' }
  return { self, viewers: [self, ...agents, ...IMAGINED] as readonly Viewer[] }
}

export const asOptions = ({ as }: Viewer) => (as === undefined ? {} : { as })
