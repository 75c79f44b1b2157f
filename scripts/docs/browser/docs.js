import { addSearch } from './search.js'
import { addTryIt } from './try-it.js'

addSearch()
for (const place of document.querySelectorAll('.try')) addTryIt(/** @type {HTMLElement} */ (place))

// On a phone the list of pages is folded, so that the page itself comes first.
if (matchMedia('(max-width: 60rem)').matches)
  for (const group of document.querySelectorAll('nav details')) group.removeAttribute('open')
