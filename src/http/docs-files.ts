import { readFileSync } from 'node:fs'
import { extname } from 'node:path'

/** The built documentation lies beside this folder; `npm run build` puts it there. */
const ROOT = new URL('../docs/', import.meta.url)

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.webp': 'image/webp',
}

/** Only files of this server run, and nothing can be written into the page as markup or code. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/**
 * A file of the documentation by its path behind `/docs/`, or null. Pages are addressed without `.html`. They are the
 * same for everybody, so anybody may read them.
 */
export function docsFile(path: string): Response | null {
  const name = path === '' ? 'index' : path.replace(/\/$/, '')
  // Plain names in folders: nothing that leads out of the documentation.
  if (!/^[\w-]+(\/[\w-]+)*(\.[\w-]+)?$/.test(name)) return null
  const file = extname(name) === '' ? `${name}.html` : name
  const type = TYPES[extname(file)]
  if (type === undefined) return null
  try {
    return new Response(new Uint8Array(readFileSync(new URL(file, ROOT))), {
      headers: {
        'content-type': type,
        'cache-control': 'no-cache',
        ...(type.startsWith('text/html') ? { 'content-security-policy': CONTENT_SECURITY_POLICY } : {}),
      },
    })
  } catch {
    return null
  }
}
