import { strFromU8, unzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { PrivityError } from '../errors.js'
import { NamesInZip, NOT_INCLUDED, zipDocuments } from './zip-documents.js'

const copy = (fileName: string, text: string) => ({ fileName, content: Buffer.from(text).toString('base64') })
const unzipped = async (made: AsyncGenerator<Uint8Array>) => {
  const chunks: Uint8Array[] = []
  for await (const chunk of made) chunks.push(chunk)
  const files = unzipSync(Buffer.concat(chunks))
  return Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)]))
}

describe('a zip of documents', () => {
  it('[ST-8] holds each once, and lists at the end what could not be had', async () => {
    const made = zipDocuments(['a', 'b', 'gone', 'a'], async document => {
      if (document === 'gone') throw new PrivityError('not_found', 'not found')
      return copy('motion.pdf', document)
    })
    expect(await unzipped(made)).toEqual({
      'motion.pdf': 'a',
      'motion (2).pdf': 'b',
      [NOT_INCLUDED]: 'gone: not_found, not found\n',
    })
  })

  it('[SP-10] asks for nothing more once a limit is reached, and fails like a download where nothing can be had', async () => {
    const asked: string[] = []
    const limited = zipDocuments(['a', 'b', 'c'], async document => {
      asked.push(document)
      if (document !== 'a') throw new PrivityError('rate_limit_exceeded', 'too many')
      return copy('a.txt', 'a')
    })
    expect(Object.keys(await unzipped(limited))).toEqual(['a.txt', NOT_INCLUDED])
    expect(asked).toEqual(['a', 'b'])
    const none = zipDocuments(['x'], () => Promise.reject(new PrivityError('not_found', 'not found')))
    await expect(unzipped(none)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('takes one document at a time, and none that nobody waits for', async () => {
    const asked: string[] = []
    const made = zipDocuments(['a', 'b', 'c'], async document => {
      asked.push(document)
      return copy(`${document}.txt`, document)
    })
    await made.next()
    expect(asked).toEqual(['a'])
    await made.return(undefined)
    expect(asked).toEqual(['a'])
  })

  it.each([
    ['../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['C:evil.txt', 'C_evil.txt'],
    ['a\u0000b\u202ecod.exe', 'a_b_cod.exe'],
    ['...', 'file'],
    ['con.txt', 'filecon.txt'],
  ])('names %j so that it stays in its folder: %j', (wanted, name) => {
    expect(new NamesInZip().next(wanted)).toBe(name)
  })
})
