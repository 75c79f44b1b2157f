import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { makeLimiter } from '../runtime/limiter.js'

/** About 0.1 seconds and 32 MB per try, because a passcode that a person can remember is easy to guess. */
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }
const BYTES = 32
let cost = COST

/** Makes new passcodes quick to compare. Only tests use it, those that show something other than the time it takes. */
export function derivePasscodesQuickly(): void {
  cost = { ...COST, N: 2 ** 10 }
}

/** Limits how many guesses are compared at once, because each needs memory and a CPU core. */
const inTurn = makeLimiter({
  atOnce: 2,
  waiting: { most: 1_000, busy: 'too many passcodes are being looked at; try again' },
})

const derive = (passcode: string, salt: Buffer, by: typeof COST): Promise<Buffer> =>
  new Promise((resolve, reject) =>
    // Equivalent characters are normalized to one form.
    scrypt(passcode.normalize('NFKC'), salt, BYTES, by, (error, key) =>
      error ? reject(error) : resolve(key),
    ),
  )

/** A slow hash, stored together with its parameters and salt. */
export async function hashPasscode(passcode: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await inTurn(() => derive(passcode, salt, cost))
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$')
}

/** Whether a passcode is right. It is not compared if `isMoot` says so when its turn has come. */
export function isPasscodeOf(hash: string, passcode: string, isMoot: () => boolean): Promise<boolean> {
  return inTurn(async () => !isMoot() && compare(hash, passcode))
}

async function compare(hash: string, passcode: string): Promise<boolean> {
  const [kind, N, r, p, salt = '', key = ''] = hash.split('$')
  const expected = Buffer.from(key, 'base64url')
  if (kind !== 'scrypt' || expected.length !== BYTES) return false
  const by = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem }
  return timingSafeEqual(await derive(passcode, Buffer.from(salt, 'base64url'), by), expected)
}
