import { useState } from 'react';
import type { HostOverride } from '../../../shared/model/settings.ts';
import { Choice } from '../../ui/choice.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormActions } from '../../ui/form-actions.tsx';

/** Setting and label; the empty setting is the default. */
const VERSIONS = [
  ['', 'Default'],
  ['TLSv1.3', 'TLS 1.3'],
  ['TLSv1.2', 'TLS 1.2'],
  ['TLSv1.1', 'TLS 1.1 (insecure)'],
  ['TLSv1', 'TLS 1.0 (insecure)'],
] as const;

interface HostFormProps {
  /** A new rule begins with the defaults. */
  rules: HostOverride;
  save: (rules: HostOverride) => void;
  cancel: () => void;
}

type Change = (part: Partial<HostOverride>) => void;

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
  const change: Change = (part) => setDraft({ ...draft, ...part });
  const choose = (next: string) => {
    setWay(next);
    change({ proxy: next === 'own' ? '' : next });
  };
  // The host validates the values when the rule is saved.
  const incomplete = draft.host === '' || (way === 'own' && draft.proxy === '');
  return (
    <>
      <HostText draft={draft} name="host" change={change} />
      <div className="field-pair">
        <ProxyWay way={way} choose={choose} />
        <MinimumTls value={draft.minTls} change={change} />
      </div>
      {way === 'own' && <HostText draft={draft} name="proxy" change={change} />}
      <div className="field-pair">
        {/* The request still names the original host; only the connection goes elsewhere. */}
        <HostText draft={draft} name="address" change={change} />
        <HostText draft={draft} name="serverName" change={change} />
      </div>
      <HostText draft={draft} name="clientCertificate" change={change} />
      <Choice
        label="Accept any certificate"
        hint="Anyone on the network path can then read and change this traffic. A warning is shown while this is on."
        checked={draft.skipVerification}
        set={(skipVerification) => change({ skipVerification })}
      />
      <FormActions back={cancel} isComplete={!incomplete} save={() => save(draft)} />
    </>
  );
}

const TEXTS = {
  host: { label: 'Host', placeholder: '*.corp.example', about: 'Host name; * matches any characters.' },
  proxy: {
    label: 'Proxy address',
    placeholder: 'http://proxy.example:3128',
    about: 'Enter no password here. The login from the Proxy tab is used.',
  },
  address: { label: 'Connect to', placeholder: 'DNS result', about: 'IP address or host name.' },
  serverName: {
    label: 'Server name (SNI)',
    placeholder: 'Sent by the client',
    about: 'The certificate is verified against this name.',
  },
  clientCertificate: {
    label: 'Client certificate',
    placeholder: 'None',
    about: 'Path of a PEM file with the certificate and its key.',
  },
} as const;

/** A text field of the rule. Surrounding spaces, which come with pasted text, are dropped. */
function HostText({ draft, name, change }: { draft: HostOverride; name: keyof typeof TEXTS; change: Change }) {
  const { label, placeholder, about } = TEXTS[name];
  return (
    <TextField
      label={label}
      value={draft[name]}
      spellCheck={false}
      placeholder={placeholder}
      set={(text) => change({ [name]: text.trim() })}
    >
      <small>{about}</small>
    </TextField>
  );
}

function ProxyWay({ way, choose }: { way: string; choose: (way: string) => void }) {
  return (
    <label className="field">
      Proxy
      <select value={way} onChange={(event) => choose(event.target.value)}>
        <option value="">Default</option>
        <option value="direct">None</option>
        <option value="own">Custom</option>
      </select>
    </label>
  );
}

function MinimumTls({ value, change }: { value: HostOverride['minTls']; change: Change }) {
  return (
    <label className="field">
      Minimum TLS version
      <select
        value={value}
        onChange={(event) => change({ minTls: VERSIONS.find(([key]) => key === event.target.value)?.[0] ?? '' })}
      >
        {VERSIONS.map(([key, name]) => (
          <option key={key} value={key}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
