import { PrivityError } from '../errors.js'
import type { Handle } from '../handle.js'
import { type CheckedRecord, relationKey } from './batch.js'
import type { ImportProblem } from './import-records.js'

interface Edge {
  /** The new id of the record that the relation starts at. */
  readonly from: string
  readonly type: string
  readonly where: string
}

/**
 * Recreates the relations of exported records. They refer to ids of the original store, so a relation is created once
 * both of its records have been stored here.
 */
export class Relations {
  readonly #handle: Handle
  readonly #report: (problem: ImportProblem) => void
  /** New ids by old id. */
  readonly #known = new Map<string, string>()
  /** Relations by the old id of the record that they wait for. */
  readonly #waiting = new Map<string, Edge[]>()
  #made = 0

  constructor(handle: Handle, report: (problem: ImportProblem) => void) {
    this.#handle = handle
    this.#report = report
  }

  get made(): number {
    return this.#made
  }

  /** How many relations wait for a record that has not been imported. */
  get waiting(): number {
    return [...this.#waiting.values()].reduce((sum, edges) => sum + edges.length, 0)
  }

  /** Notes the new ids of stored records and creates the relations that waited for them. */
  async follow(records: readonly CheckedRecord[], ids: readonly string[]): Promise<void> {
    for (const [at, { exported }] of records.entries())
      if (exported !== undefined) this.#known.set(exported.id, ids[at] ?? '')
    for (const [at, { exported, where }] of records.entries()) {
      if (exported === undefined) continue
      const from = ids[at] ?? ''
      for (const { type, record } of exported.relations) await this.#relate({ from, type, where }, record)
      const waiting = this.#waiting.get(exported.id) ?? []
      this.#waiting.delete(exported.id)
      for (const edge of waiting) await this.#relate(edge, exported.id)
      if (exported.contested !== undefined) await this.#contest(from, exported.contested.reason, where)
    }
  }

  async #relate({ from, type, where }: Edge, old: string): Promise<void> {
    const to = this.#known.get(old)
    if (to === undefined) {
      this.#waiting.set(old, [...(this.#waiting.get(old) ?? []), { from, type, where }])
      return
    }
    await this.#tryTo(where, async () => {
      await this.#handle.relate({ from, to, type }, { idempotencyKey: relationKey(from, to, type) })
      this.#made++
    })
  }

  async #contest(record: string, reason: string | null, where: string): Promise<void> {
    await this.#tryTo(where, async () => {
      await this.#handle.revise(
        { how: 'contest', record, ...(reason === null ? {} : { reason }) },
        { idempotencyKey: relationKey(record, record, 'contest') },
      )
    })
  }

  /** The record stays stored even if a relation cannot be recreated. */
  async #tryTo(where: string, act: () => Promise<void>): Promise<void> {
    try {
      await act()
    } catch (error) {
      if (!(error instanceof PrivityError) || !REFUSED.has(error.code)) throw error
      this.#report({ where, problem: `a relation could not be made: ${error.message}` })
    }
  }
}

const REFUSED = new Set(['invalid_input', 'not_found', 'not_allowed', 'conflict', 'cyclic_derivation'])
