import { describe, expect, it } from 'vitest'
import { READ_LIMITS } from '../../../src/documents/extract/extracted.js'
import { htmlText } from '../../../src/documents/extract/html.js'
import { readMbox } from '../../../src/transfer/readers/mbox.js'
import { inChunks, sorted } from '../support/collect.js'

const read = (content: string | Uint8Array, chunk = 11) => sorted(readMbox(inChunks(content, chunk)))
const FROM = 'From ana@example.org Mon Jan  1 10:00:00 2024'

describe('a mailbox', () => {
  it('gives a record a message: subject, text, date, people by name, its id', async () => {
    const { drafts, places } = await read(
      `${FROM}
From: =?utf-8?Q?Ana_Mar=C3=ADa?= <ana@example.org>
To: "Ben, the elder" <ben@example.org>, cyd@example.org
Cc: Crew: dan@example.org, Eve <eve@example.org>;
Subject: =?ISO-8859-1?B?R3L832U=?= from
 the sea
Date: Mon, 01 Jan 2024 12:00:00 +0200
Message-ID: <one@example.org>
Content-Type: text/plain; charset=iso-8859-1
Content-Transfer-Encoding: quoted-printable

F=FCr dich, a line that is =
folded.
>From here it is quoted.
>>From there twice.

From now on, a sentence.

${FROM}
Subject: second

body
`,
    )
    expect(places).toEqual(['message 1 (line 1)', 'message 2 (line 19)'])
    expect(drafts).toEqual([
      {
        kind: 'document',
        title: 'Grüße from the sea',
        text: 'Für dich, a line that is folded.\nFrom here it is quoted.\n>From there twice.\n\nFrom now on, a sentence.',
        occurredAt: '2024-01-01T10:00:00.000Z',
        participants: ['Ana María', 'Ben, the elder', 'cyd@example.org', 'dan@example.org', 'Eve'],
        tags: ['mail'],
        provenance: { source: 'mail', uri: 'mid:one@example.org' },
      },
      {
        kind: 'document',
        title: 'second',
        text: 'body',
        tags: ['mail'],
        provenance: { source: 'mail' },
      },
    ])
  })

  it('takes the text of a message of many parts, and not what is attached', async () => {
    const { drafts } = await read(
      `${FROM}\r
Subject: parts\r
Content-Type: multipart/mixed; boundary="b"\r
\r
--b\r
Content-Type: multipart/alternative; boundary="c"\r
\r
--c\r
Content-Type: text/plain; charset=utf-8\r
Content-Transfer-Encoding: base64\r
\r
${Buffer.from('Plain ☀ text').toString('base64')}\r
--c\r
Content-Type: text/html\r
\r
<p>Rich text</p>\r
--c--\r
--b\r
Content-Type: application/pdf; name=x.pdf\r
Content-Disposition: attachment\r
Content-Transfer-Encoding: base64\r
\r
JVBERi0xLjQ=\r
--b--\r
`,
    )
    expect(drafts).toEqual([expect.objectContaining({ title: 'parts', text: 'Plain ☀ text' })])
  })

  it('reads what a page says where there is no plain text', async () => {
    const { drafts } = await read(
      `${FROM}
Subject: page
Content-Type: text/html; charset=windows-1252
Content-Transfer-Encoding: quoted-printable

<html><head><title>no</title><style>p{color:red}</style></head><body><p>Fish &amp; chips=85</p><br>for &#8364;&nbsp;5</body></html>
`,
    )
    expect(drafts).toEqual([expect.objectContaining({ text: 'Fish & chips…\n\nfor € 5' })])
  })

  it('reads a page as a document does: what is shown, cells apart, and signs that are no marks', async () => {
    const html =
      '<p style="display:none">secret</p><p>caf&eacute;</p><p>a < b and c > d</p>' +
      '<table><tr><td>one</td><td>two</td></tr></table>'
    const { drafts } = await read(`${FROM}\nSubject: page\nContent-Type: text/html\n\n${html}\n`)
    expect(drafts).toEqual([expect.objectContaining({ text: 'café\n\na < b and c > d\n\none\ttwo' })])
    expect(htmlText(html, READ_LIMITS).text).toBe('café\n\na < b and c > d\n\none\ttwo')
  })

  it('reports a page that is nested too deeply and goes on', async () => {
    const page = '<div>'.repeat(2_000)
    const { drafts, problems } = await read(
      `${FROM}\nSubject: deep\nContent-Type: text/html\n\n${page}x\n\n${FROM}\nSubject: next\n\nbody\n`,
    )
    expect(problems).toEqual(['message 1 (line 1): is nested too deeply'])
    expect(drafts.map(({ title }) => title)).toEqual(['next'])
  })

  it('ends lines alike, however they were ended', async () => {
    const { drafts } = await read(
      `${FROM}\nSubject: lines\nContent-Transfer-Encoding: base64\n\n${Buffer.from('one\r\ntwo\rthree').toString('base64')}\n`,
    )
    expect(drafts).toEqual([expect.objectContaining({ text: 'one\ntwo\nthree' })])
  })

  it('goes on after messages that are damaged', async () => {
    const { drafts, skipped, problems } = await read(
      Buffer.concat([
        Buffer.from(
          `${FROM}\n\n${FROM}\nSubject: =?utf-8?B?bad!?=\nDate: yesterday\nContent-Type: text/plain; charset=klingon\n\nstill `,
        ),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(
          `\n\n${FROM}\nX-Empty: 1\n\n\n${FROM}\nSubject: cut off\nContent-Type: multipart/mixed; boundary=z\n\n--z\nContent-Type: text/plain\n\nhalf a mess`,
        ),
      ]),
    )
    expect(drafts.map(({ text }) => String(text).slice(0, 11))).toEqual(
      ['still ', 'half a mess'].map((text, at) => (at === 0 ? expect.stringMatching(/^still/) : text)),
    )
    expect(drafts[0]).not.toHaveProperty('occurredAt')
    expect(skipped).toEqual(['message 3 (line 10): holds no text'])
    expect(problems).toEqual(['message 1 (line 1): has no headers'])
  })

  it('that is empty holds nothing', async () => {
    expect((await read('')).drafts).toEqual([])
  })

  it('drops a message that is too large as it comes', async () => {
    async function* huge(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${FROM}\nSubject: huge\n\n`)
      for (let at = 0; at < 70; at++) yield Buffer.from(`${'x'.repeat(1_048_575)}\n`)
      yield Buffer.from(`\n${FROM}\nSubject: small\n\nbody\n`)
    }
    const { drafts, problems } = await sorted(readMbox(huge()))
    expect(problems).toEqual(['message 1 (line 1): is larger than 67108864 bytes'])
    expect(drafts.map(({ title }) => title)).toEqual(['small'])
  })
})

describe('the text of a page', () => {
  const textOfHtml = (html: string) => htmlText(html, { ...READ_LIMITS, depth: 1_000_000 }).text

  it.each([
    ['<p>a</p><p>b</p>', 'a\n\nb'],
    ['a<script>if (1 < 2) x()</script>b', 'ab'],
    ['a <!-- <b> --> c', 'a c'],
    ['open <style>never closed', 'open'],
    ['open <b', 'open'],
    ['&lt;b&gt; &unknown; &#x1f6a2; &#xd800;', '<b> &unknown; 🚢 \ufffd'],
  ])('%s', (html, text) => expect(textOfHtml(html)).toBe(text))

  it('takes a time that grows with its length', () => {
    const started = performance.now()
    textOfHtml('<style>'.repeat(200_000))
    textOfHtml('<!--'.repeat(200_000))
    textOfHtml('&'.repeat(1_000_000))
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
