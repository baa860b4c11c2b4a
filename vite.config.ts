import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const renderer = path.join(import.meta.dirname, 'renderer');

/**
 * The script that connects to the host does not wait for the others, nor for the styles. Vite would join it with the
 * page's main script.
 */
const startFirst: Plugin = {
  name: 'start-first',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const start = Object.values(bundle).find((chunk) => chunk.type === 'chunk' && chunk.name === 'start');
      if (start === undefined) return [];
      const attrs = { type: 'module', async: true, crossorigin: true, src: `./${start.fileName}` };
      return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
    },
  },
};

/**
 * Relative addresses, because the desktop page has its own scheme; no inlined assets or scripts, because the page's CSP
 * refuses them.
 */
export default defineConfig({
  root: renderer,
  base: './',
  plugins: [react(), startFirst],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: { index: path.join(renderer, 'index.html'), start: path.join(renderer, 'start.ts') },
    },
  },
});
