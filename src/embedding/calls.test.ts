import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { quantise } from '../search/vectors.js'
import { ProviderCalls } from './calls.js'
import { EmbeddingError, type EmbeddingProvider, type Purpose } from './provider.js'

type Embed = EmbeddingProvider['embed']

/** A vector that differs between texts. */
const vectorOf = (text: string) => Float32Array.of(text.length, text.codePointAt(0) ?? 0, 1)
const stored = (text: string) => quantise(vectorOf(text))

/** A provider whose behaviour the test controls, with the calls that it received. */
function scripted(settings: Partial<EmbeddingProvider> = {}) {
  const asked: { texts: readonly string[]; purpose: Purpose }[] = []
  const well: Embed = async texts => texts.map(vectorOf)
  const script = { embed: well }
  const provider: EmbeddingProvider = {
    model: 'scripted/1',
    local: true,
    weight: () => 0.5,
    near: 0.5,
    batchSize: 3,
    maxCharacters: 10,
    ...settings,
    embed(texts, purpose, signal) {
      asked.push({ texts, purpose })
      return script.embed(texts, purpose, signal)
    },
  }
  return { provider, script, asked, well }
}

const refusing =
  (kind: EmbeddingError['kind'], retryAfterMs?: number): Embed =>
  async () => {
    throw new EmbeddingError(kind, 'no', { retryAfterMs })
  }
const { signal } = new AbortController()
const never: Embed = () => new Promise(() => {})
const failure = (kind: EmbeddingError['kind']) => expect.objectContaining({ name: 'EmbeddingError', kind })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the first question', () => {
  const slow: Embed = texts => new Promise(resolve => setTimeout(() => resolve(texts.map(vectorOf)), 10_000))

  it('waits until a local model is loaded, and later ones do not', async () => {
    const { provider, script } = scripted()
    const calls = new ProviderCalls(provider)
    script.embed = slow
    const first = calls.query('hello', 'ana')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(await first).toEqual({ ok: true, vector: stored('hello') })
    const second = calls.query('again', 'ana')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await second).toEqual({ ok: false, failure: 'timeout' })
  })

  it('does not wait longer for a model that is elsewhere', async () => {
    const { provider, script } = scripted({ local: false })
    script.embed = slow
    const first = new ProviderCalls(provider).query('hello', 'ana')
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await first).toEqual({ ok: false, failure: 'timeout' })
  })
})

describe('documents', () => {
  it('come in order, in batches of so many texts, quantised each by itself', async () => {
    const { provider, asked } = scripted()
    const texts = ['a', 'bb', 'ccc', 'dddd', 'e']
    expect(await new ProviderCalls(provider).documents(texts)).toEqual(texts.map(stored))
    expect(asked).toEqual([
      { texts: ['a', 'bb', 'ccc'], purpose: 'document' },
      { texts: ['dddd', 'e'], purpose: 'document' },
    ])
  })

  it('come in batches of so many characters, however few texts that is', async () => {
    const { provider, asked } = scripted({ maxCharacters: 80_000, batchSize: 10 })
    const texts = ['a', 'b', 'c', 'd', 'e'].map(letter => letter.repeat(50_000))
    texts.push('x'.repeat(80_000))
    await new ProviderCalls(provider).documents(texts)
    expect(asked.map(call => call.texts.length)).toEqual([2, 2, 1, 1])
  })

  it('are cut between characters, never within one', async () => {
    const { provider, asked } = scripted({ maxCharacters: 3 })
    await new ProviderCalls(provider).documents(['a😀😀😀', '😀😀😀', 'abcd', 'abc'])
    expect(asked.flatMap(call => call.texts)).toEqual(['a😀😀', '😀😀😀', 'abc', 'abc'])
  })

  it('that are blank are not asked for, and those without meaning have no vector', async () => {
    const { provider, script, asked } = scripted()
    script.embed = async texts => texts.map(text => (text === 'um' ? null : vectorOf(text)))
    const calls = new ProviderCalls(provider)
    expect(await calls.documents(['', 'um', ' \n\t', 'word'])).toEqual([null, null, null, stored('word')])
    expect(asked.flatMap(call => call.texts)).toEqual(['um', 'word'])
    expect(await calls.documents(['  '])).toEqual([null])
    expect(asked).toHaveLength(1)
  })

  it.each<[string, Embed]>([
    ['too few', async () => []],
    ['too many', async texts => [...texts, 'more'].map(vectorOf)],
    ['NaN', async texts => texts.map(() => Float32Array.of(1, Number.NaN))],
    ['infinity', async texts => texts.map(() => Float32Array.of(1, Infinity))],
    ['nothing in a vector', async texts => texts.map(() => new Float32Array())],
    ['plain numbers', async texts => texts.map(() => [1, 2] as unknown as Float32Array)],
    ['no list', async () => null as unknown as []],
    ['unequal dimensions', async texts => (texts[1] ? [vectorOf('a'), Float32Array.of(1)] : [])],
  ])('an answer with %s is invalid', async (_, embed) => {
    const { provider, script } = scripted()
    script.embed = embed
    const calls = new ProviderCalls(provider)
    await expect(calls.documents(['a', 'b'])).rejects.toEqual(failure('invalid_answer'))
  })

  it('a dimension stays: an answer of another one is invalid, for questions too', async () => {
    const { provider, script, well } = scripted()
    const calls = new ProviderCalls(provider)
    await calls.documents(['a'])
    expect(calls.dimension).toBe(3)
    script.embed = async texts => texts.map(() => Float32Array.of(1, 2))
    await expect(calls.documents(['b'])).rejects.toEqual(failure('invalid_answer'))
    expect(await calls.query('b', 'ana')).toEqual({ ok: false, failure: 'unavailable' })
    script.embed = well
    vi.advanceTimersByTime(2_000)
    expect(await calls.documents(['b'])).toEqual([stored('b')])
  })

  it('a dimension that is stored already holds from the first answer on', async () => {
    const { provider } = scripted()
    const calls = new ProviderCalls(provider, { dimension: 4 })
    await expect(calls.documents(['a'])).rejects.toEqual(failure('invalid_answer'))
  })

  it('a provider that hangs is left after the deadline and told to stop', async () => {
    const { provider, script } = scripted()
    let told = 0
    script.embed = (_texts, _purpose, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          told++
          reject(new EmbeddingError('unavailable', 'told to stop'))
        })
      })
    const calls = new ProviderCalls(provider, { documentsMs: 5_000 })
    const outcome = calls.documents(['a']).catch(error => error)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(told).toBe(1)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(await outcome).toEqual(failure('timeout'))
    expect(calls.lastError).toBe('timeout')
  })

  it('an error of the provider itself is not repeated', async () => {
    const { provider, script } = scripted()
    script.embed = async texts => {
      throw new Error(`cannot embed ${texts.join()}`)
    }
    const error = await new ProviderCalls(provider).documents(['a secret']).catch(thrown => thrown)
    expect(error).toEqual(failure('unavailable'))
    expect(JSON.stringify([error.message, error.stack, error.cause ?? null])).not.toContain('secret')
  })
})

describe('back-off', () => {
  it('waits a random part of a span that doubles from a second to five minutes; one success ends it', async () => {
    const { provider, script, well, asked } = scripted()
    const random = vi.fn(() => 0.5)
    const calls = new ProviderCalls(provider, { random })
    script.embed = refusing('unavailable')
    const waits: number[] = []
    for (let failure = 0; failure < 11; failure++) {
      await expect(calls.documents(['a'])).rejects.toThrow()
      waits.push(calls.retryAt - calls.now())
      vi.setSystemTime(calls.retryAt)
    }
    expect(waits.slice(0, 9)).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000])
    expect(waits.slice(9)).toEqual([150_000, 150_000])

    script.embed = well
    await calls.documents(['a'])
    expect(calls.retryAt).toBe(0)
    expect(calls.lastError).toBeNull()
    script.embed = refusing('unavailable')
    await expect(calls.documents(['a'])).rejects.toThrow()
    expect(calls.retryAt - calls.now()).toBe(500)

    const before = asked.length
    await expect(calls.documents(['a', 'b'])).rejects.toEqual(failure('unavailable'))
    expect(asked).toHaveLength(before)
  })

  it('leaves the provider alone for as long as it asks, within an hour', async () => {
    const { provider, script } = scripted()
    const calls = new ProviderCalls(provider, { random: () => 1 })
    script.embed = refusing('rate_limited', 90_000)
    await expect(calls.documents(['a'])).rejects.toEqual(failure('rate_limited'))
    expect(calls.retryAt - calls.now()).toBe(90_000)
    vi.setSystemTime(calls.retryAt)
    script.embed = refusing('unavailable', 10 * 3_600_000)
    await expect(calls.documents(['a'])).rejects.toEqual(failure('unavailable'))
    expect(calls.retryAt - calls.now()).toBe(3_600_000)
  })

  it('does not ask a provider again that asked to be left alone', async () => {
    for (const failing of [refusing('rate_limited'), refusing('unavailable', 5_000)]) {
      const { provider, script, asked, well } = scripted()
      const calls = new ProviderCalls(provider, { random: () => 1 })
      script.embed = (...call) => (asked.length === 1 ? failing : well)(...call)
      await expect(calls.documents(['a'])).rejects.toThrow()
      expect(asked).toHaveLength(1)
      expect(calls.retryAt).toBeGreaterThan(calls.now())
    }
  })

  it('heeds what the provider asks for when it is asked whether it is well', async () => {
    const { provider, script, asked } = scripted()
    const calls = new ProviderCalls(provider, { random: () => 1 })
    script.embed = (...call) => refusing('unavailable', asked.length === 1 ? undefined : 7_000)(...call)
    await expect(calls.documents(['a'])).rejects.toThrow()
    expect(calls.retryAt - calls.now()).toBe(7_000)
  })

  it('waits for the longest that calls side by side were asked to', async () => {
    const { provider, script } = scripted()
    const calls = new ProviderCalls(provider, { random: () => 1 })
    script.embed = texts => refusing('rate_limited', texts[0] === 'a' ? 2_000 : 9_000)(texts, 'query', signal)
    await Promise.allSettled([calls.documents(['a']), calls.documents(['b'])])
    expect(calls.retryAt - calls.now()).toBe(9_000)
  })

  it('calls that fail side by side count once', async () => {
    const { provider, script } = scripted()
    const calls = new ProviderCalls(provider, { random: () => 1 })
    script.embed = refusing('rate_limited')
    await Promise.allSettled([calls.documents(['a']), calls.documents(['b']), calls.documents(['c'])])
    expect(calls.retryAt - calls.now()).toBe(1_000)
    vi.setSystemTime(calls.retryAt)
    await expect(calls.documents(['a'])).rejects.toThrow()
    expect(calls.retryAt - calls.now()).toBe(2_000)
  })

  it('[NI-8, NI-9] a text that the provider fails on stops no other: it is rejected, and nothing waits', async () => {
    const { provider, script, well } = scripted()
    for (const kind of ['rejected', 'unavailable', 'timeout', 'invalid_answer'] as const) {
      const calls = new ProviderCalls(provider)
      script.embed = (texts, ...rest) => (texts.includes('poison') ? refusing(kind) : well)(texts, ...rest)
      await expect(calls.documents(['a', 'poison'])).rejects.toEqual(failure('rejected'))
      expect(calls.retryAt).toBe(0)
      expect(await calls.query('poison', 'ana')).toMatchObject({ ok: false })
      await vi.advanceTimersByTimeAsync(0)
      expect(await calls.query('hello', 'ben')).toEqual({ ok: true, vector: stored('hello') })
      expect(await calls.documents(['b'])).toEqual([stored('b')])
    }
  })

  it('a provider that rejects everything is down, whatever it says', async () => {
    const { provider, script } = scripted()
    const calls = new ProviderCalls(provider, { random: () => 1 })
    script.embed = refusing('rejected')
    await expect(calls.documents(['a'])).rejects.toThrow()
    expect(calls.retryAt - calls.now()).toBe(1_000)
  })

  it('[NI-9] documents that fail do not mark a search, nor do questions hold up documents', async () => {
    const { provider, script, well } = scripted()
    const calls = new ProviderCalls(provider, { random: () => 1 })
    const only =
      (purpose: Purpose): Embed =>
      (texts, asked, signal) =>
        (asked === purpose ? refusing('rate_limited') : well)(texts, asked, signal)
    script.embed = only('document')
    await expect(calls.documents(['a'])).rejects.toThrow()
    expect(await calls.query('hello', 'ana')).toEqual({ ok: true, vector: stored('hello') })
    vi.advanceTimersByTime(1_000)
    script.embed = only('query')
    expect(await calls.query('bye', 'ana')).toEqual({ ok: false, failure: 'unavailable' })
    expect(await calls.documents(['a'])).toEqual([stored('a')])
  })
})

describe('a question', () => {
  it('has two seconds; then the search goes on without, and the next ones do at once', async () => {
    const { provider, script, asked, well } = scripted()
    const calls = new ProviderCalls(provider, { random: () => 1 })
    await calls.query('first', 'ana')
    script.embed = never
    let outcome: unknown
    void calls.query('hello', 'ana').then(answer => {
      outcome = answer
    })
    await vi.advanceTimersByTimeAsync(1_999)
    expect(outcome).toBeUndefined()
    await vi.advanceTimersByTimeAsync(1)
    expect(outcome).toEqual({ ok: false, failure: 'timeout' })
    await vi.advanceTimersByTimeAsync(2_000)
    const before = asked.length
    expect(await calls.query('hello', 'ana')).toEqual({ ok: false, failure: 'unavailable' })
    expect(asked).toHaveLength(before)
    script.embed = well
    vi.advanceTimersByTime(1_000)
    expect(await calls.query('hello', 'ana')).toEqual({ ok: true, vector: stored('hello') })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is embedded as a question, cut, and not asked for again by the same caller', async () => {
    const { provider, asked } = scripted()
    const calls = new ProviderCalls(provider)
    const first = await calls.query('hello to you all', 'ana')
    expect(await calls.query('hello to you all', 'ana')).toEqual(first)
    expect(asked).toEqual([{ texts: ['hello to y'], purpose: 'query' }])
  })

  it('[NI-8] that another asked before is asked again: neither time nor an outage tells of it', async () => {
    const { provider, script, asked } = scripted()
    const calls = new ProviderCalls(provider)
    await calls.query('the merger', 'ana')
    await calls.query('the merger', 'ben')
    expect(asked).toHaveLength(2)
    script.embed = refusing('unavailable')
    expect(await calls.query('the merger', 'eve')).toEqual({ ok: false, failure: 'unavailable' })
  })

  it('without vector is remembered as such, and a blank one is not asked', async () => {
    const { provider, script, asked } = scripted()
    script.embed = async texts => texts.map(() => null)
    const calls = new ProviderCalls(provider)
    for (const _ of [1, 2]) expect(await calls.query('um', 'ana')).toEqual({ ok: true, vector: null })
    expect(await calls.query('  ', 'ana')).toEqual({ ok: true, vector: null })
    expect(asked).toHaveLength(1)
  })

  it('that was not used for longest makes room for new ones', async () => {
    const { provider, asked } = scripted()
    const calls = new ProviderCalls(provider)
    await calls.query('kept', 'ana')
    for (let count = 0; count < 499; count++) await calls.query(`q${count}`, 'ana')
    await calls.query('kept', 'ana')
    await calls.query('new', 'ana')
    const before = asked.length
    await calls.query('kept', 'ana')
    expect(asked).toHaveLength(before)
    await calls.query('q0', 'ana')
    expect(asked).toHaveLength(before + 1)
  })
})

describe('neighbours', () => {
  it('[QX-1] are those of the provider, or none: it knows no words, fails, hangs or is down', async () => {
    const near = (neighbours: EmbeddingProvider['neighbours']) => {
      const { provider, script } = scripted(neighbours && { neighbours })
      return { calls: new ProviderCalls(provider, { random: () => 1 }), script }
    }
    const well = near(async (word, most) => [word, String(most)])
    expect(await well.calls.neighbours('cat', 3)).toEqual(['cat', '3'])
    expect(await near(undefined).calls.neighbours('cat', 3)).toEqual([])
    expect(await near(() => Promise.reject(new Error('cat'))).calls.neighbours('cat', 3)).toEqual([])
    const hanging = near(() => new Promise(() => {})).calls.neighbours('cat', 3)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await hanging).toEqual([])
    well.script.embed = refusing('rate_limited')
    await well.calls.query('hello', 'ana')
    expect(await well.calls.neighbours('cat', 3)).toEqual([])
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('stop', () => {
  it('ends what runs, refuses what comes, and asks nothing more', async () => {
    const { provider, script, asked } = scripted()
    script.embed = never
    const calls = new ProviderCalls(provider)
    const documents = calls.documents(['a']).catch(error => error)
    const question = calls.query('hello', 'ana')
    calls.stop()
    expect(await documents).toEqual(failure('unavailable'))
    expect(await question).toEqual({ ok: false, failure: 'unavailable' })
    expect(await calls.query('again', 'ana')).toEqual({ ok: false, failure: 'unavailable' })
    await expect(calls.documents(['b'])).rejects.toEqual(failure('unavailable'))
    expect(asked).toHaveLength(2)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('closing closes the provider', async () => {
    const close = vi.fn(async () => {})
    await new ProviderCalls(scripted({ close }).provider).close()
    expect(close).toHaveBeenCalledOnce()
  })
})
