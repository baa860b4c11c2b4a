import path from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const renderer = path.join(import.meta.dirname, 'renderer');

/**
 * Loads the script that connects to the host before the page's other scripts. It is small and runs while the browser
 * still loads and compiles the rest.
 */
const connectFirst: Plugin = {
  name: 'connect-first',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle }) => {
      const script = Object.values(bundle ?? {}).find((file) => file.type === 'chunk' && file.name === 'connect');
      if (script === undefined) throw new Error('the script that connects is not in the bundle');
      return [{ tag: 'script', attrs: { type: 'module', src: `./${script.fileName}` }, injectTo: 'head-prepend' }];
    },
  },
  apply: 'build',
};

/**
 * Relative addresses, because the desktop page has its own scheme; no inlined assets or scripts, because the page's CSP
 * refuses them.
 */
export default defineConfig({
  root: renderer,
  base: './',
  plugins: [react(), connectFirst],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      input: {
        index: path.join(renderer, 'index.html'),
        connect: path.join(renderer, 'platform/connect-early.ts'),
      },
    },
  },
});
