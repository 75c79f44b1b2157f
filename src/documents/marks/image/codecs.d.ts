/** What is bundled of two packages as `#images`: see `scripts/build.js`. */
export { convertIndexedToRgb, decode, encode } from 'fast-png'
export { decode as decodeJpeg, encode as encodeJpeg } from 'jpeg-js'
