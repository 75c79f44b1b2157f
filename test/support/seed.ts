import fc from 'fast-check'
import { deep } from './depth.js'
import { SEED } from './generated.js'

// `npm test` draws the same examples every time, so that it fails for a change and never by chance. The deep run draws
// new ones and prints the seed of what fails; PRIVITY_SEED draws those again.
if (!deep || process.env.PRIVITY_SEED !== undefined) fc.configureGlobal({ seed: SEED })
