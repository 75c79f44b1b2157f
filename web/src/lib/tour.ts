import { useSyncExternalStore } from 'react'

/** A tour that somebody takes, in this tab. */
export interface TourPosition {
  readonly world: string
  /** The step, counted from 0. */
  readonly step: number
}

const KEY = 'privity-tour'
const listeners = new Set<() => void>()
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

/** Goes to a step of a tour, or ends it. */
export function setTour(position: TourPosition | null): void {
  if (position === null) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, `${position.world} ${position.step}`)
  for (const listener of listeners) listener()
}

export function useTour(): TourPosition | null {
  const stored = useSyncExternalStore(subscribe, () => sessionStorage.getItem(KEY))
  if (stored === null) return null
  const [world = '', step = '0'] = stored.split(' ')
  return { world, step: Number(step) }
}
