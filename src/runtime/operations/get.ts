import { z } from 'zod'
import { fetchRecords } from '../../storage/queries/fetch-records.js'
import { id } from '../input.js'
import { readOperation } from '../operation.js'
import { recordView } from '../record-view.js'

/** One record as its face, or null: absent and not permitted are the same (NI-5). */
export const get = readOperation({
  name: 'memory.get',
  summary: 'Read one record',
  callers: 'anyone',
  rate: 'view',
  input: z.strictObject({ record: id }),
  output: recordView.nullable(),
  async run(request, { record }) {
    const rows = await fetchRecords(request.tx, request.tenant, [record])
    const [view = null] = await request.view(rows)
    if (view !== null) request.show(view)
    return view
  },
})
