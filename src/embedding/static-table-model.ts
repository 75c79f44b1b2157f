import { readFile } from 'node:fs/promises'
import { StaticTable } from './static-table.js'
import type { WorkerModel } from './worker-model.js'

export interface StaticTableOptions {
  readonly file: URL | string
  /** The name that the table must have, under which its vectors are stored. */
  readonly name: string
}

export async function load({ file, name }: StaticTableOptions): Promise<WorkerModel> {
  const table = StaticTable.read(await readFile(new URL(file)))
  if (table.name !== name) throw new Error(`the word table is ${table.name}, not ${name}`)
  return {
    embed: text => table.embed(text),
    neighbours: (word, most) => table.neighbours(word, most),
  }
}
