import { z } from 'zod'
import { recordId } from '../fields.js'
import { readOperation } from '../operation.js'
import { recordView } from '../record-view.js'

/** Returns one record as its face, or null: absent and not permitted look the same (NI-5). */
export const get = readOperation({
  name: 'memory.get',
  route: 'GET /records/:record',
  summary: 'Read one record',
  positional: ['record'],
  policies: ['agent', 'reader'],
  sample: world => ({ record: world.record() }),
  callers: 'anyone',
  rate: 'view',
  input: z.strictObject({ record: recordId }),
  output: recordView.nullable(),
  async run(request, { record }) {
    const [view = null] = await request.view(await request.fetch([record]))
    if (view !== null) request.show(view)
    return view
  },
})
