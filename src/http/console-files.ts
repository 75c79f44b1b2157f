import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { extname } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

/** The built console lies beside this folder; `npm run build` puts it there. */
const ROOT = new URL('../web/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
}

/** Where the build writes the nonce that one response gives to its styles. */
const NONCE = '__STYLE_NONCE__'

interface Asset {
  readonly body: Uint8Array<ArrayBuffer>
  readonly compressed: Uint8Array<ArrayBuffer> | null
  readonly type: string
}

/** The files of the console: one page, and assets whose names change with what is in them. */
export class ConsoleFiles {
  readonly #assets = new Map<string, Asset | null>()
  #page: string | undefined

  /** The page for every address of the console. It says itself what it may load and run. */
  page(status = 200): Response {
    this.#page ??= readPage()
    const nonce = randomBytes(16).toString('base64')
    return new Response(this.#page.replaceAll(NONCE, nonce), {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': contentSecurityPolicy(nonce),
      },
    })
  }

  /** A file of the build, or null. The name of an asset contains a hash of its content, so it may be kept forever. */
  asset(name: string, acceptEncoding: string): Response | null {
    const asset = this.#find(name)
    if (asset === null) return null
    const compressed = /\bbr\b/.test(acceptEncoding) ? asset.compressed : null
    return new Response(compressed ?? asset.body, {
      headers: {
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
        vary: 'accept-encoding',
        ...(compressed === null ? {} : { 'content-encoding': 'br' }),
      },
    })
  }

  #find(name: string): Asset | null {
    const known = this.#assets.get(name)
    if (known !== undefined) return known
    const found = readAsset(name)
    // Unknown names are not remembered: anybody may ask for as many as they like.
    if (found !== null) this.#assets.set(name, found)
    return found
  }
}

function readAsset(name: string): Asset | null {
  const type = TYPES[extname(name)]
  // One plain file name: no folders, and nothing that a URL would resolve to another place.
  if (type === undefined || !/^[\w-]+(\.[\w-]+)+$/.test(name)) return null
  try {
    const body = new Uint8Array(readFileSync(new URL(`assets/${name}`, ROOT)))
    const text = /javascript|css|svg|json/.test(type)
    return { body, type, compressed: text ? compress(body) : null }
  } catch {
    return null
  }
}

const compress = (body: Uint8Array) =>
  new Uint8Array(brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))

function readPage(): string {
  try {
    return readFileSync(new URL('index.html', ROOT), 'utf8')
  } catch {
    return NOT_BUILT
  }
}

const NOT_BUILT = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Privity</title>
<h1>Privity is running</h1>
<p>The console is not built. Run <code>npm run build</code> and start the server again.</p>
<p>The API is at <code>/api/v1</code>. <a href="/reference">Read the API reference</a>.</p></html>`

/**
 * Only files of this server run, and nothing can be written into the page as markup or code. Styles that a dialog needs
 * for a moment, to keep the page behind it from scrolling, carry the nonce of this response.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
