import { CHECK_LOOPBACK, CHECK_PATH, checkHost } from '../../../shared/model/capture-check.ts';
import { PAGE_STYLE, pagePolicy } from './page-style.ts';

export interface CheckPage {
  html: string;
  /** Content-Security-Policy that allows only what the page needs. */
  policy: string;
}

/** Runs in the client: sends requests over TLS and to loopback, reports failures and navigates to its destination. */
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
  const { nonce, policy } = pagePolicy();
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Roundtrip: capture check</title><style nonce="${nonce}">${PAGE_STYLE}</style></head>
<body data-host="${checkHost(token)}" data-loopback="${CHECK_LOOPBACK}${CHECK_PATH}${token}"><main>
<h1>You are captured</h1>
<p>This program sends its requests through Roundtrip.</p>
<ul>
<li class="ok" id="plain"><div>HTTP<small>Captured.</small></div></li>
<li id="secure" data-ok="Captured, and the CA is trusted."
  data-bad="This program does not trust Roundtrip’s CA."><div>HTTPS<small>Checking</small></div></li>
<li id="loopback" data-ok="Captured."
  data-bad="Not captured: requests to localhost bypass Roundtrip."><div>localhost<small>Checking</small></div></li>
</ul>
</main><script nonce="${nonce}">${SCRIPT}</script></body></html>`;
  return { html, policy };
}
