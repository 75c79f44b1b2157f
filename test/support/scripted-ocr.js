/**
 * A text recognition whose answers are written beforehand, by the width of the image in pixels: a text, `crash` to end its
 * process, or nothing for an image that it cannot read.
 *
 * @param {{ pages: Record<string, string>, log?: string }} options
 */
export async function load({ pages }) {
  return {
    /** @param {Uint8Array} image */
    async recognise(image) {
      const { width, height } = sizeOf(Buffer.from(image))
      const text = pages[width]
      if (text === 'crash') process.exit(1)
      if (text === undefined) throw new Error('cannot be read')
      const runs = text.split('\n').map((line, at) => ({
        text: line,
        left: width * 0.1,
        right: width * 0.1 + (line.length * width) / 120,
        bottom: (at + 4) * (height / 60),
        size: height / 70,
      }))
      return { width, height, runs, confidence: 87 }
    },
  }
}

/** @param {Buffer} image */
function sizeOf(image) {
  if (image[0] === 0x89) return { width: image.readUInt32BE(16), height: image.readUInt32BE(20) }
  const [, width, height] = /^P5 (\d+) (\d+)/.exec(image.toString('latin1', 0, 40)) ?? []
  return { width: Number(width), height: Number(height) }
}
