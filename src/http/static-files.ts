import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const IS_TEXT = /^text\/|json|svg/

interface StaticFile {
  readonly body: Uint8Array<ArrayBuffer>
  readonly compressed: Uint8Array<ArrayBuffer> | null
  readonly type: string
}

/** The files of one folder that `npm run build` made. Each is read and compressed once, outside the event loop. */
export class StaticFiles {
  readonly #root: URL
  readonly #headers: Readonly<Record<string, string>>
  readonly #files = new Map<string, StaticFile>()

  /** `headers` go with every file, `root` ends with a slash. */
  constructor(root: URL, headers: Readonly<Record<string, string>>) {
    this.#root = root
    this.#headers = headers
  }

  /** The file at a path within the folder, or null. */
  async get(path: string, acceptEncoding: string): Promise<Response | null> {
    const file = this.#files.get(path) ?? (await this.#read(path))
    if (file === null) return null
    const compressed = /\bbr\b/.test(acceptEncoding) ? file.compressed : null
    return new Response(compressed ?? file.body, {
      headers: {
        'content-type': file.type,
        vary: 'accept-encoding',
        ...this.#headers,
        ...(compressed === null ? {} : { 'content-encoding': 'br' }),
      },
    })
  }

  async #read(path: string): Promise<StaticFile | null> {
    const type = TYPES[extname(path)]
    // Plain names in folders: nothing that a URL would resolve to another place.
    if (type === undefined || !/^[\w-]+(\/[\w-]+)*(\.[\w-]+)+$/.test(path)) return null
    const body = await readFile(new URL(path, this.#root)).catch(() => null)
    // Unknown names are not remembered: anybody may ask for as many as they like.
    if (body === null) return null
    const file = {
      body: new Uint8Array(body),
      type,
      compressed: IS_TEXT.test(type) ? await compress(body) : null,
    }
    this.#files.set(path, file)
    return file
  }
}

const compress = async (body: Uint8Array) =>
  new Uint8Array(await promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }))

/** Only files of this server run, and nothing can be written into the page as markup or code. */
export const contentSecurityPolicy = (sources: { styles?: string; images: string; fonts?: string }): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${sources.styles === undefined ? '' : ` ${sources.styles}`}`,
    `img-src 'self' ${sources.images}`,
    ...(sources.fonts === undefined ? [] : [`font-src ${sources.fonts}`]),
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
