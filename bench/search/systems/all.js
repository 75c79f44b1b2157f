/**
 * Every system by its name, ours first: figures are shown in this order.
 *
 * @type {Readonly<Record<string, () => Promise<import('../system.js').System>>>}
 */
export const SYSTEMS = {
  'privity-core': async () => (await import('./privity-core.js')).privityCore,
  'privity-pglite': async () => (await import('./privity-stores.js')).privityPglite,
  'privity-postgres': async () => (await import('./privity-stores.js')).privityPostgres,
  'sqlite-fts5': async () => (await import('./sqlite-fts5.js')).sqliteFts5,
  lancedb: async () => (await import('./lancedb.js')).lancedb,
  orama: async () => (await import('./orama.js')).orama,
  minisearch: async () => (await import('./minisearch.js')).minisearch,
  'postgres-rls': async () => (await import('./postgres-rls.js')).postgresRls,
}
