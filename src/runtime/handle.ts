import type { z } from 'zod'
import type { Caller } from './caller.js'
import type { ReadOperation, WriteOperation } from './operation.js'
import { listAudit, takeCheckpoint, verify } from './operations/audit.js'
import {
  checkCapability,
  listCapabilities,
  registerCapability,
  setCapabilityLifecycle,
} from './operations/capabilities.js'
import { consolidate } from './operations/consolidate.js'
import { explainRecord } from './operations/explain.js'
import { forget } from './operations/forget.js'
import { get } from './operations/get.js'
import { addGrant, listGrantsOf, revokeGrant } from './operations/grants.js'
import { retrieveGraph } from './operations/graph.js'
import { addMember, createGroup, listGroupsOf, removeMember } from './operations/groups.js'
import { rebuildIndex } from './operations/index-cells.js'
import { list } from './operations/list.js'
import { addOverlay, listOverlaysOf, removeOverlay } from './operations/overlays.js'
import { addPerson, listPeopleOf, removePersonOf, setPersonConsent } from './operations/people.js'
import { listPolicies, setPolicy } from './operations/policies.js'
import { listReasons, registerReason } from './operations/reasons.js'
import {
  citeReceipt,
  deliverReceipt,
  feedbackReceipt,
  getReceipt,
  listReceipts,
  markReceipt,
  purgeReceipts,
} from './operations/receipts.js'
import { relabel } from './operations/relabel.js'
import { relate } from './operations/relate.js'
import { remember } from './operations/remember.js'
import { revise } from './operations/revise.js'
import { penalise, pin, reinforce, unpin } from './operations/salience.js'
import { complete, search } from './operations/search.js'
import { deleteSaved, listSaved, savedSearchChanges, saveSearch } from './operations/searches.js'
import type { RequestOptions, Runtime } from './runtime.js'

type NewRecord = z.input<typeof remember.input>['records'][number]
type Stored = z.output<typeof remember.output>['records'][number]

/** Everything one caller can ask for, as plain methods. */
export type Handle = ReturnType<typeof makeHandle>

export function makeHandle(runtime: Runtime, caller: Caller) {
  const method =
    <Input extends z.ZodType, Output extends z.ZodType>(
      operation: ReadOperation<Input, Output> | WriteOperation<Input, Output>,
    ) =>
    (input: z.input<Input>, options?: RequestOptions): Promise<z.output<Output>> =>
      runtime.invoke(operation as WriteOperation<z.ZodType, Output>, caller, input, options)
  const ask =
    <Input extends z.ZodType, Output extends z.ZodType>(operation: ReadOperation<Input, Output>) =>
    (input?: z.input<Input>, options?: RequestOptions): Promise<z.output<Output>> =>
      runtime.invoke(operation as ReadOperation<z.ZodType, Output>, caller, input ?? {}, options)

  const rememberMany = method(remember)

  /** Keeps one record or many; many are kept together or not at all. */
  function rememberRecords(record: NewRecord, options?: RequestOptions): Promise<Stored>
  function rememberRecords(records: readonly NewRecord[], options?: RequestOptions): Promise<Stored[]>
  async function rememberRecords(
    given: NewRecord | readonly NewRecord[],
    options?: RequestOptions,
  ): Promise<Stored | Stored[]> {
    const many = Array.isArray(given)
    const { records } = await rememberMany({ records: many ? [...given] : [given as NewRecord] }, options)
    return many ? records : (records[0] as Stored)
  }

  return {
    remember: rememberRecords,
    /** One record as this caller may see it; null when there is none to be seen. */
    get: (record: string, options?: RequestOptions) => method(get)({ record }, options),
    list: ask(list),
    /** The best of what this caller may see, with a receipt of what was searched. */
    search: (
      query: string,
      asked: Omit<z.input<typeof search.input>, 'query'> = {},
      options?: RequestOptions,
    ) => method(search)({ ...asked, query }, options),
    /** Ways to go on with what is being typed, from words this caller can see. */
    complete: (
      text: string,
      asked: Omit<z.input<typeof complete.input>, 'text'> = {},
      options?: RequestOptions,
    ) => method(complete)({ ...asked, text }, options),
    /** What is known around a task: the best results of a search, and what they lead to. */
    retrieveGraph: (
      task: string,
      asked: Omit<z.input<typeof retrieveGraph.input>, 'task'> = {},
      options?: RequestOptions,
    ) => method(retrieveGraph)({ ...asked, task }, options),
    relate: method(relate),
    revise: method(revise),
    relabel: method(relabel),
    /** Makes a record more salient than it is now; `by` is a part of what is missing to 1. */
    reinforce: (record: string, asked: { by?: number } = {}, options?: RequestOptions) =>
      method(reinforce)({ ...asked, record }, options),
    /** Makes a record less salient than it is now; `by` is a part of what there is. */
    penalise: (record: string, asked: { by?: number } = {}, options?: RequestOptions) =>
      method(penalise)({ ...asked, record }, options),
    /** Keeps a record as salient as it is now. */
    pin: (record: string, options?: RequestOptions) => method(pin)({ record }, options),
    unpin: (record: string, options?: RequestOptions) => method(unpin)({ record }, options),
    /** Makes one semantic record of several episodic ones, through the configured model. */
    consolidate: (asked: z.input<typeof consolidate.input> = {}, options?: RequestOptions) =>
      method(consolidate)(asked, options),
    /** Deletes one record or many, with everything made from them. */
    forget: (records: string | readonly string[], options?: RequestOptions) =>
      method(forget)({ records: typeof records === 'string' ? [records] : [...records] }, options),
    explain: method(explainRecord),
    searches: {
      save: method(saveSearch),
      list: ask(listSaved),
      /** What a saved search finds that it did not find at the last look. */
      changes: (search: string, asked: { mark?: boolean } = {}, options?: RequestOptions) =>
        method(savedSearchChanges)({ ...asked, search }, options),
      delete: (search: string, options?: RequestOptions) => method(deleteSaved)({ search }, options),
    },
    receipts: {
      get: (searchRun: string, options?: RequestOptions) => method(getReceipt)({ searchRun }, options),
      list: ask(listReceipts),
      cite: method(citeReceipt),
      deliver: method(deliverReceipt),
      feedback: method(feedbackReceipt),
      mark: method(markReceipt),
      purge: (options?: RequestOptions) => method(purgeReceipts)({}, options),
    },
    index: { rebuild: (options?: RequestOptions) => method(rebuildIndex)({}, options) },
    people: {
      add: method(addPerson),
      list: ask(listPeopleOf),
      consent: method(setPersonConsent),
      remove: method(removePersonOf),
    },
    groups: {
      create: method(createGroup),
      list: ask(listGroupsOf),
      addMember: method(addMember),
      removeMember: method(removeMember),
    },
    overlays: { add: method(addOverlay), list: ask(listOverlaysOf), remove: method(removeOverlay) },
    grants: { add: method(addGrant), list: ask(listGrantsOf), revoke: method(revokeGrant) },
    capabilities: {
      register: method(registerCapability),
      setLifecycle: method(setCapabilityLifecycle),
      list: ask(listCapabilities),
      check: method(checkCapability),
    },
    policies: { set: method(setPolicy), list: ask(listPolicies) },
    reasons: { register: method(registerReason), list: ask(listReasons) },
    audit: {
      list: ask(listAudit),
      verify: ask(verify),
      checkpoint: (options?: RequestOptions) => method(takeCheckpoint)({}, options),
    },
  }
}
