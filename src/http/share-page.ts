import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { Html, html, htmlPage } from './html.js'
import { PAGE_STYLE } from './page-style.js'
import { SHARE_STYLE } from './share-page/style.js'

/** What runs in the browser, each after those it needs. */
const MODULES = [
  'elements',
  'server',
  'navigation',
  'failures',
  'entry',
  'documents',
  'search-box',
  'session',
  'main',
]

/** The page on which somebody opens a share link: whole, with one script, and nothing from elsewhere. */
export interface SharePage {
  readonly html: string
  /** What a browser lets it do: run this script, look like this, and ask the server that it came from. */
  readonly contentSecurityPolicy: string
}

export function sharePage(): SharePage {
  const script = MODULES.map(name => inlined(readFileSync(fileOf(name), 'utf8'))).join('')
  const style = PAGE_STYLE + SHARE_STYLE
  return {
    html: htmlPage(
      'Shared documents',
      style,
      html`<header class="top"><div><p class="brand">Shared documents</p><div id="session"></div></div></header>
<main id="screen"><noscript><p>This page needs JavaScript, which opens the link in your browser alone.</p></noscript></main>
<div id="notice" role="alert"></div>
<p id="status" role="status"></p>
${new Html(`<script type="module">${script}</script>`)}`,
    ),
    contentSecurityPolicy: [
      "default-src 'none'",
      `script-src '${hashOf(script)}'`,
      `style-src '${hashOf(style)}'`,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      // Where browsers know it: no text can become markup or code, whatever the script does.
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
  }
}

/** Beside this file, in the sources as in what is built of them. */
const fileOf = (name: string) => new URL(`./share-page/${name}.js`, import.meta.url)

/** A module as a part of one script: all names are at hand. No text in them spans lines. */
const inlined = (source: string) =>
  source
    .replace(/^import [^'"]*['"]\.\/[\w-]+\.js['"];?$/gm, '')
    .replace(/^export (?:\{\};?$)?/gm, '')
    .replace(/^\s*(?:\/\/|\/\*\*|\*).*$/gm, '')
    .replace(/^\s+/gm, '')

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
