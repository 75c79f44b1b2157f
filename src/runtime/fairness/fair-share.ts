import { PrivityError } from '../../errors.js'
import { FairLine, type Limits, type Party } from './fair-line.js'

export interface ShareOptions {
  readonly running: Limits
  readonly waiting: Limits
  /** The message of the `busy` error for a party whose share of the line is full. */
  readonly busy: string
}

/** How much runs and waits now. Numbers only: it is told to whoever asks whether the server is ready. */
export interface Load {
  readonly running: number
  readonly waiting: number
  /** Whether somebody new would be refused. */
  readonly full: boolean
}

interface Entry {
  readonly admit: (leave: () => void) => void
}

/** Shares something of which there is little, such as cores or connections, fairly among tenants and credentials. */
export class FairShare {
  readonly #line: FairLine<Entry>
  readonly #busy: string

  constructor({ running, waiting, busy }: ShareOptions) {
    this.#line = new FairLine(running, waiting)
    this.#busy = busy
  }

  get load(): Load {
    const { running, waiting, isFull } = this.#line
    return { running, waiting, full: isFull }
  }

  /** Whether this party could wait now. */
  hasRoomFor(party: Party): boolean {
    return this.#line.hasRoomFor(party)
  }

  /** Waits for a turn and returns how to end it. Gives up after `patience` milliseconds, if it is given. */
  enter(party: Party, patience?: number): Promise<() => void> {
    return new Promise((resolve, reject) => {
      let timer: NodeJS.Timeout | undefined
      const entry: Entry = {
        admit: leave => {
          clearTimeout(timer)
          resolve(leave)
        },
      }
      if (!this.#line.add(party, entry)) return reject(new PrivityError('busy', this.#busy))
      if (patience !== undefined)
        timer = setTimeout(() => {
          if (this.#line.remove(party, entry)) reject(new PrivityError('busy', this.#busy))
        }, patience)
      this.#admitNext()
    })
  }

  async run<T>(party: Party, work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(party)
    try {
      return await work()
    } finally {
      leave()
    }
  }

  #admitNext(): void {
    for (let next = this.#line.take(); next !== null; next = this.#line.take()) {
      const { party, job } = next
      let left = false
      job.admit(() => {
        if (left) return
        left = true
        this.#line.leave(party)
        this.#admitNext()
      })
    }
  }
}

export const UNLIMITED = Number.POSITIVE_INFINITY
