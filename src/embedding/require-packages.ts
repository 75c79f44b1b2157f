import { createRequire } from 'node:module'
import { PrivityError } from '../errors.js'

/** Reports a missing optional package at once rather than with the first text. */
export function requirePackages(names: readonly string[], factory: string): void {
  const { resolve } = createRequire(import.meta.url)
  for (const name of names)
    try {
      resolve(name)
    } catch {
      throw new PrivityError('setup_incomplete', `${factory} needs a package: npm install ${names.join(' ')}`)
    }
}
