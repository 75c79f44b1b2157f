import { type ReadLimits, UnreadableFile } from './extracted.js'
import { attribute, readXml } from './xml.js'
import { unzip } from './zip.js'

/** A slide or a sheet of an office file: its path in the zip file, and its name if it has one. */
export interface OfficePart {
  readonly path: string
  readonly name: string | null
}

/** The slides or sheets of an office file in the order in which they are shown; hidden ones are left out. */
export function partsInOrder(
  bytes: Uint8Array,
  limits: ReadLimits,
  { body, element, folder }: { readonly body: string; readonly element: string; readonly folder: string },
): OfficePart[] {
  const relations = `${folder}/_rels/${body.slice(folder.length + 1)}.rels`
  const files = unzip(bytes, [body, relations], limits)
  const paths = new Map<string, string>()
  readXml(files[relations], limits, {
    open(name, attributes) {
      const [id, target] = [attribute(attributes, 'Id'), attribute(attributes, 'Target')]
      if (name === 'Relationship' && id !== undefined && target !== undefined)
        paths.set(id, target.startsWith('/') ? target.slice(1) : `${folder}/${target}`)
    },
    close() {},
  })
  const parts: OfficePart[] = []
  const isWhole = readXml(files[body], limits, {
    open(name, attributes) {
      if (name !== element || /hidden/i.test(attribute(attributes, 'state') ?? '')) return
      // `id` is the number of a slide, and `r:id` names its file.
      const path = paths.get(attributes['r:id'] ?? attribute(attributes, 'id') ?? '')
      if (path !== undefined) parts.push({ path, name: attribute(attributes, 'name') ?? null })
    },
    close() {},
  })
  if (!isWhole) throw new UnreadableFile('damaged', 'its list of parts is cut off')
  return parts
}
