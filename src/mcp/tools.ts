import type { ToolAnnotations } from '@modelcontextprotocol/server'
import type { OperationName } from '../operations.js'
import type { ToolFields } from './tool-schema.js'

/** A tool is an operation under a name that models understand, with the part of its input that they need. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly operation: OperationName
  readonly fields: ToolFields
  readonly annotations: ToolAnnotations
}

const READS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
const ADDS: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}

const QUESTION = {
  query: 'The question, or words. "quotes" for a phrase, -word to exclude, word* for a beginning.',
  intent: 'What the question is for; leave it out, and its words tell.',
  scope: {
    description: 'Where to look; leave it out for everywhere.',
    fields: {
      corpusScope: true,
      caseScope: true,
      filingUnitScope: true,
      temporalScope: {
        description: 'Only documents whose date lies between two days.',
        fields: {
          dateField: true,
          start: 'From this day on; null for no beginning.',
          end: 'To this day; null for no end.',
        },
      },
    },
  },
} as const satisfies ToolFields

export const TOOLS: readonly Tool[] = [
  {
    name: 'search_memories',
    title: 'Search memories',
    description:
      'Search what is remembered, by words and by meaning, best first. Use it before answering anything that may have been told or noted earlier. Everything is searched that you may see, and the receipt in the answer says how complete it is; what you may not see is as if it were not there.',
    operation: 'memory.search',
    fields: {
      query:
        'What to look for: a question or words. "quotes" for a phrase, -word to exclude, word* for a beginning.',
      kinds: true,
      tags: true,
      people: true,
      corpus: true,
      createdAfter: true,
      createdBefore: true,
      occurredAfter: true,
      occurredBefore: true,
      limit: true,
      cursor: true,
    },
    annotations: READS,
  },
  {
    name: 'get_memory',
    title: 'Read one memory',
    description:
      'Read one record by its id, as much of it as you may see. Null means that there is none for you to see.',
    operation: 'memory.get',
    fields: { record: true },
    annotations: READS,
  },
  {
    name: 'remember',
    title: 'Remember',
    description:
      'Keep one record or several, together or not at all. Write what will be useful later in a sentence or a paragraph that can be understood on its own. Name the people it is about as participants: without their consent you will not be able to read it again. It is kept at least as confidential as what you were shown in this conversation.',
    operation: 'memory.remember',
    fields: {
      records: {
        description: 'What to keep.',
        fields: {
          kind: 'What it is: `episodic` for something that happened, `semantic` for a fact or preference, `entity` for a person, place or thing, `note` for anything else.',
          title: true,
          text: 'What to remember.',
          tags: true,
          participants: 'The people it is about, by name.',
          occurredAt: true,
          sensitivity: 'How confidential it is.',
          derivedFrom: 'Ids of the records that it was made from.',
        },
      },
    },
    annotations: ADDS,
  },
  {
    name: 'capture_conversation',
    title: 'Keep a conversation',
    description:
      'Keep what was said, message by message, and the facts that people state in it. Pass new messages as they come, under one conversation; a message with an id is kept once. Facts that were known are reinforced, replaced or contested. Use remember for a note of your own.',
    operation: 'memory.capture',
    fields: {
      messages: {
        description: 'The messages, in their order.',
        fields: {
          text: true,
          role: 'Whose turn it is.',
          speaker: 'Who said it, by name. Leave it out for the person you work for.',
          at: true,
          id: 'Your own id of the message.',
          replyTo: true,
        },
      },
      conversation: 'The conversation to go on with, from an earlier answer. Leave it out for a new one.',
      about: 'People whom all of it is about, by name.',
      sensitivity: 'How confidential it is.',
    },
    annotations: ADDS,
  },
  {
    name: 'gather_context',
    title: 'Gather what to know now',
    description:
      'Gather what you should know before you answer: pinned facts, what is known of the people who take part, what is open, relevant and recent, numbered to be cited, within a budget of tokens. Use it at the start of a conversation or of a piece of work.',
    operation: 'memory.context',
    fields: { about: true, people: true, budget: true },
    annotations: READS,
  },
  {
    name: 'retrieve_graph',
    title: 'Gather what is known around a task',
    description:
      'Search for a task and follow the relations of what is found, such as what a record mentions or was derived from. Use it to gather context for a piece of work; use search_memories to answer one question.',
    operation: 'memory.retrieve_graph',
    fields: {
      task: 'What there is to do, in words.',
      kinds: 'Only records of these kinds, here and along the way.',
      tags: 'Start from records that have all of these tags.',
      people: 'Start from records in which all of these people take part, by name.',
      relationTypes: true,
      rootLimit: true,
      nodeLimit: true,
      maxHops: 'How many relations away from a start; 0 for the starts alone.',
    },
    annotations: READS,
  },
  {
    name: 'search_documents',
    title: 'Search documents',
    description:
      'Search filings, letters and other documents, and what was noted about them, best first, one result for each filing. Results say where in which document they stand, and by what they were found; the receipt says how complete the search was. If there is a failure, nothing was searched: do not say that there is nothing. Read what a result names as its document with get_memory.',
    operation: 'search.execute',
    fields: {
      ...QUESTION,
      context: true,
      limit: true,
      cursor: true,
    },
    annotations: READS,
  },
  {
    name: 'gather_passages',
    title: 'Gather passages to answer with',
    description:
      'Gather passages of documents that answer a question, numbered so that you can cite them, as many as fit. Use it to write an answer that rests on sources, and cite only what is in it. Where nothing was found, say no more than the notice does.',
    operation: 'search.bundle',
    fields: {
      ...QUESTION,
      tokenBudget: true,
      context: true,
    },
    annotations: READS,
  },
  {
    name: 'plan_search',
    title: 'Show how a search would be done',
    description:
      'Show how a question about documents would be searched for, and why it could not be, without searching. Use it to see what a question is taken for and where it would look.',
    operation: 'search.plan',
    fields: { query: QUESTION.query, intent: QUESTION.intent },
    annotations: READS,
  },
  {
    name: 'get_person',
    title: 'Look up a person',
    description:
      'Look up a person by name. Null means that nobody of that name has agreed to be seen by you, which includes that there may be nobody of that name.',
    operation: 'people.get',
    fields: { person: 'The name, exactly.' },
    annotations: READS,
  },
  {
    name: 'change_memory',
    title: 'Change or forget a memory',
    description:
      'Ask that a record be corrected, taken back, marked as doubtful or forgotten. What you wrote yourself is changed at once; anything else waits for the person you work for, and nothing is deleted without them. Say why, and do not ask twice.',
    operation: 'changes.request',
    fields: {
      record: true,
      how: 'What to do: `supersede` by a new text, `retract` what no longer holds, `contest` what may be wrong, `forget` for good.',
      text: 'What it shall say; only to supersede.',
      reason: 'Why, for the person you work for to read.',
    },
    annotations: ADDS,
  },
  {
    name: 'my_change_requests',
    title: 'What became of changes you asked for',
    description:
      'List the changes of records that you asked for, newest first, and whether they were accepted or declined.',
    operation: 'changes.mine',
    fields: { state: true, cursor: true },
    annotations: READS,
  },
  {
    name: 'timeline_window',
    title: 'Look at a stretch of time',
    description:
      'List records in order of when they happened, or were written where that is not known. Use it for questions about a day, a month or a sequence of events.',
    operation: 'memory.timeline',
    fields: {
      from: true,
      to: true,
      kinds: true,
      people: true,
      order: true,
      limit: true,
      cursor: true,
    },
    annotations: READS,
  },
  {
    name: 'request_consent',
    title: 'Ask that a person may be seen',
    description:
      'Ask the person you work for to let you see records that somebody takes part in. The answer is always that the request is open; it tells nothing about whether there is such a person or such records. Do not ask again while it is open.',
    operation: 'consents.request',
    fields: {
      person: 'The name of the person, as the person you work for would know it.',
      reason: 'Why you ask, for the person you work for to read.',
    },
    annotations: { ...ADDS, idempotentHint: true },
  },
  {
    name: 'my_consent_requests',
    title: 'What became of your requests',
    description:
      'List the requests for consent that you made, newest first, and whether they were granted or denied.',
    operation: 'consents.mine',
    fields: { state: true, limit: true, cursor: true },
    annotations: READS,
  },
  {
    name: 'why_refused',
    title: 'Why a request was refused',
    description:
      'Tell why a call of your own was refused as a whole: for lack of trust, by a policy, by a rate or for want of room. Null for anything else; why a record is missing cannot be asked.',
    operation: 'requests.why_refused',
    fields: { requestId: 'The `requestId` in the error.' },
    annotations: READS,
  },
]
