import { PrivityError } from '../errors.js'

/** A slot for a running request. It is freed when all work that was started in it has ended. */
export interface Slot {
  /** Waits for an answer until the timeout. The work goes on: a write that takes too long is still done. */
  within<T>(answer: Promise<T>): Promise<T>
  /** Keeps the slot until this work has ended as well. */
  hold(work: Promise<unknown>): void
}

/** Limits how many requests run at once and for how long. All others get the same answer: try again (NI-8). */
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

  /** Accepts no more requests, and resolves once none is running or after this many milliseconds. */
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
