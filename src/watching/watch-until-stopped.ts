import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Handle } from '../handle.js'
import type { InputOf, OutputOf } from '../operations.js'

/** A watch, as returned by `bindings.create` and `bindings.list`. */
export type Watch = OutputOf<'bindings.list'>['bindings'][number]
export type FireEntry = InputOf<'bindings.fire'>['entries'][number]

export interface WatchOptions {
  /** The pause between scans, in milliseconds. */
  readonly intervalMs?: number
  /** Stops after the current file. */
  readonly signal?: AbortSignal
  /** Called after each scan that found something new. */
  onFire?(entries: readonly FireEntry[]): void
  /** Called on a problem; `document` is null if it concerns no single file. The next scan tries again. */
  onProblem?(problem: { readonly document: string | null; readonly problem: string }): void
}

/** The most entries that one event may have. */
const MOST_ENTRIES = 500

/** Scans repeatedly until it is stopped. A failed scan is reported, and the next one tries again. */
export async function watchUntilStopped(
  { signal, onProblem }: WatchOptions,
  intervalMs: number,
  look: () => Promise<void>,
): Promise<void> {
  while (!signal?.aborted) {
    try {
      await look()
    } catch (error) {
      if (!signal?.aborted)
        onProblem?.({ document: null, problem: error instanceof Error ? error.message : 'failed' })
    }
    await sleep(intervalMs, undefined, { ...(signal === undefined ? {} : { signal }) }).catch(() => {})
  }
}

/** Records what one scan found. */
export async function fireWatch(
  handle: Handle,
  watch: Watch,
  entries: readonly FireEntry[],
  startedAt: Date,
  { onFire }: WatchOptions,
): Promise<void> {
  let written = false
  for (let at = 0; at < entries.length; at += MOST_ENTRIES) {
    const event = {
      binding: watch.id,
      sourceEventId: randomUUID(),
      startedAt,
      entries: entries.slice(at, at + MOST_ENTRIES),
    }
    written = (await handle.bindings.fire(event)).written || written
  }
  if (written) onFire?.(entries)
}
