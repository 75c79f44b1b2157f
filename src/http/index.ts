/** The HTTP server over an open store, to be started from code. */
export type { IssuerOptions } from '../authentication/issuers.js'
export { DEFAULT_PORT, type ServeOptions, type Server, serve } from './serve.js'
