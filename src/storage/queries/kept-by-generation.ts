/**
 * Marks a statement whose rows are cached for as long as their generation is current. Whether it runs depends on
 * earlier requests, which affects the response time but never the answer (NI-8).
 */
export const KEPT_BY_GENERATION = '-- kept by generation'

export const isKeptByGeneration = (sql: string): boolean => sql.trimStart().startsWith(KEPT_BY_GENERATION)
