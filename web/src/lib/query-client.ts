import { QueryCache, QueryClient } from '@tanstack/react-query'
import { PrivityError } from 'privity/client'

const isSignedOut = (error: unknown) => error instanceof PrivityError && error.code === 'unauthenticated'

/** The client already retries what may pass, so a failure that arrives here is shown at once. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: error => {
      if (isSignedOut(error)) void queryClient.refetchQueries({ queryKey: ['session'] })
    },
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})
