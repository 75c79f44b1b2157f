import { measureIngest } from './ingest.js'
import { measureLists } from './lists.js'
import { measureMemory } from './memory.js'
import { measureRequests } from './requests.js'
import { measureCore, measureGrowth, measureSearch } from './searches.js'
import { measureStatements } from './statements.js'
import { measureRemember } from './writes.js'

/**
 * The parts by their names for `--only`, in the order in which they run.
 *
 * @type {Readonly<Record<string, import('./goals.js').Part>>}
 */
export const PARTS = {
  statements: { about: 'statements of each operation', run: measureStatements },
  memory: { about: 'memory of an open, empty store', run: measureMemory },
  http: { about: 'requests over HTTP', run: measureRequests },
  search: { about: 'a whole search against SQLite FTS5', run: measureSearch },
  lists: { about: 'lists and timelines as the store grows', run: measureLists },
  remember: { about: 'remembering in batches', run: measureRemember },
  ingest: { about: 'small files taken in', run: measureIngest },
  core: { about: 'the search core and its index build against SQLite FTS5', run: measureCore },
  growth: { about: 'the same visible records while hidden ones are added', run: measureGrowth },
}
