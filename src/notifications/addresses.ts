import { type LookupAddress, lookup as lookUp } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { PrivityError } from '../errors.js'
import { makeLimiter } from '../runtime/limiter.js'

/** How long creating a webhook waits for DNS. */
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

/** Thrown because nothing may be sent to an address that only this machine or its network can reach. */
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

  constructor(allowPrivate: boolean, resolve: Resolve = resolveHost) {
    this.#allowPrivate = allowPrivate
    this.#resolve = resolve
  }

  /**
   * Refuses a URL that resolves to a private address. A host that cannot be resolved now is checked when it is used.
   */
  async require(url: string): Promise<void> {
    const host = hostOf(url)
    const addresses = isIP(host) > 0 ? [] : await this.#resolveInTime(host)
    if (!this.#allowsLiteral(host) || addresses.some(({ address }) => !this.#allows(address)))
      throw new PrivityError('invalid_input', 'url: must not lead to a private address')
  }

  /** Refuses a literal private IP address, because connecting to one performs no DNS lookup. */
  requireLiteral(url: string): void {
    if (!this.#allowsLiteral(hostOf(url))) throw new AddressRefused()
  }

  /** A lookup function for connections. It returns only addresses that were checked, so the connection uses those. */
  readonly lookup: LookupFunction = (host, { all, family }, answer) => {
    this.#resolve(host)
      .then(found => {
        if (!found.every(({ address }) => this.#allows(address))) throw new AddressRefused()
        const addresses = found.filter(({ family: has }) => !isFamily(family) || has === Number(family))
        const [first] = addresses
        if (first === undefined) throw new Error('the host has no address')
        if (all === true) answer(null, [...addresses])
        else answer(null, first.address, first.family)
      })
      .catch((error: Error) => answer(error, ''))
  }

  async #resolveInTime(host: string): Promise<readonly LookupAddress[]> {
    const late = new AbortController()
    const none = sleep(RESOLVE_MS, [], { signal: late.signal, ref: false }).catch(() => [])
    try {
      return await Promise.race([this.#resolve(host).catch(() => []), none])
    } finally {
      late.abort()
    }
  }

  #allows(address: string): boolean {
    return this.#allowPrivate || isPublic(address)
  }
  #allowsLiteral(host: string): boolean {
    return isIP(host) === 0 || this.#allows(host)
  }
}

const isFamily = (family: unknown) => family === 4 || family === 6

/** The host name, without the brackets of IPv6. */
const hostOf = (url: string) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')
