import type { z } from 'zod'
import type { Handle } from '../../src/handle.js'
import type { Mail } from '../../src/mail/mailer.js'
import type { Privity } from '../../src/open.js'
import type { Credential } from '../../src/runtime/caller.js'
import type { draft } from '../../src/runtime/draft.js'

type Grant = Parameters<Handle['links']['grant']>[0]
type View = Parameters<Handle['views']['create']>[0]
type Draft = z.input<typeof draft>

/** A corpus with documents in it, of which part is shared. */
export interface Bank {
  readonly tenant: string
  readonly host: Handle
  readonly view: string
  /** Keeps one more document of the corpus, and answers its id. */
  keep(text: string, more?: Partial<Draft>): Promise<string>
  grant(asked?: Partial<Grant>): Promise<{ link: string; token: string }>
}

export async function openBank(
  privity: Privity,
  tenant: string,
  { actor = 'hana', corpus = 'bank', view = {} as Partial<View> } = {},
): Promise<Bank> {
  const host = privity.as({ tenant, actor })
  const made = await host.views.create({ corpus, viewTemporalMode: 'live_view', ...view })
  return {
    tenant,
    host,
    view: made.view,
    keep: async (text, more = {}) =>
      (
        await host.remember({
          kind: 'document',
          corpus,
          surface: 'source_documents',
          visibilityClass: 'public_open',
          title: text.split(' ')[0] ?? '',
          text,
          ...more,
        })
      ).id,
    async grant(asked = {}) {
      const { link, token } = await host.links.grant({
        views: [made.view],
        recipientIdentityMode: 'anonymous_share_token',
        ...asked,
      })
      if (token === null) throw new Error('a token is shown when a link is granted')
      return { link: link.link, token }
    },
  }
}

/** Somebody who came by a link. */
export interface Visitor {
  readonly key: string
  readonly profile: string
  readonly credential: Credential
  readonly handle: Handle
}

/** Opens a session by a link, as it was granted, which has to let them in. */
export async function visit(
  privity: Privity,
  { link: _, ...given }: Parameters<Privity['redeem']>[0] & { readonly link?: string },
): Promise<Visitor> {
  const answer = await privity.redeem(given)
  if (answer.status !== 'open') throw new Error(`not let in: ${answer.status}`)
  const { credential } = await privity.authenticate(answer.key)
  return { key: answer.key, profile: answer.profile, credential, handle: privity.as(credential) }
}

/** A mailer that keeps what it is given. */
export function mailbox() {
  const mails: Mail[] = []
  return {
    mails,
    mailer: { send: async (mail: Mail) => void mails.push(mail) },
    /** The code in the newest mail to an address, once it has come. */
    async codeFor(address: string, after = 0): Promise<string> {
      for (let tries = 0; tries < 400; tries++) {
        const mail = mails.slice(after).findLast(({ to }) => to === address)
        const code = mail && /\b\d{8}\b/.exec(mail.subject)?.[0]
        if (code) return code
        await new Promise(resolve => setTimeout(resolve, 10))
      }
      throw new Error('no code came')
    },
  }
}
