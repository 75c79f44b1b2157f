import pg from 'pg'

/**
 * Connections outlive the pools that opened them, and go to the next pool on the same database. Under row-level
 * security a statement takes longer to plan than to run, and each connection plans it once: a pool that starts with
 * connections of an earlier one costs a fraction.
 */
interface Parked {
  readonly client: WarmClient
  readonly address: string
  /** Ends it after all. */
  readonly end: (done?: Done) => void
}

/** What a pool calls. */
interface WarmClient extends pg.Client {
  ref(): void
  unref(): void
  readonly _queryable: boolean
  readonly _ending: boolean
  readonly readyForQuery: boolean
}

type Done = (error?: Error) => void

/** Each takes memory at the server, and few tests use more at once. */
const MOST = 4

const parked: Parked[] = []

/** How many connections of nobody there are to a database. */
export const parkedOn = (address: string): number => parked.filter(one => one.address === address).length

/** Ends the connections of nobody to a database, for a test that changes what only new connections get. */
export async function endParked(address: string): Promise<void> {
  const found = parked.filter(one => one.address === address)
  for (const one of found) parked.splice(parked.indexOf(one), 1)
  await Promise.all(found.map(({ end }) => new Promise<void>(resolve => end(() => resolve()))))
}

/** Pools of stores are like that from now on. Other clients of a test are not: they may do anything to their connection. */
export function keepConnectionsWarm(): void {
  const Pool = pg.Pool
  pg.Pool = class WarmPool extends Pool {
    constructor(options: pg.PoolConfig = {}) {
      const { connectionString: address, types } = options
      super(
        address === undefined || types === undefined ? options : { ...options, Client: clientsOf(address) },
      )
    }
  }
}

/** In place of the class of clients: what it makes may be connected already. */
function clientsOf(address: string): typeof pg.Client {
  const make = (options: pg.ClientConfig) =>
    take(address) ?? parkable(new pg.Client(options) as WarmClient, address)
  return new Proxy(pg.Client, { construct: (_, [options]) => make(options) })
}

function take(address: string): WarmClient | undefined {
  const at = parked.findLastIndex(one => one.address === address)
  const [found] = at < 0 ? [] : parked.splice(at, 1)
  if (found === undefined) return undefined
  const { client } = found
  client.removeAllListeners()
  client.ref()
  client.connect = ((done: Done) => process.nextTick(done)) as typeof client.connect
  return client
}

function parkable(client: WarmClient, address: string): WarmClient {
  const end = client.end.bind(client) as (done?: Done) => void
  const endOrPark = (done: Done = () => {}): void => {
    if (!isIdle(client) || parkedOn(address) >= MOST) return void end(done)
    client.removeAllListeners()
    const forget = () => {
      const at = parked.findIndex(one => one.client === client)
      if (at >= 0) parked.splice(at, 1)
    }
    client.on('error', forget)
    client.on('end', forget)
    client.unref()
    parked.push({ client, address, end })
    process.nextTick(done)
  }
  client.end = endOrPark as typeof client.end
  return client
}

const isIdle = (client: WarmClient) =>
  client._queryable && !client._ending && client.readyForQuery && client.getTransactionStatus() === 'I'
