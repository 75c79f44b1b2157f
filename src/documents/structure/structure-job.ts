import type { Domain, DomainModule, LaidText } from '../../runtime/domain.js'
import type { JobResult } from '../../runtime/threads/threads.js'
import { type Structure, type StructureOptions, structureOf } from './structure.js'

interface StructureInput {
  readonly extracted: LaidText
  readonly timeZone: string
  readonly domain: DomainModule | null
}

export const structureInput = (
  { text, title, headings, about, attached, pages }: LaidText,
  { timeZone, domain }: StructureOptions,
): StructureInput => ({
  extracted: { text, title, headings, about, pages, ...(attached === undefined ? {} : { attached }) },
  timeZone,
  domain: domain?.module ?? null,
})

/** Finds the structure of a text in a thread. */
export default async function structureText({
  extracted,
  timeZone,
  domain: known,
}: StructureInput): Promise<JobResult<Structure>> {
  const domain = known === null ? null : await load(known)
  return { value: structureOf(extracted, { timeZone, domain }) }
}

async function load({ module, options }: DomainModule): Promise<Domain> {
  const { makeDomain } = (await import(module)) as { makeDomain: (options: unknown) => Domain }
  return makeDomain(options)
}
