import { useState } from 'react';
import type { HostOverride } from '../../../shared/model/settings.ts';
import { Button } from '../../ui/button.tsx';

/** Setting and label; the empty setting is the default. */
const VERSIONS = [
  ['', 'Default'],
  ['TLSv1.3', 'TLS 1.3'],
  ['TLSv1.2', 'TLS 1.2'],
  ['TLSv1.1', 'TLS 1.1 (insecure)'],
  ['TLSv1', 'TLS 1.0 (insecure)'],
] as const;

interface HostFormProps {
  rules: HostOverride;
  save: (rules: HostOverride) => void;
  cancel: () => void;
}

/**
 * Edits the rules of one host. In `HostOverride.proxy`, '' means the default proxy, 'direct' means none, and any other
 * text is a proxy address; the form shows these as Default, None and Custom.
 */
export function HostForm({ rules, save, cancel }: HostFormProps) {
  const [draft, setDraft] = useState(rules);
  const own = draft.proxy !== '' && draft.proxy !== 'direct';
  // Kept apart from the draft: a custom proxy has an empty address until the user types one, which would read as
  // Default.
  const [way, setWay] = useState(own ? 'own' : draft.proxy);
  const change = (part: Partial<HostOverride>) => setDraft({ ...draft, ...part });
  const choose = (next: string) => {
    setWay(next);
    change({ proxy: next === 'own' ? '' : next });
  };
  // Called as a function, not rendered as a component: a component defined here would remount with each key press and
  // lose the focus.
  const text = (
    name: 'host' | 'proxy' | 'address' | 'serverName' | 'clientCertificate',
    label: string,
    placeholder: string,
    about: string,
  ) => (
    <label className="field">
      {label}
      <input
        type="text"
        value={draft[name]}
        spellCheck={false}
        placeholder={placeholder}
        onChange={(event) => change({ [name]: event.target.value.trim() })}
      />
      {about !== '' && <small>{about}</small>}
    </label>
  );
  // The host validates the values when the rule is saved.
  const incomplete = draft.host === '' || (way === 'own' && draft.proxy === '');
  return (
    <>
      {text('host', 'Host', '*.corp.example', 'Host name; * matches any characters.')}
      <div className="field-pair">
        <label className="field">
          Proxy
          <select value={way} onChange={(event) => choose(event.target.value)}>
            <option value="">Default</option>
            <option value="direct">None</option>
            <option value="own">Custom</option>
          </select>
        </label>
        <label className="field">
          Minimum TLS version
          <select
            value={draft.minTls}
            onChange={(event) => change({ minTls: VERSIONS.find(([key]) => key === event.target.value)?.[0] ?? '' })}
          >
            {VERSIONS.map(([key, name]) => (
              <option key={key} value={key}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {way === 'own' &&
        text(
          'proxy',
          'Proxy address',
          'http://proxy.example:3128',
          'Enter no password here. The login from the Proxy tab is used.',
        )}
      <div className="field-pair">
        {/* The request still names the original host; only the connection goes elsewhere. */}
        {text('address', 'Connect to', 'DNS result', 'IP address or host name.')}
        {text(
          'serverName',
          'Server name (SNI)',
          'Sent by the client',
          'The certificate is verified against this name.',
        )}
      </div>
      {text('clientCertificate', 'Client certificate', 'None', 'Path of a PEM file with the certificate and its key.')}
      <label className="choice">
        <input
          type="checkbox"
          checked={draft.skipVerification}
          onChange={(event) => change({ skipVerification: event.target.checked })}
        />
        <span>
          Accept any certificate
          <small>
            Anyone on the network path can then read and change this traffic. A warning is shown while this is on.
          </small>
        </span>
      </label>
      <div className="dialog-actions">
        <Button onClick={cancel}>Back</Button>
        <Button tone="primary" disabled={incomplete} onClick={() => save(draft)}>
          Save
        </Button>
      </div>
    </>
  );
}
