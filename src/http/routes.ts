/** Where operations stand, each by its `route`. */
export const API = '/api/v1'
