import { useState } from 'react';
import type { HostOverride } from '../../../shared/model/settings.ts';
import { Button } from '../../ui/button.tsx';

const VERSIONS = [
  ['', 'Default'],
  ['TLSv1.3', 'TLS 1.3'],
  ['TLSv1.2', 'TLS 1.2'],
  ['TLSv1.1', 'TLS 1.1, which is weak'],
  ['TLSv1', 'TLS 1.0, which is weak'],
] as const;

interface HostFormProps {
  rules: HostOverride;
  save: (rules: HostOverride) => void;
  cancel: () => void;
}

export function HostForm({ rules, save, cancel }: HostFormProps) {
  const [draft, setDraft] = useState(rules);
  const own = draft.proxy !== '' && draft.proxy !== 'direct';
  const [way, setWay] = useState(own ? 'own' : draft.proxy);
  const change = (part: Partial<HostOverride>) => setDraft({ ...draft, ...part });
  const choose = (next: string) => {
    setWay(next);
    change({ proxy: next === 'own' ? '' : next });
  };
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
  const incomplete = draft.host === '' || (way === 'own' && draft.proxy === '');
  return (
    <>
      {text('host', 'Host', '*.corp.example', 'A name, * for any run of characters.')}
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
          'Without a password; the login for proxies is used.',
        )}
      <div className="field-pair">
        {text('address', 'Connect to', 'what DNS says', 'An IP address or a name.')}
        {text('serverName', 'Server name (SNI)', 'what the client sent', 'The certificate is checked for it.')}
      </div>
      {text(
        'clientCertificate',
        'Client certificate',
        'none',
        'The path of a PEM file with a certificate and its key.',
      )}
      <label className="choice">
        <input
          type="checkbox"
          checked={draft.skipVerification}
          onChange={(event) => change({ skipVerification: event.target.checked })}
        />
        <span>
          Accept any certificate
          <small>
            Whoever sits between can then read and change this traffic. A warning stands as long as it is on.
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
