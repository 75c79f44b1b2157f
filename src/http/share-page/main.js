// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { button, el, show } from './elements.js'
import { openLink } from './entry.js'
import { showFailure } from './failures.js'
import { callServer, ServerFailure, tabStorage } from './server.js'
import { showSharedDocuments } from './session.js'

const screen = document.getElementById('screen')

/** What the address brought: taken out of it at once, so that it is in no history and on nobody's screen. */
function takeToken() {
  const given = location.hash.slice(1)
  if (given !== '') history.replaceState(null, '', location.pathname)
  return given
}

async function start() {
  const given = takeToken()
  if (given !== '') {
    // One tab has one profile: the place of the last one is free for another.
    if (tabStorage.read('key') !== null) await callServer('POST', '/session/leave', {}).catch(() => {})
    tabStorage.forget('key', 'token', 'ticket')
  }
  const token = given || tabStorage.read('token')
  if (tabStorage.read('key') === null) {
    if (!token)
      return show(
        screen,
        el(
          'section',
          { class: 'card' },
          el('h1', {}, 'Shared documents'),
          el('p', {}, 'To see documents here, open the link that was sent to you.'),
        ),
      )
    await openLink(screen, token)
  }
  await showSharedDocuments(screen)
}

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
