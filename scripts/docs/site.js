import { readFileSync } from 'node:fs'
import { escapeHtml, renderMarkdown } from './markdown.js'
import { FIRST_OPERATIONS, OUTLINE } from './outline.js'

/**
 * @typedef {{ path: string, title: string, body: string, sections: { id: string, title: string, depth: number }[] }} Page
 * @typedef {{ id: number, address: string, title: string, page: string, text: string, kind: 'page' | 'operation' }} Entry
 */

/** All pages as HTML, and what the search looks in. */
export async function makeSite() {
  const { openApiDocument } = await import('../../dist/http/openapi.js')
  const { referencePages } = await import('../../dist/http/reference-page.js')
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const areas = referencePages(openApiDocument({ version }))

  const groups = OUTLINE.map(({ title, pages }) => ({
    title,
    pages: pages.map(({ path, file }) => ({ path, ...renderMarkdown(file) })),
  }))
  const reference = {
    title: 'API reference',
    pages: [
      { path: 'reference', title: 'Begin with ten operations', body: firstPage(areas), sections: [] },
      ...areas.map(({ name, body, entries }) => ({
        path: `reference/${name}`,
        title: titleOf(name),
        body: `<h1>${escapeHtml(titleOf(name))}</h1>\n${body}`,
        sections: entries.map(({ id }) => ({ id, title: id.slice(id.indexOf('.') + 1), depth: 2 })),
      })),
    ],
  }
  const all = [...groups, reference]
  const inOrder = all.flatMap(({ pages }) => pages)
  return {
    pages: inOrder.map((page, at) => ({
      path: page.path,
      html: layout(page, all, inOrder[at - 1], inOrder[at + 1], version),
    })),
    search: entriesOf(groups, areas),
  }
}

/** @param {string} name */
const titleOf = name => name.replaceAll('_', ' ').replace(/^./, first => first.toUpperCase())

/** @param {import('../../dist/http/reference-page.js').ReferencePage[]} areas */
function firstPage(areas) {
  const operations = areas.flatMap(({ name, entries }) => entries.map(entry => ({ ...entry, area: name })))
  const rows = FIRST_OPERATIONS.map(id => {
    const found = operations.find(entry => entry.id === id)
    if (found === undefined) throw new Error(`${id} is not an operation`)
    return `<tr><td><a href="/docs/reference/${found.area}#${id}"><code>${id}</code></a></td><td>${escapeHtml(found.summary)}</td><td><code>${escapeHtml(found.route)}</code></td></tr>`
  })
  const list = areas.map(
    ({ name, description, entries }) =>
      `<tr><td><a href="/docs/reference/${name}">${escapeHtml(titleOf(name))}</a></td><td>${escapeHtml(description)}</td><td>${entries.length}</td></tr>`,
  )
  return `<h1>API reference</h1>
<p class="lead">Every operation has one address, one JSON input and one JSON response. Begin with these ten. Search finds the others.</p>
<div class="scroll" tabindex="0"><table class="operations"><thead><tr><th>Operation</th><th>What it does</th><th>Route</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>
<h2 id="requests">Requests and responses</h2>
<p>Send <code>Authorization: Bearer &lt;API key or token&gt;</code>. A successful response is <code>{"success": true, "data": …}</code>. An error is
<code>{"success": false, "error": {"code", "message", "requestId"}}</code>. Lists come in pages: send the <code>cursor</code> of a response to get the next page.
A record that the credential may not see answers exactly like a record that does not exist.</p>
<p>“Try it” under an operation sends a real request to this server. It uses your console session, or a key that you paste; the key stays in this tab and is never stored.
Programs read the same reference as <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<h2 id="areas">All areas</h2>
<div class="scroll" tabindex="0"><table><thead><tr><th>Area</th><th>What it is for</th><th>Entries</th></tr></thead><tbody>${list.join('')}</tbody></table></div>`
}

/**
 * @param {{ pages: { path: string, title: string, sections: import('./markdown.js').Section[] }[] }[]} groups
 * @param {import('../../dist/http/reference-page.js').ReferencePage[]} areas
 * @returns {Entry[]}
 */
function entriesOf(groups, areas) {
  /** @type {Omit<Entry, 'id'>[]} */
  const entries = [
    ...groups.flatMap(({ pages }) =>
      pages.flatMap(({ path, title, sections }) =>
        sections.map(section => ({
          address: `/docs/${path}${section.depth === 1 ? '' : `#${section.id}`}`,
          title: section.title,
          page: title,
          text: section.text
            .replaceAll(/```[\s\S]*?```|[`*_|#>[\]]/g, ' ')
            .replaceAll(/\s+/g, ' ')
            .slice(0, 1500),
          kind: /** @type {const} */ ('page'),
        })),
      ),
    ),
    ...areas.flatMap(({ name, entries }) =>
      entries.map(({ id, summary, route }) => ({
        address: `/docs/reference/${name}#${id}`,
        title: id,
        page: route === '' ? 'Schema' : route,
        text: `${summary} ${id.replaceAll(/[._]/g, ' ')}`,
        kind: /** @type {const} */ ('operation'),
      })),
    ),
  ]
  return entries.map((entry, id) => ({ id, ...entry }))
}

/**
 * @param {Page} page
 * @param {{ title: string, pages: Page[] }[]} groups
 * @param {Page | undefined} before
 * @param {Page | undefined} after
 * @param {string} version
 */
function layout(page, groups, before, after, version) {
  const address = (/** @type {Page} */ { path }) => `/docs/${path}`
  const nav = groups.map(({ title, pages }) => {
    const isHere = pages.includes(page)
    const items = pages.map(
      one =>
        `<li><a href="${address(one)}"${one === page ? ' aria-current="page"' : ''}>${escapeHtml(one.title)}</a></li>`,
    )
    // The reference has many pages: its list is open only within it.
    const isOpen = isHere || pages.length < 12
    return `<details${isOpen ? ' open' : ''}><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`
  })
  const inside = page.sections.filter(({ depth }) => depth === 2)
  const contents =
    inside.length < 2
      ? ''
      : `<aside aria-label="On this page"><strong>On this page</strong><ul>${inside.map(({ id, title }) => `<li><a href="#${id}">${escapeHtml(title)}</a></li>`).join('')}</ul></aside>`
  const step = (/** @type {Page | undefined} */ to, /** @type {string} */ label) =>
    to === undefined
      ? '<span></span>'
      : `<a href="${address(to)}"><small>${label}</small>${escapeHtml(to.title)}</a>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Privity</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/docs.css">
<script type="module" src="/docs/assets/docs.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/docs/">Privity <small>${escapeHtml(version)}</small></a>
<button type="button" class="search" hidden aria-haspopup="dialog"><span>Search the docs</span> <kbd>/</kbd></button>
<a class="to-console" href="/">Console</a>
</header>
<div class="columns">
<nav aria-label="Documentation">${nav.join('\n')}</nav>
<main id="content">
${page.body}
<footer>${step(before, 'Previous')}${step(after, 'Next')}</footer>
</main>
${contents}
</div>
</body>
</html>
`
}
