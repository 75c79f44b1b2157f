/**
 * @typedef {{ label: string, value: number, note?: string }} Bar
 * @typedef {{ label: string, bars: readonly Bar[] }} Group
 * @typedef {{ title: string, subtitle: string, unit: string, groups: readonly Group[] }} Chart
 * @typedef {{ label: string, isOurs: boolean, points: readonly { x: number, y: number }[] }} Line
 * @typedef {{
 *   title: string,
 *   subtitle: string,
 *   axis: string,
 *   unit: string,
 *   ticks: readonly { at: number, label: string }[],
 *   lines: readonly Line[],
 * }} LineChart
 */

const WIDTH = 720
const MARGIN = 16
const BAR = 16
const STEP = 22
const CHARACTER = 6.7
const PLOT = { top: 64, height: 320, left: 72, right: 196 }
const LABEL = 16

/**
 * The first bar of a group is ours, the others are what it is compared with. Colours can be read on light and on dark,
 * also where the viewer does not say which it is.
 */
const STYLE = `
  text { font: 12px system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #6e7781 }
  .title { font-size: 15px; font-weight: 600 }
  .group { font-weight: 600 }
  .ours { fill: #2f81c7 }
  .other { fill: #8f98a3 }
  .grid { stroke: #8f98a3; stroke-opacity: 0.3 }
  polyline { fill: none; stroke-width: 1.5 }
  polyline.bold { stroke-width: 3 }
  .label { font-weight: 600 }
  @media (prefers-color-scheme: light) { text { fill: #424a53 } }
  @media (prefers-color-scheme: dark) { text { fill: #c2cad3 } }`

/**
 * A bar chart as SVG. Bars are scaled within their group: what is to be read from it are ratios.
 *
 * @param {Chart} chart
 * @returns {string}
 */
export function barChart({ title, subtitle, unit, groups }) {
  const bars = groups.flatMap(group => group.bars)
  const left = MARGIN + Math.ceil(widest(bars.map(bar => bar.label))) + 10
  const values = bars.map(bar => valueText(bar, unit))
  const longest = WIDTH - left - MARGIN - Math.ceil(widest(values)) - 8
  /** @type {string[]} */
  const parts = []
  let y = MARGIN + 14
  parts.push(text(MARGIN, y, title, 'title'))
  y += 20
  parts.push(text(MARGIN, y, subtitle))
  for (const group of groups) {
    y += 30
    parts.push(text(MARGIN, y, group.label, 'group'))
    y += 8
    const most = Math.max(...group.bars.map(bar => bar.value))
    for (const [at, bar] of group.bars.entries()) {
      const width = Math.max(1, (bar.value / most) * longest)
      const baseline = y + BAR - 4
      parts.push(text(left - 8, baseline, bar.label, undefined, 'end'))
      parts.push(
        `<rect class="${at === 0 ? 'ours' : 'other'}" x="${left}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" rx="2"/>`,
      )
      parts.push(text(left + width + 6, baseline, valueText(bar, unit)))
      y += STEP
    }
    y -= STEP - BAR
  }
  return frame(title, y + MARGIN, parts)
}

/** Colours of lines, told apart on light and on dark: shades of blue are ours. */
const OURS = ['#2f81c7', '#22a3b5', '#6a7fe0']
const OTHERS = ['#d0702a', '#4f9d58', '#a06cc4', '#c9525f', '#8a8f45', '#8f98a3']

/**
 * Lines over logarithmic axes as SVG, each with its name at its end.
 *
 * @param {LineChart} chart
 * @returns {string}
 */
export function lineChart({ title, subtitle, axis, unit, ticks, lines }) {
  const drawn = lines.filter(({ points }) => points.length > 0)
  const values = drawn.flatMap(({ points }) => points.map(({ y }) => y))
  const decades = {
    from: Math.floor(Math.log10(Math.min(...values))),
    to: Math.ceil(Math.log10(Math.max(...values))),
  }
  if (decades.from === decades.to) decades.to++
  const width = WIDTH - PLOT.left - PLOT.right
  const bottom = PLOT.top + PLOT.height
  const places = ticks.map(({ at }) => Math.log10(at))
  const [first, last] = [Math.min(...places), Math.max(...places)]
  /** @param {number} value */
  const across = value => PLOT.left + ((Math.log10(value) - first) / (last - first || 1)) * width
  /** @param {number} value */
  const down = value =>
    bottom - ((Math.log10(value) - decades.from) / (decades.to - decades.from)) * PLOT.height

  /** @type {string[]} */
  const parts = [text(MARGIN, MARGIN + 14, title, 'title'), text(MARGIN, MARGIN + 34, subtitle)]
  for (let decade = decades.from; decade <= decades.to; decade++) {
    const y = down(10 ** decade)
    parts.push(
      `<line class="grid" x1="${PLOT.left}" x2="${PLOT.left + width}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>`,
    )
    parts.push(text(PLOT.left - 8, y + 4, `${decimal(10 ** decade)} ${unit}`, undefined, 'end'))
  }
  for (const { at, label } of ticks) {
    const x = across(at).toFixed(1)
    parts.push(`<line class="grid" x1="${x}" x2="${x}" y1="${PLOT.top}" y2="${bottom}"/>`)
    parts.push(text(across(at), bottom + 18, label, undefined, 'middle'))
  }
  parts.push(text(PLOT.left + width / 2, bottom + 38, axis, undefined, 'middle'))

  const colours = { ours: [...OURS], others: [...OTHERS] }
  const ends = drawn.map(({ label, isOurs, points }) => {
    const colour = (isOurs ? colours.ours : colours.others).shift() ?? '#8f98a3'
    const path = points.map(({ x, y }) => `${across(x).toFixed(1)},${down(y).toFixed(1)}`)
    parts.push(`<polyline${isOurs ? ' class="bold"' : ''} stroke="${colour}" points="${path.join(' ')}"/>`)
    for (const point of path) {
      const [x, y] = point.split(',')
      parts.push(`<circle fill="${colour}" cx="${x}" cy="${y}" r="${isOurs ? 4 : 3}"/>`)
    }
    const end = points.at(-1)
    return {
      label: `${label} ${decimal(end?.y ?? 0)} ${unit}`,
      colour,
      x: across(end?.x ?? 1),
      y: down(end?.y ?? 1),
    }
  })
  for (const { label, colour, x, y } of apart(ends))
    parts.push(
      `<text class="label" style="fill: ${colour}" x="${(x + 10).toFixed(1)}" y="${(y + 4).toFixed(1)}">${escapeText(label)}</text>`,
    )
  return frame(title, bottom + 38 + MARGIN, parts)
}

/**
 * Moves labels up or down until none covers another.
 *
 * @template {{ y: number }} Label
 * @param {readonly Label[]} labels
 * @returns {Label[]}
 */
function apart(labels) {
  const sorted = [...labels].sort((a, b) => a.y - b.y).map(label => ({ ...label }))
  for (let times = 0; times < 100; times++) {
    for (const [at, lower] of sorted.entries()) {
      const upper = sorted[at - 1]
      if (upper === undefined) continue
      const overlap = LABEL - (lower.y - upper.y)
      if (overlap <= 0) continue
      upper.y -= overlap / 2
      lower.y += overlap / 2
    }
  }
  return sorted
}

/** @param {number} value */
function decimal(value) {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

/** @param {string} title @param {number} height @param {readonly string[]} parts */
function frame(title, height, parts) {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    `<title>${escapeText(title)}</title>`,
    `<style>${STYLE}\n</style>`,
    ...parts,
    '</svg>\n',
  ].join('\n')
}

/** @param {Bar} bar @param {string} unit */
function valueText({ value, note }, unit) {
  const shown = value.toLocaleString('en-US', { maximumSignificantDigits: value >= 100 ? 6 : 3 })
  return `${shown} ${unit}${note === undefined ? '' : ` (${note})`}`
}

/** @param {readonly string[]} texts */
function widest(texts) {
  return Math.max(...texts.map(({ length }) => length * CHARACTER))
}

/** @param {number} x @param {number} y @param {string} value @param {string} [kind] @param {'end' | 'middle'} [anchor] */
function text(x, y, value, kind, anchor) {
  const attributes = [kind && ` class="${kind}"`, anchor && ` text-anchor="${anchor}"`]
    .filter(Boolean)
    .join('')
  return `<text x="${x.toFixed(1)}" y="${Number(y.toFixed(1))}"${attributes}>${escapeText(value)}</text>`
}

/** @param {string} value */
function escapeText(value) {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
