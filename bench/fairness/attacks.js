import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeRandom } from '../random.js'

/**
 * @typedef {{ url: string, key: string, seed: number, signal: AbortSignal }} Target
 * @typedef {{ name: string, what: string, run(target: Target): Promise<void> }} Attack
 */

const MEGABYTE = 1_000_000

/** @param {Target} target @param {string} method @param {string} path @param {string | Uint8Array<ArrayBuffer>} [body] @param {string} [type] */
async function ask({ url, key, signal }, method, path, body, type = 'application/json') {
  try {
    const response = await fetch(`${url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': type }) },
      ...(body === undefined ? {} : { body }),
      signal,
    })
    await response.arrayBuffer()
    return response.status
  } catch {
    return 0
  }
}

/** @param {() => Promise<unknown>} step @param {AbortSignal} signal @param {number} lanes */
async function repeat(step, signal, lanes) {
  const lane = async () => {
    while (!signal.aborted) {
      const status = await step()
      // Whoever is refused comes back when it was told to.
      if (typeof status === 'number' && status !== 200 && !signal.aborted) await sleep(1_000)
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
}

/** @param {string} url @param {string} head @param {AbortSignal} signal @param {number} count @param {Uint8Array} [body] */
async function holdConnections(url, head, signal, count, body) {
  const { hostname, port, host } = new URL(url)
  /** @param {import('node:net').Socket} socket */
  const send = socket => {
    socket.write(`${head.replace('HOST', host)}\r\n\r\n`)
    socket.write(body ?? '{')
  }
  const one = () =>
    new Promise(resolve => {
      const socket = connect(Number(port), hostname, () => send(socket))
      const stop = () => socket.destroy()
      socket.on('error', () => {})
      socket.on('data', () => {})
      socket.on('close', () => {
        signal.removeEventListener('abort', stop)
        setTimeout(resolve, 50)
      })
      signal.addEventListener('abort', stop)
    })
  await repeat(one, signal, count)
}

/** @param {number} size @param {number} seed */
export function citations(size, seed) {
  const { integer: number } = makeRandom(seed)
  let text = ''
  while (text.length < size)
    text += `Smith v. Jones${number(99_999)}, ${number(900) + 1} U.S. ${number(900) + 1}, ${number(900)} (19${10 + number(89)}); 15 U.S.C. § 78u-${number(99)}. Id. at ${number(999)}. `
  return text.slice(0, size)
}

/** @param {number} size @param {number} seed */
export function words(size, seed) {
  const { integer } = makeRandom(seed)
  let text = ''
  while (text.length < size) text += `w${integer(1e9).toString(36)} `
  return text.slice(0, size)
}

/** A PDF of a few kilobytes that asks its reader to draw a form of forms of forms, for ever. @param {number} salt */
export function endlessPdf(salt) {
  const depth = 12
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> /XObject << /X 6 0 R >> >> >>',
    stream('', '/X Do '.repeat(10)),
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...Array.from({ length: depth }, (_, level) =>
      level === depth - 1
        ? stream(
            '/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << /F 5 0 R >> >>',
            `BT /F 1 Tf (${salt}) Tj ET `,
          )
        : stream(
            `/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /X ${level + 7} 0 R >> >>`,
            '/X Do '.repeat(10),
          ),
    ),
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const xref = text.length
  const rows = places.map(place => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${rows}trailer << /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${xref}\n%%EOF`
  return Buffer.from(text, 'latin1')
}

/** @param {string} entries @param {string} content */
function stream(entries, content) {
  return `<< ${entries} /Length ${content.length} >>\nstream\n${content}\nendstream`
}

/** Writes records of a size and searches at once, so that the search has to index them. @param {(size: number, seed: number) => string} make */
const searchAfterWriting = make => async (/** @type {Target} */ target) => {
  let seed = target.seed
  await repeat(
    async () => {
      for (let record = 0; record < 4; record++)
        await ask(
          target,
          'POST',
          '/records',
          JSON.stringify({ records: [{ kind: 'note', text: make(MEGABYTE, seed++), corpus: 'c' }] }),
        )
      await ask(target, 'POST', '/search', JSON.stringify({ query: 'jones 78u', limit: 10 }))
    },
    target.signal,
    1,
  )
}

/** @type {Attack[]} */
export const ATTACKS = [
  {
    name: 'slow redeem',
    what: '256 connections without a credential, one byte each, to /links/redeem',
    run: ({ url, signal }) =>
      holdConnections(
        url,
        'POST /api/v1/links/redeem HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nContent-Length: 1000',
        signal,
        256,
      ),
  },
  {
    name: 'large redeem',
    what: '50 bodies of 38 MB without a credential to /links/redeem',
    run: ({ url, signal }) =>
      holdConnections(
        url,
        `POST /api/v1/links/redeem HTTP/1.1\r\nHost: HOST\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked`,
        signal,
        50,
        chunked(38 * MEGABYTE),
      ),
  },
  {
    name: 'endless files',
    what: '256 uploads at once of a 3 KB PDF that takes a minute to read',
    run: async target => {
      let salt = target.seed * 1_000_000
      await repeat(
        () => {
          const at = salt++
          return ask(
            target,
            'POST',
            `/documents?corpus=c&document=${at}.pdf`,
            endlessPdf(at),
            'application/pdf',
          )
        },
        target.signal,
        256,
      )
    },
  },
  {
    name: 'citations',
    what: '4 records of 1 MB of citations, then a search',
    run: searchAfterWriting(citations),
  },
  {
    name: 'words',
    what: '4 records of 1 MB of distinct words, then a search',
    run: searchAfterWriting(words),
  },
  {
    name: 'long text',
    what: 'a text file of 6 MB, then a search and its text',
    run: async target => {
      let seed = target.seed
      await repeat(
        async () => {
          const text = `${words(3 * MEGABYTE, seed)} ${citations(3 * MEGABYTE, seed++)}`
          await ask(target, 'POST', `/documents?corpus=c&document=${seed}.txt`, text, 'text/plain')
          await ask(target, 'POST', '/search', JSON.stringify({ query: 'jones 78u', limit: 10 }))
        },
        target.signal,
        1,
      )
    },
  },
  {
    name: 'large JSON',
    what: 'bodies of 32 MB: many small values, and records of 1 MB',
    run: async target => {
      const values = JSON.stringify({
        records: [{ kind: 'note', text: 'x', fields: { list: Array(8_000_000).fill(1) } }],
      })
      const long = JSON.stringify({
        records: Array.from({ length: 30 }, () => ({ kind: 'note', text: 'y '.repeat(500_000) })),
      })
      await repeat(
        async () => {
          await ask(target, 'POST', '/records', values)
          await ask(target, 'POST', '/records', long)
        },
        target.signal,
        1,
      )
    },
  },
  {
    name: 'long answers',
    what: 'lists and searches whose answers hold 20 records of 1 MB',
    run: async target => {
      const text = 'the lamp by the garden gate '.repeat(36_000)
      for (let at = 0; at < 5; at++)
        await ask(
          target,
          'POST',
          '/records',
          JSON.stringify({ records: Array(4).fill({ kind: 'note', text }) }),
        )
      await repeat(
        async () => {
          await ask(target, 'GET', '/records?limit=20')
          await ask(target, 'POST', '/search', JSON.stringify({ query: 'lamp garden', limit: 20 }))
        },
        target.signal,
        2,
      )
    },
  },
  {
    name: 'strangers',
    what: '64 clients with made-up keys of the honest tenant',
    run: async target => {
      const stranger = { ...target, key: `privity_${Buffer.from('honest').toString('base64url')}_x` }
      await repeat(() => ask(stranger, 'GET', '/records'), target.signal, 64)
    },
  },
]

/** @param {number} size */
function chunked(size) {
  const piece = Buffer.alloc(MEGABYTE, 0x20)
  const head = Buffer.from(`${piece.length.toString(16)}\r\n`)
  return Buffer.concat(
    Array(size / MEGABYTE)
      .fill([head, piece, Buffer.from('\r\n')])
      .flat(),
  )
}
