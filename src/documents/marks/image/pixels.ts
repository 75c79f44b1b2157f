/** An image in memory: four bytes a pixel, red, green, blue and how opaque it is. */
export interface Pixels {
  readonly width: number
  readonly height: number
  readonly data: Uint8Array
}

/** An image that is taken apart takes ten bytes a pixel or more. */
export const MOST_PIXELS = 40_000_000

/**
 * The image as it is meant to be seen, by the orientation that a camera noted (EXIF, 1 to 8): from 5 on, rows are columns.
 */
export function turnUpright(image: Pixels, orientation: number): Pixels {
  if (orientation < 2 || orientation > 8) return image
  const { width, height, data } = image
  const swaps = orientation >= 5
  const [wide, high] = swaps ? [height, width] : [width, height]
  const from = new Uint32Array(data.buffer, data.byteOffset, width * height)
  const to = new Uint32Array(wide * high)
  for (let y = 0; y < high; y++)
    for (let x = 0; x < wide; x++) {
      const [sx, sy] = sourceOf(orientation, x, y, width, height)
      to[y * wide + x] = from[sy * width + sx] ?? 0
    }
  return { width: wide, height: high, data: new Uint8Array(to.buffer) }
}

function sourceOf(orientation: number, x: number, y: number, width: number, height: number) {
  const [right, bottom] = [width - 1, height - 1]
  switch (orientation) {
    case 2:
      return [right - x, y] as const
    case 3:
      return [right - x, bottom - y] as const
    case 4:
      return [x, bottom - y] as const
    case 5:
      return [y, x] as const
    case 6:
      return [y, bottom - x] as const
    case 7:
      return [right - y, bottom - x] as const
    default:
      return [right - y, x] as const
  }
}
