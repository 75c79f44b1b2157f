import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { makeLimiter } from '../runtime/limiter.js'

/** Costs about a tenth of a second and 32 MB a try: what a person can remember is worth that much to whoever guesses. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const BYTES = 32

/** However many guess at once, so many are worked on: each takes memory, and a core. */
const inTurn = makeLimiter({
  atOnce: 2,
  waiting: { most: 1_000, busy: 'too many passcodes are being looked at; try again' },
})

const derive = (passcode: string, salt: Buffer, cost: typeof COST): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    // Characters that look alike and are one are written in one way.
    scrypt(passcode.normalize('NFKC'), salt, BYTES, cost, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

/** A slow hash, with what it takes to compare with it. */
export async function hashPasscode(passcode: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await inTurn(() => derive(passcode, salt, COST))
  return ['scrypt', COST.N, COST.r, COST.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether it is the one, unless nobody wants to know any more once its turn has come. */
export function isPasscodeOf(hash: string, passcode: string, isMoot: () => boolean): Promise<boolean> {
  return inTurn(async () => !isMoot() && compare(hash, passcode))
}

async function compare(hash: string, passcode: string): Promise<boolean> {
  const [kind, N, r, p, salt = '', key = ''] = hash.split('$')
  const expected = Buffer.from(key, 'base64url')
  if (kind !== 'scrypt' || expected.length !== BYTES) return false
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem }
  return timingSafeEqual(await derive(passcode, Buffer.from(salt, 'base64url'), cost), expected)
}
