import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Marked } from 'marked'
import { highlight } from './highlight.js'
import { OUTLINE } from './outline.js'

const ROOT = new URL('../../', import.meta.url)

/** @typedef {{ id: string, title: string, depth: number, text: string }} Section */

/**
 * Renders a page. Links to other pages lead to their addresses, and drawings become part of the page, so that they
 * follow its colours.
 *
 * @param {string} file
 * @returns {{ title: string, body: string, sections: Section[] }}
 */
export function renderMarkdown(file) {
  const source = readFileSync(new URL(file, ROOT), 'utf8')
  /** @type {Section[]} */
  const sections = []
  const used = new Set()
  const marked = new Marked({
    walkTokens(token) {
      if (token.type === 'link') token.href = addressOf(token.href, file)
    },
    renderer: {
      heading({ tokens, depth, text }) {
        const title = text.replaceAll(/[`*_]/g, '')
        let id = slug(title)
        while (used.has(id)) id += '-'
        used.add(id)
        sections.push({ id, title, depth, text: '' })
        const inside = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${inside}</h1>\n`
        return `<h${depth} id="${id}"><a href="#${id}">${inside}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const inside = this.parser.parseInline(tokens)
        return href === '' ? inside : `<a href="${escapeHtml(href)}">${inside}</a>`
      },
      code({ text, lang = '' }) {
        return `<pre tabindex="0"><code>${highlight(text, lang)}</code></pre>\n`
      },
      table(token) {
        const cell = (/** @type {{ tokens: any[] }} */ { tokens }, /** @type {string} */ name) =>
          `<${name}>${this.parser.parseInline(tokens)}</${name}>`
        const row = (/** @type {{ tokens: any[] }[]} */ cells, /** @type {string} */ name) =>
          `<tr>${cells.map(one => cell(one, name)).join('')}</tr>`
        const isHeaded = token.header.some(({ text }) => text !== '')
        const head = isHeaded ? `<thead>${row(token.header, 'th')}</thead>` : ''
        return `<div class="scroll" tabindex="0"><table>${head}<tbody>${token.rows.map(cells => row(cells, 'td')).join('')}</tbody></table></div>\n`
      },
      image({ href, text }) {
        if (href.endsWith('.svg')) return drawing(join(dirname(file), href), text)
        return `<img src="/docs/${href}" alt="${escapeHtml(text)}" loading="lazy">`
      },
    },
  })
  const body = /** @type {string} */ (marked.parse(source))
  for (const token of marked.lexer(source)) {
    const last = token.type === 'heading' ? undefined : sections[sectionBefore(source, token.raw, sections)]
    if (last !== undefined) last.text += ` ${token.raw}`
  }
  return { title: sections[0]?.title ?? file, body, sections }
}

/** Which section a piece of the source stands in. @param {string} source @param {string} raw @param {Section[]} sections */
function sectionBefore(source, raw, sections) {
  const before = source.slice(0, Math.max(0, source.indexOf(raw)))
  return Math.min(sections.length, [...before.matchAll(/^#{1,6} /gm)].length) - 1
}

const FILES = new Map(OUTLINE.flatMap(({ pages }) => pages.map(({ path, file }) => [file, path])))

/** Where a link of a file leads on the site; nowhere, where a file is no page. @param {string} href @param {string} from */
function addressOf(href, from) {
  if (/^[a-z]+:|^[#/]/.test(href)) return href
  const [path = '', hash] = href.split('#')
  const file = posix.normalize(posix.join(posix.dirname(from), path))
  const page = FILES.get(file)
  if (page === undefined) return ''
  return `/docs/${page}${hash === undefined ? '' : `#${hash}`}`
}

/** @param {string} title */
const slug = title =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

/** A drawing as part of the page. Its own styles are for viewers outside of it. @param {string} file @param {string} alt */
function drawing(file, alt) {
  const svg = readFileSync(new URL(file, ROOT), 'utf8').replace(/<style>[\s\S]*?<\/style>/, '')
  return `<figure class="drawing" tabindex="0">${svg.replace('<svg ', `<svg role="img" aria-label="${escapeHtml(alt)}" `)}</figure>`
}

/** @param {string} text */
export const escapeHtml = text => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
