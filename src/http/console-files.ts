import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { contentSecurityPolicy, StaticFiles } from './static-files.js'

/** The built console lies beside this folder; `npm run build` puts it there. */
const ROOT = new URL('../web/', import.meta.url)

/** Where the build writes the nonce that one response gives to its styles. */
const NONCE = '__STYLE_NONCE__'

/** The files of the console: one page, and assets whose names change with what is in them. */
export class ConsoleFiles {
  /** The name of an asset contains a hash of its content, so it may be kept forever. */
  readonly #assets = new StaticFiles(new URL('assets/', ROOT), {
    'cache-control': 'public, max-age=31536000, immutable',
  })
  #page: string | undefined

  /** The page for every address of the console. It says itself what it may load and run. */
  page(status = 200): Response {
    this.#page ??= readPage()
    const nonce = randomBytes(16).toString('base64')
    return new Response(this.#page.replaceAll(NONCE, nonce), {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        // Styles that a dialog needs for a moment, to keep the page behind it from scrolling, carry the nonce.
        'content-security-policy': contentSecurityPolicy({
          styles: `'nonce-${nonce}'`,
          images: 'data: blob:',
          fonts: "'self'",
        }),
      },
    })
  }

  /** A file of the build, or null. */
  asset(name: string, acceptEncoding: string): Promise<Response | null> {
    return this.#assets.get(name, acceptEncoding)
  }
}

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
