/**
 * Marks a statement that deletes what is due, once in a while and together with whichever request comes first. When
 * that happens depends on earlier requests; no answer does (NI-8).
 */
export const UPKEEP = '-- upkeep'

export const isUpkeep = (sql: string): boolean => sql.trimStart().startsWith(UPKEEP)
