import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { OpenOptions } from '../../../src/open.js'
import { deep } from '../../support/depth.js'
import { freshDatabase } from '../../support/stores.js'

/** A store for many commands, each of which opens it: a database, which opens sooner, and in the deep run a folder. */
export interface CommandStore {
  /** What tells a command where it is. */
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly place: Pick<OpenOptions, 'dataDir' | 'databaseUrl'>
  dispose(): Promise<void>
}

export async function commandStore(): Promise<CommandStore> {
  if (deep) {
    const dataDir = await mkdtemp(join(tmpdir(), 'privity-command-'))
    return {
      args: ['--data-dir', dataDir],
      env: { PRIVITY_DATA_DIR: dataDir },
      place: { dataDir },
      dispose: () => rm(dataDir, { recursive: true, force: true }),
    }
  }
  const { url, drop } = await freshDatabase()
  return {
    args: ['--database-url', url],
    env: { PRIVITY_DATABASE_URL: url },
    place: { databaseUrl: url },
    dispose: drop,
  }
}
