import { getCard, listCards, originalFile, readDocument } from './documents/operations/cards.js'
import { documentFields } from './documents/operations/fields.js'
import { extract, ingest } from './documents/operations/ingest.js'
import { recogniseDocument } from './documents/operations/recognise.js'
import { listFiles, removeDocument, unchangedFiles } from './documents/operations/sources.js'
import { judgeContributionOf, recordWatchFire, rejectedFiles } from './documents/operations/watch-fires.js'
import {
  watchContributions,
  watchHealth,
  watchManifest,
  watchOutcome,
  watchOutcomes,
} from './documents/operations/watch-reads.js'
import { createWatch, listWatchesOf, removeWatch, setWatchState } from './documents/operations/watches.js'
import { PrivityError } from './errors.js'
import type { Inputs, Outputs } from './generated/types.js'
import { listMail } from './mail/operations/list-mail.js'
import {
  contribute,
  listLibrary,
  listOwnContributions,
  listWaitingContributions,
  previewContribution,
  reviewContribution,
  withdraw,
} from './mediation/library/operations.js'
import { agree, closeAgreement, listAgreements, proposeAgreement } from './mediation/operations/agreements.js'
import {
  consentHistory,
  decideSharing,
  pendingConsents,
  requestSharing,
  revokeSharing,
  screenSharing,
} from './mediation/operations/bridge.js'
import { compareNeeds, confirmCommonGround, findCommonGround } from './mediation/operations/common-ground.js'
import { draftEmpathy, shareEmpathy, validateEmpathy } from './mediation/operations/empathy.js'
import { addExperiment, reportExperiment } from './mediation/operations/experiments.js'
import {
  createSession,
  declineSession,
  deleteSession,
  erasePerson,
  getSession,
  inviteToSession,
  joinSession,
  leaveSession,
  listSessionsOf,
  setSession,
} from './mediation/operations/sessions.js'
import { listShared } from './mediation/operations/shared.js'
import { advanceStage, confirmHeard, getStages, signCompact } from './mediation/operations/stages.js'
import { rankStrategies, strategyPool, submitStrategy } from './mediation/operations/strategies.js'
import { listTurnsOf, turnContext } from './mediation/operations/turns.js'
import { confirmNeeds, listVessel, writeVessel } from './mediation/operations/vessels.js'
import {
  createWebhook,
  listOwnNotifications,
  listWebhooksOf,
  readNotifications,
  removeWebhook,
  testWebhook,
} from './notifications/operations.js'
import type { Operation } from './runtime/operation.js'
import { listAudit, listOperationLog, takeCheckpoint, verify } from './runtime/operations/audit.js'
import {
  checkCapability,
  listCapabilities,
  registerCapability,
  setCapabilityLifecycle,
} from './runtime/operations/capabilities.js'
import { capture } from './runtime/operations/capture.js'
import { extractFacts, listCaptures, retryCapture } from './runtime/operations/captures.js'
import {
  decideChange,
  listChangeRequestsOf,
  myChangeRequests,
  requestChange,
} from './runtime/operations/change-requests.js'
import { recordOutcome, selectProcedure } from './runtime/operations/competences.js'
import {
  decideConsent,
  listConsentRequestsOf,
  myConsentRequests,
  requestConsent,
} from './runtime/operations/consents.js'
import { consolidate } from './runtime/operations/consolidate.js'
import { gatherContext } from './runtime/operations/context.js'
import { explainRecord } from './runtime/operations/explain.js'
import { forget } from './runtime/operations/forget.js'
import { forgetCandidates, forgetPreview } from './runtime/operations/forget-preview.js'
import { get } from './runtime/operations/get.js'
import { addGrant, listGrantsOf, revokeGrant } from './runtime/operations/grants.js'
import { retrieveGraph } from './runtime/operations/graph.js'
import { addMember, createGroup, listGroupsOf, removeMember } from './runtime/operations/groups.js'
import { recordHistory, undoRevision } from './runtime/operations/history.js'
import { rebuildIndex } from './runtime/operations/index-cells.js'
import { createKey, listKeys, revokeKey } from './runtime/operations/keys.js'
import { getLabelPolicy, proposeLabel, reviewLabels, setLabelPolicy } from './runtime/operations/labels.js'
import { acquireCapability, releaseCapability, setCapacity } from './runtime/operations/leases.js'
import { list } from './runtime/operations/list.js'
import { describeViewer } from './runtime/operations/look-as.js'
import { addOverlay, listOverlaysOf, removeOverlay } from './runtime/operations/overlays.js'
import {
  addPerson,
  getPerson,
  listPeopleOf,
  removePersonOf,
  setPersonConsent,
} from './runtime/operations/people.js'
import {
  matchPeople,
  mergePeopleOf,
  previewMerge,
  previewSplit,
  splitPerson,
  updatePerson,
} from './runtime/operations/people-identity.js'
import { listPolicies, setPolicy } from './runtime/operations/policies.js'
import { listReasons, registerReason } from './runtime/operations/reasons.js'
import {
  citeReceipt,
  deliverReceipt,
  feedbackReceipt,
  getReceipt,
  listReceipts,
  markReceipt,
  purgeReceipts,
} from './runtime/operations/receipts.js'
import { whyRefused } from './runtime/operations/refusals.js'
import { relabel } from './runtime/operations/relabel.js'
import { relate } from './runtime/operations/relate.js'
import { remember } from './runtime/operations/remember.js'
import { revise } from './runtime/operations/revise.js'
import {
  answerSearch,
  bundleSearch,
  executeSearch,
  expandSearch,
  planSearchFor,
} from './runtime/operations/router.js'
import { penalise, pin, reinforce, unpin } from './runtime/operations/salience.js'
import { complete, search } from './runtime/operations/search.js'
import { deleteSaved, listSaved, savedSearchChanges, saveSearch } from './runtime/operations/searches.js'
import { timeline } from './runtime/operations/timeline.js'
import { whoMay } from './runtime/operations/who-may.js'
import { exportAccessLog, linkAccessLog, ownAccessLog } from './sharing/operations/access-log.js'
import { endAgent, listAgents, spawnAgent } from './sharing/operations/agents.js'
import { bindProfile } from './sharing/operations/bind-profile.js'
import { changeLink } from './sharing/operations/change-link.js'
import { copyLink } from './sharing/operations/copy-link.js'
import { currentProfile, leaveProfile, viewChanges } from './sharing/operations/current-profile.js'
import {
  completeSearch,
  displayDocument,
  downloadDocument,
  listDocuments,
  openDocument,
} from './sharing/operations/documents.js'
import {
  decideLinkRequest,
  getLink,
  grantLink,
  listLinkRequests,
  listLinksOf,
} from './sharing/operations/links.js'
import { previewLink } from './sharing/operations/preview-link.js'
import {
  activateProfile,
  createProfile,
  discardProfile,
  getProfile,
  listProfilePoliciesOf,
  listProfilesOf,
  resumeProfile,
  revokeProfile,
  setProfilePolicy,
  suspendProfile,
  updateProfile,
} from './sharing/operations/profiles.js'
import { linkReadings, noteReading } from './sharing/operations/reading.js'
import { redeemLink } from './sharing/operations/redeem.js'
import { revokeLink } from './sharing/operations/revoke.js'
import {
  pendingSignals,
  recordSignal,
  reviewSignals,
  summariseSignals,
} from './sharing/operations/signals.js'
import { createView, deleteViewOf, effectiveViews, getView, listViewsOf } from './sharing/operations/views.js'
import { checkWatermark } from './sharing/operations/watermarks.js'
import { decideUpload, fetchUpload, fileUpload, listUploadsOf } from './uploads/manage-uploads.js'
import { requestFiles } from './uploads/request-files.js'
import { listSent, sendUpload } from './uploads/send-upload.js'

/** Everything that Privity can do. The doors are made from this table; each operation is its own capability (CP-4). */
export const OPERATIONS = [
  remember,
  capture,
  extractFacts,
  listCaptures,
  retryCapture,
  recordOutcome,
  selectProcedure,
  get,
  list,
  timeline,
  search,
  complete,
  retrieveGraph,
  gatherContext,
  relate,
  revise,
  recordHistory,
  undoRevision,
  relabel,
  proposeLabel,
  reviewLabels,
  getLabelPolicy,
  setLabelPolicy,
  reinforce,
  penalise,
  pin,
  unpin,
  consolidate,
  forget,
  forgetPreview,
  forgetCandidates,
  explainRecord,
  describeViewer,
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
  updatePerson,
  matchPeople,
  previewMerge,
  mergePeopleOf,
  previewSplit,
  splitPerson,
  requestConsent,
  myConsentRequests,
  listConsentRequestsOf,
  decideConsent,
  requestChange,
  myChangeRequests,
  listChangeRequestsOf,
  decideChange,
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
  createProfile,
  updateProfile,
  bindProfile,
  activateProfile,
  suspendProfile,
  resumeProfile,
  revokeProfile,
  discardProfile,
  getProfile,
  listProfilesOf,
  setProfilePolicy,
  listProfilePoliciesOf,
  currentProfile,
  leaveProfile,
  ownAccessLog,
  createView,
  getView,
  listViewsOf,
  deleteViewOf,
  effectiveViews,
  viewChanges,
  grantLink,
  getLink,
  listLinksOf,
  listLinkRequests,
  decideLinkRequest,
  redeemLink,
  previewLink,
  changeLink,
  copyLink,
  requestFiles,
  linkReadings,
  exportAccessLog,
  noteReading,
  revokeLink,
  checkWatermark,
  listMail,
  sendUpload,
  listSent,
  listUploadsOf,
  fetchUpload,
  fileUpload,
  decideUpload,
  linkAccessLog,
  planSearchFor,
  executeSearch,
  expandSearch,
  bundleSearch,
  answerSearch,
  completeSearch,
  listDocuments,
  openDocument,
  displayDocument,
  downloadDocument,
  ingest,
  extract,
  recogniseDocument,
  listCards,
  getCard,
  readDocument,
  originalFile,
  documentFields,
  listFiles,
  unchangedFiles,
  removeDocument,
  createWatch,
  listWatchesOf,
  setWatchState,
  removeWatch,
  recordWatchFire,
  rejectedFiles,
  judgeContributionOf,
  watchOutcome,
  watchOutcomes,
  watchManifest,
  watchContributions,
  watchHealth,
  spawnAgent,
  listAgents,
  endAgent,
  createSession,
  getSession,
  listSessionsOf,
  inviteToSession,
  joinSession,
  declineSession,
  setSession,
  leaveSession,
  deleteSession,
  erasePerson,
  getStages,
  signCompact,
  confirmHeard,
  advanceStage,
  writeVessel,
  listVessel,
  confirmNeeds,
  requestSharing,
  pendingConsents,
  screenSharing,
  decideSharing,
  revokeSharing,
  consentHistory,
  draftEmpathy,
  shareEmpathy,
  validateEmpathy,
  findCommonGround,
  compareNeeds,
  confirmCommonGround,
  submitStrategy,
  strategyPool,
  rankStrategies,
  proposeAgreement,
  agree,
  closeAgreement,
  listAgreements,
  addExperiment,
  reportExperiment,
  listShared,
  turnContext,
  listTurnsOf,
  listLibrary,
  previewContribution,
  contribute,
  listOwnContributions,
  withdraw,
  listWaitingContributions,
  reviewContribution,
  listOwnNotifications,
  readNotifications,
  createWebhook,
  listWebhooksOf,
  removeWebhook,
  testWebhook,
  recordSignal,
  pendingSignals,
  reviewSignals,
  summariseSignals,
  registerCapability,
  setCapabilityLifecycle,
  listCapabilities,
  checkCapability,
  whoMay,
  setCapacity,
  acquireCapability,
  releaseCapability,
  setPolicy,
  listPolicies,
  registerReason,
  listReasons,
  listAudit,
  listOperationLog,
  verify,
  takeCheckpoint,
] as const satisfies readonly Operation[]

const byName = new Map<string, Operation>(OPERATIONS.map(operation => [operation.name, operation]))

/** Looks up an operation by a name that came from outside. */
export function operationNamed(name: string): Operation {
  const operation = byName.get(name)
  if (operation === undefined)
    throw new PrivityError('invalid_input', 'unknown operation; privity help operations lists them')
  return operation
}

type DeclaredOperation = (typeof OPERATIONS)[number]

/** The name of an operation, by which every door calls it. */
export type OperationName = DeclaredOperation['name']

/** The input of an operation. */
export type InputOf<Name extends OperationName> = Inputs[Name]
/** The output of an operation. */
export type OutputOf<Name extends OperationName> = Outputs[Name]
