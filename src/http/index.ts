/** A server over an open store, for whoever would rather start it from code. */
export type { IssuerOptions } from '../authentication/issuers.js'
export { DEFAULT_PORT, type ServeOptions, type Server, serve } from './serve.js'
