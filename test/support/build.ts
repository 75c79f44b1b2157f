import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Builds the sources if one of them is newer than the last build, so that no test runs on an old build. */
export default function build(): void {
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => changedAt(join(ROOT, 'src', file)))
  const run = (...args: string[]) => spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
  // Vitest does not check types either: sources with a type error are built and run all the same.
  if (Math.max(...sources) >= changedAt(join(ROOT, 'dist/.tsbuildinfo')))
    run('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--checkers', '1')
  // It finds out by itself whether the console changed.
  run('scripts/build-web.js')
}

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
