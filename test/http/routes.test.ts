import { expect, it } from 'vitest'
import { ROUTES } from '../../src/http/routes.js'

/** As callers know them: a route that changes here breaks theirs. */
const KNOWN = `
  POST /records                                memory.remember
  GET /records/:record                         memory.get
  GET /records                                 memory.list
  POST /timeline                               memory.timeline
  POST /search                                 memory.search
  POST /complete                               memory.complete
  POST /graph                                  memory.retrieve_graph
  POST /relations                              memory.relate
  POST /records/revise                         memory.revise
  POST /records/relabel                        memory.relabel
  POST /records/:record/reinforce              memory.reinforce
  POST /records/:record/penalise               memory.penalise
  PUT /records/:record/pin                     memory.pin
  DELETE /records/:record/pin                  memory.unpin
  POST /records/consolidate                    memory.consolidate
  POST /records/forget                         memory.forget
  POST /records/:record/explain                memory.explain
  POST /searches                               searches.save
  GET /searches                                searches.list
  POST /searches/:search/changes               searches.changes
  DELETE /searches/:search                     searches.delete
  GET /receipts/:searchRun                     receipts.get
  GET /receipts                                receipts.list
  POST /receipts/:searchRun/cite               receipts.cite
  POST /receipts/:searchRun/deliver            receipts.deliver
  POST /receipts/:searchRun/feedback           receipts.feedback
  POST /receipts/:searchRun/mark               receipts.mark
  POST /receipts/purge                         receipts.purge
  POST /index/rebuild                          index.rebuild
  POST /people                                 people.add
  POST /people/get                             people.get
  GET /people                                  people.list
  POST /people/consent                         people.consent
  POST /people/remove                          people.remove
  POST /consent-requests                       consents.request
  GET /consent-requests/mine                   consents.mine
  GET /consent-requests                        consents.list
  POST /consent-requests/:request/decide       consents.decide
  GET /requests/:requestId/refusal             requests.why_refused
  POST /groups                                 groups.create
  GET /groups                                  groups.list
  POST /groups/:group/members                  groups.add_member
  POST /groups/:group/members/remove           groups.remove_member
  POST /overlays                               overlays.add
  GET /overlays                                overlays.list
  DELETE /overlays/:overlay                    overlays.remove
  POST /grants                                 grants.add
  GET /grants                                  grants.list
  DELETE /grants/:grant                        grants.revoke
  POST /keys                                   keys.create
  GET /keys                                    keys.list
  DELETE /keys/:key                            keys.revoke
  POST /capabilities                           capabilities.register
  POST /capabilities/lifecycle                 capabilities.set_lifecycle
  GET /capabilities                            capabilities.list
  GET /capabilities/check                      capabilities.check
  POST /policies                               policies.set
  GET /policies                                policies.list
  POST /reasons                                reasons.register
  GET /reasons                                 reasons.list
  GET /audit                                   audit.list
  POST /audit/verify                           audit.verify
  POST /audit/checkpoints                      audit.checkpoint
`

it('[CP-4] each operation stands where it stood', () => {
  const known = KNOWN.trim()
    .split('\n')
    .map(line => line.trim().split(/\s+/))
  const routes = Object.entries(ROUTES).map(([name, route]) => [...route.split(' '), name])
  expect(routes).toEqual(known)
})

it('no two operations stand in the same place', () => {
  const shapes = Object.values(ROUTES).map(route => route.replace(/:\w+/g, ':'))
  expect(new Set(shapes).size).toBe(shapes.length)
})
