/** For testing one's own set-up: worlds, clocks and the non-interference harness. */
export * from './clock.js'
