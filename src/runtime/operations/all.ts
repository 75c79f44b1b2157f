import type { z } from 'zod'
import { PrivityError } from '../../errors.js'
import type { Operation } from '../operation.js'
import { listAudit, takeCheckpoint, verify } from './audit.js'
import {
  checkCapability,
  listCapabilities,
  registerCapability,
  setCapabilityLifecycle,
} from './capabilities.js'
import { decideConsent, listConsentRequestsOf, myConsentRequests, requestConsent } from './consents.js'
import { consolidate } from './consolidate.js'
import { explainRecord } from './explain.js'
import { forget } from './forget.js'
import { get } from './get.js'
import { addGrant, listGrantsOf, revokeGrant } from './grants.js'
import { retrieveGraph } from './graph.js'
import { addMember, createGroup, listGroupsOf, removeMember } from './groups.js'
import { rebuildIndex } from './index-cells.js'
import { createKey, listKeys, revokeKey } from './keys.js'
import { list } from './list.js'
import { addOverlay, listOverlaysOf, removeOverlay } from './overlays.js'
import { addPerson, getPerson, listPeopleOf, removePersonOf, setPersonConsent } from './people.js'
import { listPolicies, setPolicy } from './policies.js'
import { listReasons, registerReason } from './reasons.js'
import {
  citeReceipt,
  deliverReceipt,
  feedbackReceipt,
  getReceipt,
  listReceipts,
  markReceipt,
  purgeReceipts,
} from './receipts.js'
import { whyRefused } from './refusals.js'
import { relabel } from './relabel.js'
import { relate } from './relate.js'
import { remember } from './remember.js'
import { revise } from './revise.js'
import { penalise, pin, reinforce, unpin } from './salience.js'
import { complete, search } from './search.js'
import { deleteSaved, listSaved, savedSearchChanges, saveSearch } from './searches.js'
import { timeline } from './timeline.js'

/** Everything Privity can do. Doors are made from this table; each operation is its own capability (CP-4). */
export const OPERATIONS = [
  remember,
  get,
  list,
  timeline,
  search,
  complete,
  retrieveGraph,
  relate,
  revise,
  relabel,
  reinforce,
  penalise,
  pin,
  unpin,
  consolidate,
  forget,
  explainRecord,
  saveSearch,
  listSaved,
  savedSearchChanges,
  deleteSaved,
  getReceipt,
  listReceipts,
  citeReceipt,
  deliverReceipt,
  feedbackReceipt,
  markReceipt,
  purgeReceipts,
  rebuildIndex,
  addPerson,
  getPerson,
  listPeopleOf,
  setPersonConsent,
  removePersonOf,
  requestConsent,
  myConsentRequests,
  listConsentRequestsOf,
  decideConsent,
  whyRefused,
  createGroup,
  listGroupsOf,
  addMember,
  removeMember,
  addOverlay,
  listOverlaysOf,
  removeOverlay,
  addGrant,
  listGrantsOf,
  revokeGrant,
  createKey,
  listKeys,
  revokeKey,
  registerCapability,
  setCapabilityLifecycle,
  listCapabilities,
  checkCapability,
  setPolicy,
  listPolicies,
  registerReason,
  listReasons,
  listAudit,
  verify,
  takeCheckpoint,
] as const satisfies readonly Operation[]

const byName = new Map<string, Operation>(OPERATIONS.map(operation => [operation.name, operation]))

/** The operation of a name that came from outside. */
export function operationNamed(name: string): Operation {
  const operation = byName.get(name)
  if (operation === undefined) throw new PrivityError('invalid_input', 'there is no such operation')
  return operation
}

type Declared = (typeof OPERATIONS)[number]

/** The name of an operation: what doors call it by. */
export type OperationName = Declared['name']
type Named<Name extends OperationName> = Extract<Declared, { name: Name }>

/** What an operation takes. */
export type InputOf<Name extends OperationName> = z.input<Named<Name>['input']>
/** What it answers. */
export type OutputOf<Name extends OperationName> = z.output<Named<Name>['output']>
