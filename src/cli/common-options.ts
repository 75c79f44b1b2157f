import { AUDIENCES, SENSITIVITIES } from '../policy/vocabulary.js'
import type { Options } from './command.js'

/** The options of every command. */
export const OUTPUT_OPTIONS = {
  json: { type: 'flag', describe: 'answer with one JSON document' },
  help: { type: 'flag', describe: 'explain the command; -h is the same' },
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
    describe: 'a Postgres database instead',
  },
  url: { type: 'text', value: 'URL', env: 'PRIVITY_URL', describe: 'a Privity server instead' },
  key: {
    type: 'text',
    value: 'KEY',
    env: 'PRIVITY_KEY',
    describe: 'the API key for the server; better in the environment, where others cannot see it',
  },
  tenant: { type: 'text', value: 'NAME', env: 'PRIVITY_TENANT', describe: 'the tenant (default)' },
  as: { type: 'text', value: 'ACTOR', env: 'PRIVITY_AS', describe: 'who asks (owner)' },
  audience: { type: 'text', values: AUDIENCES, describe: 'as what they ask' },
  for: { type: 'text', value: 'PERSON', describe: 'the person an agent works for' },
  'max-sensitivity': {
    type: 'text',
    values: SENSITIVITIES,
    describe: 'the most they are trusted with; agents must say it',
  },
  scope: { type: 'texts', value: 'NAME', describe: 'the scopes they are trusted with; may be repeated' },
} as const satisfies Options
