import { randomBytes } from 'node:crypto';

/** Style of the engine's own pages: light or dark, as the client prefers. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --soft: #666d7a; --ground: #fff; --line: #dfe2e8; --link: #2b59d9;
  --ok: #177245; --bad: #c02b2b }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e7e9ee; --soft: #8e96a5; --ground: #14161b; --line: #2b303a; --link: #7ea2ff;
    --ok: #5cc48d; --bad: #f07f7f } }
body { display: grid; place-items: center; box-sizing: border-box; min-height: 100vh; margin: 0; padding: 24px;
  background: var(--ground); color: var(--ink); font: 15px/22px system-ui, sans-serif }
main { width: min(440px, 100%) }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 30px }
p { margin: 0 0 20px; color: var(--soft) }
a { color: var(--link) }
ol { display: grid; gap: 14px; margin: 0 0 20px; padding: 0 0 0 20px }
ul { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 10px; list-style: none }
ul li { display: flex; gap: 12px; padding: 12px 16px }
ul li + li { border-top: 1px solid var(--line) }
ul li::before { content: "…"; width: 16px; color: var(--soft); text-align: center }
ul li.ok::before { content: "✓"; color: var(--ok) }
ul li.bad::before { content: "✕"; color: var(--bad) }
small { display: block; color: var(--soft) }`;

/** A policy that allows only scripts and styles with the nonce, which is new for each response. */
export function pagePolicy(): { nonce: string; policy: string } {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    'img-src http: https:',
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return { nonce, policy };
}
