// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { bdi, el } from './elements.js'
import { go } from './navigation.js'
import { callServer } from './server.js'

const PAUSE_MS = 150

/** A box to search with, which completes words that the documents hold. */
export function searchBox(corpora) {
  const input = el('input', {
    id: 'query',
    type: 'search',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 500,
    'aria-autocomplete': 'list',
    'aria-controls': 'completions',
    'aria-expanded': 'false',
  })
  const list = el('ul', { id: 'completions', role: 'listbox', 'aria-label': 'Completions', hidden: true })
  const corpus = el(
    'select',
    { id: 'corpus', 'aria-label': 'Where to search' },
    el('option', { value: '' }, 'Everywhere'),
    corpora.map(name => el('option', { value: name }, name)),
  )
  let active = -1
  let turn = 0
  let timer

  function close() {
    turn++
    clearTimeout(timer)
    list.hidden = true
    active = -1
    input.setAttribute('aria-expanded', 'false')
    input.removeAttribute('aria-activedescendant')
  }

  function search(query = input.value) {
    close()
    input.value = query
    go({ view: 'documents', query: query.trim(), corpus: corpus.value })
  }

  function move(by) {
    const options = [...list.children]
    if (list.hidden || options.length === 0) return
    // One step beyond either end is the box itself.
    active = ((active + 1 + by + options.length + 1) % (options.length + 1)) - 1
    for (const [at, option] of options.entries()) option.setAttribute('aria-selected', String(at === active))
    if (active < 0) input.removeAttribute('aria-activedescendant')
    else input.setAttribute('aria-activedescendant', options[active].id)
  }

  async function complete() {
    const mine = ++turn
    const text = input.value
    const asked = { text, limit: 6, ...(corpus.value && { corpus: corpus.value }) }
    // Whether words can be completed is of no matter to whoever types on.
    const { completions } =
      text.trim() === ''
        ? { completions: [] }
        : await callServer('POST', '/documents/complete', asked).catch(() => ({ completions: [] }))
    if (mine !== turn) return
    const others = completions.filter(one => one.text !== text)
    list.replaceChildren(
      ...others.map((one, at) =>
        el(
          'li',
          {
            id: `completion-${at}`,
            role: 'option',
            'aria-selected': 'false',
            'data-text': one.text,
            onmousedown: event => event.preventDefault(),
            onclick: () => search(one.text),
          },
          bdi(one.text),
        ),
      ),
    )
    active = -1
    list.hidden = others.length === 0
    input.removeAttribute('aria-activedescendant')
    input.setAttribute('aria-expanded', String(!list.hidden))
  }

  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(complete, PAUSE_MS)
  })
  input.addEventListener('blur', close)
  input.addEventListener('keydown', event => {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Escape' && !list.hidden) {
      event.preventDefault()
      close()
    } else if (event.key === 'Enter' && active >= 0) {
      event.preventDefault()
      search(list.children[active].dataset.text)
    }
  })
  corpus.addEventListener('change', () => search())
  const form = el(
    'form',
    {
      role: 'search',
      class: 'search',
      onsubmit: event => {
        event.preventDefault()
        search()
      },
    },
    el('label', { for: 'query' }, 'Search these documents'),
    el(
      'div',
      { class: 'box' },
      el('div', { class: 'combo' }, input, list),
      corpora.length > 1 ? corpus : null,
      el('button', { type: 'submit', class: 'main' }, 'Search'),
    ),
  )
  return {
    form,
    /** Shows what was asked for, where one came back to it. */
    fill({ query, corpus: chosen }) {
      input.value = query
      corpus.value = chosen
    },
  }
}
