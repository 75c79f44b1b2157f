#!/usr/bin/env node
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('../src/search/vector-kernel/', import.meta.url)
const SOURCE = fileURLToPath(new URL('kernel.as', FOLDER))
const GENERATED = fileURLToPath(new URL('kernel-wasm.ts', FOLDER))

/**
 * @typedef {{
 *   readFile(name: string): string | null,
 *   listFiles(): string[],
 *   writeFile(name: string, content: Uint8Array | string): void,
 * }} Files
 * @typedef {{ main(args: readonly string[], files: Files): Promise<{ error: Error | null, stderr: object }> }} Compiler
 */
const COMPILER = 'assemblyscript/asc'
const OPTIONS = [
  ['--outFile', 'kernel.wasm'],
  ['--runtime', 'stub'],
  ['--enable', 'simd'],
  ['--use', 'abort='],
  ['--importMemory'],
  ['--noExportMemory'],
  ['--optimizeLevel', '3'],
  ['--noAssert'],
].flat()

/** What the checked-in file has to hold, from the kernel's source. */
export async function generateKernel() {
  /** @type {Compiler} */
  const asc = await import(COMPILER)
  const source = await readFile(SOURCE, 'utf8')
  /** @type {Uint8Array | undefined} */
  let wasm
  const { error, stderr } = await asc.main(['kernel.ts', ...OPTIONS], {
    readFile: name => (name === 'kernel.ts' ? source : null),
    listFiles: () => [],
    writeFile: (_, content) => {
      if (typeof content !== 'string') wasm = content
    },
  })
  if (error || wasm === undefined) throw new Error(`the kernel does not compile: ${stderr}`, { cause: error })
  return [
    '// Generated from kernel.as by scripts/build-kernel.js: not to be edited.',
    `export const KERNEL =`,
    `  '${Buffer.from(wasm).toString('base64')}'`,
    '',
  ].join('\n')
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(GENERATED, await generateKernel())
  console.log(`wrote ${GENERATED}`)
}
