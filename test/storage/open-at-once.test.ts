import { expect, it } from 'vitest'
import { open } from '../../src/open.js'
import { freshDatabase } from '../support/stores.js'

it('opens twenty times at once on an empty Postgres, and all of them work', async () => {
  const { url, drop } = await freshDatabase('empty')
  const opened = await Promise.all(Array.from({ length: 20 }, () => open({ databaseUrl: url, poolSize: 1 })))
  const written = await Promise.all(
    opened.map((privity, at) =>
      privity.as({ tenant: 'home', actor: 'ana' }).remember({ kind: 'episodic', text: `memory ${at}` }),
    ),
  )
  const [first] = opened
  const { records } = (await first?.as({ tenant: 'home', actor: 'ana' }).list({ limit: 50 })) ?? {
    records: [],
  }
  expect(records.map(({ id }) => id).sort()).toEqual(written.map(({ id }) => id).sort())
  await Promise.all(opened.map(privity => privity.close()))
  await drop()
})
