/** A file as an operation answers it. */
interface FileAnswer {
  readonly document: string
  readonly mediaType: string
  /** In base64. */
  readonly content: string
}

/** Whether a request asks for the file itself: whatever it names first is no JSON. */
export function asksForFile(headers: Headers): boolean {
  const [first = ''] = (headers.get('accept') ?? '').split(/[;,]/)
  return !/^(?:|\*\/\*|application\/(?:\*|(?:[\w.+-]+\+)?json))$/i.test(first.trim())
}

/** The bytes of a file, to be kept and not shown: it may hold scripts. */
export function fileResponse({ document, mediaType, content }: FileAnswer): Response {
  const name = document.slice(document.lastIndexOf('/') + 1) || 'file'
  return new Response(Buffer.from(content, 'base64'), {
    headers: {
      'content-type': mediaType,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replace(/['()*]/g, asHex)}`,
      'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
    },
  })
}

const asHex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
