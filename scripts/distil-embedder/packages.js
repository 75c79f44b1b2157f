import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** A package of this folder, which whoever does not make the table again never installs. @param {string} name */
export const loadPackage = name => require(name)
