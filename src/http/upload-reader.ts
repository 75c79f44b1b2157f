import { PrivityError } from '../errors.js'
import type { Operation } from '../runtime/operation.js'
import { type BodyLimits, readBytes } from './read-body.js'
import { queryReader } from './read-input.js'

/** Reads a request whose body is a file as the input of an operation that takes `content` in base64. */
export interface UploadReader {
  /** Whether a request is an upload: its body is not JSON. */
  takes(request: Request): boolean
  read(request: Request, limits: BodyLimits): Promise<Record<string, unknown>>
}

export function uploadReader(operation: Operation): UploadReader {
  const readFields = queryReader(operation)
  return {
    takes: request => request.body !== null && !isJson(request),
    async read(request, limits) {
      const bytes = await readBytes(request, limits)
      const inAddress = new URL(request.url).searchParams
      const { file, name, fields } = /^multipart\//i.test(typeOf(request))
        ? await readForm(request, bytes, inAddress)
        : { file: bytes, name: nameIn(request.headers), fields: inAddress }
      if (fields.has('content'))
        throw new PrivityError(
          'invalid_input',
          'content: is the body of this request; leave it out of the query',
        )
      return {
        ...(name === null ? {} : { document: name }),
        ...readFields(fields),
        content: file.toString('base64'),
      }
    },
  }
}

const typeOf = (request: Request) => request.headers.get('content-type') ?? ''

/** The default content type of curl counts as JSON, as everywhere, unless the query describes a file. */
function isJson(request: Request): boolean {
  const type = typeOf(request)
  if (/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type)) return new URL(request.url).search === ''
  return /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)
}

/** The file in a form, and its fields together with those of the query. */
async function readForm(request: Request, bytes: Buffer, inAddress: URLSearchParams) {
  const headers = { 'content-type': typeOf(request) }
  const form = await new Response(new Uint8Array(bytes), { headers }).formData().catch(() => {
    throw new PrivityError('invalid_input', 'the body must be multipart/form-data')
  })
  const fields = new URLSearchParams(inAddress)
  const files: File[] = []
  for (const [name, value] of form)
    if (typeof value === 'string') fields.append(name, value)
    else if (name === 'file') files.push(value)
    else throw new PrivityError('invalid_input', `${name.slice(0, 40)}: must not be a file`)
  const [file] = files
  if (file === undefined || files.length > 1 || fields.has('file'))
    throw new PrivityError('invalid_input', 'the form must contain one file, in the field `file`')
  return { file: Buffer.from(await file.arrayBuffer()), name: file.name || null, fields }
}

/** The file name in `Content-Disposition`. */
function nameIn(headers: Headers): string | null {
  const said = headers.get('content-disposition') ?? ''
  const [, encoded] = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(said) ?? []
  const [, quoted, bare] = /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(said) ?? []
  if (encoded === undefined) return quoted?.replace(/\\(.)/g, '$1') ?? bare ?? null
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new PrivityError('invalid_input', 'Content-Disposition: must be percent-encoded UTF-8')
  }
}
