import { createRequire } from 'node:module'
import { PrivityError } from '../errors.js'

/** Says at once, and not when the first text comes, that a package which few need is missing. */
export function requirePackages(names: readonly string[], factory: string): void {
  const { resolve } = createRequire(import.meta.url)
  for (const name of names)
    try {
      resolve(name)
    } catch {
      throw new PrivityError('setup_incomplete', `${factory} needs a package: npm install ${names.join(' ')}`)
    }
}
