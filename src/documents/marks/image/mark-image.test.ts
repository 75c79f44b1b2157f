import { describe, expect, it } from 'vitest'
import { decode, decodeJpeg, encode, encodeJpeg } from '#images'
import { type Mark, numberFrom, type WatermarkVisibility } from '../../../policy/watermark.js'
import { applyMark } from '../apply-mark.js'
import { CannotMark } from '../cannot-mark.js'
import { findNumbersIn } from '../find-numbers.js'

const NUMBER = numberFrom(Uint8Array.from({ length: 13 }, (_, at) => at * 23))
const mark = (visibility: WatermarkVisibility): Mark => ({
  number: NUMBER,
  line: `berg.müller+office@example.org · ${NUMBER} · 2026-11-18 09:00 UTC`,
  visibility,
})
const VISIBILITIES = ['visible', 'invisible_metadata', 'both'] as const

/** Four bytes a pixel that differ everywhere, from dark to light. */
function pattern(width: number, height: number): Uint8Array {
  const data = new Uint8Array(width * height * 4)
  for (let pixel = 0; pixel < width * height; pixel++)
    data.set([(pixel * 255) / (width * height), pixel % 251, (pixel >> 4) % 253, 255], pixel * 4)
  return data
}

const png = (width = 300, height = 120) => encode({ width, height, data: pattern(width, height) })
const jpeg = (width = 300, height = 120) =>
  new Uint8Array(encodeJpeg({ width, height, data: pattern(width, height) }, 95).data)

/** A JPEG whose camera was held on its side. */
function turnedJpeg(orientation: number): Uint8Array {
  const tiff = Buffer.from('4d4d002a00000008000101120003000000010000000000000000', 'hex')
  tiff.writeUInt16BE(orientation, 18)
  const body = Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
  const head = Buffer.from([0xff, 0xe1, 0, 0])
  head.writeUInt16BE(body.length + 2, 2)
  const plain = jpeg(280, 140)
  return Buffer.concat([plain.subarray(0, 2), head, body, plain.subarray(2)])
}

const grey = (depth: 1 | 2 | 4 | 16) =>
  encode({
    width: 61,
    height: 80,
    depth,
    channels: 1,
    data:
      depth === 16
        ? Uint16Array.from({ length: 61 * 80 }, (_, at) => at % 65_536)
        : Uint8Array.from({ length: Math.ceil((61 * depth) / 8) * 80 }, (_, at) => at % 256),
  })
const indexed = () =>
  encode({
    width: 60,
    height: 80,
    depth: 8,
    channels: 1,
    palette: [
      [0, 0, 0],
      [255, 255, 255],
      [200, 30, 30],
    ],
    data: Uint8Array.from({ length: 60 * 80 }, (_, at) => at % 3),
  })

describe('marks on images', () => {
  it.each([
    ['a PNG', () => png()],
    ['a JPEG', () => jpeg()],
    ['a tiny PNG', () => png(16, 16)],
    ['a large PNG', () => png(1_300, 120)],
    ['a JPEG from a camera on its side', () => turnedJpeg(6)],
    ['a palette', () => indexed()],
    ['grey of one bit', () => grey(1)],
    ['grey of four bits', () => grey(4)],
    ['grey of sixteen bits', () => grey(16)],
  ])('[ST-4] %s carries it in each way, and is found by it', async (_, make) => {
    const original = make()
    for (const visibility of VISIBILITIES) {
      const marked = await applyMark(original, 'scan.png', mark(visibility))
      expect(await findNumbersIn(marked, 'found')).toEqual([NUMBER])
      const isNoted = Buffer.from(marked).includes(NUMBER)
      expect(isNoted).toBe(visibility !== 'visible')
    }
  })

  it('[ST-4] nothing of the image is covered: the line stands below, and across it only shades change', async () => {
    const marked = decode(await applyMark(png(), 'a.png', mark('both')))
    expect([marked.width, marked.height > 120]).toEqual([300, true])
    const before = pattern(300, 120)
    const shades = new Map<number, number>()
    before.forEach((value, at) => {
      const by = Math.abs((marked.data[at] ?? 0) - value)
      shades.set(by, (shades.get(by) ?? 0) + 1)
    })
    expect([...shades.keys()].sort()).toEqual([0, 36])
    expect((shades.get(36) ?? 0) / before.length).toBeGreaterThan(0.01)
    expect((shades.get(36) ?? 0) / before.length).toBeLessThan(0.35)
    // Metadata alone leaves every pixel as it is.
    const noted = decode(await applyMark(png(), 'a.png', mark('invisible_metadata')))
    expect(Buffer.from(noted.data.buffer).equals(Buffer.from(before))).toBe(true)
  })

  it('[ST-4] is read from an image that was saved again and lost everything but its pixels', async () => {
    const { width, height, data } = decode(await applyMark(png(1_000, 80), 'a.png', mark('both')))
    const again = new Uint8Array(encodeJpeg({ width, height, data: data as Uint8Array }, 70).data)
    expect(Buffer.from(again).includes(NUMBER)).toBe(false)
    expect(await findNumbersIn(again, 'photo.jpg')).toEqual([NUMBER])
  })

  it.each([1, 2, 3, 4, 5, 6, 7, 8])('[ST-4] shows a JPEG of orientation %i upright', async orientation => {
    const marked = await applyMark(turnedJpeg(orientation), 'a.jpg', mark('visible'))
    const { width, height, data } = decodeJpeg(marked, { useTArray: true })
    expect([width, height > (orientation < 5 ? 140 : 280)]).toEqual([orientation < 5 ? 280 : 140, true])
    // The first pixel of the file is the darkest: it is where a viewer would have shown it.
    const corner = (x: number, y: number) => data[(y * width + x) * 4] ?? 0
    const [right, bottom] = [width - 1, (orientation < 5 ? 140 : 280) - 1]
    const [x, y] = (
      [
        [0, 0],
        [right, 0],
        [right, bottom],
        [0, bottom],
        [0, 0],
        [right, 0],
        [right, bottom],
        [0, bottom],
      ] as const
    )[orientation - 1] ?? [0, 0]
    expect(corner(x, y)).toBeLessThan(60)
    expect(corner(right - x, bottom - y)).toBeGreaterThan(195)
  })

  it('[ST-4] what cannot carry it does not leave: animations, colours of print, damaged and huge images', async () => {
    const animated = Buffer.from(png())
    const at = animated.indexOf('IDAT') - 4
    const control = Buffer.from('000000086163544c000000020000000000000000', 'hex')
    const cmyk = Buffer.from(jpeg())
    // The frame says how many components there are.
    cmyk[cmyk.indexOf(Buffer.from([0xff, 0xc0])) + 9] = 4
    const huge = Buffer.from(png())
    huge.writeUInt32BE(60_000, 16)
    huge.writeUInt32BE(60_000, 20)
    const refused = [
      Buffer.concat([animated.subarray(0, at), control, animated.subarray(at)]),
      cmyk,
      huge,
      png().subarray(0, 60),
      jpeg().subarray(0, 40),
    ]
    for (const bytes of refused)
      await expect(applyMark(bytes, 'a', mark('both'))).rejects.toBeInstanceOf(CannotMark)
  })
})
