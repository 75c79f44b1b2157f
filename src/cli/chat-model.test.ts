import { describe, expect, it } from 'vitest'
import { chatModelOf } from './chat-model.js'
import { UsageError } from './usage-error.js'

describe('what the environment says of mediations', () => {
  it.each([
    [undefined, {}],
    ['2', { requestDays: 2 }],
    ['0.5', { requestDays: 0.5 }],
    ['3650', { requestDays: 3_650 }],
  ])('a request waits for PRIVITY_REQUEST_DAYS: %s', async (said, mediation) => {
    expect(await chatModelOf({ PRIVITY_REQUEST_DAYS: said })).toEqual({ mediation })
  })

  it('also where there is a model', async () => {
    const env = {
      PRIVITY_REQUEST_DAYS: '7',
      PRIVITY_CHAT_URL: 'http://localhost:1/v1',
      PRIVITY_CHAT_MODEL: 'some',
    }
    expect((await chatModelOf(env)).mediation).toMatchObject({ requestDays: 7, model: { name: 'some' } })
  })

  it.each([
    '0',
    '-1',
    '3651',
    'a week',
    'NaN',
    '',
  ])('and days there cannot be are refused: %s', async said => {
    await expect(chatModelOf({ PRIVITY_REQUEST_DAYS: said })).rejects.toThrow(UsageError)
  })
})
