import { useQuery, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext } from 'react'
import { consoleApi, type Who } from './api'

const WhoContext = createContext<Who | null>(null)

/** The state of the session: who is signed in, and the version of the server. */
export const useSession = () =>
  useQuery({
    queryKey: ['session'],
    queryFn: consoleApi.session,
    staleTime: 60_000,
    refetchOnWindowFocus: true,
  })

/** Whoever is signed in. Pages behind the sign-in page have somebody. */
export function useWho(): Who {
  const who = useContext(WhoContext)
  if (who === null) throw new Error('nobody is signed in')
  return who
}

export const WhoProvider = ({ who, children }: { who: Who; children: ReactNode }) => (
  <WhoContext.Provider value={who}>{children}</WhoContext.Provider>
)

/** Forgets everything that was loaded, because somebody else sees something else. */
export function useForgetAll() {
  const client = useQueryClient()
  return async () => {
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' })
    await client.refetchQueries({ queryKey: ['session'] })
  }
}
