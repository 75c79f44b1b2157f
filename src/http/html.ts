/** Trusted markup that is not escaped. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = Html | string | number | readonly Part[] | null

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** A template that escapes its values unless they are markup already. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((made, string, at) => made + write(parts[at - 1] ?? null) + string))
}

function write(part: Part): string {
  if (part === null) return ''
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(write).join('')
  return String(part).replace(/[&<>"']/g, character => ENTITIES[character] ?? '')
}

/** Formats `words` in backticks as code. */
export function withCode(text: string): Part {
  return text.split('`').map((piece, at) => (at % 2 === 0 ? piece : html`<code>${piece}</code>`))
}

/** A complete page that loads nothing from elsewhere. */
export function htmlPage(title: string, style: string, body: Html): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
${html`<title>${title}</title>`.markup}
<style>${style}</style>
${body.markup}
</html>
`
}
