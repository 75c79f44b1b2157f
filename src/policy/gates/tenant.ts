import { full, gate, none } from '../gate.js'

/** No record is visible in another tenant. */
export const tenant = gate('tenant', ['tenant'], (subject, record) =>
  record.tenant === subject.tenant ? full('access.same_tenant') : none('access.other_tenant'),
)
