import { contentSecurityPolicy, StaticFiles } from './static-files.js'

/** The built documentation lies beside this folder; `npm run build` puts it there. */
const FILES = new StaticFiles(new URL('../docs/', import.meta.url), {
  'cache-control': 'no-cache',
  'content-security-policy': contentSecurityPolicy({ images: 'data:' }),
})

/**
 * A file of the documentation by its path behind `/docs/`, or null. Pages are addressed without `.html`. They are the
 * same for everybody, so anybody may read them.
 */
export function docsFile(path: string, acceptEncoding: string): Promise<Response | null> {
  const name = path === '' ? 'index' : path.replace(/\/$/, '')
  return FILES.get(name.includes('.') ? name : `${name}.html`, acceptEncoding)
}
