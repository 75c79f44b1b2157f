import type { OperationName } from '../operations.js'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** Where operations stand. */
export const API = '/api/v1'

/**
 * Where each operation stands under it. What a path names (`:record`) is a field of the input; the other fields
 * come from the query of a GET or DELETE and from the JSON body of anything else. Questions are asked in bodies: an
 * address ends up in logs. An operation without a route does not compile.
 */
export const ROUTES = {
  'memory.remember': 'POST /records',
  'memory.get': 'GET /records/:record',
  'memory.list': 'GET /records',
  'memory.timeline': 'POST /timeline',
  'memory.search': 'POST /search',
  'memory.complete': 'POST /complete',
  'memory.retrieve_graph': 'POST /graph',
  'memory.relate': 'POST /relations',
  'memory.revise': 'POST /records/revise',
  'memory.relabel': 'POST /records/relabel',
  'memory.reinforce': 'POST /records/:record/reinforce',
  'memory.penalise': 'POST /records/:record/penalise',
  'memory.pin': 'PUT /records/:record/pin',
  'memory.unpin': 'DELETE /records/:record/pin',
  'memory.consolidate': 'POST /records/consolidate',
  'memory.forget': 'POST /records/forget',
  'memory.explain': 'POST /records/:record/explain',
  'searches.save': 'POST /searches',
  'searches.list': 'GET /searches',
  'searches.changes': 'POST /searches/:search/changes',
  'searches.delete': 'DELETE /searches/:search',
  'receipts.get': 'GET /receipts/:searchRun',
  'receipts.list': 'GET /receipts',
  'receipts.cite': 'POST /receipts/:searchRun/cite',
  'receipts.deliver': 'POST /receipts/:searchRun/deliver',
  'receipts.feedback': 'POST /receipts/:searchRun/feedback',
  'receipts.mark': 'POST /receipts/:searchRun/mark',
  'receipts.purge': 'POST /receipts/purge',
  'index.rebuild': 'POST /index/rebuild',
  'people.add': 'POST /people',
  'people.get': 'POST /people/get',
  'people.list': 'GET /people',
  'people.consent': 'POST /people/consent',
  'people.remove': 'POST /people/remove',
  'consents.request': 'POST /consent-requests',
  'consents.mine': 'GET /consent-requests/mine',
  'consents.list': 'GET /consent-requests',
  'consents.decide': 'POST /consent-requests/:request/decide',
  'requests.why_refused': 'GET /requests/:requestId/refusal',
  'groups.create': 'POST /groups',
  'groups.list': 'GET /groups',
  'groups.add_member': 'POST /groups/:group/members',
  'groups.remove_member': 'POST /groups/:group/members/remove',
  'overlays.add': 'POST /overlays',
  'overlays.list': 'GET /overlays',
  'overlays.remove': 'DELETE /overlays/:overlay',
  'grants.add': 'POST /grants',
  'grants.list': 'GET /grants',
  'grants.revoke': 'DELETE /grants/:grant',
  'keys.create': 'POST /keys',
  'keys.list': 'GET /keys',
  'keys.revoke': 'DELETE /keys/:key',
  'capabilities.register': 'POST /capabilities',
  'capabilities.set_lifecycle': 'POST /capabilities/lifecycle',
  'capabilities.list': 'GET /capabilities',
  'capabilities.check': 'GET /capabilities/check',
  'policies.set': 'POST /policies',
  'policies.list': 'GET /policies',
  'reasons.register': 'POST /reasons',
  'reasons.list': 'GET /reasons',
  'audit.list': 'GET /audit',
  'audit.verify': 'POST /audit/verify',
  'audit.checkpoint': 'POST /audit/checkpoints',
} as const satisfies Record<OperationName, Route>

/** Operations that change nothing, whatever their method: they take no idempotency key, and may be asked again. */
export const READS: ReadonlySet<OperationName> = new Set<OperationName>([
  'memory.get',
  'memory.list',
  'memory.timeline',
  'memory.search',
  'memory.complete',
  'memory.retrieve_graph',
  'memory.explain',
  'searches.list',
  'receipts.get',
  'receipts.list',
  'people.get',
  'people.list',
  'consents.mine',
  'consents.list',
  'requests.why_refused',
  'groups.list',
  'overlays.list',
  'grants.list',
  'keys.list',
  'capabilities.list',
  'capabilities.check',
  'policies.list',
  'reasons.list',
  'audit.list',
  'audit.verify',
])

/** Operations that answer null where there is nothing to be seen: over HTTP that is `not_found`. */
export const ANSWERS_NULL: ReadonlySet<OperationName> = new Set<OperationName>([
  'memory.get',
  'memory.explain',
  'receipts.get',
  'people.get',
  'requests.why_refused',
])
