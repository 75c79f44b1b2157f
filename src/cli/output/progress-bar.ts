import type { Terminal } from './terminal.js'
import { formatCount, formatDuration, truncate } from './text.js'

export interface ProgressState {
  readonly done: number
  /** The completed fraction, 0 to 1; null if unknown. */
  readonly share: number | null
}

const REDRAW_MS = 100
const LINE_MS = 5_000
const BAR = 24

/** Shows progress: as a bar on a terminal, otherwise as a line every few seconds. */
export class ProgressBar {
  readonly #terminal: Terminal
  readonly #thing: string
  readonly #started = performance.now()
  #shown = Number.NEGATIVE_INFINITY
  #drawn = false

  constructor(terminal: Terminal, thing: string) {
    this.#terminal = terminal
    this.#thing = thing
    if (!terminal.isWatched) this.#shown = this.#started
  }

  show(state: ProgressState): void {
    if (this.#terminal.json) return
    const now = performance.now()
    const { isWatched } = this.#terminal
    if (now - this.#shown < (isWatched ? REDRAW_MS : LINE_MS)) return
    this.#shown = now
    const text = this.#text(state, now - this.#started)
    if (!isWatched) {
      this.#terminal.note(text)
      return
    }
    this.#drawn = true
    this.#terminal.overwrite(truncate(`${bar(state.share)}${text}`, 79))
  }

  /** Removes the bar, so that something else can be printed. */
  clear(): void {
    if (this.#drawn) this.#terminal.overwrite('')
    this.#drawn = false
  }

  get elapsedMs(): number {
    return performance.now() - this.#started
  }

  #text({ done, share }: ProgressState, elapsed: number): string {
    const rate = elapsed < 500 ? null : Math.round(done / (elapsed / 1_000))
    const rest = share === null || share < 0.01 || elapsed < 1_000 ? null : (elapsed / share) * (1 - share)
    return [
      formatCount(done, this.#thing),
      share === null ? '' : `${Math.floor(share * 100)} %`,
      rate === null ? '' : `${rate.toLocaleString('en')}/s`,
      rest === null ? '' : `${formatDuration(rest)} left`,
    ]
      .filter(part => part !== '')
      .join(' · ')
  }
}

function bar(share: number | null): string {
  if (share === null) return ''
  const full = Math.min(BAR, Math.floor(share * BAR))
  return `[${'█'.repeat(full)}${'░'.repeat(BAR - full)}] `
}
