import type { Gate } from '../gate.js'
import { consent } from './consent.js'
import { contract } from './contract.js'
import { evidence } from './evidence.js'
import { freshness } from './freshness.js'
import { overlay } from './overlay.js'
import { participants } from './participants.js'
import { tenant } from './tenant.js'
import { trust } from './trust.js'
import { vessel } from './vessel.js'
import { view } from './view.js'
import { visibility } from './visibility.js'

/** All gates (DE-3). Their order is the order of `explain` and does not affect any decision. */
export const GATES: readonly Gate[] = [
  tenant,
  vessel,
  contract,
  consent,
  participants,
  trust,
  visibility,
  view,
  overlay,
  freshness,
  evidence,
]
