import type { StorePlace } from '../access.js'
import type { Command } from '../command.js'
import { formatCount } from '../output/text.js'
import { UsageError } from '../usage-error.js'
import { storeOf } from './hosts.js'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'Create a store, or upgrade it to the schema of this version',
  arguments: [],
  options: {
    sql: {
      type: 'flag',
      describe:
        'only print what an administrator of the Postgres server runs, if the database user may not create roles or schemas',
    },
    'for-user': {
      type: 'text',
      value: 'NAME',
      describe: 'with --sql: the database user (that of --database-url)',
    },
  },
  examples: [
    { line: 'migrate', does: 'make or upgrade the embedded store' },
    { line: 'migrate --database-url postgres://localhost/privity', does: 'a Postgres database' },
  ],
  needs: 'store',
  makesStore: true,
  async run({ place, options, terminal }) {
    if (options.flag('sql')) {
      const { preparationScript } = await import('../../storage/usable-roles.js')
      terminal.line(preparationScript(options.text('for-user') ?? userOf(storeOf(place(), migrateCommand))))
      return
    }
    const { openDatabase } = await import('../store/open-database.js')
    const { readSchemaVersion } = await import('../../storage/queries/schema-version.js')
    const { migrate } = await import('../../storage/migrate.js')
    const { requireSecondLock } = await import('../../storage/queries/require-second-lock.js')
    const db = await openDatabase(storeOf(place(), migrateCommand))
    try {
      const before = await readSchemaVersion(db)
      const { applied, version, repaired } = await migrate(db)
      await requireSecondLock(db)
      if (terminal.json) terminal.document({ before, after: version, applied, repaired })
      else if (repaired)
        terminal.line(`the schema is current (${version}); row-level security was installed again`)
      else if (before === version) terminal.line(`the schema is current (${version})`)
      else
        terminal.line(
          `schema ${before ?? 'none'} → ${version} (${formatCount(applied.length, 'migration')}: ${applied.join(', ')})`,
        )
    } finally {
      await db.close()
    }
  },
}

/** The user that a database URL names. */
function userOf(place: StorePlace): string {
  const user =
    'databaseUrl' in place && URL.canParse(place.databaseUrl) && new URL(place.databaseUrl).username
  if (!user)
    throw new UsageError(
      'migrate --sql needs the name of the database user: give --database-url postgres://USER@HOST/DATABASE, or --for-user',
    )
  return decodeURIComponent(user)
}

export const rotateSecretsCommand: Command = {
  name: 'secrets rotate',
  summary: 'Add a key for cursors, sealed questions and digests, without a restart or a failed request',
  arguments: [],
  options: {},
  examples: [{ line: 'secrets rotate', does: 'use a new key from now on; old ones can still be read' }],
  needs: 'store',
  async run({ open, terminal }) {
    const { privity } = await open()
    if (privity === null) return
    const rotated = await privity.rotateSecrets()
    if (terminal.json) terminal.document(rotated)
    else terminal.line(`sealing with key ${rotated.keyId} from now on`)
  },
}

export const doctorCommand: Command = {
  name: 'doctor',
  summary:
    'Check the version, the store, its roles and row-level security, the disk and the embedding provider',
  arguments: [],
  options: { deep: { type: 'flag', describe: 'verify the audit of every tenant as well' } },
  examples: [
    { line: 'doctor', does: 'check the store' },
    { line: 'doctor --deep --json', does: 'everything, as JSON' },
  ],
  needs: 'access',
  makesStore: true,
  async run(context) {
    const { runDoctor: examine } = await import('../store/run-doctor.js')
    await examine(context)
  },
}
