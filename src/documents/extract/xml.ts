import { Parser } from 'htmlparser2'
import { decodeText } from './decode-text.js'
import { type ReadLimits, UnreadableFile } from './extracted.js'

export type Attributes = Readonly<Record<string, string>>

export interface XmlReader {
  open(name: string, attributes: Attributes): void
  text?(text: string): void
  close(name: string): void
}

/** Returns whether all elements were closed. Element names are passed without their namespace prefix. */
export function readXml(bytes: Uint8Array | undefined, limits: ReadLimits, reader: XmlReader): boolean {
  const xml = bytes === undefined ? '' : decodeText(bytes)
  if (xml === null) throw new UnreadableFile('damaged', 'a part of it is not text')
  let depth = 0
  let closed = 0
  let ended = false
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > limits.depth) throw new UnreadableFile('damaged', 'is nested too deeply')
        reader.open(localName(name), attributes)
      },
      ontext: text => reader.text?.(text),
      onclosetag(name, implied) {
        depth--
        if (implied && ended) closed++
        reader.close(localName(name))
      },
    },
    { xmlMode: true, decodeEntities: true },
  )
  parser.write(xml)
  ended = true
  parser.end()
  return xml !== '' && closed === 0
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** The value of an attribute such as `w:val`, whatever its namespace prefix is. */
export const attribute = (attributes: Attributes, wanted: string): string | undefined => {
  for (const [name, value] of Object.entries(attributes)) if (localName(name) === wanted) return value
  return undefined
}
