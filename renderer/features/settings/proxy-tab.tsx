import { Button } from '../../ui/button.tsx';
import { Segments } from '../../ui/segments.tsx';
import type { ProxyDraft } from './proxy-draft.ts';
import { ProxyFields } from './proxy-fields.tsx';
import { ProxyHintLine } from './proxy-hint-line.tsx';
import { TestResult } from './test-result.tsx';
import { type ProxyForm, useProxyForm } from './use-proxy-form.ts';

/** `none` is not a source in the settings: it is `upstreamProxy.enabled` turned off. */
const SOURCES = { none: 'None', manual: 'Manual', system: 'System', pac: 'PAC file', wpad: 'WPAD' } as const;

/** The hint under the source. WPAD carries a warning: the network decides where traffic goes. */
const ABOUT: Record<ProxyDraft['source'], string> = {
  none: 'Requests go directly to the origin.',
  manual: 'Requests go through this proxy.',
  system: 'Uses the proxy of the environment or the desktop. Changes apply within ten seconds.',
  pac: 'A script selects the proxy for each host. It never sees the path or query.',
  wpad:
    'Uses the PAC file announced by DHCP or DNS. Anyone who controls them can route your traffic through their ' +
    'proxy: use it only on networks you trust.',
};

/**
 * Selects the upstream proxy. Save tests an untested configuration first and keeps the dialog open if the test fails;
 * the button then reads Save anyway.
 */
export function ProxyTab({ close }: { close: () => void }) {
  const form = useProxyForm(close);
  const { draft, change, problem, result } = form;
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
      {draft.source !== 'none' && <ProxyFields draft={draft} change={change} problem={problem} />}
      {result && <TestResult result={result} />}
      <div className="dialog-actions spread">
        {draft.source !== 'none' && <TestLine form={form} />}
        <span className="spring" />
        <Button tone="primary" disabled={form.busy || problem !== null} onClick={() => void form.turnOn()}>
          {sure ? 'Save' : 'Save anyway'}
        </Button>
      </div>
    </>
  );
}

/** The host to test with is the user's choice: a proxy may allow some targets and forbid others. */
function TestLine({ form }: { form: ProxyForm }) {
  const { busy, problem, target, isTarget } = form;
  return (
    <div className="form-line test-line">
      <Button disabled={busy || problem !== null || !isTarget} onClick={() => void form.test()}>
        {busy ? 'Testing' : 'Test'}
      </Button>
      <span className="muted">with</span>
      <input
        id="proxy-target"
        aria-label="Host to test with"
        type="text"
        value={target}
        spellCheck={false}
        aria-invalid={!isTarget}
        onChange={(event) => form.setTarget(event.target.value)}
      />
    </div>
  );
}
