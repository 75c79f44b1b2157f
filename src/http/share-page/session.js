// @ts-nocheck: this runs in a browser, whose types are not loaded here.

import { searchDocuments, showDocument, showDocumentList } from './documents.js'
import { bdi, button, countLabel, el, momentLabel, say, show, withMoments } from './elements.js'
import { showBusyWhile, showEnd, showFailure } from './failures.js'
import { back, go, HOME, onState } from './navigation.js'
import { noteDocument } from './reading.js'
import { searchBox } from './search-box.js'
import { callServer, forgetSession, sessionKey } from './server.js'
import { showUploads } from './uploads.js'

const WITH_LOG = 'live_view_with_change_log'
const MOST_TITLES = 4
const LONGEST_TIMER_MS = 2 ** 31 - 1
const DONE = {
  'links.redeem': 'Opened the link',
  'profiles.current': 'Checked the session',
  'profiles.log': 'Opened this list',
  'profiles.leave': 'Left',
  'search.plan': 'Planned a search',
  'search.execute': 'Searched',
  'search.expand': 'Expanded a search',
  'search.bundle': 'Collected passages',
  'search.complete': 'Completed a word',
  'document_view.list': 'Listed documents',
  'document_view.open': 'Read',
  'document_view.file': 'Saw the pages of',
  'document_download.fetch': 'Downloaded',
  'views.changes': 'Checked for changes',
  'upload.send': 'Sent a file',
  'upload.list': 'Looked at what was sent',
}

/** What is shared, by whom, and the sentences that go with it. */
function aboutCorpus({ corpus, owner, notices, drifted }) {
  const drift = drifted
    ? 'The documents have changed since then. The changes are not shown here.'
    : 'They have not changed since then.'
  return el(
    'section',
    { class: 'corpus' },
    el('div', {}, el('h2', {}, bdi(corpus)), el('p', { class: 'faint' }, 'Shared by ', bdi(owner))),
    el(
      'div',
      { class: 'faint' },
      notices.map(notice => el('p', {}, withMoments(notice))),
      drifted === null ? null : el('p', { class: drifted ? 'drift' : null }, drift),
    ),
  )
}

function aboutProfile({ expiresAt, endsAt }) {
  const at = endsAt ?? expiresAt
  if (at === null) return null
  return el(
    'p',
    { class: 'until' },
    endsAt === null ? 'Available until ' : 'The link was revoked. Available until ',
    momentLabel(at),
  )
}

async function showLog(place) {
  const { entries } = await callServer('GET', '/session/log?limit=100')
  return () =>
    show(
      place,
      el('div', { class: 'row' }, button('Back', back)),
      el('h2', {}, 'What you did in this session'),
      entries.length === 0
        ? el('p', {}, 'Nothing yet.')
        : el(
            'ol',
            { class: 'log' },
            entries.map(({ at, operation, outcome, documents, others }) => {
              const titles = documents.slice(0, MOST_TITLES).map(({ title }) => bdi(title ?? 'untitled'))
              const more = documents.length - titles.length + others
              return el(
                'li',
                {},
                momentLabel(at),
                el('span', {}, DONE[operation] ?? operation, outcome === 'ok' ? '' : `, ${outcome}`),
                el(
                  'ul',
                  {},
                  [...titles, ...(more > 0 ? [`${countLabel(more, 'document')} more`] : [])].map(one =>
                    el('li', {}, one),
                  ),
                ),
              )
            }),
          ),
    )
}

async function showChanges(place) {
  const { changes } = await callServer('GET', '/session/changes?limit=100')
  return () =>
    show(
      place,
      el('div', { class: 'row' }, button('Back', back)),
      el('h2', {}, 'What was added since the share'),
      changes.length === 0
        ? el('p', {}, 'Nothing was added.')
        : el(
            'ol',
            { class: 'log' },
            changes.map(({ at, document }) =>
              el(
                'li',
                {},
                momentLabel(at),
                button(
                  bdi(document.title ?? 'Untitled document'),
                  () => go({ view: 'document', document: document.document }),
                  { class: 'link' },
                ),
              ),
            ),
          ),
    )
}

const VIEWS = {
  documents: (place, state) =>
    state.query === '' ? showDocumentList(place, state) : searchDocuments(place, state),
  document: showDocument,
  log: showLog,
  changes: showChanges,
  uploads: showUploads,
}

/** The documents of an open profile. */
export async function showSharedDocuments(screen) {
  const manifest = await callServer('GET', '/session')
  const corpora = manifest.corpora ?? []
  const { fileRequest } = manifest
  const title = el(
    'h1',
    { tabindex: -1 },
    ...(fileRequest === null
      ? ['Documents shared with you']
      : ['Send files to ', bdi(fileRequest.requestedBy)]),
  )
  const content = el('div', { id: 'content', class: 'content' })
  const box = searchBox([...new Set(corpora.map(({ corpus }) => corpus))])
  const isLogged = corpora.some(({ viewTemporalMode }) => viewTemporalMode === WITH_LOG)
  const until = el('div', { class: 'until' }, aboutProfile(manifest))
  document.getElementById('session').replaceChildren(
    until,
    ...(isLogged ? [button('What changed', () => go({ view: 'changes' }))] : []),
    ...(manifest.actions.includes('upload.send') && fileRequest === null
      ? [button('Send files', () => go({ view: 'uploads' }))]
      : []),
    button('What you did', () => go({ view: 'log' })),
    button('Leave', leave),
  )
  const left = manifest.excludedCountTotal
  screen.replaceChildren(
    title,
    fileRequest === null
      ? el('div', { class: 'corpora' }, corpora.map(aboutCorpus))
      : el('p', { class: 'asked', dir: 'auto' }, fileRequest.message),
    ...(left
      ? [
          el(
            'p',
            { class: 'faint' },
            `${countLabel(left, 'record')} ${left === 1 ? 'is' : 'are'} not part of this share.`,
          ),
        ]
      : []),
    ...(manifest.actions.includes('search.execute') ? [box.form] : []),
    content,
  )

  async function leave() {
    noteDocument(null)
    if ((await showBusyWhile(screen, () => callServer('POST', '/session/leave', {}))) === undefined) return
    forgetSession()
    showEnd('You have left', 'This browser keeps nothing of the session. To return, open the link again.')
  }

  let turn = 0
  /** The last list, so that coming back to it asks nothing anew: searches are counted. */
  let list = { of: '', nodes: [], top: 0, focused: null }
  let shown = ''
  async function showState(state, { isBack }) {
    const mine = ++turn
    const key = JSON.stringify(state)
    noteDocument(null)
    if (shown === list.of)
      list = { ...list, nodes: [...content.childNodes], top: scrollY, focused: document.activeElement }
    if (state.view === 'documents') box.fill(state)
    if (isBack && key === list.of) {
      screen.dataset.view = state.view
      content.replaceChildren(...list.nodes)
      content.removeAttribute('aria-busy')
      shown = key
      list.focused?.focus({ preventScroll: true })
      scrollTo(0, list.top)
      return
    }
    const render = await showBusyWhile(content, () =>
      fileRequest !== null && state.view === 'documents'
        ? showUploads(content, { isHome: true })
        : VIEWS[state.view](content, state),
    )
    if (mine !== turn || render === undefined) return
    screen.dataset.view = state.view
    render()
    if (state.view === 'document') noteDocument(state.document, content)
    shown = key
    if (state.view === 'documents') list = { of: key, nodes: [], top: 0, focused: null }
    else scrollTo(0, 0)
  }

  /** Whether the profile still stands, and until when. */
  async function check() {
    if (sessionKey.read() === null) return
    try {
      const now = await callServer('GET', '/session')
      until.replaceChildren(...[aboutProfile(now)].filter(Boolean))
      watch(now)
    } catch (failure) {
      if (failure.code !== 'network') showFailure(failure)
    }
  }
  let timer
  function watch({ expiresAt, endsAt }) {
    const end = Date.parse(endsAt ?? expiresAt ?? '') - Date.now() + 1_000
    clearTimeout(timer)
    if (end > 0) timer = setTimeout(check, Math.min(end, LONGEST_TIMER_MS))
  }
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') check()
  })
  watch(manifest)
  onState(showState)
  say(fileRequest === null ? 'The documents are open.' : 'You can send files now.')
  await showState(history.state ?? HOME, { isBack: false })
  // Whoever arrives begins at the beginning.
  title.focus()
  scrollTo(0, 0)
}
