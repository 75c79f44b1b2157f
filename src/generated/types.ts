// Made by `npm run generate` from the declarations of the operations. Do not edit.

import type { DocumentField } from '../documents/file-input.js'
import type { NeedCategory, SubNeed } from '../mediation/needs.js'
import type { Affordance } from '../policy/affordances.js'
import type {
  Audience,
  DerivedMemorySharePolicy,
  HostAnnotationPolicy,
  IdentityMode,
  Sensitivity,
  Surface,
  UiComplexityTier,
  VisibilityClass,
} from '../policy/vocabulary.js'
import type { Completeness } from '../runtime/search/completeness.js'
import type { QueryIntent } from '../runtime/search/router/intent.js'
import type { FilingContentScope, PartKind, Posture } from '../runtime/search/router/posture.js'
import type { DateField } from '../runtime/search/router/scope.js'
import type { ExpansionKind } from '../runtime/search/router/validate.js'

export type {
  Affordance,
  Audience,
  Completeness,
  DateField,
  DerivedMemorySharePolicy,
  DocumentField,
  ExpansionKind,
  FilingContentScope,
  HostAnnotationPolicy,
  IdentityMode,
  NeedCategory,
  PartKind,
  Posture,
  QueryIntent,
  Sensitivity,
  SubNeed,
  Surface,
  UiComplexityTier,
  VisibilityClass,
}

/** Any JSON. */
export type JsonValue = string | number | boolean | null | JsonValue[] | { [key: string]: JsonValue }

/** What a recipient of a share link did. */
export interface AccessLogEntry {
  /** When it was asked. */
  at: string
  /** The session, by its id; null for whoever was not let in. */
  session: string | null
  /** Who that is, as far as they proved it; null if they did not. */
  recipient: string | null
  /** The operation, by its name. */
  operation: string
  /** How the request ended: `ok`, or a code of refusal or failure. */
  outcome: string
  /** The reason code; null if there is none. */
  reason: string | null
  /** What was shown or taken. */
  documents: {
    /** The document, by its id. */
    document: string
    /** Its title; null if it has none. */
    title: string | null
  }[]
  /** Whether the text of documents was read, which counts as one view. */
  viewed: boolean
  /** What was searched for, if a `transcript_retention_policy` of the link keeps searches; null if not. */
  query: string | null
  /** The numbers on the copies that were taken. */
  watermarks: string[]
  /** Number of more documents that the reader does not see, or that are no more. */
  others: number
}

/** An agent that works for you, or yourself with less. */
export interface AgentViewer {
  /** Who looks; for an agent, its name. */
  actor: string
  /** What sort of caller it is. */
  audience?: Audience | undefined
  /** The person an agent works for. Default: you. */
  for?: string | undefined
  /** What the caller is trusted with. Required for agents. */
  trust?: TrustContext | undefined
  /** The conversation or run. */
  session?: string | undefined
  /** A capability policy, by its name. */
  policy?: string | undefined
  /** Between which visibility classes records are shown. */
  visibility?: VisibilityBounds | undefined
}

/** What `agents.end` takes. End a sub-agent and everything that it has started. */
export interface AgentsEndInput {
  /** The session of the sub-agent, by its id. */
  profile: string
  /** Why it ends, for its owner to read later. */
  reasonCode?: string | undefined
}

/** What `agents.end` answers. End a sub-agent and everything that it has started. */
export interface AgentsEndOutput {
  /** The session that ended. */
  profile: SessionProfile
  /** The sessions that ended with it, by their ids. */
  ended: string[]
}

/** What `agents.list` takes. List sub-agents, their sessions and how they are bound. */
export interface AgentsListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `agents.list` answers. List sub-agents, their sessions and how they are bound. */
export interface AgentsListOutput {
  /** The sub-agents, newest first. */
  agents: {
    /** The name of the sub-agent. */
    actor: string
    /** Its session. */
    profile: SessionProfile
    /** What it may start and inherit. */
    binding: SessionBinding
  }[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `agents.spawn` takes. Start a sub-agent with a session and a key of its own; its secret is shown once. */
export interface AgentsSpawnInput {
  /** Its name. The name of whoever starts it is put before it. */
  agent: string
  /** Whether it runs elsewhere. It then reads only what it is given views of, and starts nothing. */
  external?: boolean | undefined
  /** A capability policy it is under, beside those above it. */
  capabilityPolicyRef?: string | undefined
  /** The views it sees by, by their ids, if it inherits part of the context. */
  sharedCorpusViewRefs?: string[] | undefined
  /** The highest visibility class it is shown. */
  visibilityClassCeiling?: VisibilityClass | undefined
  /** What it is trusted with; never more than whoever starts it. */
  maxSensitivity: Sensitivity
  /** The scopes it is trusted with. Default: those of whoever starts it. */
  scopes?: string[] | undefined
  /** When it expires. Never later than whoever starts it. */
  expiresAt?: Date | string | undefined
  /** What it gets less of than it would inherit. */
  binding?:
    | {
        /** Whether it can start nothing itself. */
        forkForbidden?: boolean | undefined
        /** How deep its own sub-agents may be nested. */
        maxSpawnDepth?: number | undefined
        /** Most sub-agents at a time. */
        maxChildrenPerAgent?: number | undefined
        /** What it inherits of the context it is started in. */
        contextInheritancePolicy?: 'full_inherit' | 'scoped_inherit' | 'no_inherit' | undefined
        /** How it proves who it is. With none it gets no key. */
        authInheritancePolicy?: 'inherit_with_session_token' | 'session_only' | 'no_auth' | undefined
        /** Whether it sees its host's transcript. */
        transcriptVisibilityPolicy?: 'shared' | 'isolated' | 'host_only' | undefined
        /** Which sub-agents it may start. */
        childSpawnConstraint?:
          | 'deny_all'
          | 'deny_external'
          | 'inherit_parent_constraint'
          | 'explicit_allow_list'
          | undefined
        /** The names of those it may start, with `explicit_allow_list`. */
        childSpawnAllowList?: string[] | undefined
      }
    | undefined
}

/** What `agents.spawn` answers. Start a sub-agent with a session and a key of its own; its secret is shown once. */
export interface AgentsSpawnOutput {
  /** The session of the sub-agent. */
  profile: SessionProfile
  /** What it may start and inherit. */
  binding: SessionBinding
  /** Its key; null if it gets none of its own. */
  key: {
    /** The id of the key. */
    id: string
    /** When it expires; null if it does not. */
    expiresAt: string | null
  } | null
  /** The secret to send with requests. It is shown once: null when a request is repeated. */
  secret: string | null
}

/** What the participants of a session agreed to. */
export interface Agreement {
  /** The id of the agreement. */
  id: string
  /** What was agreed. */
  description: string
  /** When the last of you agreed; null until then. */
  agreedAt: string | null
  /** How far it got. */
  status: 'ACTIVE' | 'COMPLETED' | 'ABANDONED'
  /** That you end without an agreement; absent for an agreement. */
  outcome?: 'NO_AGREEMENT' | undefined
  /** Whether something it rests on was withdrawn. */
  hasStaleInputs: boolean
  /** Why it may no longer hold. */
  staleReason?: string | undefined
  /** The sentence to show with it while it may no longer hold. */
  staleNotice?: string | undefined
  /** Whether you have agreed. */
  agreedByYou: boolean
}

/** What `agreements.agree` takes. Agree to what was proposed. */
export interface AgreementsAgreeInput {
  /** The mediation session, by its id. */
  session: string
  /** The agreement, by its id. */
  agreement: string
}

/** What `agreements.close` takes. Close an agreement as completed or abandoned. */
export interface AgreementsCloseInput {
  /** The mediation session, by its id. */
  session: string
  /** The agreement, by its id. */
  agreement: string
  /** How it ended. */
  status: 'COMPLETED' | 'ABANDONED'
}

/** What `agreements.list` takes. List what all of you agreed to, newest first. */
export interface AgreementsListInput {
  /** The mediation session, by its id. */
  session: string
  /** Whether to list what not all of you have agreed to as well. */
  proposed?: boolean | undefined
  /** Whether to list what you agreed to in earlier sessions as well. */
  prior?: boolean | undefined
  /** Most agreements to return. */
  limit?: number | undefined
}

/** What `agreements.list` answers. List what all of you agreed to, newest first. */
export interface AgreementsListOutput {
  /** The agreements, newest first. */
  agreements: Agreement[]
}

/** What `agreements.propose` takes. Propose an agreement made from strategies of the pool. */
export interface AgreementsProposeInput {
  /** The mediation session, by its id. */
  session: string
  /** What you would agree to. */
  text: string
  /** The strategies it rests on, by their ids; at least one for an agreement. */
  proposals?: string[] | undefined
  /** NO_AGREEMENT proposes to end without one; it rests on no strategy. */
  outcome?: 'AGREEMENT' | 'NO_AGREEMENT' | undefined
}

/** A sentence of an answer, with the passages that support it. */
export interface AnswerSentence {
  /** The sentence. */
  text: string
  /** The numbers of the passages that support it. */
  citations: number[]
}

/** An API key and what it may do, without its secret. */
export interface ApiKey {
  /** Who the key speaks as. */
  actor: string
  /** What sort of caller it is. */
  audience: Audience
  /** The person it works for. */
  for: string
  /** What it is trusted with; null if nothing narrows it. */
  trust: {
    /** The highest sensitivity that is shown in full. */
    maxSensitivity: Sensitivity
    /** The scopes it is trusted with; empty for all. */
    scopes: string[]
  }
  /** The capability policy it is under; null for the built-in one. */
  policy: string | null
  /** Between which visibility classes it is shown records; null for all. */
  visibility: {
    /** The highest visibility class that is shown. */
    ceiling: VisibilityClass
    /** The lowest visibility class that is shown; null for no bound. */
    floor: VisibilityClass | null
  }
  /** The conversation it is for. */
  session: string
  /** Whether a request may name its own conversation. */
  choosesSession: boolean
  /** The profile that every request with it runs under; null if none. */
  profile: string | null
  /** The id of the key. */
  id: string
  /** Its name. */
  name: string
  /** Who made it. */
  createdBy: string
  /** When it was created. */
  createdAt: string
  /** When it expires; null if it does not. */
  expiresAt: string | null
  /** When it was revoked; null while it is valid. */
  revokedAt: string | null
  /** When it was last used; null if it never was. */
  lastUsedAt: string | null
}

/** Who asked for what, and how it ended. It holds no content. */
export interface AuditEntry {
  /** When it was asked. */
  at: string
  /** Who asked; null if the reader may not know. */
  actor: string | null
  /** The person the caller works for; null if the reader may not know. */
  for: string | null
  /** What sort of caller it is. */
  audience: string
  /** Whether the caller's identity was proven. */
  authenticated: boolean
  /** The operation, by its name. */
  operation: string
  /** How the request ended: `ok`, or a code of refusal or failure. */
  outcome: string
  /** The reason code; null if there is none. */
  reason: string | null
  /** What it changed; empty if it only read or was refused. */
  effects: string[]
  /** Whether it can be undone; null if it changed nothing. */
  reversibility: string | null
  /** The records it was about, by their ids. */
  records: string[]
  /** How many records it returned, changed or refused. */
  counts: Record<string, number>
}

/** What `audit.list` takes. List what was asked and done. */
export interface AuditListInput {
  /** Only this operation. */
  operation?: string | undefined
  /** Only requests that ended like this: `ok`, or a code. */
  outcome?: string | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `audit.list` answers. List what was asked and done. */
export interface AuditListOutput {
  /** The entries, newest first. */
  entries: AuditEntry[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `audit.operations` takes. List what was changed, and whether it can be undone. */
export interface AuditOperationsInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only this operation. */
  name?: string | undefined
  /** Only what was about this link, view, mediation session, consent or record. */
  of?: string | undefined
}

/** What `audit.operations` answers. List what was changed, and whether it can be undone. */
export interface AuditOperationsOutput {
  /** The runs, newest first. */
  operations: OperationLogEntry[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `audit.verify` takes. Verify the audit, against an earlier checkpoint if one is given. */
export interface AuditVerifyInput {
  /** A checkpoint that was kept elsewhere, to compare with. */
  checkpoint?: Checkpoint | undefined
}

/** What `audit.verify` answers. Verify the audit, against an earlier checkpoint if one is given. */
export interface AuditVerifyOutput {
  /** Whether the audit is complete and unchanged. */
  ok: boolean
  /** Number of lanes that were checked. */
  lanes: number
  /** Number of entries that were checked. */
  entries: number
  /** Number of checkpoints that were checked. */
  checkpoints: number
  /** Number of pseudonyms whose names were erased. That is no problem. */
  erased: number
  /** What is wrong. */
  problems: {
    /** What is wrong, as a code. */
    kind: string
    /** The lane, by its id; null if none. */
    laneId: string | null
    /** The number of the entry; null if none. */
    seq: number | null
    /** The checkpoint, by its id; null if none. */
    checkpointId: string | null
  }[]
}

/** A folder or a feed whose files are taken in. */
export interface Binding {
  /** The id of the binding. */
  id: string
  /** Its name; there is one of each name. */
  name: string
  /** Whether it is a folder or a feed. */
  kind: 'folder' | 'feed'
  /** The path of the folder, or the address of the feed. */
  location: string
  /** The collection that its documents are filed in. */
  corpus: string
  /** Who owns its documents. */
  owner: string
  /** What is set on every file that does not say otherwise. */
  defaults: {
    /** Its language, as a BCP 47 code. Default: detected from the text. */
    language?: string | undefined
    /** What sort of part the whole file is. Default: read from its headings. */
    partKind?: PartKind | undefined
    /** The surface of its corpus that it belongs to, which views choose by. Default: `source_documents`. */
    surface?: Surface | undefined
    /** Words to find it by. */
    tags?: string[] | undefined
    /** The time zone of its dates, where it does not say so itself. */
    timeZone?: string | undefined
    /** The filing it is a version of. */
    filingUnit?: string | undefined
    /** What sort of version it is. */
    versionKind?: VersionKind | undefined
    /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
    sensitivity?: Sensitivity | undefined
    /** The part of life or work it belongs to. */
    scope?: string | undefined
    /** Who may see it at all, from open to firewalled. */
    visibilityClass?: VisibilityClass | undefined
  }
  /** Whether it is active or paused. */
  state: 'active' | 'paused'
  /** When it was created. */
  createdAt: string
}

/** A document that a binding brought, and whether it was kept. */
export interface BindingContribution {
  /** The line of the ledger, by its id. */
  contribution: string
  /** The binding, by its id. */
  binding: string
  /** The name of the document; null if the reader may not see it. */
  document: string | null
  /** The record that stands for the document, by its id. */
  card: string | null
  /** The file as it was taken in, by its id. */
  extractionRunId: string | null
  /** What became of what the binding brought. */
  state: 'confirmed' | 'rejected' | 'soft_deleted' | 'extraction_failed'
  /** When somebody confirmed it; null if nobody has. */
  confirmedAt: string | null
  /** When it was brought. */
  at: string
  /** When its state last changed. */
  changedAt: string
}

/** What became of a file that a binding brought. */
export interface BindingOutcome {
  /** The binding, by its id. */
  binding: string
  /** The event, as the watcher calls it. */
  sourceEventId: string
  /** What the outcome is about. */
  targetKind: 'document'
  /** The name of the document; null if the reader may not see it. */
  targetRef: string | null
  /** What became of the file. */
  outcome: string
  /** Why it failed, as a code; null if it did not. */
  problem: string | null
  /** The number of the version that came of it. */
  version: number | null
  /** The file as it was taken in then, by its id. */
  extractionRunId: string | null
  /** The record that stands for the document now, by its id. */
  card: string | null
  /** When it was written down. */
  at: string
}

/** What `bindings.contributions` takes. List the documents that a binding brought, and what became of them. */
export interface BindingsContributionsInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** The binding, by its id. */
  binding: string
  /** Only those that changed at or after this moment. */
  from?: Date | string | undefined
  /** Only those that changed before this moment. */
  to?: Date | string | undefined
}

/** What `bindings.contributions` answers. List the documents that a binding brought, and what became of them. */
export interface BindingsContributionsOutput {
  /** What the binding brought, newest first. */
  contributions: BindingContribution[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `bindings.create` takes. Watch a folder or a feed. */
export interface BindingsCreateInput {
  /** A name for it; there is one of each name. */
  name: string
  /** Whether it is a folder or a feed. */
  kind: 'folder' | 'feed'
  /** The path of the folder, or the address of the feed. */
  location: string
  /** The collection that its documents are filed in. */
  corpus: string
  /** Who owns its documents. Default: you. */
  owner?: string | undefined
  /** What to set on every file. */
  defaults?:
    | {
        /** Its language, as a BCP 47 code. Default: detected from the text. */
        language?: string | undefined
        /** What sort of part the whole file is. Default: read from its headings. */
        partKind?: PartKind | undefined
        /** The surface of its corpus that it belongs to, which views choose by. Default: `source_documents`. */
        surface?: Surface | undefined
        /** Words to find it by. */
        tags?: string[] | undefined
        /** The time zone of its dates, where it does not say so itself. */
        timeZone?: string | undefined
        /** The filing it is a version of. */
        filingUnit?: string | undefined
        /** What sort of version it is. */
        versionKind?: VersionKind | undefined
        /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
        sensitivity?: Sensitivity | undefined
        /** The part of life or work it belongs to. */
        scope?: string | undefined
        /** Who may see it at all, from open to firewalled. */
        visibilityClass?: VisibilityClass | undefined
      }
    | undefined
}

/** What `bindings.fire` takes. Record what became of the files that a binding found. */
export interface BindingsFireInput {
  /** The binding, by its id. */
  binding: string
  /** The event, as the watcher calls it. Do not put the name of a file in it. */
  sourceEventId: string
  /** When the watcher began to look. Default: now. */
  startedAt?: Date | string | undefined
  /** What became of each file, each file once. */
  entries: {
    /** The name of the file; its extension may tell what it is. */
    document: string
    /** What became of the file. */
    outcome: 'created' | 'versioned' | 'described' | 'unchanged' | 'removed' | 'failed' | 'rejected'
    /** The `source` that `documents.ingest` returned, if it took the file in. */
    source?: string | undefined
    /** Why the file was not taken in, as a code. */
    problem?: string | undefined
  }[]
}

/** What `bindings.fire` answers. Record what became of the files that a binding found. */
export interface BindingsFireOutput {
  /** The binding, by its id. */
  binding: string
  /** The event, as the watcher calls it. */
  sourceEventId: string
  /** Whether anything was written: false if the event was known, or had nothing new. */
  written: boolean
}

/** What `bindings.health` takes. Report how useful a binding has been. */
export interface BindingsHealthInput {
  /** The binding, by its id. */
  binding: string
  /** The last days to look at. */
  windowDays?: number | undefined
}

/** What `bindings.health` answers. Report how useful a binding has been. */
export interface BindingsHealthOutput {
  /** The binding, by its id. */
  binding: string
  /** The last days that were looked at. */
  windowDays: number
  /** Number of events. */
  totalFires: number
  /** Number of documents that somebody confirmed. */
  confirmedCount: number
  /** Number of documents that somebody rejected. */
  rejectedCount: number
  /** Number of documents that were removed since. */
  softDeletedCount: number
  /** Number of files that could not be read. */
  extractionFailedCount: number
  /** The part of the documents that somebody confirmed or rejected, from 0 to 1; null if there are none. */
  userEngagementRate: number | null
}

/** What `bindings.judge` takes. Confirm or reject what a binding brought. */
export interface BindingsJudgeInput {
  /** A line of the ledger, by its id. */
  contribution: string
  /** `confirm` keeps the file; `reject` refuses the same bytes from then on. */
  verdict: 'confirm' | 'reject'
}

/** What `bindings.list` answers. List the folders and feeds that are watched. */
export interface BindingsListOutput {
  /** The bindings, by name. */
  bindings: Binding[]
}

/** What `bindings.manifest` takes. Report what one event looked at, in figures. */
export interface BindingsManifestInput {
  /** The binding, by its id. */
  binding: string
  /** The event, as the watcher calls it. */
  sourceEventId: string
}

/** What `bindings.manifest` answers. Report what one event looked at, in figures. */
export type BindingsManifestOutput = {
  /** The binding, by its id. */
  binding: string
  /** The event, as the watcher calls it. */
  sourceEventId: string
  /** When the watcher began to look. */
  startedAt: string
  /** When the event was written down. */
  endedAt: string
  /** Number of files by outcome. */
  counts: Record<string, number>
  /** A digest of all the binding's documents after the event. */
  stateDigest: string
} | null

/** What `bindings.outcome` takes. Report what became of the files of one event. */
export interface BindingsOutcomeInput {
  /** The binding, by its id. */
  binding: string
  /** The event, as the watcher calls it. */
  sourceEventId: string
}

/** What `bindings.outcome` answers. Report what became of the files of one event. */
export interface BindingsOutcomeOutput {
  /** The outcome of each file of the event. */
  outcomes: BindingOutcome[]
}

/** What `bindings.outcomes` takes. List the events that brought a document. */
export interface BindingsOutcomesInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** What `targetRef` names: a document, a file as it was taken in, or a card. */
  targetKind: 'document' | 'source' | 'card'
  /** The name of the document, or the id of the file or card. */
  targetRef: string
  /** Who owns the document. Default: you. */
  owner?: string | undefined
}

/** What `bindings.outcomes` answers. List the events that brought a document. */
export interface BindingsOutcomesOutput {
  /** What became of it at each event, newest first. */
  outcomes: BindingOutcome[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `bindings.rejected` takes. List the files that a binding must not bring again. */
export interface BindingsRejectedInput {
  /** The binding, by its id. */
  binding: string
  /** SHA-256 of the bytes of each file, in hex. */
  sha256: string[]
}

/** What `bindings.rejected` answers. List the files that a binding must not bring again. */
export interface BindingsRejectedOutput {
  /** Those of the digests whose files were rejected and must not be taken in again. */
  rejected: string[]
}

/** What `bindings.remove` takes. End a binding; what it brought stays. */
export interface BindingsRemoveInput {
  /** The binding, by its id. */
  binding: string
}

/** What `bindings.remove` answers. End a binding; what it brought stays. */
export interface BindingsRemoveOutput {
  /** Whether it was removed; false if it was not there. */
  removed: boolean
}

/** What `bindings.set_state` takes. Pause or resume a binding. */
export interface BindingsSetStateInput {
  /** The binding, by its id. */
  binding: string
  /** `active` takes files in; `paused` takes in nothing for now. */
  state: 'active' | 'paused'
}

/** What `bridge.decide` takes. Grant or deny a request to share something of yours. */
export interface BridgeDecideInput {
  /** The mediation session, by its id. */
  session: string
  /** What you were asked, by its id. */
  consentRequestId: string
  /** Whether to share it. */
  decision: 'GRANTED' | 'DENIED'
  /** What to share instead of the preview, in your own words. It must not quote the original. */
  editedContent?: string | undefined
}

/** What `bridge.decide` answers. Grant or deny a request to share something of yours. */
export interface BridgeDecideOutput {
  /** Whether the decision was written down. */
  recorded: boolean
  /** The decision. */
  consentRecord: SharingDecision
  /** What is shared now; absent if you denied it. */
  sharedContent?: SharedContent | undefined
}

/** What `bridge.history` takes. List every decision of yours in a session, newest first. */
export interface BridgeHistoryInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `bridge.history` answers. List every decision of yours in a session, newest first. */
export interface BridgeHistoryOutput {
  /** Your decisions, newest first. */
  records: SharingDecision[]
}

/** What `bridge.pending` takes. List what you are asked to share, with what the other would read. */
export interface BridgePendingInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `bridge.pending` answers. List what you are asked to share, with what the other would read. */
export interface BridgePendingOutput {
  /** What you are asked to share, oldest first. */
  pendingRequests: SharingRequest[]
}

/** What `bridge.request` takes. Ask for something of your own vessel, or your principal’s, to be shared. */
export interface BridgeRequestInput {
  /** The mediation session, by its id. */
  session: string
  /** What to share, by its id. */
  content: string
  /** What it would be shared as. */
  contentType: 'EVENT_SUMMARY' | 'EMOTIONAL_PATTERN' | 'IDENTIFIED_NEED' | 'BOUNDARY'
}

/** What `bridge.request` answers. Ask for something of your own vessel, or your principal’s, to be shared. */
export interface BridgeRequestOutput {
  /** Its owner was asked. */
  requested: true
}

/** What `bridge.revoke` takes. Revoke your consent to share something. */
export interface BridgeRevokeInput {
  /** The mediation session, by its id. */
  session: string
  /** A decision of yours, by its id. */
  consentRecordId: string
}

/** What `bridge.revoke` answers. Revoke your consent to share something. */
export interface BridgeRevokeOutput {
  /** Whether it was revoked; false if it was not there. */
  revoked: boolean
  /** When it was revoked. */
  revokedAt: string
}

/** What `bridge.screen` takes. Check your own wording before you share it. */
export interface BridgeScreenInput {
  /** The mediation session, by its id. */
  session: string
  /** What you were asked, by its id. */
  consentRequestId: string
  /** What you would share, in your own words. */
  editedContent: string
}

/** What `bridge.screen` answers. Check your own wording before you share it. */
export interface BridgeScreenOutput {
  /** Whether it can be shared as it is. */
  shareable: boolean
  /** Why it cannot be shared, as a code; null if it can. */
  reason: string | null
  /** Why it cannot be shared, in words; null if it can. */
  description: string | null
}

/** Passages that answer a question, numbered so that a model can cite them. */
export interface Bundle {
  /** What to give the model: data between markers, numbered to be cited. */
  text: string
  /** Number of tokens in the text. */
  tokens: number
  /** What counted them. */
  tokenizer: string
  /** What each number in the text stands for. */
  citations: Citation[]
  /** What was given beside the passages and is no source: cards, notes and previews. */
  items: {
    /** The record, by its id. */
    record: string
    /** Its title; null if it has none. */
    title: string | null
    /** What sort of item it is. */
    itemKind: 'document_metadata' | 'document_preview' | 'synthesis_summary_no_spans'
  }[]
  /** Number of passages and items that did not fit. */
  leftOut: number
  /** What may be said where nothing was found or only a part was searched; null otherwise. */
  notice: string | null
  /** What the words of the question left out, and how to ask for it; null if nothing. */
  narrowing: {
    /** What alone was searched, in words. */
    searched: string
    /** What to add to the question so that everything is searched. */
    wider: {
      /** The posture to ask with. */
      posture: Posture
      /** The parts of filings to ask for. */
      filingContentScope: FilingContentScope
    }
  } | null
  /** Why nothing was searched; null if it was. */
  failure: SearchFailure | null
  /** The search, by its id. Pass it to `receipts.cite` to keep its receipt. */
  searchRun: string | null
  /** How complete the search was; null if nothing was searched. */
  completeness: string | null
}

/** What `capabilities.acquire` takes. Ask to run a tool of the host, and take its capacity. */
export interface CapabilitiesAcquireInput {
  /** A tool of the host, by its name. */
  capability: string
}

/** What `capabilities.acquire` answers. Ask to run a tool of the host, and take its capacity. */
export interface CapabilitiesAcquireOutput {
  /** What was taken, by its id; null if the capability takes no capacity. */
  lease: string | null
  /** The class of capacity; null if it takes none. */
  leaseClass: string | null
  /** When it no longer counts, whether or not it was given back. */
  expiresAt: string | null
}

/** What `capabilities.check` takes. Ask whether you may use a capability. */
export interface CapabilitiesCheckInput {
  /** The name of the capability, for example `memory.search`. */
  capability: string
}

/** What `capabilities.check` answers. Ask whether you may use a capability. */
export interface CapabilitiesCheckOutput {
  /** Whether the caller may use it. */
  permitted: boolean
  /** Why not, as a code; null if it may. */
  reason: string | null
  /** Why not, in words; null if it may. */
  text: string | null
}

/** What `capabilities.list` answers. List capabilities. */
export interface CapabilitiesListOutput {
  /** The capabilities. */
  capabilities: Capability[]
}

/** What `capabilities.register` takes. Register a capability and its namespace. */
export interface CapabilitiesRegisterInput {
  /** The namespace it belongs to. */
  namespace: {
    /** The name of the namespace. */
    namespace: string
    /** What it is for, in a sentence. */
    description: string
    /** The namespace it is part of. */
    parentNamespace?: string | undefined
  }
  /** A tool of your own. */
  capability: {
    /** Its name within the namespace. */
    name: string
    /** What it does, in a sentence. */
    description: string
    /** What is known of the tool. */
    metadata?:
      | {
          /** How its input is described. */
          schemaKind?: 'json_schema' | 'structured_grammar' | 'free_form_query' | 'no_schema' | undefined
          /** Where that description is. */
          schemaRef?: string | undefined
          /** What it returns. */
          outputKind?: 'structured_data' | 'side_effect_only' | 'search_results' | 'synthesis' | undefined
          /** What else it does. */
          sideEffects?: ('external_api_call' | 'graph_write' | 'file_emit' | 'notification')[] | undefined
          /** The class of capacity that a call takes. */
          capacityLeaseClass?: string | undefined
        }
      | undefined
  }
}

/** What `capabilities.release` takes. Release the capacity that you took for a tool. */
export interface CapabilitiesReleaseInput {
  /** What was taken, by its id. */
  lease: string
}

/** What `capabilities.release` answers. Release the capacity that you took for a tool. */
export interface CapabilitiesReleaseOutput {
  /** Whether it was given back; false if it no longer counted. */
  released: boolean
}

/** What `capabilities.set_capacity` takes. Set which capacity a capability takes, and how much there is. */
export interface CapabilitiesSetCapacityInput {
  /** The name of the capability, for example `memory.search`. */
  capability: string
  /** The class of capacity it takes, shared by all that name it; null for no bound. */
  leaseClass: string | null
  /** How much there is of the class for this tenant. Default: what the operator gives. */
  limits?:
    | {
        /** Most calls at once. */
        total: number
        /** Most calls at once by one credential. */
        perCredential?: number | undefined
        /** Seconds after which a call that was not given back no longer counts. */
        seconds?: number | undefined
      }
    | undefined
}

/** What `capabilities.set_lifecycle` takes. Deprecate, retire or reactivate a capability. */
export interface CapabilitiesSetLifecycleInput {
  /** The name of the capability, for example `memory.search`. */
  capability: string
  /** Whether it is in use. */
  lifecycleState: 'active' | 'deprecated' | 'retired' | 'experimental'
}

/** What `capabilities.who` takes. Ask who may use a capability, or those of a namespace, and why. */
export interface CapabilitiesWhoInput {
  /** A capability by its name, or a namespace for everything in it. */
  of: string
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `capabilities.who` answers. Ask who may use a capability, or those of a namespace, and why. */
export interface CapabilitiesWhoOutput {
  /** The capabilities, and which policies permit them. */
  capabilities: {
    /** The name of the capability, with its namespace. */
    capability: string
    /** The namespace it belongs to. */
    namespace: string
    /** Its name within the namespace. */
    name: string
    /** What it does, in a sentence. */
    description: string
    /** Whether it is in use. */
    lifecycleState: string
    /** Whether it is built in or was registered. */
    registrationBasis: string
    /** What is known of the tool. */
    metadata: CapabilityProperties
    /** When it was registered; null if it is built in. */
    registeredAt: string | null
    /** Who registered it; null if it is built in. */
    registeredByActorRef: string | null
    /** The class of capacity that a call takes; null if none. */
    leaseClass: string | null
    /** How much capacity there is; null for no bound. */
    limits: {
      /** Most calls at once. */
      total: number
      /** Most calls at once by one credential. */
      perCredential: number
      /** Seconds after which a call that was not given back no longer counts. */
      seconds: number
    } | null
    /** Who may call it at all, whatever a policy says. */
    callers: 'anyone' | 'owner' | 'host'
    /** What each policy says. */
    who: {
      /** The policy, by its name. */
      policy: string
      /** Whom a built-in policy is for; null for a policy of the tenant. */
      audience: Audience | null
      /** Whether the policy permits it. */
      permitted: boolean
      /** What decided. */
      reason:
        | 'denied_by_pattern'
        | 'allowed_by_pattern'
        | 'deny_all_default'
        | 'allow_all_default'
        | 'inheritance_depth_exceeded'
      /** The pattern that decided; null if none did. */
      pattern: CapabilityPattern | null
      /** The policies that were asked, its own first; the last one decided. */
      through: string[]
      /** Why it does not run for them in the end, as a code; null if it does. */
      refusal: string | null
    }[]
  }[]
  /** The credentials, newest first, and what each may do. */
  credentials: {
    /** What sort of credential it is. */
    kind: 'key' | 'link' | 'profile'
    /** The id of the credential. */
    id: string
    /** Its name. */
    name: string
    /** Who made it. */
    owner: string
    /** What sort of caller it is for; null for a profile that no key opens. */
    audience: Audience | null
    /** The policy it is under, by its name. */
    policy: string
    /** The profile it runs under, by its id; null if none. */
    profile: string | null
    /** When it expires; null if it does not. */
    expiresAt: string | null
    /** What it may do. */
    may: {
      /** The name of the capability, for example `memory.search`. */
      capability: string
      /** Whether it may use the capability. */
      permitted: boolean
      /** Why not, as a code; null if it may. */
      refusal: string | null
    }[]
  }[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** Something a caller may be allowed to do: an operation, or a tool of the host. */
export interface Capability {
  /** The name of the capability, with its namespace. */
  capability: string
  /** The namespace it belongs to. */
  namespace: string
  /** Its name within the namespace. */
  name: string
  /** What it does, in a sentence. */
  description: string
  /** Whether it is in use. */
  lifecycleState: string
  /** Whether it is built in or was registered. */
  registrationBasis: string
  /** What is known of the tool. */
  metadata: CapabilityProperties
  /** When it was registered; null if it is built in. */
  registeredAt: string | null
  /** Who registered it; null if it is built in. */
  registeredByActorRef: string | null
}

/** One capability, those with a prefix, or all of a namespace. */
export type CapabilityPattern =
  | {
      /** How capabilities are named: one, by prefix, or a whole namespace. */
      kind: 'exact'
      /** The name of the capability, for example `memory.search`. */
      capability: string
    }
  | {
      /** How capabilities are named: one, by prefix, or a whole namespace. */
      kind: 'prefix_wildcard'
      /** How their names begin. */
      prefix: string
    }
  | {
      /** How capabilities are named: one, by prefix, or a whole namespace. */
      kind: 'namespace_all'
      /** The namespace. */
      namespace: string
    }

/** Which capabilities a caller may use. */
export interface CapabilityPolicy {
  /** The name of the policy. */
  policy: string
  /** What the lists are exceptions from. */
  mode: string
  /** The capabilities it allows. */
  allowedCapabilities: CapabilityPattern[]
  /** The capabilities it denies. Denial wins. */
  deniedCapabilities: CapabilityPattern[]
  /** The policy it inherits from, by its name; null if none. */
  parentRef: string | null
}

/** What is known of a capability beside its name. */
export interface CapabilityProperties {
  /** How its input is described. */
  schemaKind: string
  /** Where that description is. */
  schemaRef?: string | undefined
  /** What it returns. */
  outputKind: string
  /** What else it does. */
  sideEffects: string[]
  /** The class of capacity that a call takes. */
  capacityLeaseClass?: string | undefined
}

/** Turns that a model reads in the background. */
export interface CaptureJob {
  /** The id of the job. */
  job: string
  /** The conversation that its turns belong to. */
  conversation: string
  /** How many turns the model reads. */
  turns: number
  /** How far it is. A failed one is tried again when you ask. */
  state: 'waiting' | 'done' | 'failed'
  /** How often it was tried. */
  attempts: number
  /** Why the last attempt failed, for example `unreachable`, `timed_out`, `invalid_answer`, `budget_spent` or `credential_ended`. */
  lastFailure: string | null
  /** How many facts it led to; null until it is done. */
  facts: number | null
  /** How many sealed turns were not sent to a model on another machine; null until it is done. */
  heldBack: number | null
  /** When it was created. */
  createdAt: string
  /** When it is tried next; null if it is not. */
  nextAttemptAt: string | null
}

/** A fact that was made of a conversation. */
export interface CapturedFact {
  /** The id of the record that holds the fact. */
  record: string
  /** What was stated. */
  text: string
  /** What became of it: new, reinforced a known fact, superseded another, contested with another, or true in the past only. */
  outcome: 'new' | 'reinforced' | 'superseded' | 'contested' | 'past'
  /** Ids of the turns that state it. */
  turns: string[]
  /** Whether you can read the fact back. */
  readable: boolean
}

/** A message of a conversation. */
export interface CapturedMessage {
  /** What was said. */
  text: string
  /** Whose turn it is. Facts are made of what users say, not of what assistants or tools do. */
  role?: 'user' | 'assistant' | 'system' | 'tool' | undefined
  /** Who said it, by name. Default for users: the owner. */
  speaker?: string | undefined
  /** When it was said. Default: now. */
  at?: Date | string | undefined
  /** Your own id of the message. One that was captured before is not kept twice. */
  id?: string | undefined
  /** The id of the message that it answers. */
  replyTo?: string | undefined
}

/** A message that is kept as a record. */
export interface CapturedTurn {
  /** The id of the record. */
  id: string
  /** Whether it was kept now; false if it was captured before. */
  isNew: boolean
  /** Whether you can read it back. */
  readable: boolean
}

/** What `captures.list` takes. List which conversations the model has read, and which failed. */
export interface CapturesListInput {
  /** Only jobs in this state. */
  state?: 'waiting' | 'done' | 'failed' | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `captures.list` answers. List which conversations the model has read, and which failed. */
export interface CapturesListOutput {
  /** The jobs, newest first. */
  jobs: CaptureJob[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `captures.retry` takes. Retry turns that the model failed to read. */
export interface CapturesRetryInput {
  /** The job, by its id. */
  job: string
}

/** A request to change a record, as whoever decides on it sees it. */
export interface ChangeRequest {
  /** The id of the request. */
  id: string
  /** What it asks for. */
  how: 'forget' | 'retract' | 'contest' | 'supersede'
  /** The record it is about, by its id; null once that is forgotten. */
  record: string | null
  /** Whether it is open, accepted or declined. */
  state: 'open' | 'accepted' | 'declined'
  /** When it was created. */
  createdAt: string
  /** What the record shall say; null if nothing new. */
  text: string | null
  /** Why the agent asks; null if it did not say. */
  reason: string | null
  /** The agent that asks; null if it is no more. */
  requestedBy: string | null
  /** When it was decided; null until then. */
  decidedAt: string | null
}

/** What `changes.decide` takes. Accept or decline a change that an agent asked for. */
export interface ChangesDecideInput {
  /** The request, by its id. */
  request: string
  /** Whether to do what was asked. */
  decision: 'accepted' | 'declined'
}

/** What `changes.decide` answers. Accept or decline a change that an agent asked for. */
export interface ChangesDecideOutput {
  /** The request as it is now. */
  request: ChangeRequest
  /** The record that took the place of the old one, by its id; null if none did. */
  record: string | null
}

/** What `changes.list` takes. List the changes that your agents ask for, newest first. */
export interface ChangesListInput {
  /** Only requests in this state. */
  state?: 'open' | 'accepted' | 'declined' | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `changes.list` answers. List the changes that your agents ask for, newest first. */
export interface ChangesListOutput {
  /** The requests, newest first. */
  requests: ChangeRequest[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `changes.mine` takes. List the changes that you asked for, newest first. */
export interface ChangesMineInput {
  /** Only requests in this state. */
  state?: 'open' | 'accepted' | 'declined' | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `changes.mine` answers. List the changes that you asked for, newest first. */
export interface ChangesMineOutput {
  /** Your requests, newest first. */
  requests: OwnChangeRequest[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `changes.request` takes. Ask the person you work for to change or forget a record. */
export interface ChangesRequestInput {
  /** The record, by its id. */
  record: string
  /** What to do: `supersede` it by a new text, `retract` it (it no longer holds), `contest` it (it may be wrong), or `forget` it for good. */
  how: 'forget' | 'retract' | 'contest' | 'supersede'
  /** With `supersede`: what it shall say. */
  text?: string | undefined
  /** Why, for the person who decides. */
  reason?: string | undefined
}

/** What `changes.request` answers. Ask the person you work for to change or forget a record. */
export interface ChangesRequestOutput {
  /** Whether it was done at once, because you wrote the record. To forget always waits for the owner. */
  done: boolean
  /** The request that the owner decides on; null if none is needed. */
  request: OwnChangeRequest | null
  /** The record that took its place, by its id; null if none did. */
  record: string | null
}

/** The state of the audit at one moment, to be kept elsewhere. */
export interface Checkpoint {
  /** The id of the checkpoint. */
  checkpointId: string
  /** When it was taken. */
  at: string
  /** The last entry of each lane. */
  heads: {
    /** The lane, by its id. */
    laneId: string
    /** The number of the entry. */
    seq: number
    /** The hash of the entry. */
    hash: string
  }[]
  /** The hash of the checkpoint before it. */
  previous: string
  /** The hash of this checkpoint. */
  hash: string
}

/** What a number in a bundle stands for: exactly the text that it labels. */
export interface Citation {
  /** The number in the text. */
  ref: number
  /** The record, by its id. */
  record: string
  /** Its title; null if it has none. */
  title: string | null
  /** The name of the document. */
  document: string
  /** The first character, counted from 0. */
  start: number
  /** The character after the last. */
  end: number
  /** The page it begins on, counted from 1. */
  page?: number | undefined
  /** The page it ends on, where that is another. */
  lastPage?: number | undefined
  /** The version of the filing. */
  version?: string | undefined
}

/** Something that both participants need. */
export interface CommonGround {
  /** The id of the common ground. */
  id: string
  /** What the shared need is about; null if you state that there is none yet. */
  category: NeedCategory | null
  /** What you both need, in a sentence. */
  text: string
  /** Whether you have confirmed it. */
  confirmedByYou: boolean
  /** Whether everybody has confirmed it. */
  confirmed: boolean
}

/** What `common_ground.compare` takes. See the needs that you and your partner shared, side by side, once both of you have shared some. */
export interface CommonGroundCompareInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `common_ground.compare` answers. See the needs that you and your partner shared, side by side, once both of you have shared some. */
export interface CommonGroundCompareOutput {
  /** Whether both of you have shared needs. */
  ready: boolean
  /** The needs that you shared, oldest first. */
  yours: SharedNeed[]
  /** The needs that your partner shared; empty until both of you have. */
  theirs: SharedNeed[]
  /** What needs of both of you are about; empty until both of you have shared some. */
  inCommon: NeedCategory[]
}

/** What `common_ground.confirm` takes. Confirm that you see this common ground as well. */
export interface CommonGroundConfirmInput {
  /** The mediation session, by its id. */
  session: string
  /** Common ground, by its id. */
  commonGround: string
}

/** What `common_ground.find` takes. Find the needs that all of you have shared, or state that there are none yet. */
export interface CommonGroundFindInput {
  /** The mediation session, by its id. */
  session: string
  /** Whether to state that there is no common ground yet. Once everybody has confirmed that, you can go on. */
  none?: boolean | undefined
}

/** What `common_ground.find` answers. Find the needs that all of you have shared, or state that there are none yet. */
export interface CommonGroundFindOutput {
  /** What both of you need. */
  commonGround: CommonGround[]
}

/** A request for consent, as whoever decides on it sees it. */
export interface ConsentRequest {
  /** The id of the request. */
  id: string
  /** The person it asks about, by name. */
  person: string
  /** Whether it is open, granted or denied. */
  state: 'open' | 'granted' | 'denied'
  /** When it was created. */
  createdAt: string
  /** Why the agent asks; null if it did not say. */
  reason: string | null
  /** The agent that asks; null if it is no more. */
  requestedBy: string | null
  /** When it was decided; null until then. */
  decidedAt: string | null
}

/** What `consents.decide` takes. Grant or deny a request for consent that was made to you. */
export interface ConsentsDecideInput {
  /** The request, by its id. */
  request: string
  /** Whether to grant it. */
  decision: 'granted' | 'denied'
}

/** What `consents.list` takes. List the requests for consent that were made to you, newest first. */
export interface ConsentsListInput {
  /** Only requests in this state. */
  state?: 'open' | 'granted' | 'denied' | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `consents.list` answers. List the requests for consent that were made to you, newest first. */
export interface ConsentsListOutput {
  /** The requests, newest first. */
  requests: ConsentRequest[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `consents.mine` takes. List the requests for consent that you made, newest first. */
export interface ConsentsMineInput {
  /** Only requests in this state. */
  state?: 'open' | 'granted' | 'denied' | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `consents.mine` answers. List the requests for consent that you made, newest first. */
export interface ConsentsMineOutput {
  /** Your requests, newest first. */
  requests: OwnConsentRequest[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `consents.request` takes. Ask your principal to grant the consent of a person. */
export interface ConsentsRequestInput {
  /** The person to ask about, by name. */
  person: string
  /** Why you ask, for its reader. */
  reason?: string | undefined
}

/** A record to put in front of a model. */
export interface ContextItem {
  /** The number to cite it by, from 1. */
  cite: number
  /** Why it is here: pinned, of these people, still open, found by `about`, known, or recent. */
  section: 'pinned' | 'people' | 'open' | 'relevant' | 'known' | 'recent'
  /** The id of the record. */
  record: string
  /** What sort of record it is. */
  kind: string
  /** When it happened, or was kept. */
  at: string
  /** What it says, cut if it is long. */
  text: string
}

/** How often something was done with what is in a collection. */
export interface CorpusSignalCounts {
  /** Who owns the collection. */
  owner: string
  /** The collection; null for records in none. */
  corpus: string | null
  /** What was done. */
  kind: string
  /** How often. */
  count: number
  /** Milliseconds that people stayed, all together. */
  dwellMs: number
}

/** A document, as the record that stands for it shows it. */
export interface Document {
  /** The id of the record that stands for the document. */
  id: string
  /** How much of it is shown. */
  face: FaceLevel
  /** Its title; null if it has none or it is not shown. */
  title: string | null
  /** The name of the file; null if it is not shown. */
  document: string | null
  /** Who owns it; null if it is not shown. */
  owner: string | null
  /** The collection it belongs to; null if it is not shown. */
  corpus: string | null
  /** The filing that its versions belong to; null if none. */
  filingUnit: string | null
  /** The version of the filing; null if none. */
  version: string | null
  /** What sort of version it is; null if none. */
  versionKind: string | null
  /** The media type of the file; null for a document that was written, not read. */
  mediaType: string | null
  /** Number of pages; null if the format has none. */
  pages: number | null
  /** How much of the file could be read; null for a document that was written, not read. */
  state: string | null
  /** `stale` while a newer version waits or could not be read; null where there is no file. */
  framing: 'current' | 'stale' | 'partial' | null
  /** Number of its segments that you may see. */
  segments: number
  /** When it was created. */
  createdAt: string
}

/** An answer whose sentences cite passages, and the passages themselves. */
export interface DocumentAnswer {
  /** The sentences, joined; null if there is no answer that passages support. */
  answer: string | null
  /** The sentences of the answer, in order. */
  sentences: AnswerSentence[]
  /** Number of sentences that were left out because no cited passage supports them. */
  unsupported: number
  /** The model that wrote it; null if none is configured. */
  model: string | null
  /** What to give the model: data between markers, numbered to be cited. */
  text: string
  /** Number of tokens in the text. */
  tokens: number
  /** What counted them. */
  tokenizer: string
  /** What each number in the text stands for. */
  citations: Citation[]
  /** What was given beside the passages and is no source: cards, notes and previews. */
  items: {
    /** The record, by its id. */
    record: string
    /** Its title; null if it has none. */
    title: string | null
    /** What sort of item it is. */
    itemKind: 'document_metadata' | 'document_preview' | 'synthesis_summary_no_spans'
  }[]
  /** Number of passages and items that did not fit. */
  leftOut: number
  /** What may be said where nothing was found or only a part was searched; null otherwise. */
  notice: string | null
  /** What the words of the question left out, and how to ask for it; null if nothing. */
  narrowing: {
    /** What alone was searched, in words. */
    searched: string
    /** What to add to the question so that everything is searched. */
    wider: {
      /** The posture to ask with. */
      posture: Posture
      /** The parts of filings to ask for. */
      filingContentScope: FilingContentScope
    }
  } | null
  /** Why nothing was searched; null if it was. */
  failure: SearchFailure | null
  /** The search, by its id. Pass it to `receipts.cite` to keep its receipt. */
  searchRun: string | null
  /** How complete the search was; null if nothing was searched. */
  completeness: string | null
}

/** A day, with its time zone where that is known. */
export type DocumentDate =
  | string
  | {
      /** The day. */
      date: string
      /** The time zone of the day, as an IANA name. */
      timeZone: string
    }

/** What `document_download.fetch` takes. Download a shared document. */
export interface DocumentDownloadFetchInput {
  /** A document that is shared with you, by its id. */
  document: string
  /** The file, or the text in it. A document without a file is its text. */
  form?: 'original' | 'text' | undefined
}

/** What `document_download.fetch` answers. Download a shared document. */
export interface DocumentDownloadFetchOutput {
  /** The id of the document. */
  document: string
  /** A name for the file. */
  fileName: string
  /** The media type of the file. */
  mediaType: string
  /** The file in base64. */
  content: string
  /** Its size in bytes. */
  bytes: number
  /** The number on the copy; null if the link does not mark copies. */
  watermark: string | null
  /** Whether it is the file, or the text in it. */
  form: 'original' | 'text'
  /** Whether the rest was cut off. */
  truncated: boolean
  /** A digest of what is shown: it changes when that changes. */
  etag: string
}

/** What is known of a document. */
export interface DocumentMetadata {
  /** The number of the case. */
  caseNumber?: string | undefined
  /** The name of the court. */
  court?: string | undefined
  /** The names of the parties. */
  parties?: string[] | undefined
  /** What sort of document it is. */
  documentType?:
    | 'motion'
    | 'opposition'
    | 'reply'
    | 'order'
    | 'complaint'
    | 'brief'
    | 'letter'
    | 'email'
    | 'other'
    | undefined
  /** The day it was filed. */
  filingDate?: DocumentDate | undefined
  /** The day from which it is in force. */
  effectiveDate?: DocumentDate | undefined
  /** The day of the ruling. */
  rulingDate?: DocumentDate | undefined
  /** The day it was entered on the docket. */
  docketEntryDate?: DocumentDate | undefined
  /** The day the message was sent. */
  sentDate?: DocumentDate | undefined
}

/** A part of a document, such as a heading and what follows it. */
export interface DocumentPart {
  /** The part, by its name. */
  part: string | null
  /** What sort of part it is. */
  kind: string | null
  /** Its heading. */
  title: string | null
  /** The first character, counted from 0. */
  start: number
  /** The character after the last. */
  end: number
  /** The page it begins on, counted from 1; null if the format has no pages. */
  page: number | null
  /** Number of its segments that you may see. */
  segments: number
}

/** A filing that a search of documents found, and where. */
export interface DocumentResult {
  /** The id of the result. */
  resultId: string
  /** What sort of result it is. */
  resultKind:
    | 'filing_unit'
    | 'artifact_segment'
    | 'derived_memory'
    | 'topic_assignment'
    | 'court_disposition_observation'
    | 'binding_outcome'
  /** The record, as it may be shown. */
  document: SharedDocument
  /** The document that a segment is of, by its id; null if it is none or not visible. */
  card: string | null
  /** `stale` while a newer version waits or could not be read; null where there is no file. */
  framing: 'current' | 'stale' | 'partial' | null
  /** How well it matches, after fusion. */
  score: number
  /** The executors that found it. */
  foundBy: ('primary_direct' | 'doc18_legal_search_direct' | 'memory_agent' | 'document_intelligence_agent')[]
  /** Where the words were found. */
  matchSurface: ('title' | 'text')[]
  /** Places in source documents that bear it out, best first, each visible in full. */
  sourceSpans: SourceSpan[]
  /** How something derived from sources may be shown; null for a source. */
  derived: {
    /** Whether it is shown with its source spans. */
    displayKind: 'synthesis_with_spans' | 'synthesis_summary_no_spans'
    /** What may be done with it. */
    affordance: 'jump_to_source_per_span' | 'synthesis_summary_framing_only'
    /** How far it can be relied on, from 0 to 1: its confidence. Null for recipients, and for less than all of it. */
    cuAuthority: number | null
  } | null
  /** Number of ranked records of the same filing. */
  unitMatches: number
  /** The best of the others of the same filing. */
  more: {
    /** The record, by its id. */
    document: string
    /** How well it matches, after fusion. */
    score: number
    /** Places in source documents that bear it out, best first. */
    sourceSpans: SourceSpan[]
  }[]
  /** Which version of its filing this is, and which visible ones gave way to it; null if there was one. */
  versionSelectionDisclosure: VersionSelection | null
  /** Stronger versions of its filing, such as an amended one, that do not match the question but can be seen. */
  supersededBy: (string | null)[]
  /** The passages that match, and where. */
  snippet: Snippet
}

/** Which documents of a corpus are shown. */
export type DocumentScope =
  | {
      /** How the documents are chosen. */
      kind: 'all_documents'
    }
  | {
      /** How the documents are chosen. */
      kind: 'explicit_document_list'
      /** Documents by their names, or records by their ids. */
      documentRefs: string[]
    }
  | {
      /** How the documents are chosen. */
      kind: 'filing_unit_version_list'
      /** Versions of filings, by their names. */
      versionRefs: string[]
    }
  | {
      /** How the documents are chosen. */
      kind: 'structural_selector'
      /** Everything that lies in any of these. */
      selector: {
        /** What sort of thing is named. */
        kind: 'filing_unit' | 'version' | 'part' | 'document' | 'segment'
        /** Its name. */
        ref: string
      }[]
    }

/** What `document_view.file` takes. Display the file of a shared document. */
export interface DocumentViewFileInput {
  /** A document that is shared with you, by its id. */
  document: string
}

/** What `document_view.file` answers. Display the file of a shared document. */
export type DocumentViewFileOutput = {
  /** The id of the document. */
  document: string
  /** A name for the file. */
  fileName: string
  /** The media type of the file. */
  mediaType: string
  /** The file in base64. */
  content: string
  /** Its size in bytes. */
  bytes: number
  /** The number on the copy; null if the link does not mark copies. */
  watermark: string | null
} | null

/** What `document_view.list` takes. List shared documents. */
export interface DocumentViewListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only this collection. */
  corpus?: string | undefined
}

/** What `document_view.list` answers. List shared documents. */
export interface DocumentViewListOutput {
  /** The documents, newest first. */
  documents: SharedDocument[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `document_view.open` takes. Read a shared document. */
export interface DocumentViewOpenInput {
  /** A document that is shared with you, by its id. */
  document: string
}

/** What `document_view.open` answers. Read a shared document. */
export type DocumentViewOpenOutput = {
  /** The id of the document. */
  document: string
  /** How much of it is shown. */
  face: FaceLevel
  /** What sort of record it is. */
  kind: string
  /** The collection it belongs to; null if it is not shown. */
  corpus: string | null
  /** The surface it belongs to; null if it is not shown. */
  surface: string | null
  /** Its title; null if it has none. */
  title: string | null
  /** Its language, as a BCP 47 code; null if it is not shown. */
  language: string | null
  /** The filing that its versions belong to; null if it is not shown. */
  filingUnit: string | null
  /** The version of the filing; null if it is not shown. */
  version: string | null
  /** What sort of version it is; null if it is not shown. */
  versionKind: string | null
  /** The part of the document; null if it is not shown. */
  part: string | null
  /** The name of the document; null if it is not shown. */
  documentName: string | null
  /** The segment of the part; null if it is not shown. */
  segment: string | null
  /** Case number, court, parties and the like, where the view exposes filing metadata. */
  fields: Record<string, unknown>
  /** The places in sources that it speaks of. */
  spans: unknown[]
  /** Its visibility class; null if it is not shown. */
  visibilityClass: string | null
  /** When it happened; null if that is not known or not shown. */
  occurredAt: string | null
  /** When it was kept. */
  createdAt: string
  /** Whether its text can be read now. */
  materializationState: string
  /** What you may do with it. */
  affordances: Affordance[]
  /** A digest of what is shown: it changes when that changes. */
  etag: string
  /** Its text. */
  text: string
  /** Whether the rest was cut off. */
  truncated: boolean
  /** The media type of its file, if you may display that; null if you may not or there is none. */
  file: string | null
  /** The number on the text; null if the link does not mark what is displayed. */
  watermark: string | null
} | null

/** What `document_view.reading` takes. Record how long the pages of a shared document were on screen. */
export interface DocumentViewReadingInput {
  /** A document that is shared with you, by its id. */
  document: string
  /** How long each page was on screen since it was last told. */
  pages: {
    /** The page; 0 for the text. */
    page: number
    /** Seconds on screen. */
    seconds: number
  }[]
}

/** What `document_view.reading` answers. Record how long the pages of a shared document were on screen. */
export interface DocumentViewReadingOutput {
  /** Whether it was noted. */
  noted: boolean
}

/** What `documents.extract` takes. Extract the text of a file that was ingested before. */
export interface DocumentsExtractInput {
  /** The name of the file; its extension may tell what it is. */
  document: string
  /** Who owns it. Default: you. */
  owner?: string | undefined
}

/** What `documents.fields` takes. Read what is known of a document, field by field. */
export type DocumentsFieldsInput =
  | {
      /** The document, by the id of its card. */
      id: string
      /** Only these fields. */
      fields?: DocumentField[] | undefined
    }
  | {
      /** The name of the file; its extension may tell what it is. */
      document: string
      /** Who owns the document. Default: you. */
      owner?: string | undefined
      /** Only these fields. */
      fields?: DocumentField[] | undefined
    }

/** What `documents.fields` answers. Read what is known of a document, field by field. */
export type DocumentsFieldsOutput = {
  /** The document, by the id of its card; null while none was read. */
  id: string | null
  /** The name of the file. */
  document: string
  /** The number of the newest version. */
  version: number
  /** Whether the newest version was read, waits, or failed. */
  state: string
  /** Why the file could not be read, as a code; null if it could. */
  problem: string | null
  /** The fields, with where each value comes from. */
  fields: {
    /** The name of the field. */
    field: DocumentField
    /** Its value; null if it is not known. */
    value: unknown
    /** Where the value comes from; `previous_extraction` is a version that is being replaced. */
    source: 'extraction' | 'given' | 'previous_extraction' | 'none'
    /** Whether the value is current or `stale`. */
    framing: 'current' | 'stale' | 'partial'
  }[]
  /** What was made from versions that were replaced since, and was not made again. */
  derived: {
    /** The id of the record. */
    id: string
    /** What sort of record it is. */
    kind: string
    /** Its title; null if it has none. */
    title: string | null
    /** Its text. */
    text: string
    /** It was made from a version that was replaced. */
    framing: 'stale'
  }[]
} | null

/** What `documents.get` takes. Show one document with its parts and versions. */
export interface DocumentsGetInput {
  /** The document, by the id of its card. */
  id: string
}

/** What `documents.get` answers. Show one document with its parts and versions. */
export type DocumentsGetOutput = {
  /** The id of the record that stands for the document. */
  id: string
  /** How much of it is shown. */
  face: FaceLevel
  /** Its title; null if it has none or it is not shown. */
  title: string | null
  /** The name of the file; null if it is not shown. */
  document: string | null
  /** Who owns it; null if it is not shown. */
  owner: string | null
  /** The collection it belongs to; null if it is not shown. */
  corpus: string | null
  /** The filing that its versions belong to; null if none. */
  filingUnit: string | null
  /** The version of the filing; null if none. */
  version: string | null
  /** What sort of version it is; null if none. */
  versionKind: string | null
  /** The media type of the file; null for a document that was written, not read. */
  mediaType: string | null
  /** Number of pages; null if the format has none. */
  pages: number | null
  /** How much of the file could be read; null for a document that was written, not read. */
  state: string | null
  /** `stale` while a newer version waits or could not be read; null where there is no file. */
  framing: 'current' | 'stale' | 'partial' | null
  /** Number of its segments that you may see. */
  segments: number
  /** When it was created. */
  createdAt: string
  /** The text of its card. */
  text: string
  /** What is known of it: case number, court, parties, dates and the like. */
  fields: Record<string, unknown>
  /** Its parts, in order. */
  parts: DocumentPart[]
  /** All versions of its filing that you may see. */
  versions: Document[]
} | null

/** What `documents.ingest` takes. Ingest a file as a document, or as a new version of it. */
export interface DocumentsIngestInput {
  /** The name of the file; its extension may tell what it is. */
  document: string
  /** The collection to file it in. */
  corpus: string
  /** The file in base64. */
  content: string
  /** Who owns it. Default: you. */
  owner?: string | undefined
  /** Its title. Default: the title that the file gives itself. */
  title?: string | undefined
  /** Its language, as a BCP 47 code. Default: detected from the text. */
  language?: string | undefined
  /** What sort of part the whole file is. Default: read from its headings. */
  partKind?: PartKind | undefined
  /** The surface of its corpus that it belongs to, which views choose by. Default: `source_documents`. */
  surface?: Surface | undefined
  /** Words to find it by. */
  tags?: string[] | undefined
  /** The time zone of its dates, where it does not say so itself. */
  timeZone?: string | undefined
  /** When it expires: nobody is shown it from then on. */
  expiresAt?: Date | string | undefined
  /** The filing it is a version of. */
  filingUnit?: string | undefined
  /** What sort of version it is. */
  versionKind?: VersionKind | undefined
  /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
  sensitivity?: Sensitivity | undefined
  /** The part of life or work it belongs to. */
  scope?: string | undefined
  /** Who may see it at all, from open to firewalled. */
  visibilityClass?: VisibilityClass | undefined
  /** People in it, by name. New names become people whose consent is pending. */
  participants?: string[] | undefined
  /** What is known of it. This wins over what is found in its text. */
  metadata?: DocumentMetadata | undefined
  /** `now` reads it at once; `later` leaves that to `documents.extract`. */
  extract?: 'now' | 'later' | undefined
  /** The binding that brought it, by its id. */
  binding?: string | undefined
}

/** What `documents.list` takes. List documents. */
export interface DocumentsListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only this collection. */
  corpus?: string | undefined
  /** Only documents that were read this far. */
  state?: 'complete' | 'partial' | 'needs_ocr' | undefined
}

/** What `documents.list` answers. List documents. */
export interface DocumentsListOutput {
  /** The documents, newest first. */
  documents: Document[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `documents.original` takes. Fetch the file that a document was made of. */
export interface DocumentsOriginalInput {
  /** The document, by the id of its card. */
  id: string
}

/** What `documents.original` answers. Fetch the file that a document was made of. */
export type DocumentsOriginalOutput = {
  /** The document, by the id of its card. */
  id: string
  /** The name of the file. */
  document: string
  /** The media type of the file. */
  mediaType: string
  /** Its size in bytes. */
  size: number
  /** The file in base64. */
  content: string
} | null

/** What `documents.read` takes. Read the text of a document. */
export interface DocumentsReadInput {
  /** The document, by the id of its card. */
  id: string
  /** Read from this character, counted from 0. */
  from?: number | undefined
  /** Read up to this character. */
  to?: number | undefined
  /** Read what begins on this page, counted from 1. */
  page?: number | undefined
}

/** What `documents.read` answers. Read the text of a document. */
export type DocumentsReadOutput = {
  /** The document, by the id of its card. */
  id: string
  /** Its title; null if it has none. */
  title: string | null
  /** The segments of that stretch that you may see. */
  segments: {
    /** The id of the record. */
    id: string
    /** The first character, counted from 0. */
    start: number
    /** The character after the last. */
    end: number
    /** The page it begins on, counted from 1; null if the format has no pages. */
    page: number | null
    /** What sort of part it stands in; null if none. */
    partKind: string | null
    /** Its text. */
    text: string
  }[]
  /** Their text, joined. */
  text: string
  /** Pass it as `from` to read on; null at the end. */
  next: number | null
} | null

/** What `documents.recognise` takes. Read the scanned pages of a document by text recognition (OCR). */
export interface DocumentsRecogniseInput {
  /** The name of the file; its extension may tell what it is. */
  document: string
  /** Who owns it. Default: you. */
  owner?: string | undefined
  /** One version of the file, by its id. Default: the newest. */
  source?: string | undefined
}

/** What `documents.remove` takes. Delete a document with all its versions and everything made from them. */
export interface DocumentsRemoveInput {
  /** The name of the file; its extension may tell what it is. */
  document: string
  /** Who owns it. Default: you. */
  owner?: string | undefined
}

/** What `documents.remove` answers. Delete a document with all its versions and everything made from them. */
export interface DocumentsRemoveOutput {
  /** The name of the file. */
  document: string
  /** When it was removed; null if there was none. */
  removedAt: string | null
}

/** What `documents.sources` takes. List ingested files, and what became of them. */
export interface DocumentsSourcesInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only files in this state. */
  state?: FileState | undefined
  /** Only this collection. */
  corpus?: string | undefined
}

/** What `documents.sources` answers. List ingested files, and what became of them. */
export interface DocumentsSourcesOutput {
  /** The files, newest first. */
  sources: {
    /** The file as it was taken in, by its id. */
    source: string
    /** The name of the file. */
    document: string
    /** Who owns it: a person, `group:<id>` or `role:<id>/<role>`. */
    owner: string
    /** The collection it is filed in. */
    corpus: string
    /** The filing it is a version of; null if none. */
    filingUnit: string | null
    /** The number of the version. */
    version: number
    /** What sort of version it is; null if none. */
    versionKind: string | null
    /** The record that stands for it, by its id; null until it is read. */
    card: string | null
    /** Whether it was read, waits, or failed. */
    state: FileState
    /** Why the file could not be read, as a code; null if it could. */
    problem: string | null
    /** The media type that was recognised; null if none was. */
    mediaType: string | null
    /** Its size in bytes. */
    size: number
    /** The binding that brought it, by its id; null if none did. */
    binding: string | null
    /** When it was created. */
    createdAt: string
    /** When it was read; null until then. */
    extractedAt: string | null
  }[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `documents.unchanged` takes. List which files are stored already, by the hashes of their bytes. */
export interface DocumentsUnchangedInput {
  /** The collection they are filed in. */
  corpus: string
  /** The files to look for. */
  files: {
    /** The name of the file; its extension may tell what it is. */
    document: string
    /** The SHA-256 of its bytes. */
    sha256: string
  }[]
}

/** What `documents.unchanged` answers. List which files are stored already, by the hashes of their bytes. */
export interface DocumentsUnchangedOutput {
  /** Those whose newest version has these bytes and was read whole, by name. */
  unchanged: string[]
}

/** What `empathy.draft` takes. Save a private draft of what your partner may feel. */
export interface EmpathyDraftInput {
  /** The mediation session, by its id. */
  session: string
  /** What your partner may feel. */
  text: string
  /** Whether you are done with it. Only its owner can say so. */
  ready?: boolean | undefined
  /** A draft of yours to change, by its id, which it keeps. */
  draft?: string | undefined
}

/** What `empathy.draft` answers. Save a private draft of what your partner may feel. */
export interface EmpathyDraftOutput {
  /** The id of the draft. */
  id: string
  /** Whether you are done with it. */
  ready: boolean
}

/** What `empathy.share` takes. Share your words on what your partner may feel, in place of those shared before. */
export interface EmpathyShareInput {
  /** The mediation session, by its id. */
  session: string
  /** The draft it comes from, by its id. */
  draft: string
  /** What your partner will read. */
  content: string
  /** What it is shared as. */
  contentType?: 'EMPATHY_ATTEMPT' | 'EMPATHY_DRAFT' | undefined
}

/** What `empathy.share` answers. Share your words on what your partner may feel, in place of those shared before. */
export interface EmpathyShareOutput {
  /** The id of what is shared. */
  id: string
  /** The decision by which it is shared; pass it to `bridge.revoke` to take it back. */
  consentRecordId: string
  /** Whether your partner can read it now. An attempt waits until both of you have shared one; then both are revealed. */
  revealed: boolean
}

/** What `empathy.validate` takes. Say whether you find yourself understood by what your partner shared. */
export interface EmpathyValidateInput {
  /** The mediation session, by its id. */
  session: string
  /** What your partner shared with you, by its id. */
  attempt: string
  /** Whether you feel understood. */
  validated: boolean
  /** What your partner will read about that. */
  feedback?: string | undefined
}

/** What `empathy.validate` answers. Say whether you find yourself understood by what your partner shared. */
export interface EmpathyValidateOutput {
  /** The id of what your partner shared. */
  id: string
  /** Whether you feel understood. */
  validated: boolean
}

/** Words that were added to a question. */
export interface Expansion {
  /** The id of the expansion. */
  expansionId: string
  /** The search it belongs to, by its id. */
  queryRunId: string
  /** What sort of expansion it is. */
  expansionKind: ExpansionKind
  /** The words that were added. */
  appliedTerms: string[]
  /** Whether the words are built in or come from a corpus. */
  expansionSource: 'built_in' | 'corpus'
  /** The corpus they come from. */
  expansionSourceCorpusRef?: string | undefined
  /** The caller may read which words were added. */
  expansionVisibleToSession: true
  /** The version of this format. */
  schemaVersion: 1
}

/** Something the participants try. */
export interface Experiment {
  /** The id of the experiment. */
  id: string
  /** What to try. */
  text: string
  /** How far it got. */
  status: 'PLANNED' | 'TRYING' | 'DONE' | 'DROPPED'
  /** How it went, as each of you tells it. */
  outcomes: ExperimentOutcome[]
  /** When both of you are asked how it goes; null once it is done or dropped. */
  checkInAt: string | null
  /** Whether something it rests on was withdrawn. */
  hasStaleInputs: boolean
  /** Why it may no longer hold. */
  staleReason?: string | undefined
  /** The sentence to show with it while it may no longer hold. */
  staleNotice?: string | undefined
}

/** How an experiment went, as one of you tells it. */
export interface ExperimentOutcome {
  /** Who says so: you or your partner. */
  by: 'you' | 'partner'
  /** How it went, in their words. */
  text: string
}

/** What `experiments.add` takes. Plan something small to try together. */
export interface ExperimentsAddInput {
  /** The mediation session, by its id. */
  session: string
  /** What to try. */
  text: string
  /** The agreement it is part of, by its id. */
  agreement?: string | undefined
  /** The entry of the library it comes from. */
  suggestion?: string | undefined
  /** After how many days both of you are asked how it goes. */
  checkInDays?: number | undefined
}

/** What `experiments.report` takes. Report how something that you tried together went for you. */
export interface ExperimentsReportInput {
  /** The mediation session, by its id. */
  session: string
  /** The experiment, by its id. */
  experiment: string
  /** Whether you are still trying it, have done it, or gave it up. */
  status: 'TRYING' | 'DONE' | 'DROPPED'
  /** How it went for you. */
  outcome: string
  /** While you are still trying it: after how many days to ask again. Default: 7. */
  checkInDays?: number | undefined
}

/** How much of a record is shown: all of it, a preview, or its metadata alone. */
export type FaceLevel = 'full' | 'preview' | 'metadata'

/** How much of a file could be read; `extracting` until it is read. */
export type FileState = 'extracting' | 'complete' | 'partial' | 'needs_ocr' | 'failed'

/** Somebody who is let in to something. */
export interface Grant {
  /** The id of the grant. */
  id: string
  /** Who is let in. */
  grantee: string
  /** What they are let in to. */
  target: Target
  /** When it was created. */
  createdAt: string
}

/** What `grants.add` takes. Grant explicit access to a target. */
export interface GrantsAddInput {
  /** Who to let in: a person, `group:<id>` or `role:<id>/<role>`. */
  grantee: string
  /** What to let them in to. */
  target: TargetInput
}

/** What `grants.list` answers. List your grants. */
export interface GrantsListOutput {
  /** The grants, oldest first. */
  grants: Grant[]
}

/** What `grants.revoke` takes. Revoke a grant. */
export interface GrantsRevokeInput {
  /** The grant, by its id. */
  grant: string
}

/** What `grants.revoke` answers. Revoke a grant. */
export interface GrantsRevokeOutput {
  /** Whether it was revoked; false if it was not there. */
  revoked: boolean
}

/** A group of people, who can own records and be let in. */
export interface Group {
  /** The id of the group. */
  id: string
  /** Its name. */
  name: string
  /** What to name as an owner or a grantee: `group:<id>`. */
  principal: string
  /** Who made it. */
  owner: string
  /** Its members. */
  members: {
    /** The person, by name. */
    member: string
    /** Their role; null if they have none. */
    role: string | null
  }[]
}

/** What `groups.add_member` takes. Add a member to a group. */
export interface GroupsAddMemberInput {
  /** The group, by its id. */
  group: string
  /** A person of the tenant, by name. */
  member: string
  /** A role in the group. */
  role?: string | undefined
}

/** What `groups.create` takes. Create a group. */
export interface GroupsCreateInput {
  /** A name for it. */
  name: string
}

/** What `groups.list` answers. List groups you own or belong to. */
export interface GroupsListOutput {
  /** The groups, by name. */
  groups: Group[]
}

/** What `groups.remove_member` takes. Remove a member, or one of its roles, from a group. */
export interface GroupsRemoveMemberInput {
  /** The group, by its id. */
  group: string
  /** A person of the tenant, by name. */
  member: string
  /** A role in the group. Default: all their roles. */
  role?: string | undefined
}

/** What `index.rebuild` answers. Rebuild the index of your own memory. */
export interface IndexRebuildOutput {
  /** Whether the index is rebuilt. */
  rebuilt: boolean
}

/** The state of an index that was searched. */
export interface IndexSnapshot {
  /** The id of the snapshot. */
  snapshotId: string
  /** The index, by its id. */
  indexId: string
  /** Whether it is of words or of vectors; missing in old receipts. */
  indexKind?: 'words' | 'vectors' | undefined
  /** The model that made the vectors. */
  model?: string | undefined
  /** When the index was in this state. */
  snapshotTimestamp: string
  /** Number of records in it. */
  documentsCoveredCount: number
  /** The version of this format. */
  schemaVersion: 1
}

/** What became of a file that was taken in. */
export interface IngestedFile {
  /** What became of the file; `described` means the same bytes with new details. */
  outcome: 'created' | 'versioned' | 'described' | 'unchanged' | 'failed'
  /** The name of the file. */
  document: string
  /** The file as it was taken in, by its id. */
  source: string
  /** The number of the version. */
  version: number
  /** How much of the file could be read; `extracting` until it is read. */
  state: FileState
  /** Why the file could not be read, as a code; null if it could. */
  problem: string | null
  /** The media type that was recognised; null if none was. */
  mediaType: string | null
  /** Number of pages; null if the format has none. */
  pages: number | null
  /** Number of characters that were read; null until it is read. */
  characters: number | null
  /** Number of segments that were made; null until it is read. */
  segments: number | null
  /** Whether it shares words with the version it replaces; null if there was nothing to compare. */
  likeBefore: boolean | null
  /** Attachments that could not be read, and why. */
  notRead: string[]
  /** The record that stands for it; null until it is read. */
  card: StoredRecord | null
}

/** What a question is taken for, and why. */
export interface IntentResolution {
  /** What the question is taken for. */
  resolvedIntent: QueryIntent
  /** How that was decided. */
  resolverKind:
    | 'deterministic_pattern'
    | 'deterministic_session_profile'
    | 'deterministic_user_specified'
    | 'model_assisted_disclosed'
    | 'user_corrected'
  /** The pattern of words that decided, by its id. */
  patternId?: string | undefined
  /** The model that decided, by its name. */
  classifierModelRef?: string | undefined
  /** How sure the model is, from 0 to 1. */
  classifierConfidence?: number | undefined
  /** Whether the caller may name another intent. */
  userCanOverride: boolean
  /** The search whose intent the caller corrected, by its id. */
  correctsSearchRun?: string | undefined
  /** Whether to show the intent prominently, because the model was unsure. */
  prominent?: boolean | undefined
  /** The version of this format. */
  schemaVersion: 1
}

/** What was searched and what was left out, for an owner or a host. */
export interface InternalReceipt {
  /** The receipt of an owner or a host. */
  kind: 'internal'
  /** The id of the receipt. */
  receiptId: string
  /** The id of the search. */
  searchRunId: string
  /** Number of records that were searched. */
  searchedCount: number
  /** How complete the search was. */
  resultSetCompleteness: Completeness
  /** Whether the caller was told which words were added. */
  expansionDisclosureProvided: boolean
  /** How the search by meaning went, by model; empty if there was none. */
  meaning: MeaningUse[]
  /** A digest of where it looked. */
  scopeDigest: string
  /** The version of this format. */
  schemaVersion: 1
  /** The collections that were searched. */
  searchedCorpora: string[]
  /** The surfaces that were searched, as `corpus/surface`. */
  searchedCorpusSegments: string[]
  /** The filings that were searched. */
  searchedFilingUnits: string[]
  /** The collections that were left out. */
  excludedCorpora: string[]
  /** The filings that were left out. */
  excludedFilingUnits: string[]
  /** The parts of filings that were left out. */
  excludedFilingParts: string[]
  /** Number of records that were left out. */
  excludedCount: number
  /** Number of records that a policy left out. */
  policyFilteredCount: number
  /** Number of records that their visibility class left out. */
  visibilityFilteredCount: number
  /** Number of files that were left out because they wait to be read. */
  stalenessFilteredCount: number
  /** Some of the files that wait to be read, by name; empty in a kept receipt. */
  waitingFiles: string[]
  /** Some of the files that could not be read, or not whole, by name; empty in a kept receipt. */
  unreadFiles: string[]
  /** The states of the indexes that were searched, by their ids. */
  indexSnapshotsUsed: string[]
  /** Whether an index was not current. */
  anyIndexStale: boolean
  /** Indexes that were not current. */
  stalenessSummary: {
    /** The index, by its id. */
    indexId: string
    /** Seconds that it is behind. */
    staleSeconds: number
  }[]
  /** The expansions of the question, by their ids. */
  queryExpansionsUsed: string[]
}

/** What `keys.create` takes. Create an API key; its secret is shown once. */
export interface KeysCreateInput {
  /** A name for it. */
  name: string
  /** Whose key it is; for an agent, its name. Default: the caller. */
  actor?: string | undefined
  /** What sort of caller it is for. */
  audience?: Audience | undefined
  /** The person an agent works for. Default: the caller. */
  for?: string | undefined
  /** What it is trusted with. Required for agents and recipients. */
  trust?:
    | {
        /** The highest sensitivity that is shown in full. */
        maxSensitivity: Sensitivity
        /** Only these scopes. Empty means all that the credential has. */
        scopes?: string[] | undefined
      }
    | undefined
  /** A capability policy, by its name. */
  policy?: string | undefined
  /** Between which visibility classes it is shown records. */
  visibility?: VisibilityBounds | undefined
  /** The conversation or run it is for. */
  session?: string | undefined
  /** Whether a request may name its own conversation. */
  choosesSession?: boolean | undefined
  /** When it expires. Never later than the key it is made with. */
  expiresAt?: Date | string | undefined
}

/** What `keys.create` answers. Create an API key; its secret is shown once. */
export interface KeysCreateOutput {
  /** The key. */
  key: ApiKey
  /** The secret to send with requests. It is shown once: null when a request is repeated. */
  secret: string | null
}

/** What `keys.list` takes. List API keys and their last use. */
export interface KeysListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `keys.list` answers. List API keys and their last use. */
export interface KeysListOutput {
  /** The keys, newest first. */
  keys: ApiKey[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `keys.revoke` takes. Revoke an API key and every key made with it. */
export interface KeysRevokeInput {
  /** The key, by its id. */
  key: string
}

/** A record whose text calls for a stricter label. */
export interface LabelProposal {
  /** The record, by its id. */
  record: string
  /** The beginning of its text; empty if the profile does not let documents be read. */
  text: string
  /** Its sensitivity now. */
  current: string
  /** The least sensitivity that the text calls for. */
  sensitivity: Sensitivity
  /** Known people who are named in the text, by name. */
  participants: string[]
  /** Why. */
  reasons: LabelReason[]
}

/** What in a text calls for a stricter label. */
export interface LabelReason {
  /** What sort of content it is. */
  class: 'credentials' | 'health' | 'money' | 'intimate' | 'minors' | 'legal' | 'contact'
  /** What was recognised, for example `IBAN`. */
  what: string
  /** Where it begins in the text, in UTF-16 units. */
  start: number
  /** Where it ends. */
  end: number
}

/** What `labels.policy` answers. Read how labels of new records are raised. */
export interface LabelsPolicyOutput {
  /** Whether labels are raised when something is written. */
  mode: 'off' | 'raise'
  /** The least sensitivity of a class of content, where it is not the default; null leaves it alone. */
  classes: Partial<
    Record<
      'credentials' | 'health' | 'money' | 'intimate' | 'minors' | 'legal' | 'contact',
      Sensitivity | null
    >
  >
  /** Whether known people who are named in a text become participants. */
  people: boolean
}

/** What `labels.propose` takes. Propose a label for a text, with reasons. */
export interface LabelsProposeInput {
  /** The text. */
  text: string
  /** Whose people to look for. Default: yours. */
  owner?: string | undefined
}

/** What `labels.propose` answers. Propose a label for a text, with reasons. */
export interface LabelsProposeOutput {
  /** The least sensitivity that the text calls for. */
  sensitivity: Sensitivity
  /** Known people who are named in the text, by name. */
  participants: string[]
  /** Why. */
  reasons: LabelReason[]
}

/** What `labels.review` takes. List your records that may need a stricter label, newest first. */
export interface LabelsReviewInput {
  /** Whose records. Default: yours. */
  owner?: string | undefined
  /** Most proposals on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `labels.review` answers. List your records that may need a stricter label, newest first. */
export interface LabelsReviewOutput {
  /** The proposals. Accept one with `memory.relabel`. */
  proposals: LabelProposal[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `labels.set_policy` takes. Set how labels of new records are raised by what their texts say. */
export interface LabelsSetPolicyInput {
  /** Whether labels are raised when something is written. */
  mode: 'off' | 'raise'
  /** The least sensitivity of a class of content, where it is not the default; null leaves it alone. */
  classes?:
    | Partial<
        Record<
          'credentials' | 'health' | 'money' | 'intimate' | 'minors' | 'legal' | 'contact',
          Sensitivity | null
        >
      >
    | undefined
  /** Whether known people who are named in a text become participants. */
  people?: boolean | undefined
}

/** What `labels.set_policy` answers. Set how labels of new records are raised by what their texts say. */
export interface LabelsSetPolicyOutput {
  /** Whether labels are raised when something is written. */
  mode: 'off' | 'raise'
  /** The least sensitivity of a class of content, where it is not the default; null leaves it alone. */
  classes: Partial<
    Record<
      'credentials' | 'health' | 'money' | 'intimate' | 'minors' | 'legal' | 'contact',
      Sensitivity | null
    >
  >
  /** Whether known people who are named in a text become participants. */
  people: boolean
}

/** What `library.contribute` takes. Contribute something to try to the library, anonymised. */
export interface LibraryContributeInput {
  /** A short name for it. What is kept is anonymised. */
  title: string
  /** What to do, in a few sentences. What is kept is anonymised. */
  text: string
  /** Days it takes to try. */
  durationDays?: number | undefined
  /** The needs it is good for, the most important first. */
  needs: NeedCategory[]
  /** That you agree to share it, anonymised, with everybody in the tenant. */
  optIn: true
  /** Title and text of the preview, as you read them. */
  seen: {
    /** The title in the preview. */
    title: string
    /** The text in the preview. */
    text: string
  }
}

/** Something to try, from the library. */
export interface LibraryEntry {
  /** The id of the entry. */
  id: string
  /** A short name for it. */
  title: string
  /** What to do, in a few sentences. */
  text: string
  /** The needs it is good for, the most important first. */
  needs: string[]
  /** Days it takes to try. */
  durationDays: number
  /** Whether it was curated or contributed by a member. */
  source: 'curated' | 'contributed'
}

/** What `library.list` takes. List small things that two people could try. */
export interface LibraryListInput {
  /** Only what is good for this need. */
  need?: NeedCategory | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `library.list` answers. List small things that two people could try. */
export interface LibraryListOutput {
  /** The entries. */
  entries: LibraryEntry[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `library.mine` takes. List what you contributed to the library, newest first. */
export interface LibraryMineInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `library.mine` answers. List what you contributed to the library, newest first. */
export interface LibraryMineOutput {
  /** What you contributed, newest first. */
  entries: OwnLibraryEntry[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `library.preview` takes. Show what a contribution to the library would look like, anonymised. */
export interface LibraryPreviewInput {
  /** A short name for it. What is kept is anonymised. */
  title: string
  /** What to do, in a few sentences. What is kept is anonymised. */
  text: string
  /** Days it takes to try. */
  durationDays?: number | undefined
  /** The needs it is good for, the most important first. */
  needs?: NeedCategory[] | undefined
}

/** What `library.preview` answers. Show what a contribution to the library would look like, anonymised. */
export interface LibraryPreviewOutput {
  /** A short name for it. */
  title: string
  /** What to do, in a few sentences. */
  text: string
  /** The needs it is good for, the most important first. */
  needs: string[]
  /** Days it takes to try. */
  durationDays: number
  /** Number of names and the like that were replaced, by sort. */
  replaced: Record<'names' | 'addresses' | 'links' | 'places' | 'times' | 'amounts' | 'numbers', number>
}

/** What `library.review` takes. Approve or remove a contribution to the library; the words of what is removed are deleted. */
export interface LibraryReviewInput {
  /** A contribution, by its id. */
  entry: string
  /** Whether everybody may read it, or nobody any more. */
  decision: 'approve' | 'remove'
}

/** What `library.review` answers. Approve or remove a contribution to the library; the words of what is removed are deleted. */
export interface LibraryReviewOutput {
  /** The id of the contribution. */
  entry: string
  /** What became of it. */
  state: 'standing' | 'withdrawn'
}

/** What `library.waiting` takes. List contributions to the library that wait for your approval, oldest first. */
export interface LibraryWaitingInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `library.waiting` answers. List contributions to the library that wait for your approval, oldest first. */
export interface LibraryWaitingOutput {
  /** The contributions, oldest first. Names and the like are already replaced. */
  entries: WaitingLibraryEntry[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `library.withdraw` takes. Withdraw what you contributed to the library; its words are deleted. */
export interface LibraryWithdrawInput {
  /** Something you contributed, by its id. */
  entry: string
}

/** What the host of a link is told of: in the app, by webhooks, and by mail. */
export interface LinkNotices {
  /** What you are told of. */
  events?: ('opened' | 'downloaded' | 'uploaded' | 'refused' | 'locked' | 'full')[] | undefined
  /** Where notices are mailed to as well; null for nowhere. */
  email?: string | null | undefined
  /** Whether each notice is mailed at once, or all of an hour or a day together. */
  digest?: 'none' | 'hourly' | 'daily' | undefined
}

/** How long a recipient looked at a document. */
export interface LinkReading {
  /** The session, by its id. */
  session: string
  /** Who that is, as far as they proved it; null if they did not. */
  recipient: string | null
  /** The document, by its id. */
  document: string
  /** Its title; null if it has none. */
  title: string | null
  /** Seconds on screen, all pages together. */
  seconds: number
  /** The same by page, in order. */
  pages: {
    /** The page; 0 for the text. */
    page: number
    /** Seconds that the page was on screen. */
    seconds: number
  }[]
  /** When it was last on screen. */
  lastAt: string
}

/** Somebody who waits to be let in by name. */
export interface LinkRequest {
  /** The id of the request. */
  request: string
  /** The link, by its id. */
  link: string
  /** The name that the recipient gave. */
  name: string
  /** Whether it is pending, approved, declined or used. */
  state: string
  /** When it was asked. */
  createdAt: string
  /** When it was decided; null until then. */
  decidedAt: string | null
  /** The session that was opened by it, by its id; null if none. */
  session: string | null
}

/** How a share link was revoked. */
export interface LinkRevocation {
  /** The id of the revocation. */
  revocationId: string
  /** When it was revoked. */
  revokedAt: string
  /** Why it was revoked. */
  revokeReason: string
  /** What became of the sessions that were open. */
  activeSessionDisposition: string
  /** Seconds that open sessions could go on; null if they ended at once. */
  activeSessionGracePeriodSeconds: number | null
  /** Whether the recipient was asked to delete what they downloaded. */
  downloadedCopiesDisposition: string
  /** Whether answers that were kept for its sessions may be used again. */
  cachedResponseDisposition: string
}

/** What `links.access_log` takes. See what was searched, shown and taken by a link. */
export interface LinksAccessLogInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** The share link, by its id. */
  link: string
}

/** What `links.access_log` answers. See what was searched, shown and taken by a link. */
export interface LinksAccessLogOutput {
  /** What was done, newest first. */
  entries: AccessLogEntry[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
  /** Who may read the entries; the totals are always the host's to read. */
  auditVisibility: string
  /** How much the link was used. */
  totals: {
    /** Number of sessions. */
    sessions: number
    /** Number of searches. */
    searches: number
    /** Number of requests that read the text of documents. */
    views: number
    /** Number of downloads. */
    downloads: number
    /** Number of requests that were refused. */
    refused: number
  }
}

/** What `links.change` takes. Change a share link without a new address. */
export interface LinksChangeInput {
  /** The share link, by its id. */
  link: string
  /** Another name for it. */
  name?: string | undefined
  /** When it expires; null for never. Open sessions end then at the latest. */
  expiresAt?: Date | string | null | undefined
  /** What recipients may do from now on, in open sessions too. */
  allowedActions?: CapabilityPattern[] | undefined
  /** How much recipients may ask for from now on. */
  rateLimits?:
    | {
        /** Most searches per hour. */
        maxQueriesPerHour?: number | undefined
        /** Most documents opened or downloaded per hour. */
        maxDocumentViewsPerHour?: number | undefined
        /** Most files uploaded per day. */
        maxUploadsPerDay?: number | undefined
        /** Most sessions at a time. */
        maxRecipientSessionsConcurrent?: number | undefined
      }
    | undefined
  /** The views that it shares from now on, by their ids: it may leave out a corpus, and add views of one that it shares, which narrow it. To share more, grant another link. */
  views?: string[] | undefined
  /** Seconds without use after which a session ends. */
  sessionIdleSeconds?: number | undefined
  /** Addresses and domains (`@example.com`) that may open a link of mode `email_bound`, beside `recipientEmail`. Each proves theirs by a code. */
  allowList?: string[] | undefined
  /** Addresses and domains that may not open it, whoever else is allowed. */
  denyList?: string[] | undefined
  /** What you are told of. What is left out stays as it is. */
  notices?:
    | {
        /** What you are told of. */
        events?: ('opened' | 'downloaded' | 'uploaded' | 'refused' | 'locked' | 'full')[] | undefined
        /** Where notices are mailed to as well; null for nowhere. */
        email?: string | null | undefined
        /** Whether each notice is mailed at once, or all of an hour or a day together. */
        digest?: 'none' | 'hourly' | 'daily' | undefined
      }
    | undefined
}

/** What `links.copy` takes. Give several recipients a link of their own with the terms of another. */
export interface LinksCopyInput {
  /** The share link, by its id. */
  link: string
  /** Who gets a link. */
  recipients: {
    /** Their address, for a link of mode `email_bound`. */
    email?: string | undefined
    /** What to call them. */
    name?: string | undefined
  }[]
}

/** What `links.copy` answers. Give several recipients a link of their own with the terms of another. */
export interface LinksCopyOutput {
  /** A link for each recipient, in the order they were named. */
  copies: {
    /** The link. */
    link: ShareLink
    /** The token that opens it. It is shown once: null when a request is repeated. */
    token: string | null
  }[]
}

/** What `links.decide` takes. Approve or decline a request to open a link. */
export interface LinksDecideInput {
  /** The request, by its id. */
  request: string
  /** Whether to let them in. */
  decision: 'approve' | 'decline'
}

/** What `links.export_log` takes. Export the log of a share link as CSV. */
export interface LinksExportLogInput {
  /** The share link, by its id. */
  link: string
}

/** What `links.export_log` answers. Export the log of a share link as CSV. */
export interface LinksExportLogOutput {
  /** A name for the file. */
  fileName: string
  /** The lines of the log, newest first, with a header (RFC 4180). */
  csv: string
  /** Number of lines without the header. */
  lines: number
  /** Whether older lines were left out. */
  truncated: boolean
}

/** What `links.get` takes. Read one of your share links. */
export interface LinksGetInput {
  /** The share link, by its id. */
  link: string
}

/** What `links.grant` takes. Share views by a link; what opens it is shown once. */
export interface LinksGrantInput {
  /** A name for it. Default: that of its first view. */
  name?: string | undefined
  /** Views of your own that it shares, by their ids. */
  views: string[]
  /** The host session in whose name it is granted, by its id. Default: the one that asks. */
  hostSession?: string | undefined
  /** How a recipient proves who they are. `host_user` and `system_agent` are refused: a link is for somebody outside. */
  recipientIdentityMode:
    | 'anonymous_share_token'
    | 'email_bound'
    | 'passcode_required'
    | 'host_approved_named_external'
    | 'host_user'
    | 'system_agent'
  /** The address that a link of mode `email_bound` is for. It may be left out with an `allowList`. */
  recipientEmail?: string | undefined
  /** The passcode of a link of mode `passcode_required`, at least 8 characters. A link of mode `email_bound` may ask for one as well. */
  passcode?: string | undefined
  /** Whom you have in mind. You still approve each recipient by name. */
  approvedName?: string | undefined
  /** Whether documents may be opened: a policy of kind `document_access_policy`, by its name. */
  documentAccessPolicyRef?: string | undefined
  /** What recipients may do at most. */
  allowedActions?: CapabilityPattern[] | undefined
  /** When it expires. Its sessions end then. */
  expiresAt?: Date | string | undefined
  /** How much recipients may ask for, all sessions of the link together. */
  rateLimits?:
    | {
        /** Most searches per hour. */
        maxQueriesPerHour?: number | undefined
        /** Most documents opened or downloaded per hour. */
        maxDocumentViewsPerHour?: number | undefined
        /** Most files uploaded per day. */
        maxUploadsPerDay?: number | undefined
        /** Most sessions at a time. */
        maxRecipientSessionsConcurrent?: number | undefined
      }
    | undefined
  /** Whether downloads are marked, so that a copy that is found tells where it came from. */
  watermarkDownloads?: boolean | undefined
  /** How copies are marked. Default: downloads, visibly and in metadata, with the address that the link is bound to or else the session. */
  watermarkPolicy?: WatermarkPolicy | undefined
  /** Who may read what recipients did: the host, each session for itself, or both. */
  auditVisibility?: 'host_only' | 'session_local' | 'both' | undefined
  /** Policies of yours that its sessions refer to. */
  policyRefs?:
    | {
        /** Whether copies may leave: a policy of kind `document_delivery_policy`, by its name. */
        documentDeliveryPolicyRef?: string | undefined
        /** How long a context may be: a policy of kind `output_policy`, by its name. */
        outputPolicyRef?: string | undefined
        /** How long its searches are kept: a policy of kind `transcript_retention_policy`, by its name. */
        transcriptRetentionPolicyRef?: string | undefined
        /** Whether the host learns from it: a policy of kind `learning_capture_policy`, by its name. */
        learningCapturePolicyRef?: string | undefined
        /** Where signals go: a policy of kind `utility_signal_policy`, by its name. */
        utilitySignalPolicyRef?: string | undefined
        /** What governs it: a policy of kind `doc1_governance_split`, by its name. */
        doc1GovernanceSplitRef?: string | undefined
        /** How uploads are checked: a policy of kind `external_upload_file_safety_controls`, by its name. */
        externalUploadFileSafetyControlsRef?: string | undefined
        /** The words of refusals: a policy of kind `session_denial_message_policy`, by its name. */
        sessionDenialMessagePolicyRef?: string | undefined
      }
    | undefined
  /** The highest sensitivity that recipients are trusted with, within what the views show. */
  maxSensitivity?: Sensitivity | undefined
  /** Seconds that a session lasts if nobody ends it. */
  sessionSeconds?: number | undefined
  /** Seconds without use after which a session ends. */
  sessionIdleSeconds?: number | undefined
  /** Addresses and domains (`@example.com`) that may open a link of mode `email_bound`, beside `recipientEmail`. Each proves theirs by a code. */
  allowList?: string[] | undefined
  /** Addresses and domains that may not open it, whoever else is allowed. */
  denyList?: string[] | undefined
  /** What recipients must agree to before they are let in. Its hash is recorded with each session. */
  agreement?: string | undefined
  /** What you are told of. Default: everything, in the app and by webhooks. */
  notices?: LinkNotices | undefined
}

/** What `links.grant` answers. Share views by a link; what opens it is shown once. */
export interface LinksGrantOutput {
  /** The link. */
  link: ShareLink
  /** The token that opens the link. It is shown once: null when a request is repeated. */
  token: string | null
  /** The moment whose content its recipients see: when a snapshot of its views was first shared, which may be long ago; null if they see what is current. */
  asOf: string | null
}

/** What `links.list` takes. List your share links. */
export interface LinksListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `links.list` answers. List your share links. */
export interface LinksListOutput {
  /** The links, newest first. */
  links: ShareLink[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `links.preview` takes. Look at a share link as its recipient would. */
export interface LinksPreviewInput {
  /** The share link, by its id. */
  link: string
}

/** What `links.preview` answers. Look at a share link as its recipient would. */
export interface LinksPreviewOutput {
  /** The preview, by its id. Send reads with `as: { profile }` to see what a recipient sees. */
  profile: string
  /** When it expires. */
  expiresAt: string
}

/** What `links.readings` takes. See how long recipients looked at which pages. */
export interface LinksReadingsInput {
  /** The share link, by its id. */
  link: string
}

/** What `links.readings` answers. See how long recipients looked at which pages. */
export interface LinksReadingsOutput {
  /** By session and document, longest first; at most 1,000. */
  readings: LinkReading[]
}

/** What `links.redeem` takes. Open a session by a share link. */
export interface LinksRedeemInput {
  /** The token of the link, as it was handed over. */
  token: string
  /** Your address, for a link bound to one. A code is sent there. */
  email?: string | undefined
  /** The code that was sent to the address. */
  code?: string | undefined
  /** The passcode, for a link that asks for one. */
  passcode?: string | undefined
  /** Your name, for a link whose host lets people in by name. */
  name?: string | undefined
  /** The ticket that was answered to the name. Ask again with it until the host has decided. */
  ticket?: string | undefined
  /** The SHA-256 of the text that you agree to, as `agreement_needed` told it. */
  agreement?: string | undefined
}

/** What `links.redeem` answers. Open a session by a share link. */
export type LinksRedeemOutput =
  | {
      /** What comes next. */
      status: 'open'
      /** The key of the session, to be sent in place of an API key. It is shown once. */
      key: string
      /** The session, by its id. */
      profile: string
      /** When it expires. */
      expiresAt: string
    }
  | {
      /** What comes next. */
      status: 'email_needed'
    }
  | {
      /** What comes next. */
      status: 'code_sent'
      /** When it expires. */
      expiresAt: string
    }
  | {
      /** What comes next. */
      status: 'passcode_needed'
    }
  | {
      /** What comes next. */
      status: 'name_needed'
    }
  | {
      /** What comes next. */
      status: 'waiting'
      /** Ask again with it until the host has decided; null if you asked with one. */
      ticket: string | null
    }
  | {
      /** What comes next. */
      status: 'agreement_needed'
      /** What to agree to. */
      text: string
      /** SHA-256 of the text, to be sent back as `agreement`. */
      sha256: string
    }
  | {
      /** What comes next. */
      status: 'refused'
    }

/** What `links.request_files` takes. Ask somebody outside for files, by a link that only takes files in. */
export interface LinksRequestFilesInput {
  /** The host session in whose name it is granted, by its id. Default: the one that asks. */
  hostSession?: string | undefined
  /** The address that a link of mode `email_bound` is for. It may be left out with an `allowList`. */
  recipientEmail?: string | undefined
  /** The passcode of a link of mode `passcode_required`, at least 8 characters. A link of mode `email_bound` may ask for one as well. */
  passcode?: string | undefined
  /** Whom you have in mind. You still approve each recipient by name. */
  approvedName?: string | undefined
  /** Addresses and domains (`@example.com`) that may open a link of mode `email_bound`, beside `recipientEmail`. Each proves theirs by a code. */
  allowList?: string[] | undefined
  /** Addresses and domains that may not open it, whoever else is allowed. */
  denyList?: string[] | undefined
  /** What recipients must agree to before they are let in. Its hash is recorded with each session. */
  agreement?: string | undefined
  /** When it expires. Its sessions end then. */
  expiresAt?: Date | string | undefined
  /** Seconds that a session lasts if nobody ends it. */
  sessionSeconds?: number | undefined
  /** Seconds without use after which a session ends. */
  sessionIdleSeconds?: number | undefined
  /** What you are told of. Default: everything, in the app and by webhooks. */
  notices?: LinkNotices | undefined
  /** A name for it, which only you see. */
  name: string
  /** What you ask for. The sender sees it. */
  message?: string | undefined
  /** The collection that files are filed in. */
  corpus?: string | undefined
  /** The folder of the collection to file them in. */
  folder?: string | undefined
  /** How a sender proves who they are. */
  recipientIdentityMode?:
    | 'anonymous_share_token'
    | 'email_bound'
    | 'passcode_required'
    | 'host_approved_named_external'
    | 'host_user'
    | 'system_agent'
    | undefined
  /** Most files uploaded per day. */
  maxUploadsPerDay?: number | undefined
  /** How uploads are checked: a policy of kind `external_upload_file_safety_controls`, by its name. */
  externalUploadFileSafetyControlsRef?: string | undefined
}

/** What `links.request_files` answers. Ask somebody outside for files, by a link that only takes files in. */
export interface LinksRequestFilesOutput {
  /** The link. */
  link: ShareLink
  /** The token that opens the link. It is shown once: null when a request is repeated. */
  token: string | null
}

/** What `links.requests` takes. List who is waiting for approval to open your links. */
export interface LinksRequestsInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only requests for this link. */
  link?: string | undefined
  /** Only requests in this state. */
  state?: 'pending' | 'approved' | 'declined' | 'used' | undefined
}

/** What `links.requests` answers. List who is waiting for approval to open your links. */
export interface LinksRequestsOutput {
  /** The requests, newest first. */
  requests: LinkRequest[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `links.revoke` takes. Revoke a share link. */
export interface LinksRevokeInput {
  /** The share link, by its id. */
  link: string
  /** Why. A recipient who is asked to delete what they downloaded reads it. */
  reason: string
  /** What becomes of the sessions that are open. */
  activeSessionDisposition?:
    | 'terminate_immediately'
    | 'allow_session_complete'
    | 'terminate_after_grace'
    | undefined
  /** Seconds that open sessions may go on, with `terminate_after_grace`. */
  activeSessionGracePeriodSeconds?: number | undefined
  /** Whether to ask the recipient to delete what they downloaded. */
  downloadedCopiesDisposition?: 'no_recall_attempt' | 'best_effort_recall_request' | undefined
  /** Whether answers that were kept for its sessions may be used again. */
  cachedResponseDisposition?: 'session_local_invalidate' | 'no_action' | undefined
}

/** What `links.revoke` answers. Revoke a share link. */
export interface LinksRevokeOutput {
  /** The link, by its id. */
  link: string
  /** The id of the revocation. */
  revocationId: string
  /** When it was revoked. */
  revokedAt: string
  /** Why it was revoked. */
  revokeReason: string
  /** What became of the sessions that were open. */
  activeSessionDisposition: string
  /** Seconds that open sessions could go on; null if they ended at once. */
  activeSessionGracePeriodSeconds: number | null
  /** Whether the recipient was asked to delete what they downloaded. */
  downloadedCopiesDisposition: string
  /** Whether answers that were kept for its sessions may be used again. */
  cachedResponseDisposition: string
  /** Number of sessions that ended with it. */
  sessionsTerminated: number
  /** Number of sessions that go on for a while. */
  sessionsEnding: number
  /** When the last of them ends; null if none goes on. */
  sessionsEndAt: string | null
  /** Number of downloads. */
  downloads: number
  /** Number of files that were downloaded. */
  downloadedFiles: number
  /** Whether the recipient was asked to delete what they downloaded. */
  recall: 'not_attempted' | 'nothing_downloaded' | 'requested' | 'no_address' | 'no_mailer'
  /** The mails that ask for it, by their ids; `mail.list` tells whether they arrived. */
  recallMails: string[]
  /** What to tell the host. */
  message: string
}

/** What `mail.list` takes. See whether the mail of your links was delivered. */
export interface MailListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only mail of this link, by its id. */
  link?: string | undefined
}

/** What `mail.list` answers. See whether the mail of your links was delivered. */
export interface MailListOutput {
  /** The mail, newest first. */
  mails: MailState[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** How far a mail got. Its address and its words are not kept. */
export interface MailState {
  /** The id of the mail; its `Message-ID` begins with it. */
  mail: string
  /** What it is about: a `code`, a `recall` request or a `notice`. */
  purpose: string
  /** The link it belongs to, by its id; null if none. */
  link: string | null
  /** Whether the mail server took it. `rejected`: it refused the address for good; `expired`: it was useless before it could be sent. */
  state: 'waiting' | 'sent' | 'rejected' | 'failed' | 'expired'
  /** How often it was tried. */
  attempts: number
  /** Why the last attempt failed: `not_sent`, `timed_out`, `rejected` or `expired`. */
  lastFailure: string | null
  /** When it was created. */
  createdAt: string
  /** When it is tried next; null if it is not. */
  nextAttemptAt: string | null
  /** When the mail server took it; null if it did not. */
  sentAt: string | null
}

/** How the meaning of a question took part, with one model. */
export interface MeaningUse {
  /** The model that made the vectors. */
  model: string
  /** Whether meaning was used; `partial` while visible records wait for their vectors. */
  state: 'used' | 'partial' | 'not_understood' | 'timeout' | 'unavailable'
  /** Number of visible records that wait for their vectors. */
  waiting: number
}

/** What `memory.capture` takes. Keep a conversation and the facts that it states. */
export interface MemoryCaptureInput {
  /** The messages, in their order: all are kept or none. */
  messages: CapturedMessage[]
  /** The conversation that they belong to; it goes on where it ended. Default: a new one. */
  conversation?: string | undefined
  /** People whom all of it is about, by name. Their consent counts. */
  about?: string[] | undefined
  /** Whose memory it is. Default: the caller. */
  owner?: string | undefined
  /** Whether to make facts of what was said, beside keeping the turns. */
  facts?: boolean | undefined
  /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
  sensitivity?: Sensitivity | undefined
  /** The part of life or work it belongs to. */
  scope?: string | undefined
  /** Who may see it at all, from open to firewalled. */
  visibilityClass?: VisibilityClass | undefined
}

/** What `memory.capture` answers. Keep a conversation and the facts that it states. */
export interface MemoryCaptureOutput {
  /** The conversation, to go on with. */
  conversation: string
  /** The turns, in the order of the messages. */
  turns: CapturedTurn[]
  /** The facts that were made of them. */
  facts: CapturedFact[]
}

/** What `memory.complete` takes. Complete a word with words that the caller can see. */
export interface MemoryCompleteInput {
  /** What was typed so far. */
  text: string
  /** Only records of these kinds. */
  kinds?: RecordKind[] | undefined
  /** Only records with all of these tags. */
  tags?: string[] | undefined
  /** Only records kept at or after this moment. */
  createdAfter?: Date | string | undefined
  /** Only records kept before this moment. */
  createdBefore?: Date | string | undefined
  /** Only what happened at or after this moment. */
  occurredAfter?: Date | string | undefined
  /** Only what happened before this moment. */
  occurredBefore?: Date | string | undefined
  /** Only records of this owner: a person, `group:<id>` or `role:<id>/<role>`. */
  owner?: string | undefined
  /** Only this collection. */
  corpus?: string | undefined
  /** Only records in which all of these people take part, by name. */
  people?: string[] | undefined
  /** Only what holds at this moment, by `validFrom` and `validTo`; `any` for all times. Default: now. */
  asOf?: Date | string | 'any' | undefined
  /** Only records that matter at least this much now, from 0 to 1. */
  minSalience?: number | undefined
  /** Only records whose own fields have these values, or hold them in a list. */
  fields?: Record<string, JsonValue> | undefined
  /** Most completions. */
  limit?: number | undefined
}

/** What `memory.complete` answers. Complete a word with words that the caller can see. */
export interface MemoryCompleteOutput {
  /** The completions, most frequent first. */
  completions: {
    /** The whole text with its last word completed. */
    text: string
    /** The completed word. */
    word: string
    /** Number of visible records that have the word. */
    records: number
  }[]
}

/** What `memory.consolidate` takes. Combine several episodic records into one semantic record. */
export interface MemoryConsolidateInput {
  /** The records to consolidate, by their ids. Default: the oldest that nothing was consolidated from yet. */
  records?: string[] | undefined
  /** Whose records. Default: yours. */
  owner?: string | undefined
  /** Only records kept at or after this moment. */
  createdAfter?: Date | string | undefined
  /** Only records kept before this moment. */
  createdBefore?: Date | string | undefined
  /** Only records with all of these tags. */
  tags?: string[] | undefined
  /** Most records to consolidate. */
  limit?: number | undefined
}

/** What `memory.consolidate` answers. Combine several episodic records into one semantic record. */
export interface MemoryConsolidateOutput {
  /** The records that were written. */
  records: StoredRecord[]
}

/** What `memory.context` takes. Gather what a model should know now, within a budget of tokens. */
export interface MemoryContextInput {
  /** What the conversation is about now; it is searched for. */
  about?: string | undefined
  /** Who takes part, by name: what is known of them comes first. */
  people?: string[] | undefined
  /** Most tokens of text (o200k_base). */
  budget?: number | undefined
  /** Only what holds at this moment, by `validFrom` and `validTo`; `any` for all times. Default: now. */
  asOf?: Date | string | 'any' | undefined
  /** Only records that matter at least this much now, from 0 to 1. */
  minSalience?: number | undefined
}

/** What `memory.context` answers. Gather what a model should know now, within a budget of tokens. */
export interface MemoryContextOutput {
  /** The records, in the order in which to read them. */
  items: ContextItem[]
  /** Number of tokens of all texts. */
  tokens: number
  /** Number of further records that did not fit. */
  left: number
  /** How complete the search was; null without `about`. */
  receipt: Receipt | null
}

/** What `memory.explain` takes. Show every gate and its verdict on a record. */
export interface MemoryExplainInput {
  /** The record, by its id. */
  record: string
  /** The caller to look as. Default: yourself. */
  as?: Viewer | undefined
}

/** What `memory.explain` answers. Show every gate and its verdict on a record. */
export type MemoryExplainOutput = {
  /** The id of the record. */
  record: string
  /** How much is shown under the record's own id. */
  shown: string
  /** What all gates together show. */
  face: {
    /** Which form of the record it is: itself or its redacted twin. */
    form: string
    /** How much of it is shown. */
    level: string
  }
  /** What each gate says. */
  gates: {
    /** The gate, by its name. */
    gate: string
    /** What the gate would show. */
    face: {
      /** Which form of the record it is: itself or its redacted twin. */
      form: string
      /** How much of it is shown. */
      level: string
    }
    /** Why, as a code. */
    reason: string
    /** Why, in words. */
    description: string
  }[]
} | null

/** What `memory.extract` takes. Extract facts from stored turns with the configured model. */
export interface MemoryExtractInput {
  /** The turns to read: episodic records, by their ids. */
  records: string[]
}

/** What `memory.extract` answers. Extract facts from stored turns with the configured model. */
export interface MemoryExtractOutput {
  /** The facts that were made of them. */
  facts: CapturedFact[]
  /** Ids of sealed turns that were not sent, because the model is on another machine. */
  heldBack: string[]
}

/** What `memory.forget_candidates` takes. Find records to forget, and what would be deleted with them. */
export interface MemoryForgetCandidatesInput {
  /** A person: what they take part in, and what names them in its text. */
  about?: string | undefined
  /** Words that stand one after the other in a record. */
  phrase?: string | undefined
  /** Only records of these kinds. */
  kinds?: RecordKind[] | undefined
  /** Only records with all of these tags. */
  tags?: string[] | undefined
  /** Only records in which all of these people take part, by name. */
  people?: string[] | undefined
  /** Only this collection. */
  corpus?: string | undefined
  /** Only records kept at or after this moment. */
  createdAfter?: Date | string | undefined
  /** Only records kept before this moment. */
  createdBefore?: Date | string | undefined
}

/** What `memory.forget_candidates` answers. Find records to forget, and what would be deleted with them. */
export interface MemoryForgetCandidatesOutput {
  /** Ids of what was found, newest first, at most 1000; pass them to forget. */
  records: string[]
  /** Whether that is all that was found. */
  complete: boolean
  /** The first of them, at most 50. */
  found: MemoryRecord[]
  /** What was made from them and would be deleted too, at most 50. */
  derived: MemoryRecord[]
  /** Number of such records that you can see. */
  derivedCount: number
  /** Whether all of them were counted. */
  derivedComplete: boolean
}

/** What `memory.forget` takes. Delete records and everything made from them. */
export interface MemoryForgetInput {
  /** Ids of the records to delete. */
  records: string[]
}

/** What `memory.forget` answers. Delete records and everything made from them. */
export interface MemoryForgetOutput {
  /** Ids of the records that were deleted. */
  forgotten: string[]
  /** When they were deleted; null if there were none. */
  forgottenAt: string | null
}

/** What `memory.forget_preview` takes. Show what would be deleted with records. */
export interface MemoryForgetPreviewInput {
  /** Ids of the records to delete. */
  records: string[]
}

/** What `memory.forget_preview` answers. Show what would be deleted with records. */
export interface MemoryForgetPreviewOutput {
  /** What was made from them and would be deleted too, at most 50. */
  derived: MemoryRecord[]
  /** Number of such records that you can see. */
  count: number
  /** Whether all of them were counted. */
  complete: boolean
}

/** What `memory.get` takes. Read one record. */
export interface MemoryGetInput {
  /** The record, by its id. */
  record: string
}

/** What `memory.history` takes. Read the versions of a record, oldest first. */
export interface MemoryHistoryInput {
  /** The record, by its id. */
  record: string
}

/** What `memory.history` answers. Read the versions of a record, oldest first. */
export interface MemoryHistoryOutput {
  /** The versions, oldest first. */
  versions: RecordVersion[]
}

/** What `memory.list` takes. List records in order of creation. */
export interface MemoryListInput {
  /** Only records of these kinds. */
  kinds?: RecordKind[] | undefined
  /** Only records with all of these tags. */
  tags?: string[] | undefined
  /** Only records kept at or after this moment. */
  createdAfter?: Date | string | undefined
  /** Only records kept before this moment. */
  createdBefore?: Date | string | undefined
  /** Only records of this owner: a person, `group:<id>` or `role:<id>/<role>`. */
  owner?: string | undefined
  /** Only this collection. */
  corpus?: string | undefined
  /** Only records in which all of these people take part, by name. */
  people?: string[] | undefined
  /** Only what holds at this moment, by `validFrom` and `validTo`; `any` for all times. Default: now. */
  asOf?: Date | string | 'any' | undefined
  /** Only records whose own fields have these values. */
  fields?: Record<string, JsonValue> | undefined
  /** Shows of every record only its metadata, without tags and scope. */
  face?: 'metadata' | undefined
  /** Which to return first. */
  order?: 'newest' | 'oldest' | undefined
  /** Most records on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `memory.list` answers. List records in order of creation. */
export interface MemoryListOutput {
  /** The records. */
  records: MemoryRecord[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `memory.penalise` takes. Lower the salience of a record. */
export interface MemoryPenaliseInput {
  /** The record, by its id. */
  record: string
  /** The part to add of what is missing to 1, or to take away of what there is. */
  by?: number | undefined
}

/** What `memory.penalise` answers. Lower the salience of a record. */
export interface MemoryPenaliseOutput {
  /** The record, as it is labelled. */
  records: StoredRecord[]
}

/** What `memory.pin` takes. Pin a record, so that its salience does not fade. */
export interface MemoryPinInput {
  /** The record, by its id. */
  record: string
}

/** What `memory.pin` answers. Pin a record, so that its salience does not fade. */
export interface MemoryPinOutput {
  /** The record, as it is labelled. */
  records: StoredRecord[]
}

/** A record as one caller sees it. What its face does not show is null or empty. */
export interface MemoryRecord {
  /** The id of the record. */
  id: string
  /** How much of it is shown: all of it, a preview, or its metadata alone. */
  face: FaceLevel
  /** What sort of record it is. */
  kind: string
  /** How sensitive it is. */
  sensitivity: string
  /** How certain it is, from 0 to 1. */
  confidence: number
  /** How much it matters now, from 0 to 1. */
  salience: number
  /** The part of life or work it belongs to; null if none. */
  scope: string | null
  /** Words to find it by. */
  tags: string[]
  /** When it was kept. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
  /** What it says, and everything beside; null if only metadata is shown. */
  payload: RecordPayload | null
  /** Where it came from; null unless it is shown in full. */
  provenance: Record<string, unknown> | null
  /** Its relations to other visible records. */
  relations: RecordRelation[]
  /** A digest of what is shown: it changes when that changes. */
  version: string
}

/** What `memory.record_outcome` takes. Record whether a competence or a plan worked. */
export interface MemoryRecordOutcomeInput {
  /** The record, by its id. */
  record: string
  /** What came of it. */
  outcome: 'success' | 'failure' | 'partial'
  /** What happened, in words. */
  note?: string | undefined
}

/** What `memory.record_outcome` answers. Record whether a competence or a plan worked. */
export interface MemoryRecordOutcomeOutput {
  /** The episode that was written. */
  records: StoredRecord[]
}

/** What `memory.reinforce` takes. Raise the salience of a record. */
export interface MemoryReinforceInput {
  /** The record, by its id. */
  record: string
  /** The part to add of what is missing to 1, or to take away of what there is. */
  by?: number | undefined
}

/** What `memory.reinforce` answers. Raise the salience of a record. */
export interface MemoryReinforceOutput {
  /** The record, as it is labelled. */
  records: StoredRecord[]
}

/** What `memory.relabel` takes. Change the label of a record. */
export interface MemoryRelabelInput {
  /** The record, by its id. */
  record: string
  /** How sensitive it is from now on. */
  sensitivity?: Sensitivity | undefined
  /** The part of life or work it belongs to; null for none. */
  scope?: string | null | undefined
  /** Who may see it at all, from open to firewalled. */
  visibilityClass?: VisibilityClass | undefined
  /** People who are in it too, by name. */
  addParticipants?: string[] | undefined
  /** People who are not in it after all, by name. Only its owner may take somebody off. */
  removeParticipants?: string[] | undefined
  /** Whether its owner allows it to be shared. */
  markedShareable?: boolean | undefined
  /** Words to find it by, instead of those it has. */
  tags?: string[] | undefined
  /** How much it matters, from 0 to 1. */
  salience?: number | undefined
  /** How certain it is, from 0 to 1. */
  confidence?: number | undefined
  /** When it expires; null for never. */
  expiresAt?: Date | string | null | undefined
}

/** What `memory.relabel` answers. Change the label of a record. */
export interface MemoryRelabelOutput {
  /** The record, as it is labelled now. */
  records: StoredRecord[]
}

/** What `memory.relate` takes. Relate one record to another. */
export interface MemoryRelateInput {
  /** The record that stands in the relation, by its id. */
  from: string
  /** The record it stands in the relation to, by its id. */
  to: string
  /** The relation. `derived_from` also takes over the label. */
  type: string
  /** The records that tell of it, by their ids. Only those who see all of them in full see the relation. */
  sources?: string[] | undefined
}

/** What `memory.relate` answers. Relate one record to another. */
export interface MemoryRelateOutput {
  /** The record that stands in the relation, by its id. */
  from: string
  /** The record it stands in the relation to, by its id. */
  to: string
}

/** What `memory.remember` takes. Store one record or many. */
export interface MemoryRememberInput {
  /** The records to keep: all of them or none. */
  records: RecordDraft[]
}

/** What `memory.remember` answers. Store one record or many. */
export interface MemoryRememberOutput {
  /** The records that were written, in the same order. */
  records: RememberedRecord[]
}

/** What `memory.retrieve_graph` takes. Search for a task and follow relations from what is found. */
export interface MemoryRetrieveGraphInput {
  /** What there is to do, asked like a search: the best results are the roots. */
  task: string
  /** Only records of these kinds. */
  kinds?: RecordKind[] | undefined
  /** Only records with all of these tags. */
  tags?: string[] | undefined
  /** Only records kept at or after this moment. */
  createdAfter?: Date | string | undefined
  /** Only records kept before this moment. */
  createdBefore?: Date | string | undefined
  /** Only what happened at or after this moment. */
  occurredAfter?: Date | string | undefined
  /** Only what happened before this moment. */
  occurredBefore?: Date | string | undefined
  /** Only records of this owner: a person, `group:<id>` or `role:<id>/<role>`. */
  owner?: string | undefined
  /** Only this collection. */
  corpus?: string | undefined
  /** Only records in which all of these people take part, by name. */
  people?: string[] | undefined
  /** Only what holds at this moment, by `validFrom` and `validTo`; `any` for all times. Default: now. */
  asOf?: Date | string | 'any' | undefined
  /** Only records that matter at least this much now, from 0 to 1. */
  minSalience?: number | undefined
  /** Only records whose own fields have these values, or hold them in a list. */
  fields?: Record<string, JsonValue> | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** A cosine distance, from 0 to 2. Records that far or farther are not found by their meaning. */
  maxDistance?: number | undefined
  /** The least score of a result. Scores mean the same from question to question: a record with all words of a question has about 0.6. */
  minScore?: number | undefined
  /** How much to prefer newer records. */
  recency?:
    | {
        /** Its share of the score, from 0 to 1. */
        weight?: number | undefined
        /** Days after which age counts half. */
        halfLifeDays?: number | undefined
      }
    | undefined
  /** How much to prefer salient records. */
  salience?:
    | {
        /** Its share of the score, from 0 to 1. */
        weight?: number | undefined
      }
    | undefined
  /** What the answer is to be made of. */
  posture?: Posture | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
  /** Whether to reorder results by what the best ones speak of. It finds nothing more. */
  feedback?: boolean | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** Most search results to start from. */
  rootLimit?: number | undefined
  /** Most records to return. */
  nodeLimit?: number | undefined
  /** Most relations to return. */
  edgeLimit?: number | undefined
  /** Most relations between a start and a record; 0 for the starts alone. */
  maxHops?: number | undefined
  /** Follow only relations of these types. */
  relationTypes?: string[] | undefined
}

/** What `memory.retrieve_graph` answers. Search for a task and follow relations from what is found. */
export interface MemoryRetrieveGraphOutput {
  /** The records, nearest to the roots first. */
  nodes: {
    /** The record. */
    record: MemoryRecord
    /** Number of relations from the nearest root. */
    hop: number
    /** Whether the search found it. */
    root: boolean
    /** Its score in the search; null for what was reached by a relation. */
    score: number | null
  }[]
  /** Relations of nodes that are shown in full to other nodes. */
  edges: {
    /** The record that stands in the relation, by its id. */
    from: string
    /** The record it stands in the relation to, by its id. */
    to: string
    /** The relation. */
    type: string
  }[]
  /** Whether the limits left something out. */
  truncated: {
    /** Whether there are more nodes. */
    nodes: boolean
    /** Whether there are more edges. */
    edges: boolean
  }
  /** What was searched, and how complete the search was. */
  receipt: Receipt
  /** The words that were added to the question, and why. */
  expansions: Expansion[]
}

/** What `memory.revise` takes. Supersede, fork, merge, contest or retract records. */
export type MemoryReviseInput =
  | {
      /** What happens to the old record. */
      how: 'supersede'
      /** The record, by its id. */
      record: string
      /** The record that takes its place or stands beside it. */
      by: RecordRevision
    }
  | {
      /** What happens to the old record. */
      how: 'fork'
      /** The record, by its id. */
      record: string
      /** The record that takes its place or stands beside it. */
      by: RecordRevision
    }
  | {
      /** What happens to the old record. */
      how: 'merge'
      /** The records that become one, by their ids. */
      records: string[]
      /** The record that takes its place or stands beside it. */
      by: RecordRevision
    }
  | {
      /** What happens to the old record. */
      how: 'contest'
      /** The record, by its id. */
      record: string
      /** Why. */
      reason?: string | undefined
    }
  | {
      /** What happens to the old record. */
      how: 'retract'
      /** The record, by its id. */
      record: string
    }

/** What `memory.revise` answers. Supersede, fork, merge, contest or retract records. */
export interface MemoryReviseOutput {
  /** The records that were written or changed. */
  records: StoredRecord[]
}

/** What `memory.search` takes. Search what the caller may see, best first. */
export interface MemorySearchInput {
  /** What to look for: words, "phrases", -exclusions and prefix*. */
  query: string
  /** Only records of these kinds. */
  kinds?: RecordKind[] | undefined
  /** Only records with all of these tags. */
  tags?: string[] | undefined
  /** Only records kept at or after this moment. */
  createdAfter?: Date | string | undefined
  /** Only records kept before this moment. */
  createdBefore?: Date | string | undefined
  /** Only what happened at or after this moment. */
  occurredAfter?: Date | string | undefined
  /** Only what happened before this moment. */
  occurredBefore?: Date | string | undefined
  /** Only records of this owner: a person, `group:<id>` or `role:<id>/<role>`. */
  owner?: string | undefined
  /** Only this collection. */
  corpus?: string | undefined
  /** Only records in which all of these people take part, by name. */
  people?: string[] | undefined
  /** Only what holds at this moment, by `validFrom` and `validTo`; `any` for all times. Default: now. */
  asOf?: Date | string | 'any' | undefined
  /** Only records that matter at least this much now, from 0 to 1. */
  minSalience?: number | undefined
  /** Only records whose own fields have these values, or hold them in a list. */
  fields?: Record<string, JsonValue> | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** A cosine distance, from 0 to 2. Records that far or farther are not found by their meaning. */
  maxDistance?: number | undefined
  /** The least score of a result. Scores mean the same from question to question: a record with all words of a question has about 0.6. */
  minScore?: number | undefined
  /** How much to prefer newer records. */
  recency?:
    | {
        /** Its share of the score, from 0 to 1. */
        weight?: number | undefined
        /** Days after which age counts half. */
        halfLifeDays?: number | undefined
      }
    | undefined
  /** How much to prefer salient records. */
  salience?:
    | {
        /** Its share of the score, from 0 to 1. */
        weight?: number | undefined
      }
    | undefined
  /** What the answer is to be made of. */
  posture?: Posture | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
  /** Whether to reorder results by what the best ones speak of. It finds nothing more. */
  feedback?: boolean | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** Most results on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Whether results say what their scores are made of. */
  explain?: boolean | undefined
  /** What to count the matches by. */
  facets?: ('kind' | 'tag' | 'corpus' | 'person' | 'sensitivity' | 'scope')[] | undefined
  /** How to cut the passages of a result. */
  snippet?:
    | {
        /** Most passages of a result. */
        passages?: number | undefined
        /** Most characters in a passage. */
        length?: number | undefined
      }
    | undefined
}

/** What `memory.search` answers. Search what the caller may see, best first. */
export interface MemorySearchOutput {
  /** The results, best first. */
  results: SearchResult[]
  /** Number of matches on all pages. */
  count: number
  /** Number of matches by value, for each facet that was asked for. */
  facets: Partial<
    Record<
      'kind' | 'tag' | 'corpus' | 'person' | 'sensitivity' | 'scope',
      {
        /** The value. */
        value: string
        /** Number of matches that have it. */
        count: number
      }[]
    >
  >
  /** Another spelling of the question; null if there is none. */
  suggestion: SpellingSuggestion | null
  /** What to say when nothing was found; null if something was. */
  notice: string | null
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
  /** What was searched, and how complete the search was. */
  receipt: Receipt
  /** The words that were added to the question, and why. */
  expansions: Expansion[]
}

/** What `memory.select` takes. Choose a competence or a plan for a task, by what worked before. */
export interface MemorySelectInput {
  /** What there is to do, in words. */
  task: string
  /** Only competences, or only plans. */
  kinds?: ('competence' | 'plan_graph')[] | undefined
  /** How many at most. */
  limit?: number | undefined
}

/** What `memory.select` answers. Choose a competence or a plan for a task, by what worked before. */
export interface MemorySelectOutput {
  /** The ways to do it, the best first. */
  candidates: ProcedureCandidate[]
  /** What was searched, and how complete the search was. */
  receipt: Receipt
}

/** What `memory.timeline` takes. List records in order of when they happened. */
export interface MemoryTimelineInput {
  /** Only what happened at or after this moment. */
  from?: Date | string | undefined
  /** Only what happened before this moment. */
  to?: Date | string | undefined
  /** Only records of these kinds. */
  kinds?: RecordKind[] | undefined
  /** Only records in which all of these people take part, by name. */
  people?: string[] | undefined
  /** Which to return first. */
  order?: 'newest' | 'oldest' | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `memory.timeline` answers. List records in order of when they happened. */
export interface MemoryTimelineOutput {
  /** The records, in order of when they happened. */
  records: MemoryRecord[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `memory.undo` takes. Undo the last revision of a record. */
export interface MemoryUndoInput {
  /** The record that was superseded, retracted or contested, by its id. */
  record: string
}

/** What `memory.undo` answers. Undo the last revision of a record. */
export interface MemoryUndoOutput {
  /** The record, which holds again. */
  records: StoredRecord[]
  /** Ids of the records that had replaced it, which are retracted now. */
  retracted: string[]
}

/** What `memory.unpin` takes. Unpin a record, so that its salience fades with time. */
export interface MemoryUnpinInput {
  /** The record, by its id. */
  record: string
}

/** What `memory.unpin` answers. Unpin a record, so that its salience fades with time. */
export interface MemoryUnpinOutput {
  /** The record, as it is labelled. */
  records: StoredRecord[]
}

/** Something that happened. It holds ids and no content. */
export interface Notification {
  /** The id of the notification. */
  id: string
  /** What happened. */
  type:
    | 'session.invited'
    | 'session.joined'
    | 'session.state_changed'
    | 'consent.requested'
    | 'consent.granted'
    | 'consent.revoked'
    | 'stage.ready'
    | 'empathy.validated'
    | 'strategies.overlap'
    | 'agreement.proposed'
    | 'agreement.reached'
    | 'experiment.planned'
    | 'experiment.check_in'
    | 'experiment.reported'
    | 'share.requested'
    | 'share.opened'
    | 'share.downloaded'
    | 'share.refused'
    | 'share.locked'
    | 'share.full'
    | 'share.uploaded'
    | 'share.quarantined'
  /** The mediation session it is about, by its id; null if none. */
  session: string | null
  /** Ids of what it is about, by what they are of. */
  refs: Record<string, string>
  /** When it was created. */
  createdAt: string
  /** When it was read; null until then. */
  readAt: string | null
}

/** What `notifications.list` takes. List your notifications, newest first. */
export interface NotificationsListInput {
  /** True for unread notifications only, false for read ones only. */
  unread?: boolean | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `notifications.list` answers. List your notifications, newest first. */
export interface NotificationsListOutput {
  /** The notifications, newest first. */
  notifications: Notification[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `notifications.read` takes. Mark notifications of yours as read. */
export interface NotificationsReadInput {
  /** Notifications of yours, by their ids. Others are ignored. */
  notifications: string[]
}

/** What `notifications.read` answers. Mark notifications of yours as read. */
export interface NotificationsReadOutput {
  /** Number of notifications still unread. */
  unread: number
}

/** A change that was made, and whether it can be undone. */
export interface OperationLogEntry {
  /** The id of this run of the operation. */
  operation: string
  /** When it ran. */
  at: string
  /** The operation, by its name. */
  name: string
  /** Who asked; null if the reader may not know. */
  actor: string | null
  /** The person the caller works for; null if the reader may not know. */
  for: string | null
  /** What sort of caller it is. */
  audience: string
  /** What it changed. */
  effects: string[]
  /** Whether it can be undone. */
  reversibility: string
  /** Ids of the links, views, mediation sessions, consents and visible records it was about. */
  refs: string[]
  /** Ids of the runs that it followed from. */
  causalParents: string[]
  /** Mail that it sent for a link. */
  mails: {
    /** The mail, by its id. */
    mail: string
    /** Whether it was delivered, as `mail.list` says. */
    state: string
  }[]
  /** Whether it was asked for with an idempotency key. */
  hasIdempotencyKey: boolean
  /** The generation of the policies after it; null if it changed none. */
  policyGeneration: string | null
}

/** Something that is kept back, whoever asks. */
export interface Overlay {
  /** The id of the overlay. */
  id: string
  /** What it holds for. */
  target: Target
  /** What it keeps back. */
  restriction: string
  /** When it was created. */
  createdAt: string
}

/** What `overlays.add` takes. Restrict access to a corpus, filing unit, version, part, document or segment. */
export interface OverlaysAddInput {
  /** What it holds for. */
  target: TargetInput
  /** What to keep back. */
  restriction:
    | 'none'
    | 'explicit_access_required'
    | 'preview_only'
    | 'redacted_only'
    | 'not_shareable'
    | 'blocked'
    | 'access_ceremony_required'
}

/** What `overlays.list` answers. List your overlays. */
export interface OverlaysListOutput {
  /** The overlays, oldest first. */
  overlays: Overlay[]
}

/** What `overlays.remove` takes. Lift an overlay. */
export interface OverlaysRemoveInput {
  /** The overlay, by its id. */
  overlay: string
}

/** What `overlays.remove` answers. Lift an overlay. */
export interface OverlaysRemoveOutput {
  /** Whether it was removed; false if it was not there. */
  removed: boolean
}

/** A request to change a record, as whoever made it sees it. */
export interface OwnChangeRequest {
  /** The id of the request. */
  id: string
  /** What it asks for. */
  how: 'forget' | 'retract' | 'contest' | 'supersede'
  /** The record it is about, by its id; null once that is forgotten. */
  record: string | null
  /** Whether it is open, accepted or declined. */
  state: 'open' | 'accepted' | 'declined'
  /** When it was created. */
  createdAt: string
}

/** A request for consent, as the agent that made it sees it. */
export interface OwnConsentRequest {
  /** The id of the request. */
  id: string
  /** The person it asks about, by name. */
  person: string
  /** Whether it is open, granted or denied. */
  state: 'open' | 'granted' | 'denied'
  /** When it was created. */
  createdAt: string
}

/** Something you contributed to the library. */
export interface OwnLibraryEntry {
  /** The id of the entry. */
  id: string
  /** A short name for it. */
  title: string
  /** What to do, in a few sentences. */
  text: string
  /** The needs it is good for, the most important first. */
  needs: string[]
  /** Days it takes to try. */
  durationDays: number
  /** Whether it waits for a host, others can find it, or it was taken out. */
  state: 'waiting' | 'standing' | 'withdrawn'
  /** When you agreed to share it. */
  optedInAt: string
  /** When you withdrew it, or a host removed it; null while it stands. */
  withdrawnAt: string | null
}

/** What `people.add` takes. Add a person. */
export interface PeopleAddInput {
  /** Their name. */
  person: string
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.consent` takes. Set the consent of a person. */
export interface PeopleConsentInput {
  /** The person: a name, an alias, an e-mail address or the id. */
  person: string
  /** Whether the person agrees to be seen by agents. */
  status: 'granted' | 'pending' | 'revoked'
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.get` takes. Read one person by name, alias or id. */
export interface PeopleGetInput {
  /** The person: a name, an alias, an e-mail address or the id. */
  person: string
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.get` answers. Read one person by name, alias or id. */
export type PeopleGetOutput = {
  /** The id of the person. */
  id: string
  /** Their name. */
  name: string
  /** Other names they are known by; empty if the reader may not know. */
  aliases: string[]
  /** Their e-mail addresses; empty if the reader may not know. */
  emails: string[]
  /** Whether they agreed to be seen by agents. */
  consent: string
  /** When it last changed; null if the reader may not know. */
  updatedAt: string | null
} | null

/** What `people.list` takes. List people and their consent. */
export interface PeopleListInput {
  /** Whose people. Default: yours. */
  owner?: string | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `people.list` answers. List people and their consent. */
export interface PeopleListOutput {
  /** The people, by name. */
  people: Person[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `people.matches` takes. List people who may be the same, with reasons. */
export interface PeopleMatchesInput {
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.matches` answers. List people who may be the same, with reasons. */
export interface PeopleMatchesOutput {
  /** The likeliest first, at most 200. Merge them with `people.merge`. */
  matches: PersonMatch[]
}

/** What `people.merge` takes. Merge two people into one; see people.merge_preview first. */
export interface PeopleMergeInput {
  /** The person: a name, an alias, an e-mail address or the id. */
  person: string
  /** The person they are the same as, whose name is kept. */
  into: string
  /** The consent of both from now on. Default: the stricter of the two. */
  consent?: 'granted' | 'pending' | 'revoked' | undefined
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.merge_preview` takes. Show what merging two people would change. */
export interface PeopleMergePreviewInput {
  /** The person: a name, an alias, an e-mail address or the id. */
  person: string
  /** The person they are the same as, whose name is kept. */
  into: string
  /** The consent of both from now on. Default: the stricter of the two. */
  consent?: 'granted' | 'pending' | 'revoked' | undefined
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.merge_preview` answers. Show what merging two people would change. */
export interface PeopleMergePreviewOutput {
  /** Who would be merged. */
  person: Person
  /** Who would stay. */
  into: Person
  /** The consent that both would have. */
  consent: string
  /** Number of records that name them. */
  records: number
  /** Number of records that agents could see afterwards and cannot see now. */
  opened: number
  /** Number of records that agents can see now and could not see afterwards. */
  closed: number
}

/** What `people.remove` takes. Remove a person; memories with them stay hidden from agents. */
export interface PeopleRemoveInput {
  /** The person: a name, an alias, an e-mail address or the id. */
  person: string
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.remove` answers. Remove a person; memories with them stay hidden from agents. */
export interface PeopleRemoveOutput {
  /** Whether it was removed; false if it was not there. */
  removed: boolean
}

/** What `people.split` takes. Split off a merged name as a person, or move records to somebody else; see people.split_preview first. */
export interface PeopleSplitInput {
  /** A name that was merged and is to be a person of its own; or, with `records`, the person they name. */
  person: string
  /** Records that name `person` and mean `into`, by their ids. */
  records?: string[] | undefined
  /** With `records`: whom they mean. A new name is a new person. */
  into?: string | undefined
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.split_preview` takes. Show what splitting a person would change. */
export interface PeopleSplitPreviewInput {
  /** A name that was merged and is to be a person of its own; or, with `records`, the person they name. */
  person: string
  /** Records that name `person` and mean `into`, by their ids. */
  records?: string[] | undefined
  /** With `records`: whom they mean. A new name is a new person. */
  into?: string | undefined
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** What `people.split_preview` answers. Show what splitting a person would change. */
export interface PeopleSplitPreviewOutput {
  /** The person to split. */
  person: Person
  /** The name that would be a person of its own. */
  name: string
  /** The consent that this person would have. */
  consent: string
  /** Number of records that would name this person. */
  records: number
}

/** What `people.update` takes. Rename a person, or add and remove aliases and e-mail addresses. */
export interface PeopleUpdateInput {
  /** The person: a name, an alias, an e-mail address or the id. */
  person: string
  /** The name to show from now on. The old one stays as an alias. */
  name?: string | undefined
  /** Other names, e-mail addresses or identifiers of the same person. */
  addAliases?: string[] | undefined
  /** Names that are not theirs after all. */
  removeAliases?: string[] | undefined
  /** Whose people. Default: yours. */
  owner?: string | undefined
}

/** A person in records, and whether they agreed to be seen by agents. */
export interface Person {
  /** The id of the person. */
  id: string
  /** Their name. */
  name: string
  /** Other names they are known by; empty if the reader may not know. */
  aliases: string[]
  /** Their e-mail addresses; empty if the reader may not know. */
  emails: string[]
  /** Whether they agreed to be seen by agents. */
  consent: string
  /** When it was created; null if the reader may not know. */
  createdAt: string | null
  /** When it last changed; null if the reader may not know. */
  updatedAt: string | null
}

/** Two people who may be the same. */
export interface PersonMatch {
  /** One of them. */
  person: Person
  /** The other, whose name is the longer one. */
  into: Person
  /** Why they may be the same. */
  why: 'accents' | 'lookalike' | 'word_order' | 'email' | 'initial' | 'part_of_name'
}

/** A query of the plan of a turn, and whether it runs. */
export interface PlannedQuery {
  /** What the query asks for; null if it could not be read. */
  type:
    | 'session_metadata'
    | 'relationship_metadata'
    | 'session_outcomes'
    | 'user_event'
    | 'emotional_reading'
    | 'need'
    | 'boundary'
    | 'consented_content'
    | 'common_ground'
    | 'agreement'
    | 'micro_experiment'
    | 'experiment_suggestion'
    | null
  /** Where it looks; null if it could not be read. */
  source: 'structured' | 'vector' | 'metadata' | null
  /** Whether it runs. */
  verdict: 'runs' | 'dropped'
  /** Why it was dropped; null if it runs. */
  reason: string | null
}

/** What `policies.list` answers. List capability policies. */
export interface PoliciesListOutput {
  /** The policies. */
  policies: CapabilityPolicy[]
}

/** What `policies.set` takes. Write a capability policy. */
export interface PoliciesSetInput {
  /** A name for the policy. */
  policy: string
  /** What the lists are exceptions from. */
  mode: 'deny_all_except' | 'allow_all_except' | 'inherit_default'
  /** The capabilities it allows. */
  allowedCapabilities?: CapabilityPattern[] | undefined
  /** The capabilities it denies. Denial wins. */
  deniedCapabilities?: CapabilityPattern[] | undefined
  /** The policy it inherits from, by its name. */
  parentRef?: string | undefined
}

/** A way to do something, and how well it worked. */
export interface ProcedureCandidate {
  /** The competence or plan. */
  record: MemoryRecord
  /** How well it fits the task, from 0 to 1. */
  relevance: number
  /** How often it worked, as far as you see. */
  successes: number
  /** How often it did not, or only in part, as far as you see. */
  failures: number
  /** What it is ordered by: relevance times the expected success. */
  score: number
}

/** What `profiles.activate` takes. Activate a draft. */
export interface ProfilesActivateInput {
  /** The session profile, by its id. */
  profile: string
}

/** What `profiles.bind` takes. Say how a draft is bound to the runtime of its agents: its defaults, or less. */
export interface ProfilesBindInput {
  /** The session profile, by its id. */
  profile: string
  /** What sort of session to bind it as. It must be that of its profile. */
  bindingKind?: SessionKind | undefined
  /** What the agent runtime calls the session. Default: the id of its profile. */
  openclawNativeSessionId?: string | undefined
  /** Whether it can start nothing itself. */
  forkForbidden?: boolean | undefined
  /** How deep its own sub-agents may be nested. */
  maxSpawnDepth?: number | undefined
  /** Most sub-agents at a time. */
  maxChildrenPerAgent?: number | undefined
  /** What it inherits of the context it is started in. */
  contextInheritancePolicy?: 'full_inherit' | 'scoped_inherit' | 'no_inherit' | undefined
  /** How it proves who it is. With none it gets no key. */
  authInheritancePolicy?: 'inherit_with_session_token' | 'session_only' | 'no_auth' | undefined
  /** Whether it sees its host's transcript. */
  transcriptVisibilityPolicy?: 'shared' | 'isolated' | 'host_only' | undefined
  /** Which sub-agents it may start. */
  childSpawnConstraint?:
    | 'deny_all'
    | 'deny_external'
    | 'inherit_parent_constraint'
    | 'explicit_allow_list'
    | undefined
  /** The names of those it may start, with `explicit_allow_list`. */
  childSpawnAllowList?: string[] | undefined
}

/** What `profiles.bind` answers. Say how a draft is bound to the runtime of its agents: its defaults, or less. */
export interface ProfilesBindOutput {
  /** The profile. */
  profile: SessionProfile
  /** What its agents may start and inherit. */
  binding: SessionBinding
}

/** What `profiles.create` takes. Create a draft of a session profile. */
export interface ProfilesCreateInput {
  /** What sort of session it is. */
  sessionKind?: SessionKind | undefined
  /** How whoever uses the session proves who they are. */
  identityMode?: IdentityMode | undefined
  /** A capability policy it is under, by its name. Default: the one you are under. */
  capabilityPolicyRef?: string | null | undefined
  /** Whether documents may be opened: a policy of kind `document_access_policy`, by its name. */
  documentAccessPolicyRef?: string | null | undefined
  /** The lowest visibility class that is shown. */
  sourceVisibilityFloor?: VisibilityClass | null | undefined
  /** The highest visibility class that is shown. */
  visibilityClassCeiling?: VisibilityClass | null | undefined
  /** Whether an interface may show why something is not available. Host sessions only. */
  whyBlockedSurface?: boolean | undefined
  /** The words of refusals: a policy of kind `session_denial_message_policy`, by its name. */
  sessionDenialMessagePolicyRef?: string | null | undefined
  /** How much is shown of what was derived from documents. */
  derivedMemorySharePolicy?: DerivedMemorySharePolicy | null | undefined
  /** How much is shown of the host's notes on documents. */
  hostAnnotationPolicy?: HostAnnotationPolicy | null | undefined
  /** How long a context may be: a policy of kind `output_policy`, by its name. */
  outputPolicyRef?: string | null | undefined
  /** Whether copies may leave: a policy of kind `document_delivery_policy`, by its name. */
  documentDeliveryPolicyRef?: string | null | undefined
  /** How long its searches are kept: a policy of kind `transcript_retention_policy`, by its name. */
  transcriptRetentionPolicyRef?: string | null | undefined
  /** Whether the host learns from it: a policy of kind `learning_capture_policy`, by its name. */
  learningCapturePolicyRef?: string | null | undefined
  /** Where signals go: a policy of kind `utility_signal_policy`, by its name. */
  utilitySignalPolicyRef?: string | null | undefined
  /** What governs it: a policy of kind `doc1_governance_split`, by its name. */
  doc1GovernanceSplitRef?: string | null | undefined
  /** Most searches per hour. */
  maxQueriesPerHour?: number | null | undefined
  /** Most documents opened or downloaded per hour. */
  maxDocumentViewsPerHour?: number | null | undefined
  /** Most files uploaded per day. */
  maxUploadsPerDay?: number | null | undefined
  /** Most results on a page. */
  maxResultCount?: number | null | undefined
  /** Most tokens given to a model. */
  maxContextTokens?: number | null | undefined
  /** Most bytes shown of a document; the rest is cut off. */
  maxDocumentBytes?: number | null | undefined
  /** The most complex interface it may have. */
  maxUiComplexityTier?: UiComplexityTier | null | undefined
  /** Whether an interface shows every control, as far as its tier goes. */
  expertMode?: boolean | undefined
  /** The binding of the session it runs in, by its id. */
  nativeSessionScopeBindingRef?: string | null | undefined
  /** How uploads are checked: a policy of kind `external_upload_file_safety_controls`, by its name. */
  externalUploadFileSafetyControlsRef?: string | null | undefined
  /** The state of the policies it is made with. Default: the current one. */
  sourcePolicySnapshotRef?: string | null | undefined
  /** Who may read what it did: the host, the session itself, or both. */
  auditScope?: 'host_only' | 'session_local' | 'both' | undefined
  /** What every question in it is taken for, whatever its words say. */
  queryIntent?: QueryIntent | null | undefined
  /** The views it sees by, by their ids. */
  sharedCorpusViewRefs?: string[] | undefined
  /** When it expires: nothing runs under it from then on. */
  expiresAt?: Date | string | undefined
}

/** What `profiles.current` answers. Read your current session, its views and limits. */
export interface ProfilesCurrentOutput {
  /** The profile, by its id; null for a caller without one. */
  profile: string | null
  /** What sort of session it is. */
  sessionKind: string
  /** How whoever uses the session proves who they are. */
  identityMode: string
  /** The state of the profile. */
  profileState: string
  /** A digest of the profile and its policies; null without a profile. */
  sessionProfileHash: string | null
  /** When it expires; null if it does not. */
  expiresAt: string | null
  /** When the session ends because its link was revoked; null if it was not. */
  endsAt: string | null
  /** Why it ends, as a code; null if it does not. */
  endsReasonCode: string | null
  /** What of sharing the session may do. */
  actions: string[]
  /** How much the session may ask for; null for no limit. */
  limits: {
    /** Most searches per hour. */
    maxQueriesPerHour: number | null
    /** Most documents opened or downloaded per hour. */
    maxDocumentViewsPerHour: number | null
    /** Most files uploaded per day. */
    maxUploadsPerDay: number | null
    /** Most results on a page. */
    maxResultCount: number | null
    /** Most tokens given to a model. */
    maxContextTokens: number | null
    /** Most bytes shown of a document; the rest is cut off. */
    maxDocumentBytes: number | null
  }
  /** What it sees of each corpus; null for a caller bound by no views. */
  corpora:
    | {
        /** It is the view that all views of the corpus give together. */
        effective: true
        /** The collection. */
        corpus: string
        /** Who owns the collection. */
        owner: string
        /** The surfaces it shows. */
        exposedSurfaces: string[]
        /** How much it shows of what was derived from documents. */
        derivedMemorySharePolicy: string
        /** How much it shows of the host's notes on documents. */
        hostAnnotationPolicy: string
        /** The highest visibility class it shows. */
        visibilityClassCeiling: string
        /** Whether it shows what is there now (`live`) or what was there when it was shared (`snapshot`). */
        viewTemporalMode: string
        /** When the snapshot was taken; null if it is live or was not shared yet. */
        snapshotAtTimestamp: string | null
        /** Whether it is limited to some documents of the corpus. */
        limitedToDocuments: boolean
        /** Sentences to show to whoever reads the corpus. */
        notices: string[]
        /** Whether something changed that a live view would show; null if the view does not say. */
        drifted: boolean | null
      }[]
    | null
  /** Number of records its views left out when they were shared; null for a caller bound by none. */
  excludedCountTotal: number | null
  /** What files are asked for; null unless you came by a link that only takes files in. */
  fileRequest: {
    /** Who asks. */
    requestedBy: string
    /** What they ask for, in their words; may be empty. */
    message: string
  } | null
  /** What governs the session. */
  governance: {
    /** Whether session policies govern it. */
    session: boolean
    /** Whether corpus policies govern it. */
    corpus: boolean
  }
}

/** What `profiles.discard` takes. Discard a draft. */
export interface ProfilesDiscardInput {
  /** The session profile, by its id. */
  profile: string
}

/** What `profiles.discard` answers. Discard a draft. */
export interface ProfilesDiscardOutput {
  /** Whether it was discarded; false if it was not there. */
  discarded: boolean
}

/** What `profiles.get` takes. Read one of your session profiles. */
export interface ProfilesGetInput {
  /** The session profile, by its id. */
  profile: string
}

/** What `profiles.leave` answers. End your own session. */
export interface ProfilesLeaveOutput {
  /** Whether a session was left; false if there was none. */
  left: boolean
}

/** What `profiles.list` takes. List session profiles. */
export interface ProfilesListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only sessions of this sort. */
  sessionKind?: SessionKind | undefined
  /** Only sessions that were opened by this share link. */
  link?: string | undefined
}

/** What `profiles.list` answers. List session profiles. */
export interface ProfilesListOutput {
  /** The profiles, newest first. */
  profiles: SessionProfile[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `profiles.log` takes. See what your session searched, was shown and took. */
export interface ProfilesLogInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `profiles.log` answers. See what your session searched, was shown and took. */
export interface ProfilesLogOutput {
  /** What was done, newest first. */
  entries: AccessLogEntry[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `profiles.policies` answers. List the policies that your session profiles refer to. */
export interface ProfilesPoliciesOutput {
  /** The policies. */
  policies: SessionPolicy[]
}

/** What `profiles.resume` takes. Resume a suspended profile. */
export interface ProfilesResumeInput {
  /** The session profile, by its id. */
  profile: string
}

/** What `profiles.revoke` takes. Revoke a profile for good. */
export interface ProfilesRevokeInput {
  /** The session profile, by its id. */
  profile: string
  /** Why, as a code, for its owner to read later. */
  reasonCode?: string | undefined
}

/** What `profiles.set_policy` takes. Write a policy that session profiles refer to. */
export interface ProfilesSetPolicyInput {
  /** What the policy is about. */
  kind:
    | 'output_policy'
    | 'document_delivery_policy'
    | 'document_access_policy'
    | 'transcript_retention_policy'
    | 'learning_capture_policy'
    | 'utility_signal_policy'
    | 'doc1_governance_split'
    | 'session_denial_message_policy'
    | 'external_upload_file_safety_controls'
  /** A name for it. */
  policy: string
  /** What it says; its kind decides which fields there are. */
  settings?: Record<string, unknown> | undefined
}

/** What `profiles.suspend` takes. Suspend an active profile. */
export interface ProfilesSuspendInput {
  /** The session profile, by its id. */
  profile: string
  /** Why, as a code, for its owner to read later. */
  reasonCode?: string | undefined
}

/** What `profiles.update` takes. Change a draft of a session profile. */
export interface ProfilesUpdateInput {
  /** The session profile, by its id. */
  profile: string
  /** A capability policy it is under, by its name. Default: the one you are under. */
  capabilityPolicyRef?: string | null | undefined
  /** Whether documents may be opened: a policy of kind `document_access_policy`, by its name. */
  documentAccessPolicyRef?: string | null | undefined
  /** The lowest visibility class that is shown. */
  sourceVisibilityFloor?: VisibilityClass | null | undefined
  /** The highest visibility class that is shown. */
  visibilityClassCeiling?: VisibilityClass | null | undefined
  /** Whether an interface may show why something is not available. Host sessions only. */
  whyBlockedSurface?: boolean | undefined
  /** The words of refusals: a policy of kind `session_denial_message_policy`, by its name. */
  sessionDenialMessagePolicyRef?: string | null | undefined
  /** How much is shown of what was derived from documents. */
  derivedMemorySharePolicy?: DerivedMemorySharePolicy | null | undefined
  /** How much is shown of the host's notes on documents. */
  hostAnnotationPolicy?: HostAnnotationPolicy | null | undefined
  /** How long a context may be: a policy of kind `output_policy`, by its name. */
  outputPolicyRef?: string | null | undefined
  /** Whether copies may leave: a policy of kind `document_delivery_policy`, by its name. */
  documentDeliveryPolicyRef?: string | null | undefined
  /** How long its searches are kept: a policy of kind `transcript_retention_policy`, by its name. */
  transcriptRetentionPolicyRef?: string | null | undefined
  /** Whether the host learns from it: a policy of kind `learning_capture_policy`, by its name. */
  learningCapturePolicyRef?: string | null | undefined
  /** Where signals go: a policy of kind `utility_signal_policy`, by its name. */
  utilitySignalPolicyRef?: string | null | undefined
  /** What governs it: a policy of kind `doc1_governance_split`, by its name. */
  doc1GovernanceSplitRef?: string | null | undefined
  /** Most searches per hour. */
  maxQueriesPerHour?: number | null | undefined
  /** Most documents opened or downloaded per hour. */
  maxDocumentViewsPerHour?: number | null | undefined
  /** Most files uploaded per day. */
  maxUploadsPerDay?: number | null | undefined
  /** Most results on a page. */
  maxResultCount?: number | null | undefined
  /** Most tokens given to a model. */
  maxContextTokens?: number | null | undefined
  /** Most bytes shown of a document; the rest is cut off. */
  maxDocumentBytes?: number | null | undefined
  /** The most complex interface it may have. */
  maxUiComplexityTier?: UiComplexityTier | null | undefined
  /** Whether an interface shows every control, as far as its tier goes. */
  expertMode?: boolean | undefined
  /** The binding of the session it runs in, by its id. */
  nativeSessionScopeBindingRef?: string | null | undefined
  /** How uploads are checked: a policy of kind `external_upload_file_safety_controls`, by its name. */
  externalUploadFileSafetyControlsRef?: string | null | undefined
  /** The state of the policies it is made with. Default: the current one. */
  sourcePolicySnapshotRef?: string | null | undefined
  /** Who may read what it did: the host, the session itself, or both. */
  auditScope?: 'host_only' | 'session_local' | 'both' | undefined
  /** What every question in it is taken for, whatever its words say. */
  queryIntent?: QueryIntent | null | undefined
  /** How whoever uses the session proves who they are. */
  identityMode?: IdentityMode | undefined
  /** The views it sees by, by their ids. */
  sharedCorpusViewRefs?: string[] | undefined
  /** When it expires; null for never. */
  expiresAt?: Date | string | null | undefined
}

/** Where a record came from. */
export interface Provenance {
  /** A person, a system or a file. */
  source?: string | undefined
  /** Where it can be read. */
  uri?: string | undefined
  /** The model that wrote it. */
  model?: string | undefined
  /** The tool that wrote it. */
  tool?: string | undefined
  /** Anything else. */
  note?: string | undefined
}

/** Part of a label that is stricter than its writer asked for. */
export interface RaisedLabel {
  /** What is stricter than you asked for. */
  field: 'sensitivity' | 'scope' | 'visibilityClass' | 'participants'
  /** What it is now; null for participants, who were added to yours. */
  to: string | null
  /** Why: a record it is derived from, what you were shown in this conversation, or what its text says. */
  because: 'source' | 'shown' | 'content'
  /** What was recognised in its text, if that is the reason. */
  why: string[]
  /** Ids of the records that raised it, as far as you see them. */
  records: string[]
}

/** A reason code, and who may read it. */
export interface Reason {
  /** The reason code. */
  code: string
  /** What it means, in a sentence. */
  description: string
  /** Who may read the code. */
  visibility: string
  /** Who registered it. */
  owner: string
}

/** What `reasons.list` answers. List reason codes. */
export interface ReasonsListOutput {
  /** The reason codes. */
  reasons: Reason[]
}

/** What `reasons.register` takes. Register a reason code. */
export interface ReasonsRegisterInput {
  /** The reason code. */
  code: string
  /** What it means, in a sentence. */
  description: string
  /** Who may read the code. */
  visibility: 'expose' | 'generic_only' | 'audit_log_only'
}

/** Something recalled for a turn. */
export interface RecalledItem {
  /** What sort of item it is. */
  type: string
  /** What it says. */
  text: string
  /** What else is known of it. */
  facts: {
    /** How far it got. */
    status?: string | undefined
    /** When the last of you agreed. */
    agreedAt?: string | undefined
    /** How it went, as each of you tells it. */
    outcomes?: ExperimentOutcome[] | undefined
    /** What the need is about. */
    category?: string | undefined
    /** How strong the feeling is, from 1 to 10. */
    intensity?: number | undefined
    /** The feeling, by its name. */
    emotion?: string | undefined
    /** Whether whom it is about feels understood. */
    validated?: boolean | undefined
    /** What the one whom it is about said of it. */
    feedback?: string[] | undefined
  }
  /** Where it was found. */
  source: 'structured' | 'vector' | 'metadata'
  /** Where it comes from. */
  provenance: {
    /** Whose words it is. */
    from: 'you' | 'partner' | 'session' | 'library'
    /** Whether it comes from this session or an earlier one; null for the library. */
    session: 'current' | 'prior' | null
    /** When it was written; null for the library. */
    at: string | null
    /** The id of the record; null if you may not read it directly. */
    record: string | null
  }
  /** Why it may be recalled. */
  consentState: 'own' | 'granted' | 'derived' | 'not_needed'
  /** The stage it belongs to. */
  stageScope: number
  /** It is shown in full. */
  face: 'full'
}

/** What was searched, and how complete the search was. */
export type Receipt = InternalReceipt | VisibleReceipt

/** What `receipts.cite` takes. Keep the receipt of a search that an answer cites. */
export interface ReceiptsCiteInput {
  /** The search, by the `searchRunId` of its receipt. */
  searchRun: string
  /** How long to keep it. It is never kept shorter than before. */
  retentionClass?: 'durable_audit_1y' | 'durable_audit_7y' | undefined
}

/** What `receipts.cite` answers. Keep the receipt of a search that an answer cites. */
export interface ReceiptsCiteOutput {
  /** The id of the search. */
  searchRunId: string
  /** How long it is kept. */
  retention: Retention
}

/** What `receipts.deliver` takes. Keep the receipt of a search whose results were passed on. */
export interface ReceiptsDeliverInput {
  /** The search, by the `searchRunId` of its receipt. */
  searchRun: string
  /** How long to keep it. It is never kept shorter than before. */
  retentionClass?: 'durable_audit_1y' | 'durable_audit_7y' | undefined
}

/** What `receipts.deliver` answers. Keep the receipt of a search whose results were passed on. */
export interface ReceiptsDeliverOutput {
  /** The id of the search. */
  searchRunId: string
  /** How long it is kept. */
  retention: Retention
}

/** What `receipts.feedback` takes. Keep the receipt of a search that somebody judged. */
export interface ReceiptsFeedbackInput {
  /** The search, by the `searchRunId` of its receipt. */
  searchRun: string
  /** How long to keep it. It is never kept shorter than before. */
  retentionClass?: 'durable_audit_1y' | 'durable_audit_7y' | undefined
}

/** What `receipts.feedback` answers. Keep the receipt of a search that somebody judged. */
export interface ReceiptsFeedbackOutput {
  /** The id of the search. */
  searchRunId: string
  /** How long it is kept. */
  retention: Retention
}

/** What `receipts.get` takes. Read what a search left: plan, manifest, receipt, index snapshots and expansions. */
export interface ReceiptsGetInput {
  /** The search, by the `searchRunId` of its receipt. */
  searchRun: string
}

/** What `receipts.get` answers. Read what a search left: plan, manifest, receipt, index snapshots and expansions. */
export type ReceiptsGetOutput = {
  /** The id of the search. */
  searchRunId: string
  /** When it ran. */
  at: string
  /** How long it is kept. */
  retention: Retention
  /** What was searched, and how complete the search was. */
  receipt: Receipt
  /** How it was searched. */
  plan: Record<string, unknown>
  /** What ran, and when. */
  manifest: SearchManifest
  /** The states of the indexes that were searched. */
  indexSnapshots: IndexSnapshot[]
  /** The words that were added to the question, and why. */
  expansions: Expansion[]
} | null

/** What `receipts.list` takes. List the receipts of searches, newest first. */
export interface ReceiptsListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `receipts.list` answers. List the receipts of searches, newest first. */
export interface ReceiptsListOutput {
  /** The searches, newest first. */
  receipts: SearchRun[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `receipts.mark` takes. Mark the receipt of a search as essential to an audit. */
export interface ReceiptsMarkInput {
  /** The search, by the `searchRunId` of its receipt. */
  searchRun: string
  /** How long to keep it. It is never kept shorter than before. */
  retentionClass?: 'durable_audit_1y' | 'durable_audit_7y' | undefined
}

/** What `receipts.mark` answers. Mark the receipt of a search as essential to an audit. */
export interface ReceiptsMarkOutput {
  /** The id of the search. */
  searchRunId: string
  /** How long it is kept. */
  retention: Retention
}

/** What `receipts.purge` answers. Remove ephemeral receipts that are due. */
export interface ReceiptsPurgeOutput {
  /** Number of receipts that were deleted. */
  purged: number
}

/** The recipient of a share link of yours. */
export interface RecipientViewer {
  /** A preview of a share link, from `links.preview`, by its id. */
  profile: string
}

/** How far the scanned pages of a document are read. */
export interface RecognisedDocument {
  /** The name of the file. */
  document: string
  /** Whether its scanned pages are part of its text now, wait to be recognised, or need no recognition; `not_set_up` if this server has no text recognition. */
  recognition: 'done' | 'waiting' | 'not_needed' | 'not_set_up'
  /** Number of pages that wait; null if none does or if they are not counted yet. */
  waitingPages: number | null
  /** The number of the current version. */
  version: number
  /** How much of the file could be read. */
  state: FileState
}

/** A record to keep. */
export interface RecordDraft {
  /** What sort of record it is. */
  kind: RecordKind
  /** Whose memory it is in: one user's, shared, or everybody's. */
  vessel?: 'user' | 'shared' | 'global' | undefined
  /** Who owns it: a person, `group:<id>` or `role:<id>/<role>`. Default: the caller. */
  owner?: string | undefined
  /** A short title. */
  title?: string | undefined
  /** What it says. */
  text: string
  /** Its language, as a BCP 47 code. Default: detected from the text. */
  language?: string | undefined
  /** Words to find it by. */
  tags?: string[] | undefined
  /** Fields of your own, as JSON. */
  fields?: Record<string, JsonValue> | undefined
  /** Its structured part, for the kind of the record: what an entity is called, how something is done, a plan, where work stands, what a fact says in parts, what tools did. It is kept in `fields.typed`. */
  typed?: TypedPayload | undefined
  /** How much it matters, from 0 to 1. It fades with the half-life of its kind. */
  salience?: number | undefined
  /** Whether its salience does not fade. */
  pinned?: boolean | undefined
  /** How certain it is, from 0 to 1. */
  confidence?: number | undefined
  /** Where it came from. Name other records in `derivedFrom`, not here. */
  provenance?: Provenance | undefined
  /** Places in sources that it speaks of. */
  spans?: Span[] | undefined
  /** When it happened. */
  occurredAt?: Date | string | undefined
  /** When it begins to hold. */
  validFrom?: Date | string | undefined
  /** When it ceases to hold. */
  validTo?: Date | string | undefined
  /** When it expires: nobody is shown it from then on. */
  expiresAt?: Date | string | undefined
  /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
  sensitivity?: Sensitivity | undefined
  /** The part of life or work it belongs to. */
  scope?: string | undefined
  /** Who may see it at all, from open to firewalled. */
  visibilityClass?: VisibilityClass | undefined
  /** People in it, by name. New names become people whose consent is pending. */
  participants?: string[] | undefined
  /** Whether its owner allows it to be shared. */
  markedShareable?: boolean | undefined
  /** The search surface it belongs to. */
  surface?: Surface | undefined
  /** The collection it belongs to. */
  corpus?: string | undefined
  /** The filing that its versions belong to. */
  filingUnit?: string | undefined
  /** The version of the filing. */
  version?: string | undefined
  /** What sort of version it is. */
  versionKind?: VersionKind | undefined
  /** The part of the document. */
  part?: string | undefined
  /** The document it is, or is part of. */
  document?: string | undefined
  /** The segment of the part. */
  segment?: string | undefined
  /** The conversation it is a turn of. A search reads a short turn together with the turns around it. */
  conversation?: string | undefined
  /** Its place in the conversation; the lowest comes first. */
  turn?: number | undefined
  /** Who said or wrote it. Name people in `participants` as well: their consent counts. */
  speaker?: string | undefined
  /** Records it was made from, by their ids. It takes over their labels. */
  derivedFrom?: string[] | undefined
  /** Records of kind `entity` that it speaks of, by their ids. */
  mentions?: string[] | undefined
  /** Whether to find more entities by their names in its text. */
  linkEntities?: boolean | undefined
  /** The record whose redacted twin this is, by its id. */
  redactedOf?: string | undefined
}

/** What sort of record it is: a memory, a document, a note, and so on. */
export type RecordKind =
  | 'working'
  | 'entity'
  | 'semantic'
  | 'competence'
  | 'plan_graph'
  | 'episodic'
  | 'user_event'
  | 'emotional_reading'
  | 'need'
  | 'boundary'
  | 'consented_content'
  | 'common_ground'
  | 'agreement'
  | 'micro_experiment'
  | 'experiment_suggestion'
  | 'empathy_draft'
  | 'empathy_attempt'
  | 'strategy_proposal'
  | 'document'
  | 'segment'
  | 'annotation'
  | 'note'
  | 'ai_synthesis'
  | 'activity_rollup'

/** What a record says. A preview shows the title and the beginning of the text alone. */
export interface RecordPayload {
  /** Its title; null if it has none. */
  title: string | null
  /** What it says; of a preview, the first 200 characters. */
  text: string
  /** Set where its text is left out, because you may list documents and not open them. */
  withheld?: true | undefined
  /** Whether somebody contests it. */
  contested: boolean
  /** Whether its salience does not fade. */
  pinned?: boolean | undefined
  /** Why it is contested; null if no reason was given. */
  contestedReason?: string | null | undefined
  /** Its language, as a BCP 47 code. */
  language?: string | null | undefined
  /** Who owns it: a person, `group:<id>` or `role:<id>/<role>`. */
  owner?: string | undefined
  /** Who wrote it. */
  author?: string | undefined
  /** Whose memory it is in: one user's, shared, or everybody's. */
  vessel?: string | undefined
  /** The people in it, by name. */
  participants?: string[] | undefined
  /** Its visibility class. */
  visibilityClass?: string | undefined
  /** Whether its owner allows it to be shared. */
  markedShareable?: boolean | undefined
  /** The conversation or run it was written in. */
  session?: string | null | undefined
  /** The relationship it belongs to, by its id. */
  relationship?: string | null | undefined
  /** The collection it belongs to. */
  corpus?: string | null | undefined
  /** The filing that its versions belong to. */
  filingUnit?: string | null | undefined
  /** The version of the filing. */
  version?: string | null | undefined
  /** What sort of version it is. */
  versionKind?: string | null | undefined
  /** The part of the document. */
  part?: string | null | undefined
  /** The name of the document. */
  document?: string | null | undefined
  /** The segment of the part. */
  segment?: string | null | undefined
  /** The conversation it is a turn of. */
  conversation?: string | null | undefined
  /** Its place in the conversation; the lowest comes first. */
  turn?: number | null | undefined
  /** Who said or wrote it. */
  speaker?: string | null | undefined
  /** The search surface it belongs to. */
  surface?: string | null | undefined
  /** Fields of your own. */
  fields?: Record<string, unknown> | undefined
  /** The places in sources that it speaks of. */
  spans?: unknown[] | undefined
  /** When it happened. */
  occurredAt?: string | null | undefined
  /** When it begins to hold. */
  validFrom?: string | null | undefined
  /** When it ceases to hold. */
  validTo?: string | null | undefined
  /** When it expires; null for never. */
  expiresAt?: string | null | undefined
}

/** A relation of a record to another visible record. */
export interface RecordRelation {
  /** The relation. */
  type: string
  /** Whether this record is its subject (`out`) or its object (`in`). */
  direction: 'out' | 'in'
  /** The other record, by its id. */
  record: string
}

/** What takes the place of a record, or stands beside it. */
export interface RecordRevision {
  /** A short title. */
  title?: string | undefined
  /** What it says. */
  text: string
  /** Its language, as a BCP 47 code. Default: detected from the text. */
  language?: string | undefined
  /** Words to find it by. */
  tags?: string[] | undefined
  /** Fields of your own, as JSON. */
  fields?: Record<string, JsonValue> | undefined
  /** Its structured part, for the kind of the record: what an entity is called, how something is done, a plan, where work stands, what a fact says in parts, what tools did. It is kept in `fields.typed`. */
  typed?: TypedPayload | undefined
  /** How much it matters, from 0 to 1. It fades with the half-life of its kind. */
  salience?: number | undefined
  /** Whether its salience does not fade. */
  pinned?: boolean | undefined
  /** How certain it is, from 0 to 1. */
  confidence?: number | undefined
  /** Where it came from. Name other records in `derivedFrom`, not here. */
  provenance?: Provenance | undefined
  /** Places in sources that it speaks of. */
  spans?: Span[] | undefined
  /** When it happened. */
  occurredAt?: Date | string | undefined
  /** When it begins to hold. */
  validFrom?: Date | string | undefined
  /** When it ceases to hold. */
  validTo?: Date | string | undefined
  /** When it expires: nobody is shown it from then on. */
  expiresAt?: Date | string | undefined
  /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
  sensitivity?: Sensitivity | undefined
  /** The part of life or work it belongs to. */
  scope?: string | undefined
  /** Who may see it at all, from open to firewalled. */
  visibilityClass?: VisibilityClass | undefined
  /** People in it, by name. New names become people whose consent is pending. */
  participants?: string[] | undefined
}

/** One version of a record. */
export interface RecordVersion {
  /** The version, as it was. */
  record: MemoryRecord
  /** Whether it holds, is contested, or was replaced or taken back. */
  lifecycle: 'active' | 'contested' | 'superseded' | 'retracted' | 'stale'
  /** When the next version replaced it; null if none did. */
  endedAt: string | null
}

/** What a writer learns of a record it wrote: its id, its label, and why that is what it is. */
export interface RememberedRecord {
  /** The id of the record. */
  id: string
  /** The sensitivity it was kept with. */
  sensitivity: string
  /** The scope it was kept in; null if none. */
  scope: string | null
  /** The visibility class it was kept with. */
  visibilityClass: string
  /** Whether you can read it back; false if its label is now stricter than what you may see. */
  readable: boolean
  /** Where its label is stricter than you asked for, and why. */
  raised: RaisedLabel[]
}

/** What `requests.why_refused` takes. Show why a request of yours was refused. */
export interface RequestsWhyRefusedInput {
  /** The request, by the `requestId` in its error. */
  requestId: string
}

/** What `requests.why_refused` answers. Show why a request of yours was refused. */
export type RequestsWhyRefusedOutput = {
  /** The id of the request. */
  requestId: string
  /** When it was refused. */
  at: string
  /** The operation, by its name. */
  operation: string
  /** The error code. */
  code: string
  /** Why it was refused. */
  reason: {
    /** The reason code; absent if the caller may not read it. */
    code?: string | undefined
    /** Why, in words. */
    text: string
  }
} | null

/** How long a receipt is kept, and why. */
export interface Retention {
  /** How long it is kept. */
  retentionClass: 'ephemeral_session_lifetime' | 'durable_audit_1y' | 'durable_audit_7y'
  /** Why it is kept that long. */
  because: (
    | 'persisted_in_answer'
    | 'delivered_to_downstream_consumer'
    | 'used_for_feedback'
    | 'referenced_by_saved_search_or_standing_order'
    | 'user_marked_audit_essential'
  )[]
  /** When it may be deleted. */
  dueAt: string
}

/** Something that a turn may retrieve, as far as its stage allows it. */
export type RetrievalQuery =
  | {
      /** What to retrieve. */
      type: 'session_metadata'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'metadata'
    }
  | {
      /** What to retrieve. */
      type: 'relationship_metadata'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'metadata'
    }
  | {
      /** What to retrieve. */
      type: 'session_outcomes'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured'
    }
  | {
      /** What to retrieve. */
      type: 'user_event'
      /** Where it is kept. */
      vessel: 'user'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured' | 'vector' | 'metadata'
      /** Whose it is: the name of the speaker. */
      userId: string
    }
  | {
      /** What to retrieve. */
      type: 'emotional_reading'
      /** Where it is kept. */
      vessel: 'user'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured' | 'vector' | 'metadata'
      /** Whose it is: the name of the speaker. */
      userId: string
    }
  | {
      /** What to retrieve. */
      type: 'need'
      /** Where it is kept. */
      vessel: 'user'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured' | 'vector' | 'metadata'
      /** Whose it is: the name of the speaker. */
      userId: string
    }
  | {
      /** What to retrieve. */
      type: 'boundary'
      /** Where it is kept. */
      vessel: 'user'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured'
      /** Whose it is: the name of the speaker. */
      userId: string
    }
  | {
      /** What to retrieve. */
      type: 'consented_content'
      /** Where it is kept. */
      vessel: 'shared'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured' | 'vector'
      /** Only what its owner still shares. */
      consentActive: true
    }
  | {
      /** What to retrieve. */
      type: 'common_ground'
      /** Where it is kept. */
      vessel: 'shared'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured'
    }
  | {
      /** What to retrieve. */
      type: 'agreement'
      /** Where it is kept. */
      vessel: 'shared'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured'
    }
  | {
      /** What to retrieve. */
      type: 'micro_experiment'
      /** Where it is kept. */
      vessel: 'shared'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'structured'
    }
  | {
      /** What to retrieve. */
      type: 'experiment_suggestion'
      /** Where it is kept. */
      vessel: 'global'
      /** How to look for it: by its fields, by similarity, or times and counts. */
      source: 'vector'
    }

/** A search that is kept, to be asked again. */
export interface SavedSearch {
  /** The id of the saved search. */
  id: string
  /** Its name. */
  name: string
  /** What is asked. */
  question: Record<string, unknown>
  /** When it was created. */
  createdAt: string
  /** When it was last looked at; null if it never was. */
  checkedAt: string | null
}

/** What `search.answer` takes. Answer a question from documents, with citations, by the configured model. */
export interface SearchAnswerInput {
  /** The question: words, "phrases", -exclusions and prefix*. */
  query: string
  /** What the question is for. Default: told from its words. */
  intent?: QueryIntent | undefined
  /** The search whose intent this one corrects, by its `searchRunId`. */
  corrects?: string | undefined
  /** What the answer is to be made of: `document_text_primary`, `derived_memory_primary`, `metadata_primary`, `mixed_surface_disclosed`, `cross_source_synthesis`. */
  posture?: string | undefined
  /** Which parts of filings count. */
  filingContentScope?: FilingContentScope | undefined
  /** Where to look: dates, cases, collections, filings and classes. */
  scope?: SearchScope | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** How the results of several executors are put in one order. */
  fusion?: 'rrf' | 'weighted_sum' | 'executor_priority' | undefined
  /** What each executor counts in a weighted sum. Default: the host's settings. */
  weights?:
    | Partial<
        Record<
          'primary_direct' | 'doc18_legal_search_direct' | 'memory_agent' | 'document_intelligence_agent',
          number
        >
      >
    | undefined
  /** Whether to refuse an answer from an index that is not current. */
  requireComplete?: boolean | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
  /** Most tokens of context to return. */
  tokenBudget?: number | undefined
  /** Characters to show around each passage, where they fit. */
  context?: number | undefined
}

/** What `search.bundle` takes. Gather citable passages that answer a question, within a token budget. */
export interface SearchBundleInput {
  /** The question: words, "phrases", -exclusions and prefix*. */
  query: string
  /** What the question is for. Default: told from its words. */
  intent?: QueryIntent | undefined
  /** The search whose intent this one corrects, by its `searchRunId`. */
  corrects?: string | undefined
  /** What the answer is to be made of: `document_text_primary`, `derived_memory_primary`, `metadata_primary`, `mixed_surface_disclosed`, `cross_source_synthesis`. */
  posture?: string | undefined
  /** Which parts of filings count. */
  filingContentScope?: FilingContentScope | undefined
  /** Where to look: dates, cases, collections, filings and classes. */
  scope?: SearchScope | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** How the results of several executors are put in one order. */
  fusion?: 'rrf' | 'weighted_sum' | 'executor_priority' | undefined
  /** What each executor counts in a weighted sum. Default: the host's settings. */
  weights?:
    | Partial<
        Record<
          'primary_direct' | 'doc18_legal_search_direct' | 'memory_agent' | 'document_intelligence_agent',
          number
        >
      >
    | undefined
  /** Whether to refuse an answer from an index that is not current. */
  requireComplete?: boolean | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
  /** Most tokens of context to return. */
  tokenBudget?: number | undefined
  /** Characters to show around each passage, where they fit. */
  context?: number | undefined
}

/** What `search.complete` takes. Complete a word with words of shared documents. */
export interface SearchCompleteInput {
  /** What was typed so far. */
  text: string
  /** Only this collection. */
  corpus?: string | undefined
  /** Most completions. */
  limit?: number | undefined
}

/** What `search.complete` answers. Complete a word with words of shared documents. */
export interface SearchCompleteOutput {
  /** The completions, most frequent first. */
  completions: {
    /** The whole text with its last word completed. */
    text: string
    /** The completed word. */
    word: string
    /** Number of visible documents that have the word. */
    documents: number
  }[]
}

/** What `search.execute` takes. Search documents and what is known of them, best first. */
export interface SearchExecuteInput {
  /** The question: words, "phrases", -exclusions and prefix*. */
  query: string
  /** What the question is for. Default: told from its words. */
  intent?: QueryIntent | undefined
  /** The search whose intent this one corrects, by its `searchRunId`. */
  corrects?: string | undefined
  /** What the answer is to be made of: `document_text_primary`, `derived_memory_primary`, `metadata_primary`, `mixed_surface_disclosed`, `cross_source_synthesis`. */
  posture?: string | undefined
  /** Which parts of filings count. */
  filingContentScope?: FilingContentScope | undefined
  /** Where to look: dates, cases, collections, filings and classes. */
  scope?: SearchScope | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** How the results of several executors are put in one order. */
  fusion?: 'rrf' | 'weighted_sum' | 'executor_priority' | undefined
  /** What each executor counts in a weighted sum. Default: the host's settings. */
  weights?:
    | Partial<
        Record<
          'primary_direct' | 'doc18_legal_search_direct' | 'memory_agent' | 'document_intelligence_agent',
          number
        >
      >
    | undefined
  /** Whether to refuse an answer from an index that is not current. */
  requireComplete?: boolean | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
  /** Most results on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Most further records of each filing to show in `more`. */
  perFiling?: number | undefined
  /** Characters to show around each source span. */
  context?: number | undefined
}

/** What `search.execute` answers. Search documents and what is known of them, best first. */
export interface SearchExecuteOutput {
  /** How it was searched. */
  plan: SearchPlan
  /** Why nothing was searched; null if it was. Finding nothing is no failure. */
  failure: SearchFailure | null
  /** The results, best first. */
  results: DocumentResult[]
  /** Number of results on all pages. */
  resultCount: number
  /** The manifest of the search, which `receipts.get` reads; null if nothing was searched. */
  manifestRef: string | null
  /** Number of records that match. */
  count: number
  /** Another spelling of the question; null if there is none. */
  suggestion: SpellingSuggestion | null
  /** What to say when nothing was found, or when only a part was searched; null otherwise. */
  notice: string | null
  /** What the words of the question left out, and how to ask for it; null if nothing. */
  narrowing: {
    /** What alone was searched, in words. */
    searched: string
    /** What to add to the question so that everything is searched. */
    wider: {
      /** The posture to ask with. */
      posture: Posture
      /** The parts of filings to ask for. */
      filingContentScope: FilingContentScope
    }
  } | null
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
  /** What was searched, and how complete the search was. */
  receipt: Receipt | null
  /** The words that were added to the question, and why. */
  expansions: Expansion[]
}

/** What `search.expand` takes. Show how else a question could be understood. */
export interface SearchExpandInput {
  /** The question: words, "phrases", -exclusions and prefix*. */
  query: string
  /** What the question is for. Default: told from its words. */
  intent?: QueryIntent | undefined
  /** The search whose intent this one corrects, by its `searchRunId`. */
  corrects?: string | undefined
  /** What the answer is to be made of: `document_text_primary`, `derived_memory_primary`, `metadata_primary`, `mixed_surface_disclosed`, `cross_source_synthesis`. */
  posture?: string | undefined
  /** Which parts of filings count. */
  filingContentScope?: FilingContentScope | undefined
  /** Where to look: dates, cases, collections, filings and classes. */
  scope?: SearchScope | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** How the results of several executors are put in one order. */
  fusion?: 'rrf' | 'weighted_sum' | 'executor_priority' | undefined
  /** What each executor counts in a weighted sum. Default: the host's settings. */
  weights?:
    | Partial<
        Record<
          'primary_direct' | 'doc18_legal_search_direct' | 'memory_agent' | 'document_intelligence_agent',
          number
        >
      >
    | undefined
  /** Whether to refuse an answer from an index that is not current. */
  requireComplete?: boolean | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
}

/** What `search.expand` answers. Show how else a question could be understood. */
export interface SearchExpandOutput {
  /** The words that would be added to the question. */
  expansions: {
    /** What sort of expansion it is. */
    expansionKind: ExpansionKind
    /** The words that were added. */
    appliedTerms: string[]
    /** Whether the words are built in or come from a corpus. */
    source:
      | 'built_in'
      | {
          /** The corpus they come from. */
          corpus: string
        }
  }[]
}

/** Why nothing was searched. Finding nothing is no failure. */
export interface SearchFailure {
  /** What sort of failure it is. */
  failureKind:
    | 'document_required_unavailable'
    | 'memory_only_source_unavailable'
    | 'scope_exceeds_session_capability'
    | 'index_stale_blocks_completeness'
    | 'policy_blocked'
    | 'session_profile_invalid'
    | 'extraction_in_flight_required_for_query'
  /** Why nothing was searched, as a code. */
  failureReasonCode: string
  /** What to change in the question. */
  remediationHint?: string | undefined
  /** The version of this format. */
  schemaVersion: 1
}

/** What ran in a search, and when. */
export interface SearchManifest {
  /** The id of the manifest. */
  manifestId: string
  /** The id of the search. */
  searchRunId: string
  /** The plan, by its id. */
  planId: string
  /** When the search ran. */
  executedAt: string
  /** What each executor did. */
  executorExecutions: {
    /** The executor. */
    executorClass: string
    /** When it began. */
    startedAt: string
    /** When it ended. */
    completedAt: string
    /** Number of results it found. */
    resultCount: number
    /** Number of tokens of text it read. */
    tokensRead?: number | undefined
    /** Number of candidates it had no budget left to read. */
    unreadCount?: number | undefined
    /** Why it found nothing. */
    failures?:
      | {
          /** What sort of failure it is. */
          failureKind: string
          /** Why, as a code. */
          failureReasonCode: string
        }[]
      | undefined
  }[]
  /** How their results were put in one order. */
  fusionStrategy: string
  /** When that was done. */
  fusionCompletedAt: string
  /** The internal receipt, by its id. */
  coverageReceiptInternalRef: string
  /** The visible receipt, by its id. */
  coverageReceiptVisibleRef: string
  /** A digest of how the caller read. */
  sessionProfileRef: string
  /** The policies that bound the caller, by their generation. */
  policyGenerationId: string
  /** The version of this format. */
  schemaVersion: 1
}

/** How a question about documents is searched for. */
export interface SearchPlan {
  /** The id of the plan. */
  planId: string
  /** What the question is taken for, and why. */
  queryIntentResolution: IntentResolution
  /** Where it looks. */
  searchScope: {
    /** What the answer is to be made of. */
    retrievalPosture: {
      /** What the answer is to be made of. */
      posture: Posture
      /** Which parts of filings count. */
      filingContentScope?: FilingContentScope | undefined
      /** Whether each result must show a place in a source. */
      sourceSpanRequired: boolean
      /** Fewest places that each result must show. */
      sourceSpanCountMinimum?: number | undefined
      /** Whether each result must say which surface it is from. */
      requiredSurfaceDisclosure: boolean
      /** The version of this format. */
      schemaVersion: 1
    }
    /** Between which dates, and dates of what. */
    temporalScope?: TemporalScope | undefined
    /** Only these cases, by their numbers. */
    caseScope?: string[] | undefined
    /** Only these collections. */
    corpusScope?: string[] | undefined
    /** Only these filings. */
    filingUnitScope?: string[] | undefined
    /** Only documents of these types. */
    typeScope?: string[] | undefined
    /** Only documents of courts whose name holds one of these. */
    courtScope?: string[] | undefined
    /** Only documents that name a party whose name holds one of these. */
    partyScope?: string[] | undefined
    /** Only these visibility classes. */
    visibilityClassScope?: VisibilityClass[] | undefined
    /** The version of this format. */
    schemaVersion: 1
  }
  /** Whether it searches by words, by meaning, or by both. */
  mode: string
  /** The executors that run, and what each is given. */
  executorAssignments: {
    /** The executor. */
    executorClass:
      | 'primary_direct'
      | 'doc18_legal_search_direct'
      | 'memory_agent'
      | 'document_intelligence_agent'
    /** A digest of where it looks. */
    scopeRef: string
    /** Its share in a weighted sum. */
    weight?: number | undefined
    /** Most tokens of text it may read. */
    budgetTokens: number
    /** Most milliseconds it may take. */
    deadlineMs: number
    /** Why it was chosen, as a code. */
    reasonCode: string
    /** The version of this format. */
    schemaVersion: 1
  }[]
  /** How their results are put in one order. */
  resultFusionStrategy: string
  /** The states of the indexes that are searched, by their ids. */
  searchIndexSnapshots: string[]
  /** The words that are added to the question. */
  queryExpansionsPlanned: {
    /** What sort of expansion it is. */
    expansionKind: ExpansionKind
    /** The words that were added. */
    appliedTerms: string[]
    /** Whether the words are built in or come from a corpus. */
    source:
      | 'built_in'
      | {
          /** The corpus they come from. */
          corpus: string
        }
    /** Whether the caller may read which words were added. */
    expansionVisibleToSession: boolean
  }[]
  /** No executor may change the plan. */
  amendableByExecutor: false
  /** Most results that are ranked. */
  topK: number
  /** When the plan was made. */
  planAt: string
  /** The version of this format. */
  schemaVersion: 1
}

/** What `search.plan` takes. Show how a question would be answered. */
export interface SearchPlanInput {
  /** The question: words, "phrases", -exclusions and prefix*. */
  query: string
  /** What the question is for. Default: told from its words. */
  intent?: QueryIntent | undefined
  /** The search whose intent this one corrects, by its `searchRunId`. */
  corrects?: string | undefined
  /** What the answer is to be made of: `document_text_primary`, `derived_memory_primary`, `metadata_primary`, `mixed_surface_disclosed`, `cross_source_synthesis`. */
  posture?: string | undefined
  /** Which parts of filings count. */
  filingContentScope?: FilingContentScope | undefined
  /** Where to look: dates, cases, collections, filings and classes. */
  scope?: SearchScope | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** How the results of several executors are put in one order. */
  fusion?: 'rrf' | 'weighted_sum' | 'executor_priority' | undefined
  /** What each executor counts in a weighted sum. Default: the host's settings. */
  weights?:
    | Partial<
        Record<
          'primary_direct' | 'doc18_legal_search_direct' | 'memory_agent' | 'document_intelligence_agent',
          number
        >
      >
    | undefined
  /** Whether to refuse an answer from an index that is not current. */
  requireComplete?: boolean | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
}

/** What `search.plan` answers. Show how a question would be answered. */
export interface SearchPlanOutput {
  /** The plan. */
  plan: SearchPlan
  /** Why nothing can be searched; null if it can. */
  failure: SearchFailure | null
}

/** A record that a search found, how well it matches, and where. */
export interface SearchResult {
  /** The record. */
  record: MemoryRecord
  /** How well it matches, from 0 to 1, relative to everything the caller may see. */
  score: number
  /** What the score is made of. */
  scores: {
    /** The sum of what the words of the question add; 0 where only the meaning or the conversation matched. */
    text: number
    /** Each part of the score. Only with `explain`. */
    parts?:
      | {
          /** What the part rests on. */
          part: string
          /** The figure as it was computed; null if there is none. */
          raw: number | null
          /** The figure as it counts. Words and meanings add up, times the hints. */
          normalised: number
          /** Its share of the sum. */
          weight: number
        }[]
      | undefined
  }
  /** Where the words were found. */
  matchSurface: ('title' | 'text' | 'tags')[]
  /** Which version of its filing this is, and which visible ones gave way to it; null if there was one. */
  versionSelectionDisclosure: VersionSelection | null
  /** The passages that match, and where. */
  snippet: Snippet
}

/** A search that was run, and how long its receipt is kept. */
export interface SearchRun {
  /** The id of the search. */
  searchRunId: string
  /** When it ran. */
  at: string
  /** How long it is kept. */
  retention: Retention
  /** What was searched, and how complete the search was. */
  receipt: Receipt
}

/** Where to look: dates, cases, collections, filings and classes. */
export interface SearchScope {
  /** Between which dates, and dates of what. */
  temporalScope?: TemporalScopeInput | undefined
  /** Only these cases, by their numbers. */
  caseScope?: string[] | undefined
  /** Only these collections. */
  corpusScope?: string[] | undefined
  /** Only these filings. */
  filingUnitScope?: string[] | undefined
  /** Only documents of these types. */
  typeScope?: string[] | undefined
  /** Only documents of courts whose name holds one of these. */
  courtScope?: string[] | undefined
  /** Only documents that name a party whose name holds one of these. */
  partyScope?: string[] | undefined
  /** Only these visibility classes. */
  visibilityClassScope?: VisibilityClass[] | undefined
}

/** What `searches.changes` takes. List what changed in a saved search since the last look. */
export interface SearchesChangesInput {
  /** The saved search, by its id. */
  search: string
  /** Whether this counts as a look. */
  mark?: boolean | undefined
}

/** What `searches.changes` answers. List what changed in a saved search since the last look. */
export interface SearchesChangesOutput {
  /** Records found now, and not when it was last looked at. */
  added: MemoryRecord[]
  /** Records found then and now that show something else. */
  changed: MemoryRecord[]
  /** When it was last looked at; null if it never was. */
  since: string | null
  /** What was searched, and how complete the search was. */
  receipt: Receipt
}

/** What `searches.delete` takes. Delete a saved search. */
export interface SearchesDeleteInput {
  /** The saved search, by its id. */
  search: string
}

/** What `searches.delete` answers. Delete a saved search. */
export interface SearchesDeleteOutput {
  /** Whether it was deleted; false if it was not there. */
  deleted: boolean
}

/** What `searches.list` answers. List the searches that the caller saved. */
export interface SearchesListOutput {
  /** The saved searches, by name. */
  searches: SavedSearch[]
}

/** What `searches.save` takes. Save a search under a name. */
export interface SearchesSaveInput {
  /** A name for it. */
  name: string
  /** What to look for: words, "phrases", -exclusions and prefix*. */
  query: string
  /** Only records of these kinds. */
  kinds?: RecordKind[] | undefined
  /** Only records with all of these tags. */
  tags?: string[] | undefined
  /** Only records kept at or after this moment. */
  createdAfter?: Date | string | undefined
  /** Only records kept before this moment. */
  createdBefore?: Date | string | undefined
  /** Only what happened at or after this moment. */
  occurredAfter?: Date | string | undefined
  /** Only what happened before this moment. */
  occurredBefore?: Date | string | undefined
  /** Only records of this owner: a person, `group:<id>` or `role:<id>/<role>`. */
  owner?: string | undefined
  /** Only this collection. */
  corpus?: string | undefined
  /** Only records in which all of these people take part, by name. */
  people?: string[] | undefined
  /** Only what holds at this moment, by `validFrom` and `validTo`; `any` for all times. Default: now. */
  asOf?: Date | string | 'any' | undefined
  /** Only records that matter at least this much now, from 0 to 1. */
  minSalience?: number | undefined
  /** Only records whose own fields have these values, or hold them in a list. */
  fields?: Record<string, JsonValue> | undefined
  /** Whether to search by words, by meaning, or by both. Without a provider of vectors, by words alone. */
  mode?: 'text' | 'vector' | 'hybrid' | undefined
  /** A cosine distance, from 0 to 2. Records that far or farther are not found by their meaning. */
  maxDistance?: number | undefined
  /** The least score of a result. Scores mean the same from question to question: a record with all words of a question has about 0.6. */
  minScore?: number | undefined
  /** How much to prefer newer records. */
  recency?:
    | {
        /** Its share of the score, from 0 to 1. */
        weight?: number | undefined
        /** Days after which age counts half. */
        halfLifeDays?: number | undefined
      }
    | undefined
  /** How much to prefer salient records. */
  salience?:
    | {
        /** Its share of the score, from 0 to 1. */
        weight?: number | undefined
      }
    | undefined
  /** What the answer is to be made of. */
  posture?: Posture | undefined
  /** Whether other forms of a word count as well. */
  stemming?: boolean | undefined
  /** Words that stand for other words. */
  synonyms?: Synonyms[] | undefined
  /** Whether citations and acts count in whatever form they are written. */
  citations?: boolean | undefined
  /** Whether a legal term and its abbreviation count as one. */
  legalTerms?: boolean | undefined
  /** Whether to reorder results by what the best ones speak of. It finds nothing more. */
  feedback?: boolean | undefined
  /** Whether words near in meaning count as well, where the provider knows words. */
  neighbours?: boolean | undefined
  /** The search it was first asked in, by its id: its receipt is kept as well. */
  searchRun?: string | undefined
}

/** A file that was sent in by a link. */
export interface SentFile {
  /** The id of the upload. */
  upload: string
  /** The name of the file. */
  fileName: string
  /** `received`, `quarantined` until the host has looked at it, `filed` or `discarded`. */
  state: string
  /** Its size in bytes. */
  size: number
  /** Its type, by its bytes. */
  mediaType: string
  /** What the checks noticed: `active_content_detected`, `upload_duplicate_detected` and the like. */
  warnings: string[]
  /** When it was sent. */
  createdAt: string
}

/** A mediation session. */
export interface Session {
  /** The id of the session. */
  id: string
  /** The relationship it is part of, by its id. */
  relationship: string
  /** The state of the session. */
  state: 'CREATED' | 'INVITED' | 'ACTIVE' | 'PAUSED' | 'RESOLVED' | 'ABANDONED'
  /** What it is about; null if it has no title, or your trust does not reach. */
  title: string | null
  /** Those who have joined. */
  participants: string[]
  /** Those who were invited and have not answered. */
  invited: string[]
  /** When it was created. */
  createdAt: string
  /** When it last changed. */
  updatedAt: string
}

/** What the agents of a session may start and inherit. */
export interface SessionBinding {
  /** The id of the binding. */
  bindingId: string
  /** The profile it binds, by its id. */
  ecSessionId: string
  /** What the agent runtime calls the session. */
  openclawNativeSessionId: string
  /** What sort of session it is bound as. */
  bindingKind: string
  /** The capability policy it inherits. */
  inheritedCapabilityPolicyRef: string
  /** The share link it inherits, by its id; null if none. */
  inheritedShareTokenPolicyRef: string | null
  /** The visibility limits it inherits. */
  inheritedVisibilityConstraints: string[]
  /** Whether it can start nothing itself. */
  forkForbidden: boolean
  /** How deep its own sub-agents may be nested. */
  maxSpawnDepth: number
  /** Most sub-agents at a time. */
  maxChildrenPerAgent: number
  /** What it inherits of the context it is started in. */
  contextInheritancePolicy: string
  /** How it proves who it is. With none it gets no key. */
  authInheritancePolicy: string
  /** Whether it sees its host's transcript. */
  transcriptVisibilityPolicy: string
  /** How copies are marked; null if they are not. */
  watermarkPolicy: {
    /** What is marked. */
    appliesTo: string
    /** What sort of mark it is. */
    watermarkKind: string
    /** Who can see the mark. */
    watermarkVisibility: string
  } | null
  /** Which sub-agents it may start. */
  childSpawnConstraint: string
  /** The names of those it may start, with `explicit_allow_list`. */
  childSpawnAllowList: string[] | null
  /** Number of sub-agents it has now. */
  childrenCount: number
  /** The binding above it, by its id; null if none. */
  parentRef: string | null
  /** The version of this format. */
  schemaVersion: 1
}

/** What sort of session a profile or its binding is for. */
export type SessionKind = 'host_session' | 'share_link_session' | 'subagent_session' | 'system_agent_session'

/** A policy that session profiles refer to. */
export interface SessionPolicy {
  /** What the policy is about. */
  kind: string
  /** Its name. */
  policy: string
  /** What it says. */
  settings: Record<string, unknown>
  /** When it was created. */
  createdAt: string
}

/** A session: who is in it, what it sees and what it may do. */
export interface SessionProfile {
  /** The id of the profile. */
  profile: string
  /** A digest of the profile and the policies it refers to. */
  sessionProfileHash: string
  /** The policies it was made with, by their generation. */
  policyGenerationId: string
  /** The number of its version. */
  profileVersion: number
  /** Who made it. */
  createdByActorRef: string
  /** The person it works for. */
  originUserRef: string
  /** The share link it was opened by, by its id; null if none. */
  shareTokenId: string | null
  /** The share link it comes from, by its id; null if none. */
  originatingShareRef: string | null
  /** The name the host let in; null if nobody was asked by name. */
  recipientName: string | null
  /** The address that the recipient proved; null if none. */
  recipientEmail: string | null
  /** The request that the host approved, by its id; null if none. */
  linkRequestRef: string | null
  /** The profile above it, by its id; null if none. */
  parentProfileRef: string | null
  /** The state of the profile. */
  profileState: string
  /** How whoever uses the session proves who they are. */
  identityMode: string
  /** What sort of session it is. */
  sessionKind: string
  /** A capability policy it is under, by its name. Default: the one you are under. */
  capabilityPolicyRef: string | null
  /** Whether documents may be opened: a policy of kind `document_access_policy`, by its name. */
  documentAccessPolicyRef: string | null
  /** The lowest visibility class that is shown. */
  sourceVisibilityFloor: string | null
  /** The highest visibility class that is shown. */
  visibilityClassCeiling: string | null
  /** Whether an interface may show why something is not available. Host sessions only. */
  whyBlockedSurface: boolean
  /** The words of refusals: a policy of kind `session_denial_message_policy`, by its name. */
  sessionDenialMessagePolicyRef: string | null
  /** The views it sees by, by their ids. */
  sharedCorpusViewRefs: string[]
  /** How much is shown of what was derived from documents. */
  derivedMemorySharePolicy: string | null
  /** How much is shown of the host's notes on documents. */
  hostAnnotationPolicy: string | null
  /** How long a context may be: a policy of kind `output_policy`, by its name. */
  outputPolicyRef: string | null
  /** Whether copies may leave: a policy of kind `document_delivery_policy`, by its name. */
  documentDeliveryPolicyRef: string | null
  /** How long its searches are kept: a policy of kind `transcript_retention_policy`, by its name. */
  transcriptRetentionPolicyRef: string | null
  /** Whether the host learns from it: a policy of kind `learning_capture_policy`, by its name. */
  learningCapturePolicyRef: string | null
  /** Where signals go: a policy of kind `utility_signal_policy`, by its name. */
  utilitySignalPolicyRef: string | null
  /** What governs it: a policy of kind `doc1_governance_split`, by its name. */
  doc1GovernanceSplitRef: string | null
  /** Most searches per hour. */
  maxQueriesPerHour: number | null
  /** Most documents opened or downloaded per hour. */
  maxDocumentViewsPerHour: number | null
  /** Most files uploaded per day. */
  maxUploadsPerDay: number | null
  /** Most results on a page. */
  maxResultCount: number | null
  /** Most tokens given to a model. */
  maxContextTokens: number | null
  /** Most bytes shown of a document; the rest is cut off. */
  maxDocumentBytes: number | null
  /** The most complex interface it may have. */
  maxUiComplexityTier: string | null
  /** The most complex interface it may have, all told. */
  effectiveUiComplexityTier: string
  /** Whether an interface shows every control, as far as its tier goes. */
  expertMode: boolean
  /** The binding of the session it runs in, by its id. */
  nativeSessionScopeBindingRef: string | null
  /** How uploads are checked: a policy of kind `external_upload_file_safety_controls`, by its name. */
  externalUploadFileSafetyControlsRef: string | null
  /** The state of the policies it is made with. Default: the current one. */
  sourcePolicySnapshotRef: string | null
  /** Who may read what it did: the host, the session itself, or both. */
  auditScope: string
  /** What every question in it is taken for, whatever its words say. */
  queryIntent: string | null
  /** When it was created. */
  createdAt: string
  /** When it was activated; null until then. */
  activatedAt: string | null
  /** When it expires; null if it does not. */
  expiresAt: string | null
  /** When it was suspended; null if it is not. */
  suspendedAt: string | null
  /** Why it was suspended, as a code; null if it is not. */
  suspendedReasonCode: string | null
  /** When it was revoked; null while it is valid. */
  revokedAt: string | null
  /** Why it was revoked, as a code; null if it was not. */
  revokedReasonCode: string | null
  /** When a session whose link was revoked ends; null if it was not. */
  endsAt: string | null
  /** When it expires unless it is used before; null if it does not. */
  idleAt: string | null
  /** SHA-256 of what the recipient agreed to when the session was opened, at `createdAt`; null if nothing. */
  agreementSha256: string | null
  /** The version of this format. */
  schemaVersion: 1
}

/** What `sessions.create` takes. Open a mediation between people, and invite them. */
export interface SessionsCreateInput {
  /** Who takes part beside you. A host names both. */
  participants: string[]
  /** What it is about. */
  title?: string | undefined
  /** Whether to invite the others at once. */
  invite?: boolean | undefined
}

/** What `sessions.decline` takes. Decline an invitation to a session. */
export interface SessionsDeclineInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `sessions.decline` answers. Decline an invitation to a session. */
export interface SessionsDeclineOutput {
  /** The invitation was declined. */
  declined: true
}

/** What `sessions.delete` takes. Delete a session with everything that was said and shared in it. */
export interface SessionsDeleteInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `sessions.delete` answers. Delete a session with everything that was said and shared in it. */
export interface SessionsDeleteOutput {
  /** The session was deleted. */
  deleted: true
  /** Number of records that were deleted with it. */
  records: number
}

/** What `sessions.erase_person` takes. Take a person out of every session, the library and notifications, and erase their side of it. */
export interface SessionsErasePersonInput {
  /** The person, by name. */
  person: string
}

/** What `sessions.erase_person` answers. Take a person out of every session, the library and notifications, and erase their side of it. */
export interface SessionsErasePersonOutput {
  /** Number of sessions they left. */
  sessions: number
  /** Number of consents that were revoked. */
  revoked: number
  /** Number of records that were deleted. */
  erased: number
  /** Number of contributions to the library that were withdrawn. */
  withdrawn: number
}

/** What `sessions.get` takes. Read one session that you take part in or are invited to. */
export interface SessionsGetInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `sessions.invite` takes. Invite those who have not joined a session yet. */
export interface SessionsInviteInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `sessions.join` takes. Accept an invitation to a session. */
export interface SessionsJoinInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `sessions.leave` takes. Leave a session: it ends, nothing of yours stays shared, and your side of it can be erased. */
export interface SessionsLeaveInput {
  /** The mediation session, by its id. */
  session: string
  /** Whether to delete everything of yours in it as well. */
  erase?: boolean | undefined
}

/** What `sessions.leave` answers. Leave a session: it ends, nothing of yours stays shared, and your side of it can be erased. */
export interface SessionsLeaveOutput {
  /** You left the session. */
  left: true
  /** Number of consents that were revoked. */
  revoked: number
  /** Number of records that were deleted. */
  erased: number
}

/** What `sessions.list` takes. List the sessions that you take part in or are invited to, newest first; a host lists all of them. */
export interface SessionsListInput {
  /** Only sessions in one of these states. */
  states?: ('CREATED' | 'INVITED' | 'ACTIVE' | 'PAUSED' | 'RESOLVED' | 'ABANDONED')[] | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `sessions.list` answers. List the sessions that you take part in or are invited to, newest first; a host lists all of them. */
export interface SessionsListOutput {
  /** The sessions, newest first. */
  sessions: Session[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `sessions.set_state` takes. Pause, resume or end a session. */
export interface SessionsSetStateInput {
  /** The mediation session, by its id. */
  session: string
  /** The state to go to. */
  state: 'ACTIVE' | 'PAUSED' | 'RESOLVED' | 'ABANDONED'
}

/** A link by which somebody outside sees views, without its token. */
export interface ShareLink {
  /** The id of the link. */
  link: string
  /** Its name. */
  name: string
  /** The views it shares, by their ids; none for one that only takes files in. */
  views: string[]
  /** Whether documents may be opened: a policy of kind `document_access_policy`, by its name; null if none. */
  documentAccessPolicyRef: string | null
  /** The host session in whose name it was granted, by its id; null if none. */
  hostSession: string | null
  /** How a recipient proves who they are. */
  recipientIdentityMode: string
  /** The address it is bound to; null if none. */
  recipientEmail: string | null
  /** Whom the host has in mind; null if nobody. */
  approvedName: string | null
  /** What recipients may do at most. */
  allowedActions: CapabilityPattern[]
  /** The highest sensitivity that recipients are trusted with, within what the views show. */
  maxSensitivity: string
  /** Seconds that a session lasts if nobody ends it. */
  sessionSeconds: number
  /** How much recipients may ask for, all sessions of the link together. */
  rateLimits: {
    /** Most searches per hour. */
    maxQueriesPerHour: number
    /** Most documents opened or downloaded per hour. */
    maxDocumentViewsPerHour: number
    /** Most files uploaded per day. */
    maxUploadsPerDay: number
    /** Most sessions at a time. */
    maxRecipientSessionsConcurrent: number
  }
  /** Whether downloads are marked. */
  watermarkDownloads: boolean
  /** How copies are marked; null if they are not. */
  watermarkPolicy: WatermarkPolicy | null
  /** Who may read what recipients did: the host, each session for itself, or both. */
  auditVisibility: string
  /** Policies of the host that its sessions refer to, by kind. */
  policyRefs: Record<string, string>
  /** Whether recipients must enter a passcode. */
  passcodeRequired: boolean
  /** Addresses and domains that may open it, beside `recipientEmail`. */
  allowList: string[]
  /** Addresses and domains that may not open it. */
  denyList: string[]
  /** What recipients must agree to before they are let in; null if nothing. */
  agreement: {
    /** The text. */
    text: string
    /** SHA-256 of the text, in hex. */
    sha256: string
  } | null
  /** How the host is told what happens. */
  notices: {
    /** What the host is told of. */
    events: string[]
    /** Where notices are mailed to; null for nowhere. */
    email: string | null
    /** Whether mail is sent at once, or collected. */
    digest: string
  }
  /** Seconds without use after which a session ends; null if it does not. */
  sessionIdleSeconds: number | null
  /** The link whose terms it was granted with, by its id; null if none. */
  copyOf: string | null
  /** What a link asks for that only takes files in; null for one that shares views. */
  fileRequest: {
    /** What the sender is asked for. */
    message: string
    /** The collection that files are filed in. */
    corpus: string
    /** The folder of the collection that they are filed in; null for none. */
    folder: string | null
  } | null
  /** When it was created. */
  createdAt: string
  /** When it expires; null if it does not. */
  expiresAt: string | null
  /** When it was revoked; null while it is valid. */
  revokedAt: string | null
  /** Why it was revoked; null while it is valid. */
  revokeReason: string | null
  /** How it was revoked; null while it is valid. */
  revocation: LinkRevocation | null
  /** The version of this format. */
  schemaVersion: 1
}

/** Something that is shared with your partner. */
export interface SharedContent {
  /** The id of what is shared. */
  id: string
  /** Whose words it comes from. */
  sourceUserId: string
  /** What is shared, as it reads. */
  transformedContent: string
  /** When its owner agreed to share it. */
  consentedAt: string
  /** Whether the consent stands. */
  consentActive: boolean
}

/** What something is shared as in a mediation session. */
export type SharedContentType =
  | 'IDENTIFIED_NEED'
  | 'EVENT_SUMMARY'
  | 'EMOTIONAL_PATTERN'
  | 'BOUNDARY'
  | 'EMPATHY_DRAFT'
  | 'EMPATHY_ATTEMPT'
  | 'STRATEGY_PROPOSAL'

/** A document as a recipient or a search of documents shows it. */
export interface SharedDocument {
  /** The id of the document. */
  document: string
  /** How much of it is shown. */
  face: FaceLevel
  /** What sort of record it is. */
  kind: string
  /** The collection it belongs to; null if it is not shown. */
  corpus: string | null
  /** The surface it belongs to; null if it is not shown. */
  surface: string | null
  /** Its title; null if it has none. */
  title: string | null
  /** Its language, as a BCP 47 code; null if it is not shown. */
  language: string | null
  /** The filing that its versions belong to; null if it is not shown. */
  filingUnit: string | null
  /** The version of the filing; null if it is not shown. */
  version: string | null
  /** What sort of version it is; null if it is not shown. */
  versionKind: string | null
  /** The part of the document; null if it is not shown. */
  part: string | null
  /** The name of the document; null if it is not shown. */
  documentName: string | null
  /** The segment of the part; null if it is not shown. */
  segment: string | null
  /** Case number, court, parties and the like, where the view exposes filing metadata. */
  fields: Record<string, unknown>
  /** The places in sources that it speaks of. */
  spans: unknown[]
  /** Its visibility class; null if it is not shown. */
  visibilityClass: string | null
  /** When it happened; null if that is not known or not shown. */
  occurredAt: string | null
  /** When it was kept. */
  createdAt: string
  /** Whether its text can be read now. */
  materializationState: string
  /** What you may do with it. */
  affordances: Affordance[]
  /** A digest of what is shown: it changes when that changes. */
  etag: string
}

/** Something that is shared in a session. */
export interface SharedItem {
  /** The id of the item. */
  id: string
  /** What sort of item it is. */
  type: 'consented_content' | 'common_ground' | 'empathy_attempt' | 'agreement' | 'micro_experiment'
  /** What it says; null where your trust does not reach. */
  text: string | null
  /** Whose words it is: yours, your partner's, or the session's; null where your trust does not reach. */
  source: 'you' | 'partner' | 'session' | null
  /** What it was shared as; null if it needed no consent. */
  contentType: SharedContentType | null
  /** Your decision by which it is shared; null if it is not yours to take back. */
  consentRecordId: string | null
  /** Whether the consent stands; null for what needs none. */
  consentActive: boolean | null
  /** What the need is about; null for other items. */
  category: NeedCategory | null
  /** The more particular need; null for other items. */
  need: SubNeed | null
  /** Whether everybody has confirmed it. */
  confirmed: boolean
  /** Whether you have confirmed it. */
  confirmedByYou: boolean
  /** Whether whoever it is about feels understood; null until they say. */
  validated: boolean | null
  /** What they say about it. */
  feedback: string[]
  /** How far it got; null for what has no status. */
  status: 'ACTIVE' | 'COMPLETED' | 'ABANDONED' | 'PLANNED' | 'TRYING' | 'DONE' | 'DROPPED' | null
  /** How it went, as each of you tells it. */
  outcomes: ExperimentOutcome[]
  /** When both of you are asked how an experiment goes; null for other items. */
  checkInAt: string | null
  /** Whether others can read it. An empathy text waits until both of you have shared one. */
  revealed: boolean
  /** Whether something it rests on was withdrawn. */
  hasStaleInputs: boolean
  /** Why it may no longer hold. */
  staleReason?: string | undefined
  /** The sentence to show with it while it may no longer hold. */
  staleNotice?: string | undefined
  /** When it was created. */
  createdAt: string
}

/** What `shared.list` takes. List what is shared in a session, newest first. */
export interface SharedListInput {
  /** The mediation session, by its id. */
  session: string
  /** Only items of these types. */
  types?:
    | ('consented_content' | 'common_ground' | 'empathy_attempt' | 'agreement' | 'micro_experiment')[]
    | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `shared.list` answers. List what is shared in a session, newest first. */
export interface SharedListOutput {
  /** What is shared in the session, newest first. */
  items: SharedItem[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** A need that somebody shared in a session. */
export interface SharedNeed {
  /** The id of what was shared. */
  id: string
  /** The need in its owner’s words. */
  text: string
  /** What the need is about. */
  category: NeedCategory | null
  /** The more particular need; null if there is none. */
  need: SubNeed | null
}

/** Whether you agreed to share something. */
export interface SharingDecision {
  /** The id of the decision. */
  id: string
  /** What it is shared as. */
  contentType: SharedContentType
  /** What you decided. */
  decision: 'GRANTED' | 'DENIED'
  /** When you decided. */
  decidedAt: string
  /** When you took it back; null while it stands. */
  revokedAt: string | null
  /** What the decision is about, in a sentence. */
  contentDescription: string
}

/** Something you are asked to share with your partner. */
export interface SharingRequest {
  /** The id of the request; pass it to `bridge.decide`. */
  id: string
  /** What it would be shared as. */
  contentType: SharedContentType
  /** What would be shared, in a sentence. */
  contentDescription: string
  /** What your partner would read. Empty if nothing was recognised: share your own words. */
  transformedPreview: string
  /** What of yours it comes from, by its id. */
  originalContentId: string
  /** The beginning of what of yours it comes from. */
  originalContentSummary: string
}

/** What `signals.pending` answers. Read what the signals of others add up to by corpus, before you accept them. */
export interface SignalsPendingOutput {
  /** Signals that wait for review, by collection. */
  pending: CorpusSignalCounts[]
}

/** What `signals.record` takes. Record what you did with a result, as far as your session captures it. */
export interface SignalsRecordInput {
  /** What you did. */
  kind: 'click_dwell' | 'explicit_helpful' | 'explicit_not_helpful' | 'query_refinement' | 'result_share'
  /** The result it is about, by its id. */
  record?: string | undefined
  /** The search that led to it: one of your own. It is not kept with the signal. */
  searchRun?: string | undefined
  /** Milliseconds that you stayed. Only with `click_dwell`. */
  dwellMs?: number | undefined
}

/** What `signals.record` answers. Record what you did with a result, as far as your session captures it. */
export interface SignalsRecordOutput {
  /** Whether the signal was kept. */
  captured: boolean
  /** Where it went; null if it was not kept. */
  route: 'session_local_only' | 'corpus_aggregate_review_required' | 'host_global' | null
}

/** What `signals.review` takes. Accept or reject what the signals of others add up to in a corpus. */
export interface SignalsReviewInput {
  /** The collection they are about. Default: those about none. */
  corpus?: string | undefined
  /** Whose collection: yours, or that of a group of yours. Default: yours. */
  owner?: string | undefined
  /** Whether they count from now on, or are dropped. */
  decision: 'accept' | 'reject'
}

/** What `signals.review` answers. Accept or reject what the signals of others add up to in a corpus. */
export interface SignalsReviewOutput {
  /** Whether there were any. */
  reviewed: boolean
}

/** What `signals.summary` takes. Read what signals add up to, by record and by corpus. */
export interface SignalsSummaryInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `signals.summary` answers. Read what signals add up to, by record and by corpus. */
export interface SignalsSummaryOutput {
  /** Signals by collection. */
  corpora: CorpusSignalCounts[]
  /** Signals by record. */
  records: {
    /** Who owns it: a person, `group:<id>` or `role:<id>/<role>`. */
    owner: string
    /** The record, by its id. */
    record: string
    /** The collection it belongs to; null if none. */
    corpus: string | null
    /** What was done. */
    kind: string
    /** How often. */
    count: number
    /** Milliseconds that people stayed, all together. */
    dwellMs: number
  }[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** Where a record matches: in its title, and in passages of its text. */
export interface Snippet {
  /** Where the title matches. */
  title: {
    /** First character and character after the last of each match. */
    highlights: [number, number][]
  }
  /** The passages of the text that match. */
  passages: {
    /** The passage. */
    text: string
    /** Its first character in the text, counted from 0. */
    start: number
    /** The character after its last. */
    end: number
    /** First character and character after the last of each match, within the passage. */
    highlights: [number, number][]
  }[]
}

/** A place in a source document, and what stands there. */
export interface SourceSpan {
  /** The name of the document. */
  document: string
  /** The first character, counted from 0. */
  start: number
  /** The character after the last. */
  end: number
  /** The page it begins on, counted from 1. */
  page?: number | undefined
  /** The page it ends on, where that is another. */
  lastPage?: number | undefined
  /** The version of the document. */
  version?: string | undefined
  /** What stands there. */
  text: string
  /** What stands before and after it. Only if asked for. */
  context?:
    | {
        /** What stands before it. */
        before: string
        /** What stands after it. */
        after: string
        /** The page it all begins on, counted from 1. */
        page?: number | undefined
        /** The page it all ends on, where that is another. */
        lastPage?: number | undefined
      }
    | undefined
}

/** A place in a document. */
export interface Span {
  /** The name of the document. */
  document: string
  /** The first character, counted from 0. */
  start: number
  /** The character after the last. */
  end: number
  /** The page, counted from 1. */
  page?: number | undefined
  /** Which version of the document is meant, where it has several. */
  version?: string | undefined
}

/** Another spelling of a question. */
export interface SpellingSuggestion {
  /** The question as it is suggested. */
  query: string
  /** The words that differ. */
  terms: {
    /** The word that was typed. */
    from: string
    /** The word that is suggested instead. */
    to: string
  }[]
}

/** How far you have got in a session. */
export interface Stages {
  /** The session, by its id. */
  session: string
  /** Your stage. Your partner's is told by gates alone. */
  stage: number
  /** All stages, in order. */
  stages: {
    /** The number of the stage. */
    stage: number
    /** When you entered it; null if you have not. */
    enteredAt: string | null
    /** What must be done in it, and whether it is. */
    gates: Record<string, boolean>
    /** Whether all its gates are open. */
    complete: boolean
  }[]
  /** Whether all that is left of your stage is for your partner to do. */
  waiting: boolean
  /** Whether you can enter the next stage now. */
  mayAdvance: boolean
}

/** What `stages.advance` takes. Enter the next stage of a session. */
export interface StagesAdvanceInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `stages.confirm_heard` takes. Confirm that you feel heard. */
export interface StagesConfirmHeardInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `stages.get` takes. Read your own stage in a session, its gates, and what is waited for. */
export interface StagesGetInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `stages.sign_compact` takes. Sign the compact of a session: how you will talk with each other. */
export interface StagesSignCompactInput {
  /** The mediation session, by its id. */
  session: string
}

/** What a writer learns of a record it wrote: its id and its label. */
export interface StoredRecord {
  /** The id of the record. */
  id: string
  /** The sensitivity it was kept with. */
  sensitivity: string
  /** The scope it was kept in; null if none. */
  scope: string | null
  /** The visibility class it was kept with. */
  visibilityClass: string
}

/** What `strategies.pool` takes. List the strategies of the pool, your ranking of them, and what all of you put first. */
export interface StrategiesPoolInput {
  /** The mediation session, by its id. */
  session: string
}

/** What `strategies.pool` answers. List the strategies of the pool, your ranking of them, and what all of you put first. */
export interface StrategiesPoolOutput {
  /** The strategies, without their authors, in no telling order. */
  strategies: {
    /** The id of the strategy. */
    id: string
    /** What to do. */
    content: string
  }[]
  /** Your ranking; null until you have ranked. */
  ranking:
    | {
        /** The place, counted from 1. */
        position: number
        /** The strategy, by its id; null once it has left the pool. */
        proposal: string | null
        /** Whether it has left the pool. */
        stale: boolean
      }[]
    | null
  /** Strategies among the first three of everybody. An empty list does not tell whether the others have ranked. */
  overlap: string[]
}

/** What `strategies.rank` takes. Rank strategies of the pool, the best first; anew once others changed the pool. */
export interface StrategiesRankInput {
  /** The mediation session, by its id. */
  session: string
  /** Strategies of the pool, by their ids, the best first. */
  proposals: string[]
}

/** What `strategies.rank` answers. Rank strategies of the pool, the best first; anew once others changed the pool. */
export interface StrategiesRankOutput {
  /** Your ranking. */
  ranking: {
    /** The place, counted from 1. */
    position: number
    /** The strategy, by its id; null once it has left the pool. */
    proposal: string | null
    /** Whether it has left the pool. */
    stale: boolean
  }[]
}

/** What `strategies.submit` takes. Propose a strategy: it enters the pool without your name. */
export interface StrategiesSubmitInput {
  /** The mediation session, by its id. */
  session: string
  /** What to do, in a few sentences. */
  content: string
  /** The common ground it rests on, by ids. */
  commonGround?: string[] | undefined
}

/** What `strategies.submit` answers. Propose a strategy: it enters the pool without your name. */
export interface StrategiesSubmitOutput {
  /** The id of the strategy. */
  id: string
  /** The decision by which it is shared; pass it to `bridge.revoke` to take it back. */
  consentRecordId: string
}

/** A word, and words that stand for it. */
export interface Synonyms {
  /** The word. */
  of: string
  /** Words that stand for it. */
  terms: string[]
  /** Only in this collection. */
  corpus?: string | undefined
}

/** What a grant or an overlay is about. */
export interface Target {
  /** What sort of thing is named. */
  kind: string
  /** Its name, or the id of a record; null if the reader may not see it. */
  ref: string | null
  /** Who owns it. */
  owner: string
}

/** What a grant or an overlay is to apply to. */
export interface TargetInput {
  /** What sort of thing is named. */
  kind: 'corpus' | 'filing_unit' | 'version' | 'part' | 'document' | 'segment'
  /** Its name, or the id of a record. */
  ref: string
  /** Who owns it. Default: you. */
  owner?: string | undefined
}

/** Between which dates, and dates of what. */
export interface TemporalScope {
  /** Which date of a document is meant. */
  dateField: DateField
  /** From this day or time; null for no beginning. */
  start: string | null
  /** To this day or time; null for no end. */
  end: string | null
  /** Whether the days or times named count as within. */
  inclusiveEndpoints: boolean
  /** Whose calendar is meant: the document's own, UTC, or the host's. */
  timezoneBasis: 'originating' | 'utc' | 'host_user_local'
}

/** Between which dates, and dates of what. */
export interface TemporalScopeInput {
  /** Which date of a document is meant. */
  dateField: DateField
  /** From this day or time; null for no beginning. */
  start?: string | null | undefined
  /** To this day or time; null for no end. */
  end?: string | null | undefined
  /** Whether the days or times named count as within. */
  inclusiveEndpoints?: boolean | undefined
  /** Whose calendar is meant: the document's own, UTC, or the host's. */
  timezoneBasis?: 'originating' | 'utc' | 'host_user_local' | undefined
}

/** What a caller is trusted with. */
export interface TrustContext {
  /** The highest sensitivity that is shown in full. */
  maxSensitivity: Sensitivity
  /** Whether the caller's identity was proven. */
  authenticated?: boolean | undefined
  /** Who the caller says it is. It is recorded only. */
  actorId?: string | undefined
  /** Only these scopes. Empty means all that the credential has. */
  scopes?: string[] | undefined
}

/** What `turns.context` takes. Get what a model may be told before it answers a participant’s message. */
export interface TurnsContextInput {
  /** The mediation session, by its id. */
  session: string
  /** Your name for the turn, such as the id of the message. A turn has one plan. Ask for it again with the same words if its answer was lost. Agents must name it. */
  turn?: string | undefined
  /** What the participant said. */
  message: string
  /** How strongly it is felt, from 1 to 10. From 8 on nothing is recalled. Default: the last hour's reading. */
  emotionalIntensity?: number | undefined
  /** A plan proposed by your own model. Queries that may not run are dropped. */
  queries?: RetrievalQuery[] | unknown | undefined
  /** Most tokens of context to return. */
  tokenBudget?: number | undefined
}

/** What `turns.context` answers. Get what a model may be told before it answers a participant’s message. */
export interface TurnsContextOutput {
  /** Your name for the turn. */
  turn: string
  /** The session, by its id. */
  session: string
  /** Your stage. */
  stage: number
  /** What the message is taken for. */
  intent:
    | 'avoid_recall'
    | 'stage_enforcement'
    | 'emotional_validation'
    | 'offer_continuity'
    | 'recall_commitment'
  /** How much is recalled. */
  depth: 'none' | 'minimal' | 'light' | 'full'
  /** Who made the plan. */
  planner: 'built_in' | 'model' | 'caller'
  /** The queries of the plan, and which of them run. */
  queries: PlannedQuery[]
  /** Whether the message shows distress. Nothing is recalled then; null if not. */
  distress: {
    /** What the person may be going through. */
    code: 'self_harm' | 'violence' | 'overwhelmed'
    /** What to do now, in any country. */
    course: string
  } | null
  /** Whether the proposed plan could not be read. Nothing is recalled then. */
  malformed: boolean
  /** What the model is given. */
  bundle: {
    /** What was recalled. */
    items: RecalledItem[]
    /** What to give the model: what the stage asks of it, what is recalled as data between markers, and the message. */
    text: string
    /** Number of tokens in the text. */
    tokens: number
    /** What counted them. */
    tokenizer: string
    /** Most tokens that were asked for. */
    tokenBudget: number
    /** Number of items that did not fit. */
    leftOut: number
  }
}

/** What `turns.list` takes. List what was retrieved for your turns in a session, newest first, without any of it. */
export interface TurnsListInput {
  /** The mediation session, by its id. */
  session: string
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `turns.list` answers. List what was retrieved for your turns in a session, newest first, without any of it. */
export interface TurnsListOutput {
  /** The turns, newest first. */
  turns: {
    /** Your name for the turn. */
    turn: string
    /** The session, by its id. */
    session: string
    /** Your stage. */
    stage: number
    /** What the message is taken for. */
    intent:
      | 'avoid_recall'
      | 'stage_enforcement'
      | 'emotional_validation'
      | 'offer_continuity'
      | 'recall_commitment'
    /** How much is recalled. */
    depth: 'none' | 'minimal' | 'light' | 'full'
    /** Who made the plan. */
    planner: 'built_in' | 'model' | 'caller'
    /** The queries of the plan, and which of them run. */
    queries: PlannedQuery[]
    /** Number of items given to the model, by type. */
    items: Record<string, number>
    /** Number of tokens given to the model. */
    tokens: number
    /** Most tokens that were asked for. */
    tokenBudget: number
    /** When the turn was taken. */
    at: string
  }[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** The structured part of a record, by its kind. */
export type TypedPayload =
  | {
      /** The kind of the record, once more. */
      kind: 'entity'
      /** The name it goes by. */
      canonicalName: string
      /** What it is. */
      primaryType?: string | undefined
      /** Other names it is known by. */
      aliases?: string[] | undefined
      /** What other systems call it. */
      identifiers?:
        | {
            /** Where the identifier holds. */
            namespace: string
            /** The identifier. */
            value: string
          }[]
        | undefined
    }
  | {
      /** The kind of the record, once more. */
      kind: 'competence'
      /** What it is called. */
      skillName: string
      /** When to do it. */
      triggers: {
        /** What is noticed. */
        signal: string
        /** Under which conditions, as JSON. */
        conditions?: Record<string, JsonValue> | undefined
      }[]
      /** The steps, in order. */
      recipe: {
        /** What to do. */
        step: string
        /** The tool that does it. */
        tool?: string | undefined
        /** What the tool is given, as JSON. */
        argsSchema?: Record<string, JsonValue> | undefined
        /** How to see that it worked. */
        validation?: string | undefined
      }[]
      /** The tools it needs. */
      requiredTools?: string[] | undefined
      /** How it can fail. */
      failureModes?: string[] | undefined
      /** What to do then. */
      fallbacks?: string[] | undefined
    }
  | {
      /** The kind of the record, once more. */
      kind: 'plan_graph'
      /** What it is called. */
      planId: string
      /** What it is for. */
      intent?: string | undefined
      /** What it must keep to, as JSON. */
      constraints?: Record<string, JsonValue> | undefined
      /** The steps. */
      nodes: {
        /** The step, within this plan. */
        id: string
        /** What is done. */
        op: string
        /** With what, as JSON. */
        params?: Record<string, JsonValue> | undefined
        /** Only if, as JSON. */
        guards?: Record<string, JsonValue> | undefined
      }[]
      /** What follows from what. */
      edges?:
        | {
            /** The step that comes first. */
            from: string
            /** The step that needs it. */
            to: string
            /** Whether the second needs what the first made, or only that it is done. */
            kind?: 'data' | 'control' | undefined
          }[]
        | undefined
    }
  | {
      /** The kind of the record, once more. */
      kind: 'working'
      /** The piece of work. */
      threadId: string
      /** How far it is. */
      state: 'planning' | 'executing' | 'blocked' | 'waiting' | 'done'
      /** What to know to go on. */
      contextSummary?: string | undefined
      /** What it must keep to. */
      activeConstraints?: string[] | undefined
      /** What comes next. */
      nextActions?: string[] | undefined
      /** What is not known. */
      openQuestions?: string[] | undefined
    }
  | {
      /** The kind of the record, once more. */
      kind: 'semantic'
      /** Whom or what it is about. */
      subject: string
      /** What of them. */
      predicate: string
      /** The value. */
      object: string
      /** Whether the fact, and whatever replaces it, must name `spans` or `derivedFrom`. */
      requiresEvidence?: boolean | undefined
    }
  | {
      /** The kind of the record, once more. */
      kind: 'episodic'
      /** The calls of tools. */
      toolGraph?:
        | {
            /** The call, within this record. */
            id: string
            /** The tool. */
            tool: string
            /** What it was given, as JSON. */
            args?: Record<string, JsonValue> | undefined
            /** What it answered. */
            result?: string | undefined
            /** The calls before it. */
            dependsOn?: string[] | undefined
          }[]
        | undefined
      /** What came of it. */
      outcome?: 'success' | 'failure' | 'partial' | undefined
    }

/** A file that somebody outside sent in by a link. */
export interface Upload {
  /** The id of the upload. */
  upload: string
  /** The link it came by, by its id. */
  link: string
  /** The session that sent it, by its id. */
  session: string
  /** The name of the file. */
  fileName: string
  /** The words that came with it. */
  message: string
  /** Its type, by its bytes. */
  mediaType: string
  /** Its type, as its sender says; null if not. */
  declaredType: string | null
  /** Its size in bytes. */
  size: number
  /** `received`, `quarantined`, `filed` as a document, or `discarded`. */
  state: string
  /** The check that it failed; null if none. */
  failure: string | null
  /** What the checks noticed. */
  warnings: string[]
  /** The document that it became, by the id of its card; null if none. */
  record: string | null
  /** When it was sent. */
  createdAt: string
  /** When that was decided; null until then. */
  decidedAt: string | null
}

/** What `upload.list` takes. List the files that your session sent in. */
export interface UploadListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `upload.list` answers. List the files that your session sent in. */
export interface UploadListOutput {
  /** The files, newest first. */
  uploads: SentFile[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `upload.send` takes. Send a file to whoever shared a link with you. */
export interface UploadSendInput {
  /** The name of the file; its extension may tell what it is. */
  document: string
  /** The file in base64. */
  content: string
  /** What you say it is. It is refused if it is not. */
  mediaType?: string | undefined
  /** A few words with it. */
  message?: string | undefined
}

/** What `upload.send` answers. Send a file to whoever shared a link with you. */
export interface UploadSendOutput {
  /** The id of the upload. */
  upload: string
  /** The name of the file. */
  fileName: string
  /** `received`, `quarantined` until the host has looked at it, `filed` or `discarded`. */
  state: string
  /** Its size in bytes. */
  size: number
  /** Its type, by its bytes. */
  mediaType: string
  /** What the checks noticed: `active_content_detected`, `upload_duplicate_detected` and the like. */
  warnings: string[]
  /** When it was sent. */
  createdAt: string
  /** A document that you can see and that is the same, by its id; null if there is none. */
  duplicateOf: string | null
}

/** What `uploads.decide` takes. Release a file from quarantine, or discard what was sent in. */
export interface UploadsDecideInput {
  /** The upload, by its id. */
  upload: string
  /** `release` takes it out of quarantine; `discard` deletes its bytes. */
  decision: 'release' | 'discard'
}

/** What `uploads.fetch` takes. Fetch a file that was sent in. */
export interface UploadsFetchInput {
  /** The upload, by its id. */
  upload: string
}

/** What `uploads.fetch` answers. Fetch a file that was sent in. */
export type UploadsFetchOutput = {
  /** The name of the file. */
  document: string
  /** Its type, by its bytes. */
  mediaType: string
  /** The file in base64. */
  content: string
} | null

/** What `uploads.file` takes. File what was sent in as a document of yours. */
export interface UploadsFileInput {
  /** The upload, by its id. */
  upload: string
  /** The collection to file it in. Default: the one that its file request names, else `Received files`. */
  corpus?: string | undefined
  /** The name of the document. Default: that of the file, under the id of the upload, in the folder of its file request. */
  document?: string | undefined
  /** How sensitive it is. Default: medium. */
  sensitivity?: Sensitivity | undefined
  /** Who may see it at most. */
  visibilityClass?: VisibilityClass | undefined
}

/** What `uploads.list` takes. List the files that were sent in by your links. */
export interface UploadsListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only what came by this link. */
  link?: string | undefined
  /** Only what is in this state. */
  state?: 'received' | 'quarantined' | 'filed' | 'discarded' | undefined
}

/** What `uploads.list` answers. List the files that were sent in by your links. */
export interface UploadsListOutput {
  /** The files, newest first. */
  uploads: Upload[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What sort of version of a filing it is, strongest first. */
export type VersionKind = 'amended' | 'corrected' | 'reissued' | 'public_redacted' | 'original_as_filed'

/** Which version of a filing is shown, and which gave way to it. */
export interface VersionSelection {
  /** The version that is shown; null if it has no name. */
  selectedVersion: string | null
  /** The versions that gave way to it. */
  excludedVersions: (string | null)[]
  /** By what the version was chosen. */
  selectionBasis: 'legal_version_kind_precedence'
}

/** What `vessel.confirm_needs` takes. Confirm needs as your own, or take that back. */
export interface VesselConfirmNeedsInput {
  /** The mediation session, by its id. */
  session: string
  /** Needs of yours, by their ids. */
  needs: string[]
  /** Whether to confirm them, or to take that back. */
  confirmed?: boolean | undefined
}

/** What `vessel.confirm_needs` answers. Confirm needs as your own, or take that back. */
export interface VesselConfirmNeedsOutput {
  /** The needs. */
  needs: {
    /** The id of the need. */
    id: string
    /** Whether it is confirmed. */
    confirmed: boolean
  }[]
}

/** Something in your own vessel. */
export interface VesselItem {
  /** The id of the item. */
  id: string
  /** What sort of item it is. */
  type: 'user_event' | 'emotional_reading' | 'need' | 'boundary' | 'empathy_draft'
  /** What was said; null where the caller's trust does not reach. */
  text: string | null
  /** How strong the feeling is, from 1 to 10; null for other items. */
  intensity: number | null
  /** The feeling, by its name; null if it was not named. */
  emotion: string | null
  /** What the need is about; null for other items. */
  category: NeedCategory | null
  /** The more particular need; null if it was not given. */
  need: SubNeed | null
  /** Whether its owner has confirmed it. */
  confirmed: boolean
  /** When it happened; null if that is not known. */
  occurredAt: string | null
  /** When it was created. */
  createdAt: string
}

/** What `vessel.list` takes. List what your own vessel of a session holds, newest first. */
export interface VesselListInput {
  /** The mediation session, by its id. */
  session: string
  /** Only items of these types. */
  types?: ('user_event' | 'emotional_reading' | 'need' | 'boundary' | 'empathy_draft')[] | undefined
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
}

/** What `vessel.list` answers. List what your own vessel of a session holds, newest first. */
export interface VesselListOutput {
  /** What is in your vessel, newest first. */
  items: VesselItem[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `vessel.write` takes. Store events, feelings, needs and boundaries in your own vessel of a session. */
export interface VesselWriteInput {
  /** The mediation session, by its id. */
  session: string
  /** What was said, felt or found out. */
  items: (
    | {
        /** What sort of item it is. */
        type: 'user_event'
        /** What was said. */
        text: string
        /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
        sensitivity?: Sensitivity | undefined
        /** The part of life or work it belongs to. */
        scope?: string | undefined
        /** Who may see it at all, from open to firewalled. */
        visibilityClass?: VisibilityClass | undefined
        /** People in it, by name. New names become people whose consent is pending. */
        participants?: string[] | undefined
        /** Whether to ask its owner to share it, once it belongs to their stage. */
        ask?: boolean | undefined
        /** When it happened. */
        occurredAt?: Date | string | undefined
        /** What of your own in this session it comes from, by ids. */
        derivedFrom?: string[] | undefined
      }
    | {
        /** What sort of item it is. */
        type: 'emotional_reading'
        /** How strong the feeling is, from 1 to 10. */
        intensity: number
        /** The feeling, by its name. */
        emotion?: string | undefined
        /** What was said. */
        text?: string | undefined
        /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
        sensitivity?: Sensitivity | undefined
        /** The part of life or work it belongs to. */
        scope?: string | undefined
        /** Who may see it at all, from open to firewalled. */
        visibilityClass?: VisibilityClass | undefined
        /** People in it, by name. New names become people whose consent is pending. */
        participants?: string[] | undefined
        /** Whether to ask its owner to share it, once it belongs to their stage. */
        ask?: boolean | undefined
        /** When it happened. */
        occurredAt?: Date | string | undefined
        /** What of your own in this session it comes from, by ids. */
        derivedFrom?: string[] | undefined
      }
    | {
        /** What sort of item it is. */
        type: 'need'
        /** What the need is about. */
        category: NeedCategory
        /** The more particular need; it must belong to the category. */
        need?: SubNeed | undefined
        /** What was said. */
        text: string
        /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
        sensitivity?: Sensitivity | undefined
        /** The part of life or work it belongs to. */
        scope?: string | undefined
        /** Who may see it at all, from open to firewalled. */
        visibilityClass?: VisibilityClass | undefined
        /** People in it, by name. New names become people whose consent is pending. */
        participants?: string[] | undefined
        /** Whether to ask its owner to share it, once it belongs to their stage. */
        ask?: boolean | undefined
        /** When it happened. */
        occurredAt?: Date | string | undefined
        /** What of your own in this session it comes from, by ids. */
        derivedFrom?: string[] | undefined
      }
    | {
        /** What sort of item it is. */
        type: 'boundary'
        /** What was said. */
        text: string
        /** How sensitive it is. It becomes more so if its writer was shown, or derives it from, something more sensitive. */
        sensitivity?: Sensitivity | undefined
        /** The part of life or work it belongs to. */
        scope?: string | undefined
        /** Who may see it at all, from open to firewalled. */
        visibilityClass?: VisibilityClass | undefined
        /** People in it, by name. New names become people whose consent is pending. */
        participants?: string[] | undefined
        /** Whether to ask its owner to share it, once it belongs to their stage. */
        ask?: boolean | undefined
        /** When it happened. */
        occurredAt?: Date | string | undefined
        /** What of your own in this session it comes from, by ids. */
        derivedFrom?: string[] | undefined
      }
  )[]
}

/** What `vessel.write` answers. Store events, feelings, needs and boundaries in your own vessel of a session. */
export interface VesselWriteOutput {
  /** What was written, in the same order. */
  items: {
    /** The id of the item. */
    id: string
    /** What sort of item it is. */
    type: string
  }[]
}

/** What of a corpus is shown to others. */
export interface View {
  /** The id of the view. */
  view: string
  /** Its name. */
  name: string
  /** The collection it shows. */
  corpus: string
  /** Who owns the collection. */
  owner: string
  /** The session it was made in, by its id; null if none. */
  ownerSessionRef: string | null
  /** The surfaces it shows. */
  exposedSurfaces: string[]
  /** How much it shows of what was derived from documents. */
  derivedMemorySharePolicy: string
  /** How much it shows of the host's notes on documents. */
  hostAnnotationPolicy: string
  /** The highest visibility class it shows. */
  visibilityClassCeiling: string
  /** Whether it shows what is there now (`live`) or what was there when it was shared (`snapshot`). */
  viewTemporalMode: string
  /** When the snapshot was taken; null until it is first shared, or if it is live. */
  snapshotAtTimestamp: string | null
  /** Which documents of the corpus it shows. */
  documentScope: {
    /** How the documents are chosen. */
    kind: string
    /** Documents by their names, or records by their ids. */
    documentRefs?: string[] | undefined
    /** Versions of filings, by their names. */
    versionRefs?: string[] | undefined
    /** Everything that lies in any of these. */
    selector?:
      | {
          /** What sort of thing is named. */
          kind: string
          /** Its name. */
          ref: string
        }[]
      | undefined
  }
  /** Whether recipients are told how many records it left out when it was shared. */
  disclosesExclusions: boolean
  /** Number of records it left out when it was shared; 0 unless it discloses them. */
  excludedCount: number | null
  /** When it was first shared; null until then. */
  sharedAt: string | null
  /** When it was created. */
  createdAt: string
  /** The version of this format. */
  schemaVersion: 1
}

/** Somebody to look as. */
export type Viewer = AgentViewer | RecipientViewer

/** What `viewers.look` takes. Show what somebody is trusted with when you look as them. */
export interface ViewersLookInput {
  /** Whom to look as. */
  as: Viewer
}

/** What `viewers.look` answers. Show what somebody is trusted with when you look as them. */
export interface ViewersLookOutput {
  /** Who looks. */
  actor: string
  /** What sort of caller it is. */
  audience: Audience
  /** The person it works for. */
  for: string
  /** The highest sensitivity that is shown in full: never more than you are trusted with. */
  maxSensitivity: Sensitivity
  /** The scopes it is trusted with; empty for all. */
  scopes: string[]
  /** The highest visibility class that is shown. */
  ceiling: VisibilityClass
}

/** What `views.changes` takes. See what came to views that list their changes. */
export interface ViewsChangesInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only what came after this moment. Default: when the views were shared. */
  since?: Date | string | undefined
}

/** What `views.changes` answers. See what came to views that list their changes. */
export interface ViewsChangesOutput {
  /** What was added, newest first. */
  changes: {
    /** What happened. */
    change: 'added'
    /** When it happened. */
    at: string
    /** The document. */
    document: SharedDocument
  }[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** What `views.create` takes. Create a view of a corpus to share. */
export interface ViewsCreateInput {
  /** The collection to show. */
  corpus: string
  /** Whose collection: yours, or that of a group of yours. Default: yours. */
  owner?: string | undefined
  /** A name for it. */
  name?: string | undefined
  /** What to fill in for what you leave out: as for a share link, or for working together. */
  sharing?: 'share_link' | 'collaborative' | undefined
  /** The surfaces to show. */
  exposedSurfaces?:
    | (
        | 'source_documents'
        | 'filing_metadata'
        | 'filing_relationships'
        | 'court_rulings'
        | 'court_disposition_observations'
        | 'host_outcome_analysis'
        | 'neutral_topics'
        | 'host_annotations'
        | 'host_strategy_notes'
        | 'host_topics'
        | 'derived_memories'
        | 'derived_outcomes_synthesis'
        | 'rulings_and_outcomes'
      )[]
    | undefined
  /** How much to show of what was derived from documents. */
  derivedMemorySharePolicy?: DerivedMemorySharePolicy | undefined
  /** How much to show of the host's notes on documents. */
  hostAnnotationPolicy?: HostAnnotationPolicy | undefined
  /** Whether to show what is there now, or what was there when it was shared. */
  viewTemporalMode?:
    | 'live_view_with_change_log'
    | 'live_view'
    | 'snapshot_at_share_with_drift_disclosure'
    | 'snapshot_at_share'
    | undefined
  /** The moment of the snapshot. Default: when the view is first shared. */
  snapshotAtTimestamp?: Date | string | undefined
  /** Which documents of the corpus to show. */
  documentScope?: DocumentScope | undefined
  /** The highest visibility class to show. */
  visibilityClassCeiling?: VisibilityClass | undefined
  /** Whether to tell recipients how many records it left out when it was shared. */
  disclosesExclusions?: boolean | undefined
}

/** What `views.delete` takes. Delete a view that was never shared. */
export interface ViewsDeleteInput {
  /** The view, by its id. */
  view: string
}

/** What `views.delete` answers. Delete a view that was never shared. */
export interface ViewsDeleteOutput {
  /** Whether it was deleted; false if it was not there. */
  deleted: boolean
}

/** What `views.effective` takes. See what several views show together, and why. */
export interface ViewsEffectiveInput {
  /** Views, by their ids. */
  views: string[]
  /** What a recipient of a link to them would be trusted with. */
  maxSensitivity?: Sensitivity | undefined
}

/** What `views.effective` answers. See what several views show together, and why. */
export interface ViewsEffectiveOutput {
  /** What the views give together, for each corpus. */
  corpora: {
    /** It is the view that all views of the corpus give together. */
    effective: true
    /** The collection. */
    corpus: string
    /** Who owns the collection. */
    owner: string
    /** The surfaces it shows. */
    exposedSurfaces: string[]
    /** How much it shows of what was derived from documents. */
    derivedMemorySharePolicy: string
    /** How much it shows of the host's notes on documents. */
    hostAnnotationPolicy: string
    /** The highest visibility class it shows. */
    visibilityClassCeiling: string
    /** Whether it shows what is there now (`live`) or what was there when it was shared (`snapshot`). */
    viewTemporalMode: string
    /** When the snapshot was taken; null if it is live or was not shared yet. */
    snapshotAtTimestamp: string | null
    /** Whether it is limited to some documents of the corpus. */
    limitedToDocuments: boolean
    /** How much a recipient would see. */
    shows: {
      /** Number of documents that a recipient would see now. */
      documents: number
      /** Number of documents that you see. */
      ofDocuments: number
      /** Number of records that a recipient would see now. */
      records: number
      /** Number of records that you see. */
      ofRecords: number
    }
    /** Which view each value comes from. */
    account: {
      /** The field of the effective view. */
      field: string
      /** Its value. */
      value: string | number | string[] | null
      /** The views by which it holds, by their ids. */
      restrictedBy: string[]
    }[]
  }[]
}

/** What `views.get` takes. Read one of your views. */
export interface ViewsGetInput {
  /** The view, by its id. */
  view: string
}

/** What `views.list` takes. List your views. */
export interface ViewsListInput {
  /** Most entries on the page. */
  limit?: number | undefined
  /** The `cursor` of the previous page, with everything else as it was, to read the next one. */
  cursor?: string | undefined
  /** Only views of this collection. */
  corpus?: string | undefined
}

/** What `views.list` answers. List your views. */
export interface ViewsListOutput {
  /** The views, newest first. */
  views: View[]
  /** Pass it as `cursor` to read the next page; null on the last page. */
  cursor: string | null
}

/** Between which visibility classes records are shown. */
export interface VisibilityBounds {
  /** The highest visibility class that is shown. */
  ceiling: VisibilityClass
  /** The lowest visibility class that is shown. */
  floor?: VisibilityClass | undefined
}

/** What was searched, for an agent or a recipient. */
export interface VisibleReceipt {
  /** The receipt of an agent or a recipient. */
  kind: 'visible'
  /** The id of the receipt. */
  receiptId: string
  /** The id of the search. */
  searchRunId: string
  /** Number of records that were searched. */
  searchedCount: number
  /** How complete the search was. */
  resultSetCompleteness: Completeness
  /** Whether the caller was told which words were added. */
  expansionDisclosureProvided: boolean
  /** How the search by meaning went, by model; empty if there was none. */
  meaning: MeaningUse[]
  /** A digest of where it looked. */
  scopeDigest: string
  /** The version of this format. */
  schemaVersion: 1
  /** Number of records that the shared view left out; null without a shared view. */
  excludedCountTotal: number | null
}

/** A contribution that waits for a host. */
export interface WaitingLibraryEntry {
  /** The id of the entry. */
  id: string
  /** A short name for it. */
  title: string
  /** What to do, in a few sentences. */
  text: string
  /** The needs it is good for, the most important first. */
  needs: string[]
  /** Days it takes to try. */
  durationDays: number
  /** When its author agreed to share it. */
  optedInAt: string
}

/** How copies that leave by a link are marked. */
export interface WatermarkPolicy {
  /** What is marked: copies that are downloaded, what is displayed, or both. */
  appliesTo: 'downloaded_artifacts' | 'displayed_content' | 'both'
  /** What the mark says beside its number. */
  watermarkKind: 'user_email' | 'session_id' | 'timestamp'
  /** Whether the mark is seen, stands in metadata, or both. */
  watermarkVisibility: 'visible' | 'invisible_metadata' | 'both'
}

/** Where a copy that was found came from. */
export interface WatermarkedCopy {
  /** The number of the copy. */
  number: string
  /** `invalid` if the link was revoked and the deletion of its copies was asked for. */
  state: 'valid' | 'invalid'
  /** Since when it is invalid; null if it is not. */
  invalidSince: string | null
  /** Whether it is a copy that was downloaded, or what a session displayed. */
  of: 'download' | 'display'
  /** The link it came from, by its id. */
  link: string
  /** The name of the link. */
  linkName: string
  /** When the link was revoked; null if not. */
  linkRevokedAt: string | null
  /** The session it came from, by its id. */
  session: string
  /** Whose session that was, as far as they proved it; null if they did not. */
  recipient: string | null
  /** The document, by its id; null for what was displayed. */
  document: string | null
  /** Its title; null if it has none. */
  title: string | null
  /** When the copy was made, or the session opened. */
  at: string
}

/** What `watermarks.check` takes. Find out where a copy of a shared document came from. */
export interface WatermarksCheckInput {
  /** A number as it is printed on a page. */
  number?: string | undefined
  /** The file that was found, in base64. */
  content?: string | undefined
  /** The name of that file. */
  document?: string | undefined
}

/** What `watermarks.check` answers. Find out where a copy of a shared document came from. */
export interface WatermarksCheckOutput {
  /** The numbers that are on it. */
  numbers: string[]
  /** The copies that have these numbers, oldest first. */
  copies: WatermarkedCopy[]
  /** Numbers that are none of your links’. */
  unknown: string[]
}

/** An address that notifications are posted to, without its secret. */
export interface Webhook {
  /** The id of the webhook. */
  id: string
  /** Where notifications are posted to. */
  url: string
  /** Only these types are posted; null for all, later ones included. */
  types: string[] | null
  /** What it is for; null if nothing was said. */
  description: string | null
  /** When it was created. */
  createdAt: string
  /** When its receiver answered that it is gone; null while it is in use. */
  disabledAt: string | null
  /** When a delivery last succeeded; null if none has. */
  lastSuccessAt: string | null
  /** When a delivery last failed; null if none has. */
  lastFailureAt: string | null
  /** Why the last delivery failed, as a code. */
  lastFailure: string | null
  /** Number of deliveries waiting to be sent. */
  waiting: number
  /** Number of deliveries that were given up. */
  givenUp: number
}

/** What `webhooks.create` takes. Send notifications to a URL; the secret that signs them is shown once. */
export interface WebhooksCreateInput {
  /** Where to post notifications to: an http or https address on the internet. */
  url: string
  /** Only these types. Default: all, later ones included. */
  types?:
    | (
        | 'session.invited'
        | 'session.joined'
        | 'session.state_changed'
        | 'consent.requested'
        | 'consent.granted'
        | 'consent.revoked'
        | 'stage.ready'
        | 'empathy.validated'
        | 'strategies.overlap'
        | 'agreement.proposed'
        | 'agreement.reached'
        | 'experiment.planned'
        | 'experiment.check_in'
        | 'experiment.reported'
        | 'share.requested'
        | 'share.opened'
        | 'share.downloaded'
        | 'share.refused'
        | 'share.locked'
        | 'share.full'
        | 'share.uploaded'
        | 'share.quarantined'
      )[]
    | undefined
  /** What it is for, in a sentence. */
  description?: string | undefined
}

/** What `webhooks.create` answers. Send notifications to a URL; the secret that signs them is shown once. */
export interface WebhooksCreateOutput {
  /** The webhook. */
  webhook: Webhook
  /** The secret that signs deliveries. It is shown once: null when a request is repeated. */
  secret: string | null
}

/** What `webhooks.delete` takes. Delete a webhook and what waits to be sent to it. */
export interface WebhooksDeleteInput {
  /** The webhook, by its id. */
  webhook: string
}

/** What `webhooks.delete` answers. Delete a webhook and what waits to be sent to it. */
export interface WebhooksDeleteOutput {
  /** Whether it was deleted; false if it was not there. */
  deleted: boolean
}

/** What `webhooks.list` answers. List webhooks, how their last deliveries went and how many wait. */
export interface WebhooksListOutput {
  /** The webhooks, newest first. */
  webhooks: Webhook[]
}

/** What `webhooks.test` takes. Send a ping to a webhook. */
export interface WebhooksTestInput {
  /** The webhook, by its id. */
  webhook: string
}

/** What `webhooks.test` answers. Send a ping to a webhook. */
export interface WebhooksTestOutput {
  /** The `webhook-id` of the test delivery. */
  delivery: string
}

/** What each operation takes, by its name. */
export interface Inputs {
  'memory.remember': MemoryRememberInput
  'memory.capture': MemoryCaptureInput
  'memory.extract': MemoryExtractInput
  'captures.list': CapturesListInput
  'captures.retry': CapturesRetryInput
  'memory.record_outcome': MemoryRecordOutcomeInput
  'memory.select': MemorySelectInput
  'memory.get': MemoryGetInput
  'memory.list': MemoryListInput
  'memory.timeline': MemoryTimelineInput
  'memory.search': MemorySearchInput
  'memory.complete': MemoryCompleteInput
  'memory.retrieve_graph': MemoryRetrieveGraphInput
  'memory.context': MemoryContextInput
  'memory.relate': MemoryRelateInput
  'memory.revise': MemoryReviseInput
  'memory.history': MemoryHistoryInput
  'memory.undo': MemoryUndoInput
  'memory.relabel': MemoryRelabelInput
  'labels.propose': LabelsProposeInput
  'labels.review': LabelsReviewInput
  'labels.policy': Record<string, never>
  'labels.set_policy': LabelsSetPolicyInput
  'memory.reinforce': MemoryReinforceInput
  'memory.penalise': MemoryPenaliseInput
  'memory.pin': MemoryPinInput
  'memory.unpin': MemoryUnpinInput
  'memory.consolidate': MemoryConsolidateInput
  'memory.forget': MemoryForgetInput
  'memory.forget_preview': MemoryForgetPreviewInput
  'memory.forget_candidates': MemoryForgetCandidatesInput
  'memory.explain': MemoryExplainInput
  'viewers.look': ViewersLookInput
  'searches.save': SearchesSaveInput
  'searches.list': Record<string, never>
  'searches.changes': SearchesChangesInput
  'searches.delete': SearchesDeleteInput
  'receipts.get': ReceiptsGetInput
  'receipts.list': ReceiptsListInput
  'receipts.cite': ReceiptsCiteInput
  'receipts.deliver': ReceiptsDeliverInput
  'receipts.feedback': ReceiptsFeedbackInput
  'receipts.mark': ReceiptsMarkInput
  'receipts.purge': Record<string, never>
  'index.rebuild': Record<string, never>
  'people.add': PeopleAddInput
  'people.get': PeopleGetInput
  'people.list': PeopleListInput
  'people.consent': PeopleConsentInput
  'people.remove': PeopleRemoveInput
  'people.update': PeopleUpdateInput
  'people.matches': PeopleMatchesInput
  'people.merge_preview': PeopleMergePreviewInput
  'people.merge': PeopleMergeInput
  'people.split_preview': PeopleSplitPreviewInput
  'people.split': PeopleSplitInput
  'consents.request': ConsentsRequestInput
  'consents.mine': ConsentsMineInput
  'consents.list': ConsentsListInput
  'consents.decide': ConsentsDecideInput
  'changes.request': ChangesRequestInput
  'changes.mine': ChangesMineInput
  'changes.list': ChangesListInput
  'changes.decide': ChangesDecideInput
  'requests.why_refused': RequestsWhyRefusedInput
  'groups.create': GroupsCreateInput
  'groups.list': Record<string, never>
  'groups.add_member': GroupsAddMemberInput
  'groups.remove_member': GroupsRemoveMemberInput
  'overlays.add': OverlaysAddInput
  'overlays.list': Record<string, never>
  'overlays.remove': OverlaysRemoveInput
  'grants.add': GrantsAddInput
  'grants.list': Record<string, never>
  'grants.revoke': GrantsRevokeInput
  'keys.create': KeysCreateInput
  'keys.list': KeysListInput
  'keys.revoke': KeysRevokeInput
  'profiles.create': ProfilesCreateInput
  'profiles.update': ProfilesUpdateInput
  'profiles.bind': ProfilesBindInput
  'profiles.activate': ProfilesActivateInput
  'profiles.suspend': ProfilesSuspendInput
  'profiles.resume': ProfilesResumeInput
  'profiles.revoke': ProfilesRevokeInput
  'profiles.discard': ProfilesDiscardInput
  'profiles.get': ProfilesGetInput
  'profiles.list': ProfilesListInput
  'profiles.set_policy': ProfilesSetPolicyInput
  'profiles.policies': Record<string, never>
  'profiles.current': Record<string, never>
  'profiles.leave': Record<string, never>
  'profiles.log': ProfilesLogInput
  'views.create': ViewsCreateInput
  'views.get': ViewsGetInput
  'views.list': ViewsListInput
  'views.delete': ViewsDeleteInput
  'views.effective': ViewsEffectiveInput
  'views.changes': ViewsChangesInput
  'links.grant': LinksGrantInput
  'links.get': LinksGetInput
  'links.list': LinksListInput
  'links.requests': LinksRequestsInput
  'links.decide': LinksDecideInput
  'links.redeem': LinksRedeemInput
  'links.preview': LinksPreviewInput
  'links.change': LinksChangeInput
  'links.copy': LinksCopyInput
  'links.request_files': LinksRequestFilesInput
  'links.readings': LinksReadingsInput
  'links.export_log': LinksExportLogInput
  'document_view.reading': DocumentViewReadingInput
  'links.revoke': LinksRevokeInput
  'watermarks.check': WatermarksCheckInput
  'mail.list': MailListInput
  'upload.send': UploadSendInput
  'upload.list': UploadListInput
  'uploads.list': UploadsListInput
  'uploads.fetch': UploadsFetchInput
  'uploads.file': UploadsFileInput
  'uploads.decide': UploadsDecideInput
  'links.access_log': LinksAccessLogInput
  'search.plan': SearchPlanInput
  'search.execute': SearchExecuteInput
  'search.expand': SearchExpandInput
  'search.bundle': SearchBundleInput
  'search.answer': SearchAnswerInput
  'search.complete': SearchCompleteInput
  'document_view.list': DocumentViewListInput
  'document_view.open': DocumentViewOpenInput
  'document_view.file': DocumentViewFileInput
  'document_download.fetch': DocumentDownloadFetchInput
  'documents.ingest': DocumentsIngestInput
  'documents.extract': DocumentsExtractInput
  'documents.recognise': DocumentsRecogniseInput
  'documents.list': DocumentsListInput
  'documents.get': DocumentsGetInput
  'documents.read': DocumentsReadInput
  'documents.original': DocumentsOriginalInput
  'documents.fields': DocumentsFieldsInput
  'documents.sources': DocumentsSourcesInput
  'documents.unchanged': DocumentsUnchangedInput
  'documents.remove': DocumentsRemoveInput
  'bindings.create': BindingsCreateInput
  'bindings.list': Record<string, never>
  'bindings.set_state': BindingsSetStateInput
  'bindings.remove': BindingsRemoveInput
  'bindings.fire': BindingsFireInput
  'bindings.rejected': BindingsRejectedInput
  'bindings.judge': BindingsJudgeInput
  'bindings.outcome': BindingsOutcomeInput
  'bindings.outcomes': BindingsOutcomesInput
  'bindings.manifest': BindingsManifestInput
  'bindings.contributions': BindingsContributionsInput
  'bindings.health': BindingsHealthInput
  'agents.spawn': AgentsSpawnInput
  'agents.list': AgentsListInput
  'agents.end': AgentsEndInput
  'sessions.create': SessionsCreateInput
  'sessions.get': SessionsGetInput
  'sessions.list': SessionsListInput
  'sessions.invite': SessionsInviteInput
  'sessions.join': SessionsJoinInput
  'sessions.decline': SessionsDeclineInput
  'sessions.set_state': SessionsSetStateInput
  'sessions.leave': SessionsLeaveInput
  'sessions.delete': SessionsDeleteInput
  'sessions.erase_person': SessionsErasePersonInput
  'stages.get': StagesGetInput
  'stages.sign_compact': StagesSignCompactInput
  'stages.confirm_heard': StagesConfirmHeardInput
  'stages.advance': StagesAdvanceInput
  'vessel.write': VesselWriteInput
  'vessel.list': VesselListInput
  'vessel.confirm_needs': VesselConfirmNeedsInput
  'bridge.request': BridgeRequestInput
  'bridge.pending': BridgePendingInput
  'bridge.screen': BridgeScreenInput
  'bridge.decide': BridgeDecideInput
  'bridge.revoke': BridgeRevokeInput
  'bridge.history': BridgeHistoryInput
  'empathy.draft': EmpathyDraftInput
  'empathy.share': EmpathyShareInput
  'empathy.validate': EmpathyValidateInput
  'common_ground.find': CommonGroundFindInput
  'common_ground.compare': CommonGroundCompareInput
  'common_ground.confirm': CommonGroundConfirmInput
  'strategies.submit': StrategiesSubmitInput
  'strategies.pool': StrategiesPoolInput
  'strategies.rank': StrategiesRankInput
  'agreements.propose': AgreementsProposeInput
  'agreements.agree': AgreementsAgreeInput
  'agreements.close': AgreementsCloseInput
  'agreements.list': AgreementsListInput
  'experiments.add': ExperimentsAddInput
  'experiments.report': ExperimentsReportInput
  'shared.list': SharedListInput
  'turns.context': TurnsContextInput
  'turns.list': TurnsListInput
  'library.list': LibraryListInput
  'library.preview': LibraryPreviewInput
  'library.contribute': LibraryContributeInput
  'library.mine': LibraryMineInput
  'library.withdraw': LibraryWithdrawInput
  'library.waiting': LibraryWaitingInput
  'library.review': LibraryReviewInput
  'notifications.list': NotificationsListInput
  'notifications.read': NotificationsReadInput
  'webhooks.create': WebhooksCreateInput
  'webhooks.list': Record<string, never>
  'webhooks.delete': WebhooksDeleteInput
  'webhooks.test': WebhooksTestInput
  'signals.record': SignalsRecordInput
  'signals.pending': Record<string, never>
  'signals.review': SignalsReviewInput
  'signals.summary': SignalsSummaryInput
  'capabilities.register': CapabilitiesRegisterInput
  'capabilities.set_lifecycle': CapabilitiesSetLifecycleInput
  'capabilities.list': Record<string, never>
  'capabilities.check': CapabilitiesCheckInput
  'capabilities.who': CapabilitiesWhoInput
  'capabilities.set_capacity': CapabilitiesSetCapacityInput
  'capabilities.acquire': CapabilitiesAcquireInput
  'capabilities.release': CapabilitiesReleaseInput
  'policies.set': PoliciesSetInput
  'policies.list': Record<string, never>
  'reasons.register': ReasonsRegisterInput
  'reasons.list': Record<string, never>
  'audit.list': AuditListInput
  'audit.operations': AuditOperationsInput
  'audit.verify': AuditVerifyInput
  'audit.checkpoint': Record<string, never>
}

/** What each operation answers, by its name. */
export interface Outputs {
  'memory.remember': MemoryRememberOutput
  'memory.capture': MemoryCaptureOutput
  'memory.extract': MemoryExtractOutput
  'captures.list': CapturesListOutput
  'captures.retry': CaptureJob
  'memory.record_outcome': MemoryRecordOutcomeOutput
  'memory.select': MemorySelectOutput
  'memory.get': MemoryRecord | null
  'memory.list': MemoryListOutput
  'memory.timeline': MemoryTimelineOutput
  'memory.search': MemorySearchOutput
  'memory.complete': MemoryCompleteOutput
  'memory.retrieve_graph': MemoryRetrieveGraphOutput
  'memory.context': MemoryContextOutput
  'memory.relate': MemoryRelateOutput
  'memory.revise': MemoryReviseOutput
  'memory.history': MemoryHistoryOutput
  'memory.undo': MemoryUndoOutput
  'memory.relabel': MemoryRelabelOutput
  'labels.propose': LabelsProposeOutput
  'labels.review': LabelsReviewOutput
  'labels.policy': LabelsPolicyOutput
  'labels.set_policy': LabelsSetPolicyOutput
  'memory.reinforce': MemoryReinforceOutput
  'memory.penalise': MemoryPenaliseOutput
  'memory.pin': MemoryPinOutput
  'memory.unpin': MemoryUnpinOutput
  'memory.consolidate': MemoryConsolidateOutput
  'memory.forget': MemoryForgetOutput
  'memory.forget_preview': MemoryForgetPreviewOutput
  'memory.forget_candidates': MemoryForgetCandidatesOutput
  'memory.explain': MemoryExplainOutput
  'viewers.look': ViewersLookOutput
  'searches.save': SavedSearch
  'searches.list': SearchesListOutput
  'searches.changes': SearchesChangesOutput
  'searches.delete': SearchesDeleteOutput
  'receipts.get': ReceiptsGetOutput
  'receipts.list': ReceiptsListOutput
  'receipts.cite': ReceiptsCiteOutput
  'receipts.deliver': ReceiptsDeliverOutput
  'receipts.feedback': ReceiptsFeedbackOutput
  'receipts.mark': ReceiptsMarkOutput
  'receipts.purge': ReceiptsPurgeOutput
  'index.rebuild': IndexRebuildOutput
  'people.add': Person
  'people.get': PeopleGetOutput
  'people.list': PeopleListOutput
  'people.consent': Person
  'people.remove': PeopleRemoveOutput
  'people.update': Person
  'people.matches': PeopleMatchesOutput
  'people.merge_preview': PeopleMergePreviewOutput
  'people.merge': Person
  'people.split_preview': PeopleSplitPreviewOutput
  'people.split': Person
  'consents.request': OwnConsentRequest
  'consents.mine': ConsentsMineOutput
  'consents.list': ConsentsListOutput
  'consents.decide': ConsentRequest
  'changes.request': ChangesRequestOutput
  'changes.mine': ChangesMineOutput
  'changes.list': ChangesListOutput
  'changes.decide': ChangesDecideOutput
  'requests.why_refused': RequestsWhyRefusedOutput
  'groups.create': Group
  'groups.list': GroupsListOutput
  'groups.add_member': Group
  'groups.remove_member': Group
  'overlays.add': Overlay
  'overlays.list': OverlaysListOutput
  'overlays.remove': OverlaysRemoveOutput
  'grants.add': Grant
  'grants.list': GrantsListOutput
  'grants.revoke': GrantsRevokeOutput
  'keys.create': KeysCreateOutput
  'keys.list': KeysListOutput
  'keys.revoke': ApiKey
  'profiles.create': SessionProfile
  'profiles.update': SessionProfile
  'profiles.bind': ProfilesBindOutput
  'profiles.activate': SessionProfile
  'profiles.suspend': SessionProfile
  'profiles.resume': SessionProfile
  'profiles.revoke': SessionProfile
  'profiles.discard': ProfilesDiscardOutput
  'profiles.get': SessionProfile | null
  'profiles.list': ProfilesListOutput
  'profiles.set_policy': SessionPolicy
  'profiles.policies': ProfilesPoliciesOutput
  'profiles.current': ProfilesCurrentOutput
  'profiles.leave': ProfilesLeaveOutput
  'profiles.log': ProfilesLogOutput
  'views.create': View
  'views.get': View | null
  'views.list': ViewsListOutput
  'views.delete': ViewsDeleteOutput
  'views.effective': ViewsEffectiveOutput
  'views.changes': ViewsChangesOutput
  'links.grant': LinksGrantOutput
  'links.get': ShareLink | null
  'links.list': LinksListOutput
  'links.requests': LinksRequestsOutput
  'links.decide': LinkRequest
  'links.redeem': LinksRedeemOutput
  'links.preview': LinksPreviewOutput
  'links.change': ShareLink
  'links.copy': LinksCopyOutput
  'links.request_files': LinksRequestFilesOutput
  'links.readings': LinksReadingsOutput
  'links.export_log': LinksExportLogOutput
  'document_view.reading': DocumentViewReadingOutput
  'links.revoke': LinksRevokeOutput
  'watermarks.check': WatermarksCheckOutput
  'mail.list': MailListOutput
  'upload.send': UploadSendOutput
  'upload.list': UploadListOutput
  'uploads.list': UploadsListOutput
  'uploads.fetch': UploadsFetchOutput
  'uploads.file': Upload
  'uploads.decide': Upload
  'links.access_log': LinksAccessLogOutput
  'search.plan': SearchPlanOutput
  'search.execute': SearchExecuteOutput
  'search.expand': SearchExpandOutput
  'search.bundle': Bundle
  'search.answer': DocumentAnswer
  'search.complete': SearchCompleteOutput
  'document_view.list': DocumentViewListOutput
  'document_view.open': DocumentViewOpenOutput
  'document_view.file': DocumentViewFileOutput
  'document_download.fetch': DocumentDownloadFetchOutput
  'documents.ingest': IngestedFile
  'documents.extract': IngestedFile
  'documents.recognise': RecognisedDocument
  'documents.list': DocumentsListOutput
  'documents.get': DocumentsGetOutput
  'documents.read': DocumentsReadOutput
  'documents.original': DocumentsOriginalOutput
  'documents.fields': DocumentsFieldsOutput
  'documents.sources': DocumentsSourcesOutput
  'documents.unchanged': DocumentsUnchangedOutput
  'documents.remove': DocumentsRemoveOutput
  'bindings.create': Binding
  'bindings.list': BindingsListOutput
  'bindings.set_state': Binding
  'bindings.remove': BindingsRemoveOutput
  'bindings.fire': BindingsFireOutput
  'bindings.rejected': BindingsRejectedOutput
  'bindings.judge': BindingContribution
  'bindings.outcome': BindingsOutcomeOutput
  'bindings.outcomes': BindingsOutcomesOutput
  'bindings.manifest': BindingsManifestOutput
  'bindings.contributions': BindingsContributionsOutput
  'bindings.health': BindingsHealthOutput
  'agents.spawn': AgentsSpawnOutput
  'agents.list': AgentsListOutput
  'agents.end': AgentsEndOutput
  'sessions.create': Session
  'sessions.get': Session
  'sessions.list': SessionsListOutput
  'sessions.invite': Session
  'sessions.join': Session
  'sessions.decline': SessionsDeclineOutput
  'sessions.set_state': Session
  'sessions.leave': SessionsLeaveOutput
  'sessions.delete': SessionsDeleteOutput
  'sessions.erase_person': SessionsErasePersonOutput
  'stages.get': Stages
  'stages.sign_compact': Stages
  'stages.confirm_heard': Stages
  'stages.advance': Stages
  'vessel.write': VesselWriteOutput
  'vessel.list': VesselListOutput
  'vessel.confirm_needs': VesselConfirmNeedsOutput
  'bridge.request': BridgeRequestOutput
  'bridge.pending': BridgePendingOutput
  'bridge.screen': BridgeScreenOutput
  'bridge.decide': BridgeDecideOutput
  'bridge.revoke': BridgeRevokeOutput
  'bridge.history': BridgeHistoryOutput
  'empathy.draft': EmpathyDraftOutput
  'empathy.share': EmpathyShareOutput
  'empathy.validate': EmpathyValidateOutput
  'common_ground.find': CommonGroundFindOutput
  'common_ground.compare': CommonGroundCompareOutput
  'common_ground.confirm': CommonGround
  'strategies.submit': StrategiesSubmitOutput
  'strategies.pool': StrategiesPoolOutput
  'strategies.rank': StrategiesRankOutput
  'agreements.propose': Agreement
  'agreements.agree': Agreement
  'agreements.close': Agreement
  'agreements.list': AgreementsListOutput
  'experiments.add': Experiment
  'experiments.report': Experiment
  'shared.list': SharedListOutput
  'turns.context': TurnsContextOutput
  'turns.list': TurnsListOutput
  'library.list': LibraryListOutput
  'library.preview': LibraryPreviewOutput
  'library.contribute': OwnLibraryEntry
  'library.mine': LibraryMineOutput
  'library.withdraw': OwnLibraryEntry
  'library.waiting': LibraryWaitingOutput
  'library.review': LibraryReviewOutput
  'notifications.list': NotificationsListOutput
  'notifications.read': NotificationsReadOutput
  'webhooks.create': WebhooksCreateOutput
  'webhooks.list': WebhooksListOutput
  'webhooks.delete': WebhooksDeleteOutput
  'webhooks.test': WebhooksTestOutput
  'signals.record': SignalsRecordOutput
  'signals.pending': SignalsPendingOutput
  'signals.review': SignalsReviewOutput
  'signals.summary': SignalsSummaryOutput
  'capabilities.register': Capability
  'capabilities.set_lifecycle': Capability
  'capabilities.list': CapabilitiesListOutput
  'capabilities.check': CapabilitiesCheckOutput
  'capabilities.who': CapabilitiesWhoOutput
  'capabilities.set_capacity': Capability
  'capabilities.acquire': CapabilitiesAcquireOutput
  'capabilities.release': CapabilitiesReleaseOutput
  'policies.set': CapabilityPolicy
  'policies.list': PoliciesListOutput
  'reasons.register': Reason
  'reasons.list': ReasonsListOutput
  'audit.list': AuditListOutput
  'audit.operations': AuditOperationsOutput
  'audit.verify': AuditVerifyOutput
  'audit.checkpoint': Checkpoint
}
