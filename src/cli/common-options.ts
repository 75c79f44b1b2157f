import { AUDIENCES, SENSITIVITIES } from '../policy/vocabulary.js'
import type { Options } from './command.js'

/** The options of every command. */
export const OUTPUT_OPTIONS = {
  json: { type: 'flag', describe: 'print the answer as one JSON document' },
  help: { type: 'flag', describe: 'show help for the command; also -h' },
} as const satisfies Options

/** The options for the place of the store or server, and for the caller. */
export const ACCESS_OPTIONS = {
  'data-dir': {
    type: 'text',
    value: 'DIR',
    env: 'PRIVITY_DATA_DIR',
    describe: 'the folder of an embedded store (./privity-data)',
  },
  'database-url': {
    type: 'text',
    value: 'URL',
    env: 'PRIVITY_DATABASE_URL',
    describe: 'use a Postgres database instead',
  },
  url: { type: 'text', value: 'URL', env: 'PRIVITY_URL', describe: 'use a Privity server instead' },
  key: {
    type: 'text',
    value: 'KEY',
    env: 'PRIVITY_KEY',
    describe: 'the API key for the server; prefer the environment variable, which other users cannot see',
  },
  tenant: { type: 'text', value: 'NAME', env: 'PRIVITY_TENANT', describe: 'the tenant (default)' },
  as: { type: 'text', value: 'ACTOR', env: 'PRIVITY_AS', describe: 'the name of the caller (owner)' },
  audience: { type: 'text', values: AUDIENCES, describe: 'the kind of caller' },
  for: { type: 'text', value: 'PERSON', describe: 'the person an agent works for' },
  'max-sensitivity': {
    type: 'text',
    values: SENSITIVITIES,
    describe: 'the highest sensitivity that the caller may see in full; required for agents',
  },
  scope: { type: 'texts', value: 'NAME', describe: 'a scope that the caller may see; may be repeated' },
} as const satisfies Options
