export type { Domain } from '../runtime/domain.js'
export { legal } from './legal.js'
