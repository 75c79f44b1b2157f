import { PrivityError } from '../errors.js'
import { html, htmlPage } from './html.js'
import { PAGE_STYLE } from './page-style.js'
import { fail } from './responses.js'

/** Whether a browser asked for a page, and would show JSON to a person. */
export const wantsPage = (headers: Headers): boolean =>
  /(?:^|,)\s*text\/html\s*(?:[;,]|$)/i.test(headers.get('accept') ?? '')

/** The same failure as a page for people: what happened and what to do, with the status of the JSON answer. */
export function failAsPage(error: unknown, requestId: string): Response {
  const { status, headers } = fail(error, requestId)
  const { title, text } = wordsFor(status, error)
  headers.set('content-type', 'text/html; charset=utf-8')
  headers.set('content-security-policy', CONTENT_SECURITY_POLICY)
  const body = htmlPage(
    title,
    PAGE_STYLE,
    html`<main class="landing">
<h1>${title}</h1>
<p>${text}</p>
<p><a href="/">Go to the start page</a></p>
<p class="faint">If you report this, please include the request id <code>${requestId}</code>.</p>
</main>`,
  )
  return new Response(body, { status, headers })
}

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

function wordsFor(status: number, error: unknown): { title: string; text: string } {
  switch (status) {
    case 401:
      return {
        title: 'Sign-in required',
        text: 'This address is part of the API. Send an API key with the request, in the header Authorization: Bearer KEY.',
      }
    case 403:
      return { title: 'Not allowed', text: sentence(error) }
    case 404:
      return {
        title: 'Page not found',
        text: 'There is nothing at this address. Check that the link is complete, or ask whoever sent it to you for a new one.',
      }
    case 408:
    case 429:
    case 503:
      return {
        title: 'Try again in a moment',
        text: 'The server is busy or restarting. Reload this page shortly.',
      }
    case 500:
      return {
        title: 'Something went wrong',
        text: 'The server could not answer because of an error on its side. Try again later.',
      }
    default:
      return { title: 'The request could not be understood', text: sentence(error) }
  }
}

/** Messages are lowercase and short, for programs; people read sentences. */
function sentence(error: unknown): string {
  if (!(error instanceof PrivityError)) return 'The server refused this request.'
  const { message } = error
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}${/[.!?]$/.test(message) ? '' : '.'}`
}
