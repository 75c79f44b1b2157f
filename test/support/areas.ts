import { DOCUMENT_LEAKS } from '../non-interference/leaks/documents.js'
import { GRAPH_LEAKS } from '../non-interference/leaks/graph.js'
import { MEANING_LEAKS } from '../non-interference/leaks/meaning.js'
import { MEDIATION_LEAKS } from '../non-interference/leaks/mediation.js'
import { OWNER_LEAKS } from '../non-interference/leaks/owners.js'
import { PAGE_LEAKS } from '../non-interference/leaks/pages.js'
import { RECORD_LEAKS } from '../non-interference/leaks/records.js'
import { SEARCH_LEAKS } from '../non-interference/leaks/search.js'
import { SHARING_LEAKS } from '../non-interference/leaks/sharing.js'
import type { Mutation, NamedMutation } from './mutants.js'
import type { Leaks } from './planted-leaks.js'
import { POLICY_MUTANTS } from './policy-mutants.js'
import { LOCK_MUTANTS, ROW_MUTANTS, SETTING_MUTANTS } from './rls-mutants.js'
import { SEARCH_MUTANTS } from './search-mutants.js'
import { VECTOR_MUTANTS } from './vector-mutants.js'

export interface Broken {
  readonly name: string
  readonly files: readonly string[]
  readonly mutations: readonly Mutation[]
}

/** One list of what is broken on purpose: mutants that laws must catch, or planted leaks that a harness must see. */
export interface Area {
  readonly name: string
  /** The test that runs it. */
  readonly test: string
  readonly broken: readonly Broken[]
}

const mutants = (name: string, test: string, list: readonly NamedMutation[]): Area => ({
  name,
  test: `test/properties/${test}.test.ts`,
  broken: list.map(([name, mutation]) => brokenBy(name, [mutation])),
})

const leaks = (name: string, list: Leaks): Area => ({
  name: `leaks-${name}`,
  test: `test/non-interference/leaks/${name}.test.ts`,
  broken: Object.entries(list).map(([name, { mutations }]) => brokenBy(name, mutations)),
})

const brokenBy = (name: string, mutations: readonly Mutation[]): Broken => ({
  name,
  files: [...new Set(mutations.map(({ file }) => file))],
  mutations,
})

/** Everything that is broken on purpose, the quickest first. */
export const AREAS: readonly Area[] = [
  mutants('policy', 'policy-mutants', POLICY_MUTANTS),
  mutants('search', 'search-mutants', SEARCH_MUTANTS),
  mutants('vectors', 'vector-mutants', VECTOR_MUTANTS),
  mutants('rls-rows', 'rls-mutants', [...ROW_MUTANTS, ...SETTING_MUTANTS]),
  mutants('rls-locks', 'rls-mutants', LOCK_MUTANTS),
  leaks('records', RECORD_LEAKS),
  leaks('owners', OWNER_LEAKS),
  leaks('pages', PAGE_LEAKS),
  leaks('graph', GRAPH_LEAKS),
  leaks('search', SEARCH_LEAKS),
  leaks('meaning', MEANING_LEAKS),
  leaks('mediation', MEDIATION_LEAKS),
  leaks('sharing', SHARING_LEAKS),
  leaks('documents', DOCUMENT_LEAKS),
]
