// Made by `npm run generate` from the declarations of the operations. Do not edit.
import type { Invoke } from '../handle.js'
import type { RequestOptions } from '../runtime/runtime.js'
import type {
  AgentsEndInput,
  AgentsEndOutput,
  AgentsListInput,
  AgentsListOutput,
  AgentsSpawnInput,
  AgentsSpawnOutput,
  Agreement,
  AgreementsAgreeInput,
  AgreementsCloseInput,
  AgreementsListInput,
  AgreementsListOutput,
  AgreementsProposeInput,
  ApiKey,
  AuditListInput,
  AuditListOutput,
  AuditOperationsInput,
  AuditOperationsOutput,
  AuditVerifyInput,
  AuditVerifyOutput,
  Binding,
  BindingContribution,
  BindingsContributionsInput,
  BindingsContributionsOutput,
  BindingsCreateInput,
  BindingsFireInput,
  BindingsFireOutput,
  BindingsHealthInput,
  BindingsHealthOutput,
  BindingsJudgeInput,
  BindingsListOutput,
  BindingsManifestInput,
  BindingsManifestOutput,
  BindingsOutcomeInput,
  BindingsOutcomeOutput,
  BindingsOutcomesInput,
  BindingsOutcomesOutput,
  BindingsRejectedInput,
  BindingsRejectedOutput,
  BindingsRemoveOutput,
  BindingsSetStateInput,
  BridgeDecideInput,
  BridgeDecideOutput,
  BridgeHistoryOutput,
  BridgePendingOutput,
  BridgeRequestInput,
  BridgeRequestOutput,
  BridgeRevokeInput,
  BridgeRevokeOutput,
  BridgeScreenInput,
  BridgeScreenOutput,
  Bundle,
  CapabilitiesAcquireInput,
  CapabilitiesAcquireOutput,
  CapabilitiesCheckInput,
  CapabilitiesCheckOutput,
  CapabilitiesListOutput,
  CapabilitiesRegisterInput,
  CapabilitiesReleaseOutput,
  CapabilitiesSetCapacityInput,
  CapabilitiesSetLifecycleInput,
  CapabilitiesWhoInput,
  CapabilitiesWhoOutput,
  Capability,
  CapabilityPolicy,
  CaptureJob,
  CapturesListInput,
  CapturesListOutput,
  ChangesDecideInput,
  ChangesDecideOutput,
  ChangesListInput,
  ChangesListOutput,
  ChangesMineInput,
  ChangesMineOutput,
  ChangesRequestInput,
  ChangesRequestOutput,
  Checkpoint,
  CommonGround,
  CommonGroundCompareOutput,
  CommonGroundConfirmInput,
  CommonGroundFindInput,
  CommonGroundFindOutput,
  ConsentRequest,
  ConsentsDecideInput,
  ConsentsListInput,
  ConsentsListOutput,
  ConsentsMineInput,
  ConsentsMineOutput,
  ConsentsRequestInput,
  DocumentAnswer,
  DocumentDownloadFetchInput,
  DocumentDownloadFetchOutput,
  DocumentsExtractInput,
  DocumentsFieldsInput,
  DocumentsFieldsOutput,
  DocumentsGetOutput,
  DocumentsIngestInput,
  DocumentsListInput,
  DocumentsListOutput,
  DocumentsOriginalOutput,
  DocumentsReadInput,
  DocumentsReadOutput,
  DocumentsRecogniseInput,
  DocumentsRemoveInput,
  DocumentsRemoveOutput,
  DocumentsSourcesInput,
  DocumentsSourcesOutput,
  DocumentsUnchangedInput,
  DocumentsUnchangedOutput,
  DocumentViewFileOutput,
  DocumentViewListInput,
  DocumentViewListOutput,
  DocumentViewOpenOutput,
  DocumentViewReadingInput,
  DocumentViewReadingOutput,
  EmpathyDraftInput,
  EmpathyDraftOutput,
  EmpathyShareInput,
  EmpathyShareOutput,
  EmpathyValidateInput,
  EmpathyValidateOutput,
  Experiment,
  ExperimentsAddInput,
  ExperimentsReportInput,
  Grant,
  GrantsAddInput,
  GrantsListOutput,
  GrantsRevokeInput,
  GrantsRevokeOutput,
  Group,
  GroupsAddMemberInput,
  GroupsCreateInput,
  GroupsListOutput,
  GroupsRemoveMemberInput,
  IndexRebuildOutput,
  IngestedFile,
  KeysCreateInput,
  KeysCreateOutput,
  KeysListInput,
  KeysListOutput,
  LabelsPolicyOutput,
  LabelsProposeInput,
  LabelsProposeOutput,
  LabelsReviewInput,
  LabelsReviewOutput,
  LabelsSetPolicyInput,
  LabelsSetPolicyOutput,
  LibraryContributeInput,
  LibraryListInput,
  LibraryListOutput,
  LibraryMineInput,
  LibraryMineOutput,
  LibraryPreviewInput,
  LibraryPreviewOutput,
  LibraryReviewInput,
  LibraryReviewOutput,
  LibraryWaitingInput,
  LibraryWaitingOutput,
  LinkRequest,
  LinksAccessLogInput,
  LinksAccessLogOutput,
  LinksChangeInput,
  LinksCopyInput,
  LinksCopyOutput,
  LinksDecideInput,
  LinksExportLogOutput,
  LinksGrantInput,
  LinksGrantOutput,
  LinksListInput,
  LinksListOutput,
  LinksPreviewOutput,
  LinksReadingsOutput,
  LinksRedeemInput,
  LinksRedeemOutput,
  LinksRequestFilesInput,
  LinksRequestFilesOutput,
  LinksRequestsInput,
  LinksRequestsOutput,
  LinksRevokeInput,
  LinksRevokeOutput,
  MailListInput,
  MailListOutput,
  MemoryCaptureInput,
  MemoryCaptureOutput,
  MemoryCompleteInput,
  MemoryCompleteOutput,
  MemoryConsolidateInput,
  MemoryConsolidateOutput,
  MemoryContextInput,
  MemoryContextOutput,
  MemoryExplainInput,
  MemoryExplainOutput,
  MemoryExtractInput,
  MemoryExtractOutput,
  MemoryForgetCandidatesInput,
  MemoryForgetCandidatesOutput,
  MemoryForgetOutput,
  MemoryForgetPreviewOutput,
  MemoryHistoryOutput,
  MemoryListInput,
  MemoryListOutput,
  MemoryPenaliseInput,
  MemoryPenaliseOutput,
  MemoryPinOutput,
  MemoryRecord,
  MemoryRecordOutcomeInput,
  MemoryRecordOutcomeOutput,
  MemoryReinforceInput,
  MemoryReinforceOutput,
  MemoryRelabelInput,
  MemoryRelabelOutput,
  MemoryRelateInput,
  MemoryRelateOutput,
  MemoryRememberInput,
  MemoryRememberOutput,
  MemoryRetrieveGraphInput,
  MemoryRetrieveGraphOutput,
  MemoryReviseInput,
  MemoryReviseOutput,
  MemorySearchInput,
  MemorySearchOutput,
  MemorySelectInput,
  MemorySelectOutput,
  MemoryTimelineInput,
  MemoryTimelineOutput,
  MemoryUndoOutput,
  MemoryUnpinOutput,
  NotificationsListInput,
  NotificationsListOutput,
  NotificationsReadOutput,
  Overlay,
  OverlaysAddInput,
  OverlaysListOutput,
  OverlaysRemoveInput,
  OverlaysRemoveOutput,
  OwnConsentRequest,
  OwnLibraryEntry,
  PeopleAddInput,
  PeopleConsentInput,
  PeopleGetOutput,
  PeopleListInput,
  PeopleListOutput,
  PeopleMatchesInput,
  PeopleMatchesOutput,
  PeopleMergeInput,
  PeopleMergePreviewInput,
  PeopleMergePreviewOutput,
  PeopleRemoveInput,
  PeopleRemoveOutput,
  PeopleSplitInput,
  PeopleSplitPreviewInput,
  PeopleSplitPreviewOutput,
  PeopleUpdateInput,
  Person,
  PoliciesListOutput,
  PoliciesSetInput,
  ProfilesBindInput,
  ProfilesBindOutput,
  ProfilesCreateInput,
  ProfilesCurrentOutput,
  ProfilesDiscardOutput,
  ProfilesLeaveOutput,
  ProfilesListInput,
  ProfilesListOutput,
  ProfilesLogInput,
  ProfilesLogOutput,
  ProfilesPoliciesOutput,
  ProfilesRevokeInput,
  ProfilesSetPolicyInput,
  ProfilesSuspendInput,
  ProfilesUpdateInput,
  Reason,
  ReasonsListOutput,
  ReasonsRegisterInput,
  ReceiptsCiteInput,
  ReceiptsCiteOutput,
  ReceiptsDeliverInput,
  ReceiptsDeliverOutput,
  ReceiptsFeedbackInput,
  ReceiptsFeedbackOutput,
  ReceiptsGetOutput,
  ReceiptsListInput,
  ReceiptsListOutput,
  ReceiptsMarkInput,
  ReceiptsMarkOutput,
  ReceiptsPurgeOutput,
  RecognisedDocument,
  RequestsWhyRefusedOutput,
  SavedSearch,
  SearchAnswerInput,
  SearchBundleInput,
  SearchCompleteInput,
  SearchCompleteOutput,
  SearchExecuteInput,
  SearchExecuteOutput,
  SearchExpandInput,
  SearchExpandOutput,
  SearchesChangesInput,
  SearchesChangesOutput,
  SearchesDeleteOutput,
  SearchesListOutput,
  SearchesSaveInput,
  SearchPlanInput,
  SearchPlanOutput,
  Session,
  SessionPolicy,
  SessionProfile,
  SessionsCreateInput,
  SessionsDeclineOutput,
  SessionsDeleteOutput,
  SessionsErasePersonOutput,
  SessionsLeaveInput,
  SessionsLeaveOutput,
  SessionsListInput,
  SessionsListOutput,
  SessionsSetStateInput,
  SharedListInput,
  SharedListOutput,
  ShareLink,
  SignalsPendingOutput,
  SignalsRecordInput,
  SignalsRecordOutput,
  SignalsReviewInput,
  SignalsReviewOutput,
  SignalsSummaryInput,
  SignalsSummaryOutput,
  Stages,
  StrategiesPoolOutput,
  StrategiesRankInput,
  StrategiesRankOutput,
  StrategiesSubmitInput,
  StrategiesSubmitOutput,
  TurnsContextInput,
  TurnsContextOutput,
  TurnsListInput,
  TurnsListOutput,
  Upload,
  UploadListInput,
  UploadListOutput,
  UploadSendInput,
  UploadSendOutput,
  UploadsDecideInput,
  UploadsFetchOutput,
  UploadsFileInput,
  UploadsListInput,
  UploadsListOutput,
  VesselConfirmNeedsInput,
  VesselConfirmNeedsOutput,
  VesselListInput,
  VesselListOutput,
  VesselWriteInput,
  VesselWriteOutput,
  View,
  ViewersLookInput,
  ViewersLookOutput,
  ViewsChangesInput,
  ViewsChangesOutput,
  ViewsCreateInput,
  ViewsDeleteOutput,
  ViewsEffectiveOutput,
  ViewsListInput,
  ViewsListOutput,
  WatermarksCheckInput,
  WatermarksCheckOutput,
  WebhooksCreateInput,
  WebhooksCreateOutput,
  WebhooksDeleteOutput,
  WebhooksListOutput,
  WebhooksTestOutput,
} from './types.js'

/** Everything one caller can ask for, as plain methods. */
export interface Handle {
  /** Runs any operation by its name, for who has only that. */
  readonly invoke: Invoke
  /** Store one record or many. */
  remember(
    record: MemoryRememberInput['records'][number],
    options?: RequestOptions,
  ): Promise<MemoryRememberOutput['records'][number]>
  /** Store one record or many. */
  remember(
    records: readonly MemoryRememberInput['records'][number][],
    options?: RequestOptions,
  ): Promise<MemoryRememberOutput['records']>
  /** Keep a conversation and the facts that it states. */
  capture(input: MemoryCaptureInput, options?: RequestOptions): Promise<MemoryCaptureOutput>
  /** Extract facts from stored turns with the configured model. */
  extract(input: MemoryExtractInput, options?: RequestOptions): Promise<MemoryExtractOutput>
  /** Record whether a competence or a plan worked. */
  recordOutcome(input: MemoryRecordOutcomeInput, options?: RequestOptions): Promise<MemoryRecordOutcomeOutput>
  /** Choose a competence or a plan for a task, by what worked before. */
  select(input: MemorySelectInput, options?: RequestOptions): Promise<MemorySelectOutput>
  /** Read one record. Null where there is nothing to be seen. */
  get(record: string, options?: RequestOptions): Promise<MemoryRecord | null>
  /** List records in order of creation. */
  list(input?: MemoryListInput, options?: RequestOptions): Promise<MemoryListOutput>
  /** List records in order of when they happened. */
  timeline(input?: MemoryTimelineInput, options?: RequestOptions): Promise<MemoryTimelineOutput>
  /** Search what the caller may see, best first. */
  search(
    query: string,
    input?: Omit<MemorySearchInput, 'query'>,
    options?: RequestOptions,
  ): Promise<MemorySearchOutput>
  /** Complete a word with words that the caller can see. */
  complete(
    text: string,
    input?: Omit<MemoryCompleteInput, 'text'>,
    options?: RequestOptions,
  ): Promise<MemoryCompleteOutput>
  /** Search for a task and follow relations from what is found. */
  retrieveGraph(
    task: string,
    input?: Omit<MemoryRetrieveGraphInput, 'task'>,
    options?: RequestOptions,
  ): Promise<MemoryRetrieveGraphOutput>
  /** Gather what a model should know now, within a budget of tokens. */
  context(input?: MemoryContextInput, options?: RequestOptions): Promise<MemoryContextOutput>
  /** Relate one record to another. */
  relate(input: MemoryRelateInput, options?: RequestOptions): Promise<MemoryRelateOutput>
  /** Supersede, fork, merge, contest or retract records. */
  revise(input: MemoryReviseInput, options?: RequestOptions): Promise<MemoryReviseOutput>
  /** Read the versions of a record, oldest first. */
  history(record: string, options?: RequestOptions): Promise<MemoryHistoryOutput>
  /** Undo the last revision of a record. */
  undo(record: string, options?: RequestOptions): Promise<MemoryUndoOutput>
  /** Change the label of a record. */
  relabel(input: MemoryRelabelInput, options?: RequestOptions): Promise<MemoryRelabelOutput>
  /** Raise the salience of a record. */
  reinforce(
    record: string,
    input?: Omit<MemoryReinforceInput, 'record'>,
    options?: RequestOptions,
  ): Promise<MemoryReinforceOutput>
  /** Lower the salience of a record. */
  penalise(
    record: string,
    input?: Omit<MemoryPenaliseInput, 'record'>,
    options?: RequestOptions,
  ): Promise<MemoryPenaliseOutput>
  /** Pin a record, so that its salience does not fade. */
  pin(record: string, options?: RequestOptions): Promise<MemoryPinOutput>
  /** Unpin a record, so that its salience fades with time. */
  unpin(record: string, options?: RequestOptions): Promise<MemoryUnpinOutput>
  /** Combine several episodic records into one semantic record. */
  consolidate(input?: MemoryConsolidateInput, options?: RequestOptions): Promise<MemoryConsolidateOutput>
  /** Delete records and everything made from them. */
  forget(records: string | readonly string[], options?: RequestOptions): Promise<MemoryForgetOutput>
  /** Show what would be deleted with records. */
  forgetPreview(
    records: string | readonly string[],
    options?: RequestOptions,
  ): Promise<MemoryForgetPreviewOutput>
  /** Find records to forget, and what would be deleted with them. */
  forgetCandidates(
    input: MemoryForgetCandidatesInput,
    options?: RequestOptions,
  ): Promise<MemoryForgetCandidatesOutput>
  /** Show every gate and its verdict on a record. Null where there is nothing to be seen. */
  explain(input: MemoryExplainInput, options?: RequestOptions): Promise<MemoryExplainOutput>
  readonly captures: {
    /** List which conversations the model has read, and which failed. */
    list(input?: CapturesListInput, options?: RequestOptions): Promise<CapturesListOutput>
    /** Retry turns that the model failed to read. */
    retry(job: string, options?: RequestOptions): Promise<CaptureJob>
  }
  readonly labels: {
    /** Propose a label for a text, with reasons. */
    propose(
      text: string,
      input?: Omit<LabelsProposeInput, 'text'>,
      options?: RequestOptions,
    ): Promise<LabelsProposeOutput>
    /** List your records that may need a stricter label, newest first. */
    review(input?: LabelsReviewInput, options?: RequestOptions): Promise<LabelsReviewOutput>
    /** Read how labels of new records are raised. */
    policy(input?: Record<string, never>, options?: RequestOptions): Promise<LabelsPolicyOutput>
    /** Set how labels of new records are raised by what their texts say. */
    setPolicy(input: LabelsSetPolicyInput, options?: RequestOptions): Promise<LabelsSetPolicyOutput>
  }
  readonly viewers: {
    /** Show what somebody is trusted with when you look as them. */
    look(input: ViewersLookInput, options?: RequestOptions): Promise<ViewersLookOutput>
  }
  readonly searches: {
    /** Save a search under a name. */
    save(input: SearchesSaveInput, options?: RequestOptions): Promise<SavedSearch>
    /** List the searches that the caller saved. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<SearchesListOutput>
    /** List what changed in a saved search since the last look. */
    changes(
      search: string,
      input?: Omit<SearchesChangesInput, 'search'>,
      options?: RequestOptions,
    ): Promise<SearchesChangesOutput>
    /** Delete a saved search. */
    delete(search: string, options?: RequestOptions): Promise<SearchesDeleteOutput>
  }
  readonly receipts: {
    /** Read what a search left: plan, manifest, receipt, index snapshots and expansions. Null where there is nothing to be seen. */
    get(searchRun: string, options?: RequestOptions): Promise<ReceiptsGetOutput>
    /** List the receipts of searches, newest first. */
    list(input?: ReceiptsListInput, options?: RequestOptions): Promise<ReceiptsListOutput>
    /** Keep the receipt of a search that an answer cites. */
    cite(input: ReceiptsCiteInput, options?: RequestOptions): Promise<ReceiptsCiteOutput>
    /** Keep the receipt of a search whose results were passed on. */
    deliver(input: ReceiptsDeliverInput, options?: RequestOptions): Promise<ReceiptsDeliverOutput>
    /** Keep the receipt of a search that somebody judged. */
    feedback(input: ReceiptsFeedbackInput, options?: RequestOptions): Promise<ReceiptsFeedbackOutput>
    /** Mark the receipt of a search as essential to an audit. */
    mark(input: ReceiptsMarkInput, options?: RequestOptions): Promise<ReceiptsMarkOutput>
    /** Remove ephemeral receipts that are due. */
    purge(options?: RequestOptions): Promise<ReceiptsPurgeOutput>
  }
  readonly index: {
    /** Rebuild the index of your own memory. */
    rebuild(options?: RequestOptions): Promise<IndexRebuildOutput>
  }
  readonly people: {
    /** Add a person. */
    add(input: PeopleAddInput, options?: RequestOptions): Promise<Person>
    /** Read one person by name, alias or id. Null where there is nothing to be seen. */
    get(person: string, options?: RequestOptions): Promise<PeopleGetOutput>
    /** List people and their consent. */
    list(input?: PeopleListInput, options?: RequestOptions): Promise<PeopleListOutput>
    /** Set the consent of a person. */
    consent(input: PeopleConsentInput, options?: RequestOptions): Promise<Person>
    /** Remove a person; memories with them stay hidden from agents. */
    remove(input: PeopleRemoveInput, options?: RequestOptions): Promise<PeopleRemoveOutput>
    /** Rename a person, or add and remove aliases and e-mail addresses. */
    update(input: PeopleUpdateInput, options?: RequestOptions): Promise<Person>
    /** List people who may be the same, with reasons. */
    matches(input?: PeopleMatchesInput, options?: RequestOptions): Promise<PeopleMatchesOutput>
    /** Show what merging two people would change. */
    mergePreview(input: PeopleMergePreviewInput, options?: RequestOptions): Promise<PeopleMergePreviewOutput>
    /** Merge two people into one; see people.merge_preview first. */
    merge(input: PeopleMergeInput, options?: RequestOptions): Promise<Person>
    /** Show what splitting a person would change. */
    splitPreview(input: PeopleSplitPreviewInput, options?: RequestOptions): Promise<PeopleSplitPreviewOutput>
    /** Split off a merged name as a person, or move records to somebody else; see people.split_preview first. */
    split(input: PeopleSplitInput, options?: RequestOptions): Promise<Person>
  }
  readonly consents: {
    /** Ask your principal to grant the consent of a person. */
    request(input: ConsentsRequestInput, options?: RequestOptions): Promise<OwnConsentRequest>
    /** List the requests for consent that you made, newest first. */
    mine(input?: ConsentsMineInput, options?: RequestOptions): Promise<ConsentsMineOutput>
    /** List the requests for consent that were made to you, newest first. */
    list(input?: ConsentsListInput, options?: RequestOptions): Promise<ConsentsListOutput>
    /** Grant or deny a request for consent that was made to you. */
    decide(input: ConsentsDecideInput, options?: RequestOptions): Promise<ConsentRequest>
  }
  readonly changes: {
    /** Ask the person you work for to change or forget a record. */
    request(input: ChangesRequestInput, options?: RequestOptions): Promise<ChangesRequestOutput>
    /** List the changes that you asked for, newest first. */
    mine(input?: ChangesMineInput, options?: RequestOptions): Promise<ChangesMineOutput>
    /** List the changes that your agents ask for, newest first. */
    list(input?: ChangesListInput, options?: RequestOptions): Promise<ChangesListOutput>
    /** Accept or decline a change that an agent asked for. */
    decide(input: ChangesDecideInput, options?: RequestOptions): Promise<ChangesDecideOutput>
  }
  readonly requests: {
    /** Show why a request of yours was refused. Null where there is nothing to be seen. */
    whyRefused(requestId: string, options?: RequestOptions): Promise<RequestsWhyRefusedOutput>
  }
  readonly groups: {
    /** Create a group. */
    create(input: GroupsCreateInput, options?: RequestOptions): Promise<Group>
    /** List groups you own or belong to. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<GroupsListOutput>
    /** Add a member to a group. */
    addMember(input: GroupsAddMemberInput, options?: RequestOptions): Promise<Group>
    /** Remove a member, or one of its roles, from a group. */
    removeMember(input: GroupsRemoveMemberInput, options?: RequestOptions): Promise<Group>
  }
  readonly overlays: {
    /** Restrict access to a corpus, filing unit, version, part, document or segment. */
    add(input: OverlaysAddInput, options?: RequestOptions): Promise<Overlay>
    /** List your overlays. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<OverlaysListOutput>
    /** Lift an overlay. */
    remove(input: OverlaysRemoveInput, options?: RequestOptions): Promise<OverlaysRemoveOutput>
  }
  readonly grants: {
    /** Grant explicit access to a target. */
    add(input: GrantsAddInput, options?: RequestOptions): Promise<Grant>
    /** List your grants. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<GrantsListOutput>
    /** Revoke a grant. */
    revoke(input: GrantsRevokeInput, options?: RequestOptions): Promise<GrantsRevokeOutput>
  }
  readonly keys: {
    /** Create an API key; its secret is shown once. The secret is in this answer and nowhere else. */
    create(input: KeysCreateInput, options?: RequestOptions): Promise<KeysCreateOutput>
    /** List API keys and their last use. */
    list(input?: KeysListInput, options?: RequestOptions): Promise<KeysListOutput>
    /** Revoke an API key and every key made with it. */
    revoke(key: string, options?: RequestOptions): Promise<ApiKey>
  }
  readonly profiles: {
    /** Create a draft of a session profile. */
    create(input?: ProfilesCreateInput, options?: RequestOptions): Promise<SessionProfile>
    /** Change a draft of a session profile. */
    update(input: ProfilesUpdateInput, options?: RequestOptions): Promise<SessionProfile>
    /** Say how a draft is bound to the runtime of its agents: its defaults, or less. */
    bind(input: ProfilesBindInput, options?: RequestOptions): Promise<ProfilesBindOutput>
    /** Activate a draft. */
    activate(profile: string, options?: RequestOptions): Promise<SessionProfile>
    /** Suspend an active profile. */
    suspend(input: ProfilesSuspendInput, options?: RequestOptions): Promise<SessionProfile>
    /** Resume a suspended profile. */
    resume(profile: string, options?: RequestOptions): Promise<SessionProfile>
    /** Revoke a profile for good. */
    revoke(input: ProfilesRevokeInput, options?: RequestOptions): Promise<SessionProfile>
    /** Discard a draft. */
    discard(profile: string, options?: RequestOptions): Promise<ProfilesDiscardOutput>
    /** Read one of your session profiles. Null where there is nothing to be seen. */
    get(profile: string, options?: RequestOptions): Promise<SessionProfile | null>
    /** List session profiles. */
    list(input?: ProfilesListInput, options?: RequestOptions): Promise<ProfilesListOutput>
    /** Write a policy that session profiles refer to. */
    setPolicy(input: ProfilesSetPolicyInput, options?: RequestOptions): Promise<SessionPolicy>
    /** List the policies that your session profiles refer to. */
    policies(input?: Record<string, never>, options?: RequestOptions): Promise<ProfilesPoliciesOutput>
    /** Read your current session, its views and limits. */
    current(options?: RequestOptions): Promise<ProfilesCurrentOutput>
    /** End your own session. */
    leave(options?: RequestOptions): Promise<ProfilesLeaveOutput>
    /** See what your session searched, was shown and took. */
    log(input?: ProfilesLogInput, options?: RequestOptions): Promise<ProfilesLogOutput>
  }
  readonly views: {
    /** Create a view of a corpus to share. */
    create(input: ViewsCreateInput, options?: RequestOptions): Promise<View>
    /** Read one of your views. Null where there is nothing to be seen. */
    get(view: string, options?: RequestOptions): Promise<View | null>
    /** List your views. */
    list(input?: ViewsListInput, options?: RequestOptions): Promise<ViewsListOutput>
    /** Delete a view that was never shared. */
    delete(view: string, options?: RequestOptions): Promise<ViewsDeleteOutput>
    /** See what several views show together, and why. */
    effective(views: string | readonly string[], options?: RequestOptions): Promise<ViewsEffectiveOutput>
    /** See what came to views that list their changes. */
    changes(input?: ViewsChangesInput, options?: RequestOptions): Promise<ViewsChangesOutput>
  }
  readonly links: {
    /** Share views by a link; what opens it is shown once. The secret is in this answer and nowhere else. */
    grant(input: LinksGrantInput, options?: RequestOptions): Promise<LinksGrantOutput>
    /** Read one of your share links. Null where there is nothing to be seen. */
    get(link: string, options?: RequestOptions): Promise<ShareLink | null>
    /** List your share links. */
    list(input?: LinksListInput, options?: RequestOptions): Promise<LinksListOutput>
    /** List who is waiting for approval to open your links. */
    requests(input?: LinksRequestsInput, options?: RequestOptions): Promise<LinksRequestsOutput>
    /** Approve or decline a request to open a link. */
    decide(input: LinksDecideInput, options?: RequestOptions): Promise<LinkRequest>
    /** Open a session by a share link. The secret is in this answer and nowhere else. */
    redeem(input: LinksRedeemInput, options?: RequestOptions): Promise<LinksRedeemOutput>
    /** Look at a share link as its recipient would. */
    preview(link: string, options?: RequestOptions): Promise<LinksPreviewOutput>
    /** Change a share link without a new address. */
    change(input: LinksChangeInput, options?: RequestOptions): Promise<ShareLink>
    /** Give several recipients a link of their own with the terms of another. The secret is in this answer and nowhere else. */
    copy(input: LinksCopyInput, options?: RequestOptions): Promise<LinksCopyOutput>
    /** Ask somebody outside for files, by a link that only takes files in. The secret is in this answer and nowhere else. */
    requestFiles(input: LinksRequestFilesInput, options?: RequestOptions): Promise<LinksRequestFilesOutput>
    /** See how long recipients looked at which pages. */
    readings(link: string, options?: RequestOptions): Promise<LinksReadingsOutput>
    /** Export the log of a share link as CSV. */
    exportLog(link: string, options?: RequestOptions): Promise<LinksExportLogOutput>
    /** Revoke a share link. */
    revoke(input: LinksRevokeInput, options?: RequestOptions): Promise<LinksRevokeOutput>
    /** See what was searched, shown and taken by a link. */
    accessLog(input: LinksAccessLogInput, options?: RequestOptions): Promise<LinksAccessLogOutput>
  }
  readonly documents: {
    /** Record how long the pages of a shared document were on screen. */
    noteReading(input: DocumentViewReadingInput, options?: RequestOptions): Promise<DocumentViewReadingOutput>
    /** Show how a question would be answered. */
    plan(input: SearchPlanInput, options?: RequestOptions): Promise<SearchPlanOutput>
    /** Search documents and what is known of them, best first. */
    search(input: SearchExecuteInput, options?: RequestOptions): Promise<SearchExecuteOutput>
    /** Show how else a question could be understood. */
    expand(input: SearchExpandInput, options?: RequestOptions): Promise<SearchExpandOutput>
    /** Gather citable passages that answer a question, within a token budget. */
    bundle(input: SearchBundleInput, options?: RequestOptions): Promise<Bundle>
    /** Answer a question from documents, with citations, by the configured model. */
    answer(input: SearchAnswerInput, options?: RequestOptions): Promise<DocumentAnswer>
    /** Complete a word with words of shared documents. */
    complete(input: SearchCompleteInput, options?: RequestOptions): Promise<SearchCompleteOutput>
    /** List shared documents. */
    list(input?: DocumentViewListInput, options?: RequestOptions): Promise<DocumentViewListOutput>
    /** Read a shared document. Null where there is nothing to be seen. */
    open(document: string, options?: RequestOptions): Promise<DocumentViewOpenOutput>
    /** Display the file of a shared document. Null where there is nothing to be seen. */
    file(document: string, options?: RequestOptions): Promise<DocumentViewFileOutput>
    /** Download a shared document. */
    download(
      document: string,
      input?: Omit<DocumentDownloadFetchInput, 'document'>,
      options?: RequestOptions,
    ): Promise<DocumentDownloadFetchOutput>
    /** Ingest a file as a document, or as a new version of it. */
    ingest(input: DocumentsIngestInput, options?: RequestOptions): Promise<IngestedFile>
    /** Extract the text of a file that was ingested before. */
    extract(input: DocumentsExtractInput, options?: RequestOptions): Promise<IngestedFile>
    /** Read the scanned pages of a document by text recognition (OCR). */
    recognise(input: DocumentsRecogniseInput, options?: RequestOptions): Promise<RecognisedDocument>
    /** List documents. */
    cards(input?: DocumentsListInput, options?: RequestOptions): Promise<DocumentsListOutput>
    /** Show one document with its parts and versions. Null where there is nothing to be seen. */
    get(id: string, options?: RequestOptions): Promise<DocumentsGetOutput>
    /** Read the text of a document. Null where there is nothing to be seen. */
    read(
      id: string,
      input?: Omit<DocumentsReadInput, 'id'>,
      options?: RequestOptions,
    ): Promise<DocumentsReadOutput>
    /** Fetch the file that a document was made of. Null where there is nothing to be seen. */
    original(id: string, options?: RequestOptions): Promise<DocumentsOriginalOutput>
    /** Read what is known of a document, field by field. Null where there is nothing to be seen. */
    fields(input: DocumentsFieldsInput, options?: RequestOptions): Promise<DocumentsFieldsOutput>
    /** List ingested files, and what became of them. */
    sources(input?: DocumentsSourcesInput, options?: RequestOptions): Promise<DocumentsSourcesOutput>
    /** List which files are stored already, by the hashes of their bytes. */
    unchanged(input: DocumentsUnchangedInput, options?: RequestOptions): Promise<DocumentsUnchangedOutput>
    /** Delete a document with all its versions and everything made from them. */
    remove(input: DocumentsRemoveInput, options?: RequestOptions): Promise<DocumentsRemoveOutput>
  }
  readonly watermarks: {
    /** Find out where a copy of a shared document came from. */
    check(input?: WatermarksCheckInput, options?: RequestOptions): Promise<WatermarksCheckOutput>
  }
  readonly mail: {
    /** See whether the mail of your links was delivered. */
    list(input?: MailListInput, options?: RequestOptions): Promise<MailListOutput>
  }
  readonly upload: {
    /** Send a file to whoever shared a link with you. */
    send(input: UploadSendInput, options?: RequestOptions): Promise<UploadSendOutput>
    /** List the files that your session sent in. */
    list(input?: UploadListInput, options?: RequestOptions): Promise<UploadListOutput>
  }
  readonly uploads: {
    /** List the files that were sent in by your links. */
    list(input?: UploadsListInput, options?: RequestOptions): Promise<UploadsListOutput>
    /** Fetch a file that was sent in. Null where there is nothing to be seen. */
    fetch(upload: string, options?: RequestOptions): Promise<UploadsFetchOutput>
    /** File what was sent in as a document of yours. */
    file(input: UploadsFileInput, options?: RequestOptions): Promise<Upload>
    /** Release a file from quarantine, or discard what was sent in. */
    decide(input: UploadsDecideInput, options?: RequestOptions): Promise<Upload>
  }
  readonly bindings: {
    /** Watch a folder or a feed. */
    create(input: BindingsCreateInput, options?: RequestOptions): Promise<Binding>
    /** List the folders and feeds that are watched. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<BindingsListOutput>
    /** Pause or resume a binding. */
    setState(input: BindingsSetStateInput, options?: RequestOptions): Promise<Binding>
    /** End a binding; what it brought stays. */
    remove(binding: string, options?: RequestOptions): Promise<BindingsRemoveOutput>
    /** Record what became of the files that a binding found. */
    fire(input: BindingsFireInput, options?: RequestOptions): Promise<BindingsFireOutput>
    /** List the files that a binding must not bring again. */
    rejected(input: BindingsRejectedInput, options?: RequestOptions): Promise<BindingsRejectedOutput>
    /** Confirm or reject what a binding brought. */
    judge(input: BindingsJudgeInput, options?: RequestOptions): Promise<BindingContribution>
    /** Report what became of the files of one event. */
    outcome(input: BindingsOutcomeInput, options?: RequestOptions): Promise<BindingsOutcomeOutput>
    /** List the events that brought a document. */
    outcomes(input: BindingsOutcomesInput, options?: RequestOptions): Promise<BindingsOutcomesOutput>
    /** Report what one event looked at, in figures. Null where there is nothing to be seen. */
    manifest(input: BindingsManifestInput, options?: RequestOptions): Promise<BindingsManifestOutput>
    /** List the documents that a binding brought, and what became of them. */
    contributions(
      input: BindingsContributionsInput,
      options?: RequestOptions,
    ): Promise<BindingsContributionsOutput>
    /** Report how useful a binding has been. */
    health(input: BindingsHealthInput, options?: RequestOptions): Promise<BindingsHealthOutput>
  }
  readonly agents: {
    /** Start a sub-agent with a session and a key of its own; its secret is shown once. The secret is in this answer and nowhere else. */
    spawn(input: AgentsSpawnInput, options?: RequestOptions): Promise<AgentsSpawnOutput>
    /** List sub-agents, their sessions and how they are bound. */
    list(input?: AgentsListInput, options?: RequestOptions): Promise<AgentsListOutput>
    /** End a sub-agent and everything that it has started. */
    end(input: AgentsEndInput, options?: RequestOptions): Promise<AgentsEndOutput>
  }
  readonly sessions: {
    /** Open a mediation between people, and invite them. */
    create(input: SessionsCreateInput, options?: RequestOptions): Promise<Session>
    /** Read one session that you take part in or are invited to. */
    get(session: string, options?: RequestOptions): Promise<Session>
    /** List the sessions that you take part in or are invited to, newest first; a host lists all of them. */
    list(input?: SessionsListInput, options?: RequestOptions): Promise<SessionsListOutput>
    /** Invite those who have not joined a session yet. */
    invite(session: string, options?: RequestOptions): Promise<Session>
    /** Accept an invitation to a session. */
    join(session: string, options?: RequestOptions): Promise<Session>
    /** Decline an invitation to a session. */
    decline(session: string, options?: RequestOptions): Promise<SessionsDeclineOutput>
    /** Pause, resume or end a session. */
    setState(input: SessionsSetStateInput, options?: RequestOptions): Promise<Session>
    /** Leave a session: it ends, nothing of yours stays shared, and your side of it can be erased. */
    leave(input: SessionsLeaveInput, options?: RequestOptions): Promise<SessionsLeaveOutput>
    /** Delete a session with everything that was said and shared in it. */
    delete(session: string, options?: RequestOptions): Promise<SessionsDeleteOutput>
    /** Take a person out of every session, the library and notifications, and erase their side of it. */
    erasePerson(person: string, options?: RequestOptions): Promise<SessionsErasePersonOutput>
  }
  readonly stages: {
    /** Read your own stage in a session, its gates, and what is waited for. */
    get(session: string, options?: RequestOptions): Promise<Stages>
    /** Sign the compact of a session: how you will talk with each other. */
    signCompact(session: string, options?: RequestOptions): Promise<Stages>
    /** Confirm that you feel heard. */
    confirmHeard(session: string, options?: RequestOptions): Promise<Stages>
    /** Enter the next stage of a session. */
    advance(session: string, options?: RequestOptions): Promise<Stages>
  }
  readonly vessel: {
    /** Store events, feelings, needs and boundaries in your own vessel of a session. */
    write(input: VesselWriteInput, options?: RequestOptions): Promise<VesselWriteOutput>
    /** List what your own vessel of a session holds, newest first. */
    list(input: VesselListInput, options?: RequestOptions): Promise<VesselListOutput>
    /** Confirm needs as your own, or take that back. */
    confirmNeeds(input: VesselConfirmNeedsInput, options?: RequestOptions): Promise<VesselConfirmNeedsOutput>
  }
  readonly bridge: {
    /** Ask for something of your own vessel, or your principal’s, to be shared. */
    request(input: BridgeRequestInput, options?: RequestOptions): Promise<BridgeRequestOutput>
    /** List what you are asked to share, with what the other would read. */
    pending(session: string, options?: RequestOptions): Promise<BridgePendingOutput>
    /** Check your own wording before you share it. */
    screen(input: BridgeScreenInput, options?: RequestOptions): Promise<BridgeScreenOutput>
    /** Grant or deny a request to share something of yours. */
    decide(input: BridgeDecideInput, options?: RequestOptions): Promise<BridgeDecideOutput>
    /** Revoke your consent to share something. */
    revoke(input: BridgeRevokeInput, options?: RequestOptions): Promise<BridgeRevokeOutput>
    /** List every decision of yours in a session, newest first. */
    history(session: string, options?: RequestOptions): Promise<BridgeHistoryOutput>
  }
  readonly empathy: {
    /** Save a private draft of what your partner may feel. */
    draft(input: EmpathyDraftInput, options?: RequestOptions): Promise<EmpathyDraftOutput>
    /** Share your words on what your partner may feel, in place of those shared before. */
    share(input: EmpathyShareInput, options?: RequestOptions): Promise<EmpathyShareOutput>
    /** Say whether you find yourself understood by what your partner shared. */
    validate(input: EmpathyValidateInput, options?: RequestOptions): Promise<EmpathyValidateOutput>
  }
  readonly commonGround: {
    /** Find the needs that all of you have shared, or state that there are none yet. */
    find(
      session: string,
      input?: Omit<CommonGroundFindInput, 'session'>,
      options?: RequestOptions,
    ): Promise<CommonGroundFindOutput>
    /** See the needs that you and your partner shared, side by side, once both of you have shared some. */
    compare(session: string, options?: RequestOptions): Promise<CommonGroundCompareOutput>
    /** Confirm that you see this common ground as well. */
    confirm(input: CommonGroundConfirmInput, options?: RequestOptions): Promise<CommonGround>
  }
  readonly strategies: {
    /** Propose a strategy: it enters the pool without your name. */
    submit(input: StrategiesSubmitInput, options?: RequestOptions): Promise<StrategiesSubmitOutput>
    /** List the strategies of the pool, your ranking of them, and what all of you put first. */
    pool(session: string, options?: RequestOptions): Promise<StrategiesPoolOutput>
    /** Rank strategies of the pool, the best first; anew once others changed the pool. */
    rank(input: StrategiesRankInput, options?: RequestOptions): Promise<StrategiesRankOutput>
  }
  readonly agreements: {
    /** Propose an agreement made from strategies of the pool. */
    propose(input: AgreementsProposeInput, options?: RequestOptions): Promise<Agreement>
    /** Agree to what was proposed. */
    agree(input: AgreementsAgreeInput, options?: RequestOptions): Promise<Agreement>
    /** Close an agreement as completed or abandoned. */
    close(input: AgreementsCloseInput, options?: RequestOptions): Promise<Agreement>
    /** List what all of you agreed to, newest first. */
    list(input: AgreementsListInput, options?: RequestOptions): Promise<AgreementsListOutput>
  }
  readonly experiments: {
    /** Plan something small to try together. */
    add(input: ExperimentsAddInput, options?: RequestOptions): Promise<Experiment>
    /** Report how something that you tried together went for you. */
    report(input: ExperimentsReportInput, options?: RequestOptions): Promise<Experiment>
  }
  readonly shared: {
    /** List what is shared in a session, newest first. */
    list(input: SharedListInput, options?: RequestOptions): Promise<SharedListOutput>
  }
  readonly turns: {
    /** Get what a model may be told before it answers a participant’s message. */
    context(input: TurnsContextInput, options?: RequestOptions): Promise<TurnsContextOutput>
    /** List what was retrieved for your turns in a session, newest first, without any of it. */
    list(input: TurnsListInput, options?: RequestOptions): Promise<TurnsListOutput>
  }
  readonly library: {
    /** List small things that two people could try. */
    list(input?: LibraryListInput, options?: RequestOptions): Promise<LibraryListOutput>
    /** Show what a contribution to the library would look like, anonymised. */
    preview(input: LibraryPreviewInput, options?: RequestOptions): Promise<LibraryPreviewOutput>
    /** Contribute something to try to the library, anonymised. */
    contribute(input: LibraryContributeInput, options?: RequestOptions): Promise<OwnLibraryEntry>
    /** List what you contributed to the library, newest first. */
    mine(input?: LibraryMineInput, options?: RequestOptions): Promise<LibraryMineOutput>
    /** Withdraw what you contributed to the library; its words are deleted. */
    withdraw(entry: string, options?: RequestOptions): Promise<OwnLibraryEntry>
    /** List contributions to the library that wait for your approval, oldest first. */
    waiting(input?: LibraryWaitingInput, options?: RequestOptions): Promise<LibraryWaitingOutput>
    /** Approve or remove a contribution to the library; the words of what is removed are deleted. */
    review(input: LibraryReviewInput, options?: RequestOptions): Promise<LibraryReviewOutput>
  }
  readonly notifications: {
    /** List your notifications, newest first. */
    list(input?: NotificationsListInput, options?: RequestOptions): Promise<NotificationsListOutput>
    /** Mark notifications of yours as read. */
    read(
      notifications: string | readonly string[],
      options?: RequestOptions,
    ): Promise<NotificationsReadOutput>
  }
  readonly webhooks: {
    /** Send notifications to a URL; the secret that signs them is shown once. The secret is in this answer and nowhere else. */
    create(input: WebhooksCreateInput, options?: RequestOptions): Promise<WebhooksCreateOutput>
    /** List webhooks, how their last deliveries went and how many wait. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<WebhooksListOutput>
    /** Delete a webhook and what waits to be sent to it. */
    delete(webhook: string, options?: RequestOptions): Promise<WebhooksDeleteOutput>
    /** Send a ping to a webhook. */
    test(webhook: string, options?: RequestOptions): Promise<WebhooksTestOutput>
  }
  readonly signals: {
    /** Record what you did with a result, as far as your session captures it. */
    record(input: SignalsRecordInput, options?: RequestOptions): Promise<SignalsRecordOutput>
    /** Read what the signals of others add up to by corpus, before you accept them. */
    pending(input?: Record<string, never>, options?: RequestOptions): Promise<SignalsPendingOutput>
    /** Accept or reject what the signals of others add up to in a corpus. */
    review(input: SignalsReviewInput, options?: RequestOptions): Promise<SignalsReviewOutput>
    /** Read what signals add up to, by record and by corpus. */
    summary(input?: SignalsSummaryInput, options?: RequestOptions): Promise<SignalsSummaryOutput>
  }
  readonly capabilities: {
    /** Register a capability and its namespace. */
    register(input: CapabilitiesRegisterInput, options?: RequestOptions): Promise<Capability>
    /** Deprecate, retire or reactivate a capability. */
    setLifecycle(input: CapabilitiesSetLifecycleInput, options?: RequestOptions): Promise<Capability>
    /** List capabilities. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<CapabilitiesListOutput>
    /** Ask whether you may use a capability. */
    check(input: CapabilitiesCheckInput, options?: RequestOptions): Promise<CapabilitiesCheckOutput>
    /** Ask who may use a capability, or those of a namespace, and why. */
    who(input: CapabilitiesWhoInput, options?: RequestOptions): Promise<CapabilitiesWhoOutput>
    /** Set which capacity a capability takes, and how much there is. */
    setCapacity(input: CapabilitiesSetCapacityInput, options?: RequestOptions): Promise<Capability>
    /** Ask to run a tool of the host, and take its capacity. */
    acquire(input: CapabilitiesAcquireInput, options?: RequestOptions): Promise<CapabilitiesAcquireOutput>
    /** Release the capacity that you took for a tool. */
    release(lease: string, options?: RequestOptions): Promise<CapabilitiesReleaseOutput>
  }
  readonly policies: {
    /** Write a capability policy. */
    set(input: PoliciesSetInput, options?: RequestOptions): Promise<CapabilityPolicy>
    /** List capability policies. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<PoliciesListOutput>
  }
  readonly reasons: {
    /** Register a reason code. */
    register(input: ReasonsRegisterInput, options?: RequestOptions): Promise<Reason>
    /** List reason codes. */
    list(input?: Record<string, never>, options?: RequestOptions): Promise<ReasonsListOutput>
  }
  readonly audit: {
    /** List what was asked and done. */
    list(input?: AuditListInput, options?: RequestOptions): Promise<AuditListOutput>
    /** List what was changed, and whether it can be undone. */
    operations(input?: AuditOperationsInput, options?: RequestOptions): Promise<AuditOperationsOutput>
    /** Verify the audit, against an earlier checkpoint if one is given. */
    verify(input?: AuditVerifyInput, options?: RequestOptions): Promise<AuditVerifyOutput>
    /** Take a checkpoint of the audit. */
    checkpoint(options?: RequestOptions): Promise<Checkpoint>
  }
}
