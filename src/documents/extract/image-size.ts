/** The width and height of a PNG, JPEG or PGM file as its header tells them; null if it has none. */
export function imageSize(bytes: Uint8Array): { readonly width: number; readonly height: number } | null {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (isPng(data)) return data.length < 24 ? null : sizeAt(data.readUInt32BE(16), data.readUInt32BE(20))
  if (isJpeg(data)) return jpegSize(data)
  const [, width, height] = /^P5\s+(\d+)\s+(\d+)\s/.exec(data.toString('latin1', 0, 64)) ?? []
  return width === undefined ? null : sizeAt(Number(width), Number(height))
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
export const isPng = (data: Uint8Array): boolean => PNG.equals(data.subarray(0, PNG.length))
export const isJpeg = (data: Uint8Array): boolean => data[0] === 0xff && data[1] === 0xd8 && data[2] === 0xff

const sizeAt = (width: number, height: number) => (width > 0 && height > 0 ? { width, height } : null)

/** Walks the segments of a JPEG up to the one that begins its frame. */
function jpegSize(data: Buffer) {
  for (let at = 2; at + 9 < data.length && data[at] === 0xff; at += 2 + data.readUInt16BE(at + 2)) {
    const marker = data[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return sizeAt(data.readUInt16BE(at + 7), data.readUInt16BE(at + 5))
  }
  return null
}
