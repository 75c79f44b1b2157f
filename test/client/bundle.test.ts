import { build } from 'esbuild'
import { expect, it } from 'vitest'

it('is for browsers: nothing of Node, no schema library, and small', async () => {
  const { outputFiles, metafile } = await build({
    entryPoints: ['src/client/index.ts'],
    bundle: true,
    format: 'esm',
    platform: 'browser',
    minify: true,
    write: false,
    metafile: true,
  })
  const inputs = Object.keys(metafile.inputs)
  // What is imported for its types alone is not in it.
  expect(
    inputs.filter(
      file =>
        !/^src\/(?:client\/|generated\/|errors\.ts$|handle\.ts$|operation-table-row\.ts$|http\/routes\.ts$)/.test(
          file,
        ),
    ),
  ).toEqual([])
  const imports = Object.values(metafile.inputs).flatMap(({ imports }) => imports.map(({ path }) => path))
  expect(imports.filter(path => !inputs.includes(path))).toEqual([])
  const code = outputFiles[0]?.text ?? ''
  expect(code).not.toMatch(/\bprocess\b|\bBuffer\b|\brequire\(|node:/)
  expect(code.length).toBeLessThan(26_000)
})
