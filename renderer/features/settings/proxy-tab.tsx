import { useState } from 'react';
import type { ProxyTest } from '../../../shared/model/proxy/proxy-test.ts';
import { showToast } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import { updateSettings } from '../actions.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { draftOf, type ProxyDraft, problemOf, settingsOf, targetOf } from './proxy-draft.ts';
import { ProxyHintLine } from './proxy-hint-line.tsx';
import { lastHost } from './proxy-target.ts';
import { TestResult } from './test-result.tsx';

/** `none` is not a source in the settings: it is `upstreamProxy.enabled` turned off. */
const SOURCES = { none: 'None', manual: 'Manual', system: 'System', pac: 'PAC file', wpad: 'WPAD' } as const;

/** The hint under the source. WPAD carries a warning: the network decides where traffic goes. */
const ABOUT: Record<ProxyDraft['source'], string> = {
  none: 'Requests go directly to the origin.',
  manual: 'Requests go through this proxy.',
  system: 'Uses the proxy of the environment or the desktop. Changes apply within ten seconds.',
  pac: 'A script selects the proxy for each host. It never sees the path or query.',
  wpad: 'Uses the PAC file announced by DHCP or DNS. Anyone who controls them can route your traffic through their proxy: use it only on networks you trust.',
};

/**
 * Selects the upstream proxy. Save tests an untested configuration first and keeps the dialog open if the test fails;
 * the button then reads Save anyway.
 */
export function ProxyTab({ close }: { close: () => void }) {
  const app = useApp();
  const settings = useWindow((state) => state.settings);
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [target, setTarget] = useState(() => lastHost(app));
  const [result, setResult] = useState<ProxyTest | null>(null);
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<ProxyDraft>) => {
    setDraft({ ...draft, ...part });
    // A result describes the settings that were tested.
    setResult(null);
  };
  const problem = problemOf(draft);
  // Null disables Test: the target is not a host.
  const place = targetOf(target);
  const test = async (): Promise<ProxyTest | null> => {
    if (place === null) return null;
    setBusy(true);
    const input = { settings: settingsOf(draft, settings), target: place };
    const found = await attempt(app, () => app.api.request('proxy.test', input));
    setBusy(false);
    setResult(found);
    return found;
  };
  const save = async () => {
    if (!(await updateSettings(app, settingsOf(draft, settings)))) return;
    // The dialog closes with the result, so a toast confirms it.
    if (result?.state === 'works')
      showToast(app.store, { tone: 'done', code: null, message: 'Proxy settings saved.', link: null });
    close();
  };
  // With a result on screen, the user has seen it: save without another test.
  const turnOn = async () => {
    if (draft.source === 'none' || result !== null) return await save();
    const found = await test();
    if (found?.state === 'works') await save();
  };
  const sure = result === null || result.state === 'works';
  return (
    <>
      <Segments
        label="Upstream proxy"
        options={SOURCES}
        value={draft.source}
        onChange={(source) => change({ source })}
      />
      <p className="muted">{ABOUT[draft.source]}</p>
      <ProxyHintLine source={draft.source} choose={(source) => change({ source })} />
      {draft.source !== 'none' && <Fields draft={draft} change={change} problem={problem} />}
      {result && <TestResult result={result} />}
      <div className="dialog-actions spread">
        {draft.source !== 'none' && (
          <div className="form-line test-line">
            <Button disabled={busy || problem !== null || place === null} onClick={() => void test()}>
              {busy ? 'Testing' : 'Test'}
            </Button>
            <span className="muted">with</span>
            <input
              id="proxy-target"
              aria-label="Host to test with"
              type="text"
              value={target}
              spellCheck={false}
              aria-invalid={place === null}
              onChange={(event) => setTarget(event.target.value)}
            />
          </div>
        )}
        <span className="spring" />
        <Button tone="primary" disabled={busy || problem !== null} onClick={() => void turnOn()}>
          {sure ? 'Save' : 'Save anyway'}
        </Button>
      </div>
    </>
  );
}

interface FieldsProps {
  draft: ProxyDraft;
  change: (part: Partial<ProxyDraft>) => void;
  problem: string | null;
}

/** Address or PAC file, login, and bypass list. System and WPAD have no address, but need logins too. */
function Fields({ draft, change, problem }: FieldsProps) {
  const address = draft.source === 'pac' ? draft.pac : draft.url;
  // An empty field is not marked as wrong before the user typed anything.
  const wrong = address !== '' && problem !== null;
  return (
    <>
      {(draft.source === 'manual' || draft.source === 'pac') && (
        <label className="field">
          {draft.source === 'pac' ? 'URL or path' : 'Address'}
          <input
            type="text"
            value={address}
            spellCheck={false}
            placeholder={draft.source === 'pac' ? 'http://wpad.example/proxy.pac' : 'http://proxy.example:3128'}
            aria-invalid={wrong}
            onChange={(event) =>
              change(draft.source === 'pac' ? { pac: event.target.value } : { url: event.target.value })
            }
          />
          <small className={wrong ? 'bad' : ''}>
            {wrong
              ? problem
              : draft.source === 'pac'
                ? 'http, https or a local file.'
                : 'http, https, socks4, socks4a, socks5 or socks5h.'}
          </small>
        </label>
      )}
      <div className="field-pair">
        <label className="field">
          User
          <input
            type="text"
            value={draft.user}
            spellCheck={false}
            autoComplete="off"
            placeholder="None"
            onChange={(event) => change({ user: event.target.value })}
          />
        </label>
        <label className="field">
          Password
          {/* A saved password never leaves the host: it is shown as ***. */}
          <input
            type="password"
            value={draft.password}
            autoComplete="off"
            disabled={draft.user.trim() === ''}
            onChange={(event) => change({ password: event.target.value })}
          />
        </label>
      </div>
      <small>For Basic, Digest or NTLM. Kerberos needs no login. With a domain: CORP\ann.</small>
      <label className="field">
        Bypass list
        <textarea
          rows={3}
          value={draft.bypass}
          spellCheck={false}
          placeholder={'localhost\n*.corp.example\n10.0.0.0/8'}
          onChange={(event) => change({ bypass: event.target.value })}
        />
        <small>One per line: domains (with subdomains), * as a wildcard, networks, &lt;local&gt;.</small>
      </label>
    </>
  );
}
