import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Handle } from '../handle.js'
import type { InputOf, OutputOf } from '../operations.js'

/** What is watched, as `bindings.create` and `bindings.list` answer it. */
export type Watch = OutputOf<'bindings.list'>['bindings'][number]
export type FireEntry = InputOf<'bindings.fire'>['entries'][number]

export interface WatchOptions {
  /** How long it rests between looks, in milliseconds. */
  readonly intervalMs?: number
  /** Ends it after the file under way. */
  readonly signal?: AbortSignal
  /** Told after each look that found something new. */
  onFire?(entries: readonly FireEntry[]): void
  /** Told of what went wrong; `document` is null where that is no single file. It is tried again at the next look. */
  onProblem?(problem: { readonly document: string | null; readonly problem: string }): void
}

/** As many as one event may have. */
const MOST_ENTRIES = 500

/** Looks again and again, until it is told to stop. A look that fails is told of, and the next one tries again. */
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

/** Writes down what one look found. */
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
