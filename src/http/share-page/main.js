// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { button, el, show } from './elements.js'
import { enter } from './entry.js'
import { showFailure } from './failures.js'
import { ask, Failure, kept } from './server.js'
import { openSession } from './session.js'

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
    // One tab has one session: the place of the last one is free for another.
    if (kept.read('key') !== null) await ask('POST', '/session/leave', {}).catch(() => {})
    kept.forget('key', 'token', 'ticket')
  }
  const token = given || kept.read('token')
  if (kept.read('key') === null) {
    if (!token)
      return show(
        screen,
        el(
          'section',
          { class: 'card' },
          el('h1', {}, 'Shared documents'),
          el('p', {}, 'Open the link that was sent to you: it brings you here with what opens it.'),
        ),
      )
    await enter(screen, token)
  }
  await openSession(screen)
}

addEventListener('hashchange', () => location.reload())
start().catch(failure => {
  if (failure instanceof Failure && failure.code !== 'network') return showFailure(failure)
  show(
    screen,
    el(
      'section',
      { class: 'card' },
      el('h1', {}, 'Shared documents'),
      el('p', {}, failure instanceof Failure ? failure.message : 'Something went wrong.'),
      el(
        'p',
        {},
        button('Try again', () => location.reload()),
      ),
    ),
  )
})
