import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { packageFile } from '../embedding/package-file.js'
import { Html, html, htmlPage } from './html.js'
import { PAGE_STYLE } from './page-style.js'
import { SHARE_STYLE } from './share-page/style.js'

/** The modules for the browser, each after those it depends on. */
const MODULES = [
  'elements',
  'server',
  'navigation',
  'failures',
  'entry',
  'reading',
  'files',
  'uploads',
  'documents',
  'search-box',
  'session',
  'main',
]

/** The page that opens a share link. It is complete, with one script, and loads nothing from elsewhere. */
export interface SharePage {
  readonly html: string
  /** Lets the page only run this script, use this style and connect to its own server. */
  readonly contentSecurityPolicy: string
}

export function sharePage(): SharePage {
  const script = MODULES.map(name => inlined(readFileSync(fileOf(name), 'utf8'))).join('')
  const style = PAGE_STYLE + SHARE_STYLE
  return {
    html: htmlPage(
      'Shared documents',
      style,
      html`<header class="top"><div><p class="brand"><span class="mark"></span>Shared documents</p><div id="session"></div></div></header>
<main id="screen"><noscript><p>This page needs JavaScript. Turn it on and reload the page.</p></noscript></main>
<div id="notice" role="alert"></div>
<p id="status" role="status"></p>
${new Html(`<script type="module">${script}</script>`)}`,
    ),
    contentSecurityPolicy: [
      "default-src 'none'",
      // Its own script, and the file of this server that draws PDF pages.
      `script-src '${hashOf(script)}' 'self'`,
      `style-src '${hashOf(style)}'`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      // In browsers that support it, no text can become markup or code, whatever the script does.
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  }
}

/** What draws the pages of a PDF, which is loaded only where one is shown. */
export const pdfScript = (): Uint8Array<ArrayBuffer> =>
  new Uint8Array(readFileSync(packageFile('dist/vendor/pdfjs.js')))

/** The modules are next to this file, both in `src` and in the build. */
const fileOf = (name: string) => new URL(`./share-page/${name}.js`, import.meta.url)

/**
 * Turns a module into part of one script by removing imports, exports and comments. No string in a module spans
 * lines.
 */
const inlined = (source: string) =>
  source
    .replace(/^import [^'"]*['"]\.\/[\w-]+\.js['"];?$/gm, '')
    .replace(/^export (?:\{\};?$)?/gm, '')
    .replace(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, '')
    .replace(/^\s+/gm, '')

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
