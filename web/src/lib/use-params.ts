import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** Reads and changes what the address says after `?`, so that a page can be linked to and gone back to. */
export function useParams() {
  const [params, setParams] = useSearchParams()
  const change = useCallback(
    (changes: Readonly<Record<string, string | null>>) =>
      setParams(
        now => {
          const next = new URLSearchParams(now)
          for (const [name, value] of Object.entries(changes))
            if (value === null || value === '') next.delete(name)
            else next.set(name, value)
          return next
        },
        { replace: true },
      ),
    [setParams],
  )
  return [params, change] as const
}
