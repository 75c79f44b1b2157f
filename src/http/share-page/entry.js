// @ts-nocheck: this runs in a browser, whose types are not loaded here.
import { button, el, say, show } from './elements.js'
import { callServer, explainFailure, sessionKey, tabStorage } from './server.js'

const POLL_MS = 3_000
const NOT_OPEN =
  'This link cannot be opened. It may be mistyped, have expired, or be open in too many places at once: try again later, or ask the person who sent it.'

/** Opens a profile by a link, asking for what the link needs; resolves once its key is kept. */
export function openLink(screen, token) {
  return new Promise(resolve => {
    let turn = 0
    const card = (title, ...content) =>
      show(screen, el('section', { class: 'card' }, el('h1', {}, title), ...content))

    /** Presents the token with what was given, and goes on with what is answered. */
    async function redeem(given = {}, { refused, waits = false } = {}) {
      const mine = ++turn
      let answer
      try {
        answer = await callServer('POST', '/links/redeem', { token, ...given })
      } catch (failure) {
        if (mine !== turn) return
        const isGone =
          failure.code === 'not_found' || (failure.code === 'invalid_input' && refused === undefined)
        if (waits && !isGone) return void again(given.ticket)
        if (refused !== undefined && !isGone) return refused(explainFailure(failure))
        return cannot(isGone ? NOT_OPEN : explainFailure(failure), given)
      }
      if (mine !== turn) return
      switch (answer.status) {
        case 'open':
          tabStorage.forget('token', 'ticket')
          sessionKey.write(answer.key)
          return resolve()
        case 'email_needed':
          return askEmail(given)
        case 'code_sent':
          return askCode(given)
        case 'passcode_needed':
          return askPasscode(given)
        case 'agreement_needed':
          return askAgreement(answer, given)
        case 'name_needed':
          return askName()
        case 'waiting':
          return waits ? again(given.ticket) : wait(answer.ticket ?? given.ticket)
        default:
          return refused === undefined ? declined() : refused()
      }
    }

    function cannot(message, given) {
      tabStorage.forget('ticket')
      card(
        'Shared documents',
        el('p', {}, message),
        el(
          'p',
          {},
          button('Try again', () => redeem(given)),
        ),
      )
    }

    /** A form with one field. What is refused is said beside it, and the field keeps the focus. */
    function form({ title, about, label, field, send, refusal, onvalue, more }) {
      const input = el('input', {
        id: 'field',
        required: true,
        'data-focus': true,
        'aria-describedby': 'problem',
        ...field,
      })
      const problem = el('p', { id: 'problem', class: 'problem', role: 'alert' })
      const submit = el('button', { type: 'submit', class: 'main' }, send)
      const refused = (message = refusal) => {
        submit.disabled = false
        problem.textContent = message
        input.setAttribute('aria-invalid', 'true')
        input.select()
        input.focus()
      }
      const onsubmit = event => {
        event.preventDefault()
        if (input.value.trim() === '' || submit.disabled) return
        submit.disabled = true
        problem.textContent = ''
        onvalue(input.value, refused)
      }
      const fields = [
        el('label', { for: 'field' }, label),
        input,
        problem,
        el('div', { class: 'row' }, submit, more),
      ]
      card(title, el('p', {}, about), el('form', { onsubmit }, ...fields))
    }

    const askEmail = given =>
      form({
        title: 'Confirm your e-mail address',
        about: 'This link is for certain people. Enter your address, and a code is sent to it.',
        label: 'E-mail address',
        field: { type: 'email', autocomplete: 'email', maxlength: 254 },
        send: 'Send the code',
        refusal: 'This is not a valid e-mail address. Check it and try again.',
        onvalue: (email, refused) => redeem({ ...given, email }, { refused }),
      })

    const askCode = given =>
      form({
        title: 'Enter the code',
        about: 'If the link is for this address, a code was sent to it. It is valid for ten minutes.',
        label: 'Code from the e-mail',
        field: { inputmode: 'numeric', autocomplete: 'one-time-code', maxlength: 20 },
        send: 'Open',
        refusal: 'That code is wrong or has expired. Check it, or request a new one.',
        onvalue: (code, refused) => redeem({ ...given, code }, { refused }),
        more: button('Request a new code', () => askEmail(given), { class: 'plain' }),
      })

    const askPasscode = given =>
      form({
        title: 'Enter the passcode',
        about: 'The person who sent you this link also gave you a passcode.',
        label: 'Passcode',
        field: { type: 'password', autocomplete: 'off', maxlength: 200 },
        send: 'Open',
        refusal: 'That passcode is wrong. After five wrong ones the link is locked for 15 minutes.',
        onvalue: (passcode, refused) => redeem({ ...given, passcode }, { refused }),
      })

    const askName = () =>
      form({
        title: 'Enter your name',
        about: 'The person who sent you this link approves each visitor by name.',
        label: 'Your name',
        field: { autocomplete: 'name', maxlength: 200 },
        send: 'Request access',
        refusal: 'Too many people are waiting. Try again later.',
        onvalue: (name, refused) => redeem({ name }, { refused }),
      })

    /** The text stands as it was written; whoever agrees sends its hash, which is recorded. */
    function askAgreement({ text, sha256 }, given) {
      card(
        'Before you continue',
        el('p', {}, 'The person who shared these documents asks you to agree to this:'),
        el('div', { class: 'agreement', tabindex: 0, dir: 'auto' }, text),
        el(
          'div',
          { class: 'row' },
          button('I agree', () => redeem({ ...given, agreement: sha256 }), { class: 'main' }),
          button('I do not agree', notAgreed),
        ),
      )
    }

    const notAgreed = () =>
      card(
        'The documents were not opened',
        el('p', {}, 'You can only see them if you agree. If you change your mind, open the link again.'),
      )

    function wait(ticket) {
      tabStorage.write('ticket', ticket)
      card(
        'Waiting for approval',
        el(
          'p',
          {},
          'Your request was sent. Keep this page open: the documents appear here once it is approved.',
        ),
        el('p', { class: 'waiting', 'aria-hidden': 'true' }),
      )
      say('Waiting for approval.')
      again(ticket)
    }

    const again = ticket => setTimeout(() => redeem({ ticket }, { waits: true, refused: declined }), POLL_MS)

    function declined() {
      tabStorage.forget('ticket')
      card(
        'Access was not approved',
        el(
          'p',
          {},
          'Your request was declined or was already used. Contact the person who sent you the link.',
        ),
        el(
          'p',
          {},
          button('Request access again', () => redeem()),
        ),
      )
    }

    tabStorage.write('token', token)
    const ticket = tabStorage.read('ticket')
    redeem(ticket === null ? {} : { ticket })
  })
}
