import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Issuers } from '../../src/authentication/issuers.js'
import { startIssuer, type TestIssuer } from '../support/issuer.js'

describe('the keys of an issuer', () => {
  let issuer: TestIssuer
  beforeAll(async () => {
    issuer = await startIssuer()
  })
  afterAll(() => issuer.close())

  const known = (cooldown = 0) =>
    new Issuers([{ issuer: issuer.issuer, audience: 'privity', tenant: 'home' }], { cooldown })
  const refused = { code: 'unauthenticated' }

  it('[OP-6] rotate without a refused token: a key that is not known is fetched', async () => {
    const issuers = known()
    const before = await issuer.sign({})
    await issuers.authenticate(before)
    await issuer.rotate()
    const after = await issuer.sign({})
    await expect(issuers.authenticate(after)).resolves.toMatchObject({ credential: { actor: 'ana' } })
    await expect(issuers.authenticate(before)).resolves.toBeDefined()
    await issuer.rotate({ drop: true })
    await issuers.authenticate(await issuer.sign({}))
    await expect(issuers.authenticate(before)).rejects.toMatchObject(refused)
  })

  it('are not fetched for every token that names another', async () => {
    const issuers = known(60_000)
    await issuers.authenticate(await issuer.sign({}))
    const fetched = issuer.fetched()
    for (let at = 0; at < 20; at++)
      await expect(
        issuers.authenticate(await issuer.sign({}, { kid: `made up ${at}` })),
      ).rejects.toMatchObject(refused)
    expect(issuer.fetched()).toBe(fetched)
  })

  it('are not asked for again and again while they cannot be had', async () => {
    const issuers = known(60_000)
    issuer.fail(true)
    const asked = issuer.asked()
    for (let at = 0; at < 20; at++)
      await expect(issuers.authenticate(await issuer.sign({}))).rejects.toMatchObject({ code: 'unavailable' })
    expect(issuer.asked() - asked).toBe(1)
    issuer.fail(false)
  })

  it('[NI-8] that cannot be read are no verdict on a token: come back later', async () => {
    const issuers = known()
    issuer.fail(true)
    await expect(issuers.authenticate(await issuer.sign({}))).rejects.toMatchObject({ code: 'unavailable' })
    issuer.fail(false)
    await expect(issuers.authenticate(await issuer.sign({}))).resolves.toBeDefined()
  })

  it('sign as they were said to, and in no other way', async () => {
    const saying = (algorithm: 'RS256' | 'PS256') =>
      new Issuers([{ issuer: issuer.issuer, audience: 'privity', tenant: 'home', algorithms: [algorithm] }])
    // A key that does not say what it is for fits any of its kind.
    issuer.publishAlgorithms(false)
    const token = await issuer.sign({})
    await expect(saying('RS256').authenticate(token)).resolves.toBeDefined()
    await expect(saying('PS256').authenticate(token)).rejects.toMatchObject(refused)
    issuer.publishAlgorithms(true)
  })

  it('come over a line that nobody can bend: https, or this machine', () => {
    const audience = 'privity'
    for (const url of [
      'http://issuer.example',
      'http://127.0.0.1.example',
      'ftp://localhost',
      'file:///etc/keys',
    ])
      expect(() => new Issuers([{ issuer: url, audience, tenant: 'x' }]), url).toThrow()
    expect(() => new Issuers([{ issuer: 'https://issuer.example', audience, tenant: 'x' }])).not.toThrow()
    for (const algorithm of ['HS256', 'none'])
      expect(
        () =>
          new Issuers([
            { issuer: 'https://i.example', audience, tenant: 'x', algorithms: [algorithm as 'RS256'] },
          ]),
      ).toThrow()
  })
})
