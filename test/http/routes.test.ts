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
  POST /profiles                               profiles.create
  PATCH /profiles/:profile                     profiles.update
  POST /profiles/:profile/activate             profiles.activate
  POST /profiles/:profile/suspend              profiles.suspend
  POST /profiles/:profile/resume               profiles.resume
  POST /profiles/:profile/revoke               profiles.revoke
  DELETE /profiles/:profile                    profiles.discard
  GET /profiles/:profile                       profiles.get
  GET /profiles                                profiles.list
  POST /session-policies                       profiles.set_policy
  GET /session-policies                        profiles.policies
  GET /session                                 profiles.current
  POST /session/leave                          profiles.leave
  GET /session/log                             profiles.log
  POST /views                                  views.create
  GET /views/:view                             views.get
  GET /views                                   views.list
  DELETE /views/:view                          views.delete
  POST /views/effective                        views.effective
  GET /session/changes                         views.changes
  POST /links                                  links.grant
  GET /links/:link                             links.get
  GET /links                                   links.list
  GET /link-requests                           links.requests
  POST /link-requests/:request/decide          links.decide
  POST /links/redeem                           links.redeem
  POST /links/:link/revoke                     links.revoke
  GET /links/:link/accesses                    links.access_log
  POST /documents/plan                         search.plan
  POST /documents/search                       search.execute
  POST /documents/expand                       search.expand
  POST /documents/bundle                       search.bundle
  POST /documents/complete                     search.complete
  GET /documents                               document_view.list
  GET /documents/:document                     document_view.open
  POST /documents/:document/download           document_download.fetch
  POST /documents                              documents.ingest
  POST /documents/extract                      documents.extract
  GET /document-cards                          documents.list
  GET /documents/:id/card                      documents.get
  GET /documents/:id/text                      documents.read
  GET /documents/:id/original                  documents.original
  POST /documents/fields                       documents.fields
  GET /document-sources                        documents.sources
  POST /documents/remove                       documents.remove
  POST /agents                                 agents.spawn
  GET /agents                                  agents.list
  POST /agents/:profile/end                    agents.end
  POST /sessions                               sessions.create
  GET /sessions/:session                       sessions.get
  GET /sessions                                sessions.list
  POST /sessions/:session/invite               sessions.invite
  POST /sessions/:session/join                 sessions.join
  POST /sessions/:session/decline              sessions.decline
  POST /sessions/:session/state                sessions.set_state
  POST /sessions/:session/leave                sessions.leave
  DELETE /sessions/:session                    sessions.delete
  GET /sessions/:session/stages                stages.get
  POST /sessions/:session/compact              stages.sign_compact
  POST /sessions/:session/feel-heard           stages.confirm_heard
  POST /sessions/:session/advance              stages.advance
  POST /sessions/:session/vessel               vessel.write
  GET /sessions/:session/vessel                vessel.list
  POST /sessions/:session/needs/confirm        vessel.confirm_needs
  POST /sessions/:session/consent/request      bridge.request
  GET /sessions/:session/consent/pending       bridge.pending
  POST /sessions/:session/consent/decide       bridge.decide
  POST /sessions/:session/consent/revoke       bridge.revoke
  GET /sessions/:session/consent/history       bridge.history
  POST /sessions/:session/empathy/draft        empathy.draft
  POST /sessions/:session/empathy/share        empathy.share
  POST /sessions/:session/empathy/validate     empathy.validate
  POST /sessions/:session/common-ground/find   common_ground.find
  POST /sessions/:session/common-ground/:commonGround/confirm  common_ground.confirm
  POST /sessions/:session/strategies           strategies.submit
  GET /sessions/:session/strategies            strategies.pool
  POST /sessions/:session/strategies/rank      strategies.rank
  POST /sessions/:session/agreements           agreements.propose
  POST /sessions/:session/agreements/:agreement/agree  agreements.agree
  POST /sessions/:session/agreements/:agreement/close  agreements.close
  GET /sessions/:session/agreements            agreements.list
  POST /sessions/:session/experiments          experiments.add
  POST /sessions/:session/experiments/:experiment/report  experiments.report
  GET /sessions/:session/shared                shared.list
  POST /sessions/:session/turns                turns.context
  GET /sessions/:session/turns                 turns.list
  GET /library                                 library.list
  POST /library/preview                        library.preview
  POST /library/contributions                  library.contribute
  GET /library/contributions                   library.mine
  DELETE /library/contributions/:entry         library.withdraw
  GET /notifications                           notifications.list
  POST /notifications/read                     notifications.read
  POST /webhooks                               webhooks.create
  GET /webhooks                                webhooks.list
  DELETE /webhooks/:webhook                    webhooks.delete
  POST /webhooks/:webhook/test                 webhooks.test
  POST /signals                                signals.record
  GET /signals/pending                         signals.pending
  POST /signals/review                         signals.review
  GET /signals                                 signals.summary
  POST /capabilities                           capabilities.register
  POST /capabilities/lifecycle                 capabilities.set_lifecycle
  GET /capabilities                            capabilities.list
  GET /capabilities/check                      capabilities.check
  GET /capabilities/who                        capabilities.who
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
