import { PrivityError } from '../errors.js'

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

  /** Runs to its end in any case: a write that took too long is done, though its answer is not waited for. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closing || this.#running >= this.#most) throw overloaded()
    this.#running++
    const working = work()
    const settled = () => {
      this.#running--
      if (this.#running === 0) for (const wake of this.#idle.splice(0)) wake()
    }
    working.then(settled, settled)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(overloaded()), this.#timeout)
    })
    try {
      return await Promise.race([working, late])
    } finally {
      clearTimeout(timer)
    }
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
