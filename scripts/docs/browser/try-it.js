import { element } from './elements.js'

/** The key that somebody pasted, for all operations of this page. It is kept nowhere else. */
let key = ''

/** Adds a form that sends an operation to this server. @param {HTMLElement} place */
export function addTryIt(place) {
  const { method = 'GET', path = '', example = '{}' } = place.dataset
  const input = element('textarea', { rows: '8', spellcheck: 'false', 'aria-label': 'Input as JSON' })
  input.value = JSON.stringify(JSON.parse(example), null, 2)
  input.rows = Math.min(16, input.value.split('\n').length)
  const bearer = element('input', {
    type: 'password',
    autocomplete: 'off',
    placeholder: 'Empty: use the console session of this browser',
    'aria-label': 'API key',
  })
  const send = element('button', { type: 'submit' }, ['Send'])
  const status = element('p', { role: 'status', class: 'status' })
  const shown = element('pre', { tabindex: '0', hidden: '' })
  const form = element('form', {}, [
    element('label', {}, ['Input ', input]),
    element('label', {}, ['API key ', bearer]),
    send,
    status,
    shown,
  ])
  place.append(element('details', {}, [element('summary', {}, ['Try it']), form]))
  bearer.addEventListener('change', () => {
    key = bearer.value.trim()
  })
  form.addEventListener('submit', async event => {
    event.preventDefault()
    key = bearer.value.trim() || key
    send.disabled = true
    status.textContent = 'Sending …'
    try {
      const started = performance.now()
      const response = await fetch(...requestOf(method, path, JSON.parse(input.value || '{}')))
      const text = await response.text()
      status.textContent = `${response.status} ${response.statusText}, ${Math.round(performance.now() - started)} ms`
      shown.textContent = pretty(text)
      shown.hidden = false
    } catch (error) {
      status.textContent =
        error instanceof SyntaxError
          ? `The input is not valid JSON: ${error.message}`
          : 'The server could not be reached. Check that it is running, and try again.'
    } finally {
      send.disabled = false
    }
  })
}

/**
 * @param {string} method
 * @param {string} path
 * @param {Record<string, unknown>} input
 * @returns {[string, RequestInit]}
 */
function requestOf(method, path, input) {
  const rest = new Map(Object.entries(input))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name) => {
    const value = rest.get(name)
    rest.delete(name)
    return encodeURIComponent(String(value))
  })
  /** @type {Record<string, string>} */
  const headers = key === '' ? { 'privity-console': '1' } : { authorization: `Bearer ${key}` }
  if (method !== 'GET' && method !== 'DELETE') {
    headers['content-type'] = 'application/json'
    return [filled, { method, headers, body: JSON.stringify(Object.fromEntries(rest)) }]
  }
  const query = new URLSearchParams()
  for (const [name, value] of rest)
    for (const one of Array.isArray(value) ? value : [value])
      query.append(name, typeof one === 'object' ? JSON.stringify(one) : String(one))
  return [query.size === 0 ? filled : `${filled}?${query}`, { method, headers }]
}

/** @param {string} text */
function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
