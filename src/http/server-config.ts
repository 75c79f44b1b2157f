import { z } from 'zod'
import { issuerOptions } from '../authentication/issuers.js'
import { SENSITIVITIES } from '../policy/vocabulary.js'
import { parse } from '../runtime/input.js'
import type { ServeOptions } from './serve.js'

/** The fields of a server's configuration file. */
const serverConfig = z.strictObject({
  host: z.string().min(1).optional(),
  port: z.int().min(0).max(65_535).optional(),
  hosts: z.array(z.string().min(1)).min(1).optional(),
  origins: z.array(z.url()).optional(),
  issuers: z.array(issuerOptions).optional(),
  maxBodyBytes: z.int().min(1_024).optional(),
  maxRequests: z.int().min(1).optional(),
  requestTimeout: z.int().min(1).optional(),
  mcpSensitivity: z.enum(SENSITIVITIES).optional(),
})

/** Parses the text of a configuration file; errors name the field. */
export function readServerConfig(text: string): Partial<ServeOptions> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = 'not JSON'
  }
  const config = parse(serverConfig, value)
  return Object.fromEntries(Object.entries(config).filter(([, said]) => said !== undefined))
}
