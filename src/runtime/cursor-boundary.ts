import type { ReadRequest } from './request.js'

/** What a cursor belongs to: this caller, by its pseudonyms in this tenant, asking this question (NI-9). */
export const cursorBoundary = ({ parts }: ReadRequest, operation: string, question: unknown): string =>
  JSON.stringify([operation, parts.actorId, parts.forId, parts.caller.audience, question])
