/** The prefix of all operation routes. */
export const API = '/api/v1'

/** The prefix of the routes that only the console uses. */
export const CONSOLE = '/console'

/** The header by which the console says that a request is its own. Pages of other sites cannot set it. */
export const CONSOLE_HEADER = 'privity-console'
