import { PrivityError } from '../errors.js'

/** A place among the requests that run. It is given back when all that was begun in it has ended. */
export interface Slot {
  /** Waits for an answer so long and no longer. The work goes on: a write that took too long is done nevertheless. */
  within<T>(answer: Promise<T>): Promise<T>
  /** Keeps the place until this has ended as well. */
  hold(work: Promise<unknown>): void
}

/** Lets so many requests run at once, each for so long; the rest is told, alike, to come back (NI-8). */
export class Admission {
  readonly #most: number
  readonly #timeout: number
  readonly #idle: (() => void)[] = []
  #running = 0
  #closing = false

  constructor(most: number, timeout: number) {
    this.#most = most
    this.#timeout = timeout
  }

  get running(): number {
    return this.#running
  }
  get closing(): boolean {
    return this.#closing
  }

  run<T>(work: (place: Slot) => Promise<T>): Promise<T> {
    if (this.#closing || this.#running >= this.#most) return Promise.reject(overloaded())
    this.#running++
    const held: Promise<unknown>[] = []
    const working = work({
      hold: promise => void held.push(promise),
      within: answer => {
        held.push(answer)
        return this.#inTime(answer)
      },
    })
    void Promise.allSettled([working])
      .then(() => Promise.allSettled(held))
      .then(() => this.#leave())
    return working
  }

  async #inTime<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(overloaded()), this.#timeout)
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }

  #leave(): void {
    this.#running--
    if (this.#running === 0) for (const wake of this.#idle.splice(0)) wake()
  }

  /** Takes no more, and resolves once nothing runs, or after so many milliseconds. */
  async close(grace: number): Promise<void> {
    this.#closing = true
    if (this.#running === 0) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, grace)
      this.#idle.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })
  }
}

const overloaded = () => new PrivityError('busy', 'the server is busy; try again')
