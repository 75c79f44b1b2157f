/**
 * Marks a statement whose rows are kept while their generation stands: whether it runs depends on what was asked
 * before, and changes time, never an answer (NI-8).
 */
export const KEPT_BY_GENERATION = '-- kept by generation'

export const isKeptByGeneration = (sql: string): boolean => sql.trimStart().startsWith(KEPT_BY_GENERATION)
