import { derivePasscodesQuickly } from '../../src/sharing/passcode.js'
import { deep } from './depth.js'

// A unit test shows that a passcode takes long to compare; in most tests it is only something that is right or wrong.
if (!deep) derivePasscodesQuickly()
