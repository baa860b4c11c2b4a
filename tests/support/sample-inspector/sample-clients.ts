import { recipes } from '../../../electron/commands/services/recipes.ts';
import type { OutputOf } from '../../../shared/contract/requests.ts';
import type { Client } from '../../../shared/model/client.ts';

const blank = {
  was: null,
  failure: null,
  warning: null,
  exitCode: null,
  checkUrl: 'http://1a2b3c4d5e6f708192a3b4c5d6e7f809.check.roundtrip.invalid/',
};

/** One client in each state. */
export const SAMPLE_CLIENTS: Client[] = [
  { id: 1, kind: 'browser', name: 'Google Chrome', state: 'trusted', ...blank },
  { id: 2, kind: 'browser', name: 'Firefox (snap)', state: 'starting', ...blank },
  {
    ...{ id: 3, kind: 'browser', name: 'Chromium', state: 'failed' as const, ...blank },
    failure: {
      code: 'capture.not-seen',
      side: 'client',
      message:
        'Chromium sent nothing through Roundtrip within 30 s. The policy ProxySettings in ' +
        '/etc/chromium/policies/managed/proxy.json overrides its proxy setting.',
      cause: null,
    },
  } as Client,
  {
    ...{ id: 4, kind: 'by-hand', name: 'Checked manually', state: 'failed' as const, ...blank },
    failure: {
      code: 'capture.not-trusted',
      side: 'client',
      message: 'Checked manually uses Roundtrip, but its HTTPS requests fail: it said: unknown CA, alert 48.',
      cause: null,
    },
  } as Client,
  {
    ...{ id: 5, kind: 'terminal', name: 'Terminal', state: 'trusted' as const, ...blank },
    warning: {
      code: 'capture.loopback-bypassed',
      side: 'client',
      message: 'Terminal bypasses Roundtrip for loopback addresses: its requests to localhost are not captured.',
      cause: null,
    },
  } as Client,
  { id: 6, kind: 'by-hand', name: 'Checked manually', state: 'starting', ...blank },
  { id: 7, kind: 'browser', name: 'Brave', state: 'ended', ...blank, was: 'trusted' },
  { id: 8, kind: 'command', name: 'npm test', state: 'trusted', ...blank },
  { id: 9, kind: 'command', name: './deploy --dry-run', state: 'ended', ...blank, was: 'trusted', exitCode: 3 },
  { id: 10, kind: 'command', name: 'npm start', state: 'ready', ...blank },
  { id: 11, kind: 'terminal', name: 'Terminal', state: 'ready', ...blank },
  {
    ...{ id: 12, kind: 'command', name: 'go test ./...', state: 'ended' as const, ...blank, was: 'ready', exitCode: 0 },
    warning: {
      code: 'capture.none-came',
      side: 'client',
      message:
        'go test ./... ended without sending a request through Roundtrip: it sent none, or it ignores the proxy ' +
        'variables (see Set up by hand).',
      cause: null,
    },
  } as Client,
  {
    ...{ id: 13, kind: 'command', name: 'python fetch.py', state: 'failed' as const, ...blank },
    failure: {
      code: 'capture.host-refused',
      side: 'client',
      message:
        "python fetch.py uses Roundtrip, but rejected a certificate. The client does not trust Roundtrip's " +
        'certificate for api.test (it said: unknown CA, alert 48). Trust the CA, or pass this host through.',
      cause: null,
    },
  } as Client,
];

export const SAMPLE_COMMANDS: OutputOf<'commands.recent'> = {
  commands: [
    { command: 'npm test', as: 'command' },
    { command: '/opt/Example App/example', as: 'electron' },
    { command: 'cd ~/work/shop && python -m pytest tests/checkout --maxfail 1', as: 'command' },
  ],
  canChoose: true,
};

export const SAMPLE_LAUNCHERS: OutputOf<'launchers.list'> = {
  launchers: [
    { id: 'chrome', kind: 'browser', name: 'Google Chrome', path: '/usr/bin/google-chrome' },
    { id: 'firefox-snap', kind: 'browser', name: 'Firefox (snap)', path: '/snap/bin/firefox' },
    { id: 'terminal', kind: 'terminal', name: 'Terminal', path: '/usr/bin/x-terminal-emulator' },
  ],
  recipes: recipes(
    {
      certificatePath: '/home/ada/.local/share/roundtrip/ca.crt',
      spkiHash: 'mHkP9NB1xN3sWn4oE+o2Jw4gIPAhzz4o0QZqD5t3yQ8=',
    },
    'http://127.0.0.1:8866',
  ),
};
