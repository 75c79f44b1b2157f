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

/** Every policy there is (DE-3). The order is the order of `explain` and changes no decision. */
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
