import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureHeaders, verifyWebhook, writeSecret } from './signature.js'

const secret = writeSecret(Buffer.alloc(32, 7))
const at = new Date('2026-01-01T00:00:00Z')
const body = '{"type":"ping","text":"schön"}'
const headers = signatureHeaders(secret, { id: 'one', at, body })
const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000)

describe('a signature', () => {
  it('is what anybody computes who has the secret', () => {
    const signed = createHmac('sha256', Buffer.alloc(32, 7)).update(`one.1767225600.${body}`)
    expect(headers).toEqual({
      'webhook-id': 'one',
      'webhook-timestamp': '1767225600',
      'webhook-signature': `v1,${signed.digest('base64')}`,
    })
  })

  it('holds for what was signed, as text or bytes, in headers of either sort', () => {
    expect(verifyWebhook(secret, headers, body, at)).toBe(true)
    expect(verifyWebhook(secret, headers, Buffer.from(body), at)).toBe(true)
    expect(verifyWebhook(secret, new Headers(headers), body, at)).toBe(true)
    const several = { ...headers, 'webhook-signature': `v1,AAAA v2,x ${headers['webhook-signature']}` }
    expect(verifyWebhook(secret, several, body, at)).toBe(true)
  })

  it('holds for nothing else', () => {
    const changed = [
      { 'webhook-id': 'two' },
      { 'webhook-id': undefined },
      { 'webhook-timestamp': '1767225601' },
      { 'webhook-timestamp': undefined },
      { 'webhook-timestamp': 'NaN' },
      { 'webhook-signature': undefined },
      { 'webhook-signature': '' },
      { 'webhook-signature': 'v1,' },
      { 'webhook-signature': headers['webhook-signature']?.replace('v1', 'v2') },
      { 'webhook-signature': headers['webhook-signature']?.slice(0, -8) },
      { 'webhook-signature': [headers['webhook-signature'] ?? ''] },
    ]
    for (const change of changed)
      expect(verifyWebhook(secret, { ...headers, ...change }, body, at), JSON.stringify(change)).toBe(false)
    expect(verifyWebhook(secret, headers, body.replace('ping', 'pong'), at)).toBe(false)
    expect(verifyWebhook(writeSecret(Buffer.alloc(32, 8)), headers, body, at)).toBe(false)
    expect(verifyWebhook(secret.replace('whsec_', ''), headers, body, at)).toBe(false)
  })

  it('holds for five minutes, before and after', () => {
    for (const seconds of [-300, 300]) expect(verifyWebhook(secret, headers, body, later(seconds))).toBe(true)
    for (const seconds of [-301, 301, 86_400])
      expect(verifyWebhook(secret, headers, body, later(seconds))).toBe(false)
  })
})
