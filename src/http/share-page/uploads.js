// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { bdi, button, countLabel, el, momentLabel, say, show } from './elements.js'
import { showFailure } from './failures.js'
import { back } from './navigation.js'
import { callServer, explainFailure } from './server.js'

const WARNINGS = {
  active_content_detected: 'It contains macros or scripts. Its receiver is warned.',
  upload_duplicate_detected: 'The same file is here already.',
  mime_type_mismatch: 'It is not of the type that its name says.',
}
const STATES = {
  received: 'sent',
  quarantined: 'sent, waits to be checked by its receiver',
  filed: 'sent, accepted',
  discarded: 'sent, not kept by its receiver',
}
/** A session that is over takes no further file. */
const isOver = ({ code }) => code === 'unauthenticated' || code === 'session_profile_invalid'

/** The file in base64, a piece at a time: a large one does not fit into one call. */
async function inBase64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 32_768)
    text += String.fromCharCode(...bytes.subarray(at, at + 32_768))
  return btoa(text)
}

/** Sends files one after another. One that is refused says why, and does not hold up the others. */
async function sendFiles(files, message, list) {
  let sent = 0
  for (const file of files) {
    const line = el('li', {}, el('span', {}, bdi(file.name)), el('span', {}, 'sending …'))
    list.prepend(line)
    try {
      const upload = await callServer('POST', '/uploads', {
        document: file.name,
        content: await inBase64(file),
        ...(file.type && { mediaType: file.type }),
        ...(message && { message }),
      })
      line.replaceWith(uploadItem(upload))
      sent++
    } catch (failure) {
      if (isOver(failure)) return void showFailure(failure)
      line.lastChild.replaceWith(el('span', { class: 'refused' }, `not sent. ${explainFailure(failure)}`))
    }
  }
  say(`${countLabel(sent, 'file')} of ${files.length} sent.`)
}

/** Sends files in, and lists what this session sent. */
export async function showUploads(place, { isHome = false } = {}) {
  const { uploads } = await callServer('GET', '/session/uploads?limit=100')
  return () => {
    const list = el(
      'ol',
      { class: 'log sent', 'aria-label': 'Files that you sent' },
      uploads.map(one => uploadItem(one)),
    )
    const file = el('input', { type: 'file', id: 'file', required: true, multiple: true })
    const message = el('input', { id: 'message', maxlength: 2_000 })
    const submit = el('button', { type: 'submit', class: 'main' }, 'Send')
    const form = el(
      'form',
      {
        class: 'send',
        onsubmit: async event => {
          event.preventDefault()
          const chosen = [...file.files]
          const said = message.value
          form.reset()
          submit.disabled = true
          await sendFiles(chosen, said, list)
          submit.disabled = false
        },
      },
      el('label', { for: 'file' }, 'Choose files, or drop them here'),
      file,
      el('label', { for: 'message' }, 'Message (optional)'),
      message,
      el('p', {}, submit),
    )
    show(
      place,
      isHome ? null : el('div', { class: 'row' }, button('Back', back)),
      isHome ? null : el('h2', {}, 'Send files'),
      form,
      list,
    )
  }
}

function uploadItem({ fileName: name, state, warnings, createdAt }) {
  return el(
    'li',
    {},
    el('span', {}, bdi(name)),
    el('span', {}, STATES[state] ?? state),
    momentLabel(createdAt),
    warnings.length === 0
      ? null
      : el(
          'ul',
          {},
          warnings.map(one => el('li', {}, WARNINGS[one] ?? one)),
        ),
  )
}
