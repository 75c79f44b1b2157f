import { useQuery } from '@tanstack/react-query'
import type { InputOf } from 'privity/client'
import { privity } from './api'
import { useWho } from './session'

/** What a request says about through whose eyes it is answered. */
type As = NonNullable<InputOf<'memory.explain'>['as']>

/** Through whose eyes something is looked at. */
export interface Viewer {
  readonly id: string
  readonly label: string
  readonly detail: string
  readonly kind: 'self' | 'agent' | 'recipient'
  /** What the request says; a recipient is looked up when it is asked. */
  as(): Promise<As | undefined>
}

export const SENSITIVITIES = ['public', 'low', 'medium', 'high', 'hyper'] as const
export type Sensitivity = (typeof SENSITIVITIES)[number]

const agent = (id: string, label: string, detail: string, as: As): Viewer => ({
  id,
  label,
  detail,
  kind: 'agent',
  as: async () => as,
})

/** Agents that everybody could have, to try what would be shown. */
const IMAGINED: readonly Viewer[] = (['public', 'low', 'medium', 'high'] as const).map(maxSensitivity =>
  agent(
    `imagined-${maxSensitivity}`,
    `An agent trusted up to ${maxSensitivity}`,
    'Not a real key: shows what such an agent would see.',
    { actor: 'preview', audience: 'agent', trust: { maxSensitivity, scopes: [] } },
  ),
)

/** Yourself, your agents by their keys, recipients of your links, and agents you could make. */
export function useViewers() {
  const who = useWho()
  const keys = useQuery({
    queryKey: ['keys', 'agents'],
    queryFn: () => privity.keys.list({ limit: 200 }),
    staleTime: 60_000,
  })
  const links = useQuery({
    queryKey: ['links', 'viewers'],
    queryFn: () => privity.links.list({ limit: 100 }),
    staleTime: 60_000,
  })
  const now = new Date().toISOString()
  const stands = ({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string | null }) =>
    revokedAt === null && (expiresAt === null || expiresAt > now)
  const agents = (keys.data?.keys ?? [])
    .filter(key => key.audience === 'agent' && key.for === who.actor && stands(key))
    .map(({ id, actor, trust }) =>
      agent(
        id,
        actor.replace(`${who.actor}/`, ''),
        `Your agent, trusted up to ${trust.maxSensitivity}${trust.scopes.length === 0 ? '' : `, only ${trust.scopes.join(', ')}`}.`,
        { actor, audience: 'agent', trust },
      ),
    )
  const recipients = (links.data?.links ?? []).filter(stands).map(
    ({ link, name }): Viewer => ({
      id: link,
      label: `Recipient of “${name}”`,
      detail: 'Whoever opens this link. Looking does not count as a visit.',
      kind: 'recipient',
      as: async () => ({ profile: (await privity.links.preview(link)).profile }),
    }),
  )
  const self: Viewer = {
    id: 'self',
    label: `You (${who.actor})`,
    detail: 'What you see yourself.',
    kind: 'self',
    as: async () => undefined,
  }
  return { self, viewers: [self, ...agents, ...recipients, ...IMAGINED] as readonly Viewer[] }
}

/** The options of a request that is answered as for a viewer. */
export async function asOptions(viewer: Viewer) {
  const as = await viewer.as()
  return as === undefined ? {} : { as }
}
