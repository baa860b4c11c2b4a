import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const renderer = path.join(import.meta.dirname, 'renderer');

/**
 * Relative addresses, because the desktop page has its own scheme; no inlined assets or scripts, because the page's CSP
 * refuses them.
 */
export default defineConfig({
  root: renderer,
  base: './',
  plugins: [react()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
  },
});
