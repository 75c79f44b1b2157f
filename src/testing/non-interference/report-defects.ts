import type { Leak } from './harness.js'
import { type Connect, type ConnectedStore, isPrivityError, type TestedPrivity } from './history.js'

type Asked = Parameters<TestedPrivity['invoke']>

/**
 * The same setup, which reports every error that nobody expects (`internal`), by whoever asks and in whichever history:
 * such an error is a defect, also where both histories have it.
 */
export const reportDefects =
  (connect: Connect, defects: Leak[]): Connect =>
  async (...args) => {
    const { twin, privity, db }: ConnectedStore = await connect(...args)
    const reporting = (asked: TestedPrivity) => reportDefectsOf(asked, defects)
    return { db, privity: reporting(privity), ...(twin === undefined ? {} : { twin: reporting(twin) }) }
  }

function reportDefectsOf(privity: TestedPrivity, defects: Leak[]): TestedPrivity {
  const report = ([credential, operation, input]: Asked, detail: string) => {
    const { tenant, ...viewer } = credential
    const request = { operation, input: input as Leak['request']['input'], traced: false }
    defects.push({ kind: 'internal error', world: worldOf(tenant), viewer, request, detail })
  }
  const { answer, authenticate } = privity
  return {
    close: () => privity.close(),
    caughtUp: () => privity.caughtUp(),
    ...(authenticate === undefined
      ? {}
      : { authenticate: secret => privity.authenticate?.(secret) as never }),
    ...(answer === undefined
      ? {}
      : {
          async answer(...asked) {
            const told = await answer.apply(privity, asked)
            if (!told.ok && isInternal(told.value)) report(asked, told.text)
            return told
          },
        }),
    async invoke(...asked) {
      try {
        return await privity.invoke(...asked)
      } catch (error) {
        if (!isPrivityError(error) || isInternal(error)) report(asked, describe(error))
        throw error
      }
    },
  }
}

const isInternal = (error: unknown) => (error as { code?: unknown } | null)?.code === 'internal'

const describe = (error: unknown) => {
  const { cause, stack } = error instanceof Error ? error : new Error(String(error))
  return cause instanceof Error ? `${stack}\ncaused by ${cause.stack}` : String(stack)
}

/** Tenants of the harness are called after their world: `w12-whole`. */
const worldOf = (tenant: string) => Number(/\d+/.exec(tenant)?.[0])
