// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { button, el, show } from './elements.js'
import { openLink } from './entry.js'
import { showFailure } from './failures.js'
import { callServer, inTurn, linkOf, ServerFailure, sessionKey, tabStorage } from './server.js'
import { showSharedDocuments } from './session.js'

const screen = document.getElementById('screen')

/** What the address brought: taken out of it at once, so that it is in no history and on nobody's screen. */
function takeToken() {
  const given = location.hash.slice(1)
  if (given !== '') history.replaceState(null, '', location.pathname)
  return given
}

/** Whether this browser has a session by the link of this tab that still stands. */
async function isOpen() {
  if (sessionKey.read() === null) return false
  try {
    await callServer('GET', '/session')
    return true
  } catch (failure) {
    if (failure.code !== 'unauthenticated' && failure.code !== 'session_profile_invalid') throw failure
    // One that is suspended may be resumed, and is shown as such.
    if (failure.reason === 'session.profile_suspended') return true
    sessionKey.forget()
    return false
  }
}

async function start() {
  const given = takeToken()
  if (given !== '') {
    tabStorage.forget('token', 'ticket')
    tabStorage.write('link', linkOf(given))
  }
  const token = given || tabStorage.read('token')
  if (!token && tabStorage.read('link') === null)
    return show(
      screen,
      el(
        'section',
        { class: 'card' },
        el('h1', {}, 'Shared documents'),
        el('p', {}, 'To see documents here, open the link that was sent to you.'),
      ),
    )
  if (token) {
    await inTurn(async () => {
      if (!(await isOpen())) await openLink(screen, token)
    })
    tabStorage.forget('token', 'ticket')
  }
  await showSharedDocuments(screen)
}

// Whoever leaves in one tab leaves in all of them.
addEventListener('storage', ({ key, newValue }) => {
  if (key === `privity.key.${tabStorage.read('link')}` && newValue === null) location.reload()
})
addEventListener('hashchange', () => location.reload())
start().catch(failure => {
  if (failure instanceof ServerFailure && failure.code !== 'network') return showFailure(failure)
  show(
    screen,
    el(
      'section',
      { class: 'card' },
      el('h1', {}, 'Shared documents'),
      el('p', {}, failure instanceof ServerFailure ? failure.message : 'Something went wrong.'),
      el(
        'p',
        {},
        button('Try again', () => location.reload()),
      ),
    ),
  )
})
