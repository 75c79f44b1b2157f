import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** Builds the console into the package. The client comes from the build of the sources, as users get it. */
export default defineConfig({
  root: at('.'),
  plugins: [react()],
  resolve: {
    alias: { 'privity/client': at('../dist/client/index.js'), 'lucide-react': at('src/lucide-icons.tsx') },
  },
  build: {
    outDir: at('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The page may not hold code of its own, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
