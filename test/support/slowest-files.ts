import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const SHOWN = 10

/** Ends a run with its slowest files, so that one that grows too long is seen. */
export default class SlowestFiles implements Reporter {
  #began = 0

  onTestRunStart(): void {
    this.#began = performance.now()
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    if (modules.length < 2) return
    const slowest = modules
      .map(module => ({ file: relative(process.cwd(), module.moduleId), took: duration(module) }))
      .sort((a, b) => b.took - a.took)
      .slice(0, SHOWN)
    console.log('\nslowest files:')
    for (const { file, took } of slowest) console.log(`${seconds(took).padStart(8)}  ${file}`)
    console.log(`${seconds(performance.now() - this.#began).padStart(8)}  in all, ${modules.length} files\n`)
  }
}

function duration(module: TestModule): number {
  const { collectDuration, duration, environmentSetupDuration, setupDuration } = module.diagnostic()
  return collectDuration + duration + environmentSetupDuration + setupDuration
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`
