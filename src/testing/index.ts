/** Helpers for testing your own setup: generated worlds, clocks and the non-interference harness. */
export * from './clock.js'
export * from './non-interference/harness.js'
export {
  type Connect,
  type ConnectedStore,
  connectTo,
  type TestedPrivity,
  withoutClosing,
} from './non-interference/history.js'
export * from './non-interference/mediation.js'
export { sampleOf } from './non-interference/requests.js'
export * from './non-interference/sharing.js'
export * from './policy-world.js'
export * from './worlds.js'
