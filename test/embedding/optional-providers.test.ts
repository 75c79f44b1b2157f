import { describe, expect, it } from 'vitest'
import { encoder } from '../../src/embedding/encoder.js'
import { requirePackages } from '../../src/embedding/require-packages.js'
import { transformers } from '../../src/embedding/transformers.js'

// Their models run in the deep run, which installs the packages behind them.
describe('providers whose packages are optional', () => {
  it('a package that is missing is named, with how to get it', () => {
    expect(() => requirePackages(['zod', 'no-such-package'], 'encoder')).toThrow(
      expect.objectContaining({
        code: 'setup_incomplete',
        message: 'encoder needs a package: npm install zod no-such-package',
      }),
    )
    expect(() => requirePackages(['zod'], 'encoder')).not.toThrow()
  })

  it.each<[string, object]>([
    ['folder', { folder: '' }],
    ['pooling', { pooling: 'max' }],
    ['dtype', { dtype: 'fp64' }],
    ['normalise', { normalise: true }],
  ])('transformers() refuses an invalid %s', (name, options) => {
    expect(() => transformers({ folder: 'models', ...options })).toThrow(
      `transformers: invalid option ${name}`,
    )
  })

  it('encoder() refuses an invalid nearness', () => {
    expect(() => encoder({ near: 7 })).toThrow('encoder: invalid option near')
  })
})
