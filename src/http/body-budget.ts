import type { Party } from '../runtime/fairness/fair-line.js'
import { overloaded, sharesOf } from './admission.js'

/** Counts the bytes of one request's body. */
export interface BodyCount {
  add(bytes: number): void
  /** Called when nobody works on the request any more. */
  release(): void
}

/**
 * Bounds the memory of bodies that are being read or worked on, in total and by tenant and credential: bodies arrive
 * before their requests have a place, and a slow one must not need one (OP-8).
 */
export class BodyBudget {
  readonly #limits: ReturnType<typeof sharesOf>
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(bytes: number) {
    this.#limits = sharesOf(bytes)
  }

  countFor({ tenant, credential }: Party): BodyCount {
    const [ofTenant, ofCredential] = [JSON.stringify([tenant]), JSON.stringify([tenant, credential])]
    const { total, perTenant, perCredential } = this.#limits
    let own = 0
    const change = (by: number) => {
      own += by
      this.#total += by
      for (const name of [ofTenant, ofCredential]) {
        const held = (this.#held.get(name) ?? 0) + by
        if (held === 0) this.#held.delete(name)
        else this.#held.set(name, held)
      }
    }
    return {
      add: bytes => {
        const isOver =
          this.#total + bytes > total ||
          (this.#held.get(ofTenant) ?? 0) + bytes > perTenant ||
          (this.#held.get(ofCredential) ?? 0) + bytes > perCredential
        if (isOver) throw overloaded()
        change(bytes)
      },
      release: () => change(-own),
    }
  }
}
