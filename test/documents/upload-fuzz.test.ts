import { gunzipSync, gzipSync, strToU8, unzipSync, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { encode } from '#images'
import { PDFDocument } from '#pdf-lib'
import { inspectUpload } from '../../src/documents/uploads/inspect-upload.js'
import { DEFAULT_UPLOAD_CONTROLS } from '../../src/policy/upload-controls.js'
import { times } from '../support/depth.js'

/** Numbers that are the same every time (mulberry32). */
function randomOf(seed: number) {
  let state = seed >>> 0
  return (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
type Random = ReturnType<typeof randomOf>

async function seeds(): Promise<readonly [string, Uint8Array][]> {
  const made = await PDFDocument.create()
  made.addPage([200, 200]).drawText('Words of the page.')
  const pdf = await made.save()
  made.addJavaScript('x', 'app.alert(1)')
  const zeros = new Uint8Array(2 * 1_048_576)
  const word = { '[Content_Types].xml': strToU8('<Types/>'), 'word/document.xml': strToU8('<w:document/>') }
  return [
    ['a.pdf', pdf],
    ['a.pdf', await made.save()],
    ['a.docx', zipSync(word)],
    ['a.docm', zipSync({ ...word, 'word/vbaProject.bin': strToU8('Sub AutoOpen') })],
    ['a.zip', zipSync({ 'b.zip': zipSync({ 'c.zip': zipSync({ 'a.txt': strToU8('a') }) }), 'a.pdf': pdf })],
    ['a.zip', zipSync({ 'zeros.txt': zeros })],
    ['a.zip', zipSync({ 'b.zip': zipSync({ 'zeros.txt': zeros }) })],
    ['a.gz', gzipSync(zeros)],
    ['a.gz', gzipSync(strToU8('words'))],
    ['a.html', strToU8('<html><script>alert(1)</script></html>')],
    ['a.txt', strToU8('Just words.\n'.repeat(50))],
    ['a.png', encode({ width: 4, height: 4, data: new Uint8Array(64) })],
    ['a.doc', Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600, 7)])],
  ]
}

const EXTREMES = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_fffe, 0xffff_ffff]

/** One change such as a fuzzer makes. */
function mutate(bytes: Uint8Array, other: Uint8Array, random: Random): Uint8Array {
  const copy = Buffer.from(bytes)
  const at = random(copy.length)
  switch (random(7)) {
    case 0:
      copy[at] = random(256)
      return copy
    case 1:
      return copy.subarray(0, at)
    case 2:
      if (at + 4 <= copy.length) copy.writeUInt32LE(EXTREMES[random(EXTREMES.length)] ?? 0, at)
      return copy
    case 3:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(random(copy.length), at), copy.subarray(at)])
    case 4:
      return Buffer.concat([copy.subarray(0, at), other.subarray(random(other.length))])
    case 5:
      return Buffer.concat([copy, other])
    default: {
      // The tables of archives stand at their end.
      const near = Math.max(0, copy.length - 1 - random(120))
      copy[near] = random(256)
      return copy
    }
  }
}

/** How much a file unpacks to, by another program, with archives in archives; what cannot be unpacked counts as it is. */
function unpackedSize(bytes: Uint8Array, depth = 0): number {
  if (depth > 8) return bytes.length
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return unpackedSize(gunzipSync(bytes), depth + 1)
    if (bytes[0] === 0x50 && bytes[1] === 0x4b)
      return Object.values(unzipSync(bytes)).reduce((sum, file) => sum + unpackedSize(file, depth + 1), 0)
  } catch {
    // Whoever receives it cannot unpack it either.
  }
  return bytes.length
}

const MIB = 1_048_576

describe('files that a fuzzer made', () => {
  it('[ST-7] are checked without an end, a crash or a bomb that is let in', async () => {
    const random = randomOf(Number(process.env.PRIVITY_SEED ?? 1))
    const files = await seeds()
    const outcomes = new Map<string, number>()
    let slowest = 0
    for (let turn = 0; turn < times(150, 10_000); turn++) {
      const [name, seed] = files[random(files.length)] ?? ['a', new Uint8Array()]
      const [, other] = files[random(files.length)] ?? ['a', new Uint8Array()]
      let bytes = seed
      for (let change = 0; change <= random(4); change++)
        if (bytes.length > 0) bytes = mutate(bytes, other, random)
      if (bytes.length === 0) continue
      const began = process.cpuUsage()
      // What throws is refused by whoever called: see `doTask`. Nothing else may be thrown than an error.
      const found = await inspectUpload(bytes, name, null, DEFAULT_UPLOAD_CONTROLS).catch(thrown => {
        expect(thrown).toBeInstanceOf(Error)
        return { failure: 'damaged', mediaType: '' }
      })
      slowest = Math.max(slowest, process.cpuUsage(began).user / 1_000)
      const outcome = found.failure ?? 'accepted'
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
      if (found.failure !== null) continue
      const size = unpackedSize(bytes)
      if (size > MIB) expect(size / bytes.length).toBeLessThanOrEqual(100)
    }
    // Some of everything came up, so that the claims above are about something.
    for (const outcome of ['accepted', 'mime_type_mismatch', 'decompression_bomb_detected'])
      expect(outcomes.get(outcome) ?? 0).toBeGreaterThan(0)
    expect(slowest).toBeLessThan(20_000)
  }, 3_600_000)
})
