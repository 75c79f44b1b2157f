import MiniSearch from 'minisearch'
import { element } from './elements.js'

/** @typedef {{ id: number, address: string, title: string, page: string, text: string, kind: string }} Entry */

/** Adds the search: a dialog that `/` or Ctrl-K opens, with arrow keys and Enter. */
export function addSearch() {
  const button = /** @type {HTMLButtonElement} */ (document.querySelector('button.search'))
  const input = element('input', {
    type: 'search',
    placeholder: 'consent, rate limit, memory.search …',
    'aria-label': 'Search the docs',
    role: 'combobox',
    'aria-expanded': 'true',
    'aria-controls': 'found',
    autocomplete: 'off',
  })
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': 'Results' })
  const status = element('p', { class: 'status', role: 'status' })
  const dialog = element('dialog', { class: 'finder', 'aria-label': 'Search' }, [input, list, status])
  document.body.append(dialog)
  button.hidden = false

  /** @type {Promise<{ index: MiniSearch, entries: Entry[] }> | undefined} */
  let loading
  const open = () => {
    loading ??= load()
    dialog.showModal()
    input.select()
    show()
  }
  const show = async () => {
    const query = input.value.trim()
    status.textContent = ''
    if (query === '') return list.replaceChildren()
    try {
      const { index, entries } = await /** @type {NonNullable<typeof loading>} */ (loading)
      if (query !== input.value.trim()) return
      const found = index.search(query).slice(0, 12)
      list.replaceChildren(
        ...found.map(({ id }, at) => resultOf(/** @type {Entry} */ (entries[id]), at === 0)),
      )
      if (found.length === 0) status.textContent = `Nothing found for “${query}”.`
    } catch {
      loading = undefined
      status.textContent = 'The search index could not be loaded. Try again.'
    }
  }
  const move = (/** @type {number} */ by) => {
    const all = [...list.children]
    const at = all.findIndex(item => item.getAttribute('aria-selected') === 'true')
    const next = all[(at + by + all.length) % all.length]
    for (const item of all) item.setAttribute('aria-selected', String(item === next))
    next?.scrollIntoView({ block: 'nearest' })
    if (next !== undefined) input.setAttribute('aria-activedescendant', next.id)
  }
  button.addEventListener('click', open)
  input.addEventListener('input', show)
  dialog.addEventListener('click', event => event.target === dialog && dialog.close())
  list.addEventListener('click', () => dialog.close())
  input.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter')
      /** @type {HTMLElement | null} */ (list.querySelector('[aria-selected=true] a'))?.click()
    else return
    event.preventDefault()
  })
  document.addEventListener('keydown', event => {
    const isTyping = event.target instanceof HTMLElement && /^(?:INPUT|TEXTAREA)$/.test(event.target.tagName)
    const asks = (event.key === '/' && !isTyping) || (event.key === 'k' && (event.ctrlKey || event.metaKey))
    if (!asks || dialog.open) return
    event.preventDefault()
    open()
  })
}

async function load() {
  const response = await fetch('/docs/assets/search.json')
  if (!response.ok) throw new Error(`search.json: ${response.status}`)
  const entries = /** @type {Entry[]} */ (await response.json())
  const index = new MiniSearch({
    fields: ['title', 'page', 'text'],
    searchOptions: { boost: { title: 4, page: 1.5 }, prefix: true, fuzzy: 0.15, combineWith: 'AND' },
  })
  index.addAll(entries)
  return { index, entries }
}

/** @param {Entry} entry @param {boolean} isFirst */
function resultOf({ id, address, title, page, kind }, isFirst) {
  const name = element('strong', {}, [title])
  const where = element('small', {}, [title === page ? '' : page])
  const link = element('a', { href: address, tabindex: '-1' }, [name, where])
  const role = { role: 'option', id: `found-${id}`, 'aria-selected': String(isFirst), class: kind }
  return element('li', role, [link])
}
