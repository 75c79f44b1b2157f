/** The prefix of all operation routes. */
export const API = '/api/v1'
