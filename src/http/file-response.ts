/** A file in the answer of an operation. */
export interface FileAnswer {
  /** The name of the file, where `document` is an id. */
  readonly fileName?: string
  readonly document: string
  readonly mediaType: string
  /** The content in base64. */
  readonly content: string
  readonly watermark?: string | null
}

/** Whether a request asks for the file itself: the first type in its `Accept` header is not JSON. */
export function asksForFile(headers: Headers): boolean {
  const [first = ''] = (headers.get('accept') ?? '').split(/[;,]/)
  return !/^(?:|\*\/\*|application\/(?:\*|(?:[\w.+-]+\+)?json))$/i.test(first.trim())
}

/** Sends the bytes of a file as a download. It is never displayed, because it may contain scripts. */
export function fileResponse({ fileName, document, mediaType, content, watermark }: FileAnswer): Response {
  const named = fileName ?? document
  const name = named.slice(named.lastIndexOf('/') + 1) || 'file'
  return new Response(Buffer.from(content, 'base64'), {
    headers: {
      'content-type': mediaType,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, asHex)}`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      ...(watermark == null ? {} : { 'privity-watermark': watermark }),
    },
  })
}

const asHex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
