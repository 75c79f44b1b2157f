import { describe, expect, it } from 'vitest'
import { withSaturation } from './saturation.js'

const idle = { running: 0, waiting: 0, full: false }
const full = { running: 9, waiting: 9, full: true }
const ready = { status: 'ready', checks: [{ name: 'store', status: 'ready' }] } as const

describe('readiness', () => {
  it('[OP-8] says nothing of what has room', () => {
    expect(withSaturation(ready, { requests: idle, files: idle })).toEqual(ready)
  })

  it('[OP-8] warns of what few need, and fails when everybody new is refused', () => {
    const warned = withSaturation(ready, { requests: idle, files: full })
    expect(warned.status).toBe('warning')
    expect(warned.checks).toContainEqual({ name: 'saturation', status: 'warning', message: 'files_full' })
    const failing = withSaturation(ready, { requests: full, files: full })
    expect(failing.status).toBe('failing')
    expect(failing.checks).toContainEqual({
      name: 'saturation',
      status: 'failing',
      message: 'requests_full',
    })
  })

  it('[OP-8] is never better than without', () => {
    expect(withSaturation({ ...ready, status: 'failing' }, { files: full }).status).toBe('failing')
  })
})
