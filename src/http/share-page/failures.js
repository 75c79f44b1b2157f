// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { button, el, show } from './elements.js'
import { explainFailure, forgetSession } from './server.js'

const notice = () => document.getElementById('notice')

export function hideNotice() {
  notice().replaceChildren()
}

/** The profile is over: nothing of it stays on the screen. */
export function showEnd(title, message, more = null) {
  hideNotice()
  document.getElementById('session').replaceChildren()
  document.title = 'Shared documents'
  show(
    document.getElementById('screen'),
    el('section', { class: 'card' }, el('h1', {}, title), el('p', {}, message), more),
  )
}

/** Says what went wrong: over what is shown where that still holds, else in its place. */
export function showFailure(failure) {
  const { code, reason, message } = failure
  if (code === 'unauthenticated') {
    forgetSession()
    showEnd('This session has ended', 'To continue, open the link again.')
  } else if (code === 'session_profile_invalid') {
    // One that is suspended may be resumed; any other is over.
    const isOver = reason !== 'session.profile_suspended'
    if (isOver) forgetSession()
    const again = el(
      'p',
      {},
      button('Try again', () => location.reload()),
    )
    showEnd(isOver ? 'This session has ended' : 'This session is suspended', message, isOver ? null : again)
  } else {
    const text = code === undefined ? 'Something went wrong. Reload the page.' : explainFailure(failure)
    notice().replaceChildren(el('p', {}, text), button('Close', hideNotice, { class: 'plain' }))
  }
}

/** Does what is asked for a part of the page, which shows that it waits. */
export async function showBusyWhile(place, work) {
  place.setAttribute('aria-busy', 'true')
  hideNotice()
  try {
    return await work()
  } catch (failure) {
    showFailure(failure)
    return undefined
  } finally {
    place.removeAttribute('aria-busy')
  }
}
