/**
 * @typedef {{ label: string, value: number, note?: string }} Bar
 * @typedef {{ label: string, bars: readonly Bar[] }} Group
 * @typedef {{ title: string, subtitle: string, unit: string, groups: readonly Group[] }} Chart
 */

const WIDTH = 720
const MARGIN = 16
const BAR = 16
const STEP = 22
const CHARACTER = 6.7

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
  const height = y + MARGIN
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

/** @param {number} x @param {number} y @param {string} value @param {string} [kind] @param {'end'} [anchor] */
function text(x, y, value, kind, anchor) {
  const attributes = [kind && ` class="${kind}"`, anchor && ` text-anchor="${anchor}"`]
    .filter(Boolean)
    .join('')
  return `<text x="${x.toFixed(1)}" y="${y}"${attributes}>${escapeText(value)}</text>`
}

/** @param {string} value */
function escapeText(value) {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
