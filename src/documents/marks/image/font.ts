/** Glyphs of 5 by 7 dots for the printable characters of ASCII: five columns each, the topmost dot in the lowest bit. */
const COLUMNS =
  '0000000000 00005f0000 0007000700 147f147f14 242a7f2a12 2313086462 3649562050 0008070300 001c224100 0041221c00 ' +
  '2a1c7f1c2a 08083e0808 0050300000 0808080808 0000606000 2010080402 3e5149453e 00427f4000 7249494946 2141494d33 ' +
  '1814127f10 2745454539 3c4a494931 4121110907 3649494936 464949291e 0000140000 0040340000 0008142241 1414141414 ' +
  '0041221408 0201590906 3e415d594e 7c1211127c 7f49494936 3e41414122 7f4141413e 7f49494941 7f09090901 3e41415173 ' +
  '7f0808087f 00417f4100 2040413f01 7f08142241 7f40404040 7f021c027f 7f0408107f 3e4141413e 7f09090906 3e4151215e ' +
  '7f09192946 2649494932 03017f0103 3f4040403f 1f2040201f 3f4038403f 6314081463 0304780403 6159494d43 007f414141 ' +
  '0204081020 004141417f 0402010204 4040404040 0003070800 2054547840 7f28444438 3844444428 384444287f 3854545418 ' +
  '00087e0902 0c5252523e 7f08040478 00447d4000 2040403d00 7f10284400 00417f4000 7c04780478 7c08040478 3844444438 ' +
  '7c14141408 081414187c 7c08040408 4854545424 04043f4424 3c4040207c 1c2040201c 3c4030403c 4428102844 0c5050503c ' +
  '4464544c44 0008364100 0000770000 0041360800 0201020402'

export const GLYPH_WIDTH = 5
export const GLYPH_HEIGHT = 7
/** How far one glyph is from the next. */
export const GLYPH_STEP = GLYPH_WIDTH + 1

const GLYPHS: ReadonlyMap<string, readonly number[]> = new Map([
  ...COLUMNS.split(' ').map(
    (hex, at) => [String.fromCharCode(32 + at), [...Buffer.from(hex, 'hex')]] as [string, number[]],
  ),
  ['·', [0, 0, 8, 0, 0]],
])

/** The columns of a character; those of a question mark where it has none. */
export const glyphOf = (letter: string): readonly number[] => GLYPHS.get(letter) ?? GLYPHS.get('?') ?? []

/** Few dots may be misread: those of a picture that was saved again are not quite black. */
const MOST_WRONG_DOTS = 3

/** The character that looks most like these columns; a space if none does. */
export function readGlyph(columns: readonly number[]): string {
  let best = { letter: ' ', wrong: MOST_WRONG_DOTS + 1 }
  for (const [letter, known] of GLYPHS) {
    const wrong = known.reduce((sum, column, at) => sum + bitsOf(column ^ (columns[at] ?? 0)), 0)
    if (wrong < best.wrong) best = { letter, wrong }
  }
  return best.letter
}

function bitsOf(value: number): number {
  let count = 0
  for (let rest = value; rest !== 0; rest >>= 1) count += rest & 1
  return count
}
