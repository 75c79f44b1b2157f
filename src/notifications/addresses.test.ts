import { expect, it } from 'vitest'
import { Addresses, AddressRefused, isPublic, type Resolve } from './addresses.js'

const RESERVED = [
  '0.0.0.0',
  '0.255.255.255',
  '10.0.0.0',
  '10.255.255.255',
  '100.64.0.0',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '168.63.129.16',
  '169.254.169.254',
  '172.16.0.0',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.0.0',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '::7f00:1',
  '64:ff9b::7f00:1',
  '100::1',
  '2001::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '3fff::1',
  '4000::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  '',
  'localhost',
  '127.1',
  '1.2.3.4 ',
]
const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.17',
  '169.253.255.255',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '2001:4860:4860::8888',
  '2606:4700:4700::1111',
  '2a00::1',
]

it.each(RESERVED)('%j is not of the internet', address => expect(isPublic(address)).toBe(false))
it.each(PUBLIC)('%j is', address => expect(isPublic(address)).toBe(true))

it('a name that leads inside, is unknown or is not answered for fails alike and after the same time', async () => {
  const LATE = 250
  const resolvers: Readonly<Record<string, Resolve>> = {
    inside: async () => [{ address: '10.0.0.1', family: 4 }],
    mixed: async () => [
      { address: '1.1.1.1', family: 4 },
      { address: '127.0.0.1', family: 4 },
    ],
    unknown: async () => Promise.reject(new Error('no such host')),
    empty: async () => [],
    silent: () => new Promise(() => {}),
  }
  const lookUp = (resolve: Resolve) =>
    new Promise<{ error: unknown; after: number }>(answered => {
      const began = performance.now()
      new Addresses(false, resolve, LATE).lookup('name.example', { all: true }, error =>
        answered({ error, after: performance.now() - began }),
      )
    })
  const outcomes = await Promise.all(Object.values(resolvers).map(lookUp))
  for (const [at, { error, after }] of outcomes.entries()) {
    expect(error, Object.keys(resolvers)[at]).toBeInstanceOf(AddressRefused)
    expect(after, Object.keys(resolvers)[at]).toBeGreaterThan(LATE - 5)
  }
  const allowed = await lookUp(async () => [{ address: '1.1.1.1', family: 4 }])
  expect(allowed.error).toBeNull()
  expect(allowed.after).toBeLessThan(LATE)
})
