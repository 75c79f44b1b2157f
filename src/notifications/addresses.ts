import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PrivityError } from '../errors.js'
import { makeLimiter } from '../runtime/limiter.js'

/**
 * How long a host may take to be resolved. A host that is not found or is refused takes exactly as long, so that neither
 * the answer nor its time tells which names exist inside a network.
 */
const RESOLVE_MS = 3_000

/** Resolves a host to all its addresses. Tests pass their own. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>

/** Each lookup occupies a thread that file access and cryptography need too, so only a few may run at once. */
const inTurn = makeLimiter({ atOnce: 2 })

export const resolveHost: Resolve = host =>
  inTurn(
    () =>
      new Promise((resolve, reject) => {
        lookUp(host, { all: true }, (error, addresses) => (error ? reject(error) : resolve(addresses)))
      }),
  )

/**
 * Thrown for a host that is private, cannot be resolved or takes too long to be. Nobody is told which of these it was.
 */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused'
}

const RESERVED = new BlockList()
for (const [address, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10], // shared by a provider's customers; one cloud's metadata
  ['127.0.0.0', 8],
  ['168.63.129.16', 32], // one cloud's platform, seen from its machines alone
  ['169.254.0.0', 16], // link-local; most clouds' metadata
  ['172.16.0.0', 12],
  ['192.0.0.0', 24], // one cloud's metadata
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  RESERVED.addSubnet(address, bits, 'ipv4')
// Ranges within the public IPv6 space that lead to an IPv4 address or nowhere.
for (const [address, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  RESERVED.addSubnet(address, bits, 'ipv6')

const PUBLIC_V6 = new BlockList()
PUBLIC_V6.addSubnet('2000::', 3, 'ipv6')

/** Whether an address is public. An address that is not known to be public counts as private. */
export function isPublic(address: string): boolean {
  switch (isIP(address)) {
    case 4:
      return !RESERVED.check(address, 'ipv4')
    case 6:
      return PUBLIC_V6.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6')
    default:
      return false
  }
}

/** Checks which addresses webhooks and feeds may use. */
export class Addresses {
  readonly #allowPrivate: boolean
  readonly #resolve: Resolve
  readonly #resolveMs: number

  constructor(allowPrivate: boolean, resolve: Resolve = resolveHost, resolveMs: number = RESOLVE_MS) {
    this.#allowPrivate = allowPrivate
    this.#resolve = resolve
    this.#resolveMs = resolveMs
  }

  /**
   * Refuses a URL that is private by its looks: a literal private address, or a name that only a machine or a network
   * knows. Nothing is resolved, because that would tell who asks which names exist inside. Each use is checked.
   */
  require(url: string): void {
    const host = hostOf(url)
    if (this.#allowsLiteral(host) && (this.#allowPrivate || isIP(host) > 0 || !isInternalName(host))) return
    throw new PrivityError(
      'invalid_input',
      'url: must be a public internet address, for example https://app.example.com/privity',
    )
  }

  /** Refuses a literal private IP address, because connecting to one performs no DNS lookup. */
  requireLiteral(url: string): void {
    if (!this.#allowsLiteral(hostOf(url))) throw new AddressRefused()
  }

  /** A lookup function for connections. It returns only addresses that were checked, so the connection uses those. */
  readonly lookup: LookupFunction = (host, { all, family }, answer) => {
    const late = sleep(this.#resolveMs, null, { ref: false })
    this.#allowedAddresses(host, late)
      .then(found => {
        const addresses = found.filter(({ family: has }) => !isFamily(family) || has === Number(family))
        const [first] = addresses
        if (first === undefined) throw new AddressRefused()
        if (all === true) answer(null, [...addresses])
        else answer(null, first.address, first.family)
      })
      .catch(async () => {
        await late
        answer(new AddressRefused(), '')
      })
  }

  async #allowedAddresses(host: string, late: Promise<null>): Promise<readonly LookupAddress[]> {
    const found = await Promise.race([this.#resolve(host), late])
    if (found === null || !found.every(({ address }) => this.#allows(address))) throw new AddressRefused()
    return found
  }

  #allows(address: string): boolean {
    return this.#allowPrivate || isPublic(address)
  }
  #allowsLiteral(host: string): boolean {
    return isIP(host) === 0 || this.#allows(host)
  }
}

/** Names that the internet does not know: those without a dot, and the suffixes that are reserved for networks. */
const isInternalName = (host: string) =>
  !host.replace(/\.$/, '').includes('.') ||
  /\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|home\.arpa)\.?$/i.test(host)

const isFamily = (family: unknown) => family === 4 || family === 6

/** The host name, without the brackets of IPv6. */
const hostOf = (url: string) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
