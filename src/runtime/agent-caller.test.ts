import { describe, expect, it } from 'vitest'
import { AUDIENCES, rank, SENSITIVITIES, VISIBILITY_CLASSES } from '../policy/vocabulary.js'
import { asAgent } from './agent-caller.js'
import { type Access, type Credential, readCredential } from './caller.js'

const accessOf = (credential: Partial<Credential>, choosesSession = false): Access => ({
  credential: { tenant: 'home', actor: 'ana', ...credential },
  choosesSession,
})
const agentOf = (credential: Partial<Credential>, ...options: [Parameters<typeof asAgent>[1]?]) =>
  readCredential(asAgent(accessOf(credential), ...options).credential)

describe('who comes through MCP', () => {
  it.each([
    'owner',
    'host',
    undefined,
  ] as const)('[PC-2] is an agent of the person, for audience %s', audience => {
    expect(asAgent(accessOf(audience === undefined ? {} : { audience })).credential).toEqual({
      tenant: 'home',
      actor: 'mcp:ana',
      for: 'ana',
      audience: 'agent',
      trust: { maxSensitivity: 'medium', authenticated: true },
      visibility: { ceiling: 'privileged' },
    })
  })

  it('[DE-3] works for whom the person acted, under the same key, policy and session', () => {
    const key = '00000000-0000-4000-8000-000000000001'
    const held = {
      for: 'ben',
      key,
      policy: 'little',
      session: 'talk',
      visibility: { ceiling: 'public_open' },
    } as const
    expect(asAgent(accessOf(held, true))).toMatchObject({
      credential: { ...held, actor: 'mcp:ana' },
      choosesSession: true,
    })
    expect(asAgent(accessOf(held))).toMatchObject({ choosesSession: false })
  })

  it('[TR-2, DE-3] never has more trust than the credential, nor than models are given here', () => {
    for (const held of [undefined, ...SENSITIVITIES]) {
      for (const given of [undefined, ...SENSITIVITIES]) {
        const trust = held === undefined ? {} : { trust: { maxSensitivity: held, scopes: ['home'] } }
        const agent = agentOf(trust, given === undefined ? {} : { maxSensitivity: given })
        const most = [held ?? 'hyper', given ?? 'medium'].map(one => rank(SENSITIVITIES, one))
        expect(rank(SENSITIVITIES, agent.trust?.maxSensitivity), `${held} ${given}`).toBe(Math.min(...most))
        expect(agent.trust?.scopes).toEqual(held === undefined ? 'all' : new Set(['home']))
      }
    }
  })

  it('[OV-4] never sees above what is for models, nor above the credential', () => {
    for (const ceiling of VISIBILITY_CLASSES) {
      const agent = agentOf({ visibility: { ceiling, floor: 'public_open' } })
      const most = Math.min(rank(VISIBILITY_CLASSES, ceiling), rank(VISIBILITY_CLASSES, 'privileged'))
      expect(rank(VISIBILITY_CLASSES, agent.ceiling)).toBe(most)
      expect(agent.floor).toBe('public_open')
    }
  })

  it.each(['agent', 'recipient'] as const)('[DE-3] stays a %s, with the trust it has or lacks', audience => {
    for (const more of [
      {},
      { trust: { maxSensitivity: 'high' } },
      { for: 'ben', actor: 'helper' },
    ] as const) {
      const access = accessOf({ audience, ...more })
      expect(asAgent(access, { maxSensitivity: 'hyper' })).toEqual(access)
    }
  })

  it('[PC-2] is an agent audience whatever the credential', () => {
    for (const audience of AUDIENCES)
      expect(['agent', 'recipient']).toContain(agentOf({ audience }, { maxSensitivity: 'hyper' }).audience)
  })
})
