import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useToast } from '../components/toast'

/** Does one thing at a time: says what was done or why it failed, and loads again what is shown. */
export function useAction() {
  const client = useQueryClient()
  const toast = useToast()
  const [busy, setBusy] = useState(false)
  /** Whether it was done. */
  const act = async (run: () => Promise<unknown>, done?: string): Promise<boolean> => {
    setBusy(true)
    try {
      await run()
      if (done !== undefined) toast.say(done)
      await client.invalidateQueries()
      return true
    } catch (error) {
      toast.fail(error)
      return false
    } finally {
      setBusy(false)
    }
  }
  return { act, busy }
}
