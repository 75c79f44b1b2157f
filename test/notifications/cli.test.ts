import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { run } from '../../src/cli/run.js'
import { commandStore } from '../cli/support/command-store.js'

it('PRIVITY_WEBHOOKS_PRIVATE says whether webhooks may stay at home', async () => {
  const store = await commandStore()
  const create = ['call', 'webhooks.create', '{"url":"http://127.0.0.1:9/"}', '--audience', 'host', '--json']
  const said = async (args: readonly string[], env: Record<string, string> = {}) => {
    const out = new PassThrough()
    const code = await run([...args, ...store.args], { stdout: out, stderr: out, env })
    return `${code} ${String(out.read() ?? '')}`
  }
  try {
    expect(await said(['migrate'])).toMatch(/^0 /)
    expect(await said(create)).toMatch(/^2 [\s\S]*must be a public internet address/)
    expect(await said(create, { PRIVITY_WEBHOOKS_PRIVATE: 'off' })).toMatch(
      /^2 [\s\S]*public internet address/,
    )
    expect(await said(create, { PRIVITY_WEBHOOKS_PRIVATE: 'on' })).toMatch(/^0 [\s\S]*whsec_/)
    expect(await said(create, { PRIVITY_WEBHOOKS_PRIVATE: 'yes' })).toMatch(/^2 [\s\S]*must be on or off/)
  } finally {
    await store.dispose()
  }
}, 120_000)
