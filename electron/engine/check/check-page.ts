import { randomBytes } from 'node:crypto';
import { CHECK_LOOPBACK, CHECK_PATH, checkHost } from '../../../shared/model/capture-check.ts';

export interface CheckPage {
  html: string;
  /** The page may do what it has to and no more. */
  policy: string;
}

const STYLE = `
:root { color-scheme: light dark; --ink: #16181d; --soft: #666d7a; --ground: #fff; --line: #dfe2e8; --ok: #177245; --bad: #c02b2b }
@media (prefers-color-scheme: dark) { :root { --ink: #e7e9ee; --soft: #8e96a5; --ground: #14161b; --line: #2b303a; --ok: #5cc48d; --bad: #f07f7f } }
body { display: grid; place-items: center; min-height: 100vh; margin: 0; background: var(--ground); color: var(--ink); font: 15px/22px system-ui, sans-serif }
main { width: min(440px, 100vw - 48px) }
h1 { margin: 0 0 4px; font-size: 22px; line-height: 30px }
p { margin: 0 0 20px; color: var(--soft) }
ul { margin: 0; padding: 0; border: 1px solid var(--line); border-radius: 10px; list-style: none }
li { display: flex; gap: 12px; padding: 12px 16px }
li + li { border-top: 1px solid var(--line) }
li::before { content: "…"; width: 16px; color: var(--soft); text-align: center }
li.ok::before { content: "✓"; color: var(--ok) }
li.bad::before { content: "✕"; color: var(--bad) }
small { display: block; color: var(--soft) }`;

/** Runs in the client: asks over TLS and on loopback, says what failed, and goes on where it was sent. */
const SCRIPT = `
const host = document.body.dataset.host, loopback = document.body.dataset.loopback;
const load = (url) => new Promise((done) => {
  const image = new Image();
  image.onload = () => done(true);
  image.onerror = () => done(false);
  image.src = url;
});
const mark = (id, ok) => {
  const row = document.getElementById(id);
  row.className = ok ? 'ok' : 'bad';
  row.querySelector('small').textContent = ok ? row.dataset.ok : row.dataset.bad;
};
const tell = (step) => fetch('/step/' + step, { cache: 'no-store' }).catch(() => undefined);
const target = () => {
  const to = new URLSearchParams(location.search).get('to');
  return to && URL.canParse(to) && /^https?:$/.test(new URL(to).protocol) ? to : null;
};
(async () => {
  const secure = await load('https://' + host + '/mark.svg?' + Date.now());
  mark('secure', secure);
  if (!secure) await tell('no-secure');
  const local = await load(loopback);
  mark('loopback', local);
  if (!local) await tell('no-loopback');
  const to = target();
  if (secure && to) location.replace(to);
})();`;

/** The page that checks the client which opens it. */
export function checkPage(token: string): CheckPage {
  const nonce = randomBytes(16).toString('base64');
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Roundtrip: capture check</title><style nonce="${nonce}">${STYLE}</style></head>
<body data-host="${checkHost(token)}" data-loopback="${CHECK_LOOPBACK}${CHECK_PATH}${token}"><main>
<h1>You are captured</h1>
<p>This program sends its requests through Roundtrip.</p>
<ul>
<li class="ok" id="plain"><div>HTTP<small>It comes through.</small></div></li>
<li id="secure" data-ok="It comes through, and the CA is trusted." data-bad="This program does not trust the CA of Roundtrip."><div>HTTPS<small>Checking</small></div></li>
<li id="loopback" data-ok="It comes through." data-bad="Goes past Roundtrip: what it asks of localhost is not seen."><div>localhost<small>Checking</small></div></li>
</ul>
</main><script nonce="${nonce}">${SCRIPT}</script></body></html>`;
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
  return { html, policy };
}
