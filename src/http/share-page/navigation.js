// @ts-nocheck: this runs in a browser, whose types are not loaded here.

/** What is shown is a state of the browser's history: going back works, and the address tells nothing. */
export const HOME = { view: 'documents', query: '', corpus: '' }

let showState = () => {}

export function onState(handler) {
  showState = handler
  addEventListener('popstate', ({ state }) => showState(state ?? HOME, { isBack: true }))
}

export function go(state) {
  history.pushState(state, '')
  showState(state, { isBack: false })
}

export const back = () => history.back()
