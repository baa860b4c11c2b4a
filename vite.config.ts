import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Relative addresses, for the desktop page has a scheme of its own; no inlined assets or scripts, for the page's CSP
 * refuses them.
 */
export default defineConfig({
  root: 'renderer',
  base: './',
  plugins: [react()],
  build: { outDir: '../dist/renderer', emptyOutDir: true, assetsInlineLimit: 0, chunkSizeWarningLimit: 1200 },
});
