import { TextArea, TextField } from '../../ui/field.tsx';
import type { ProxyDraft } from './proxy-draft.ts';

interface FieldsProps {
  draft: ProxyDraft;
  change: (part: Partial<ProxyDraft>) => void;
  problem: string | null;
}

/** Address or PAC file, login, and bypass list. System and WPAD have no address, but need logins too. */
export function ProxyFields({ draft, change, problem }: FieldsProps) {
  return (
    <>
      {draft.source === 'manual' && (
        <AddressField
          label="Address"
          value={draft.url}
          placeholder="http://proxy.example:3128"
          hint="http, https, socks4, socks4a, socks5 or socks5h."
          problem={problem}
          set={(url) => change({ url })}
        />
      )}
      {draft.source === 'pac' && (
        <AddressField
          label="URL or path"
          value={draft.pac}
          placeholder="http://wpad.example/proxy.pac"
          hint="http, https or a local file."
          problem={problem}
          set={(pac) => change({ pac })}
        />
      )}
      <LoginFields draft={draft} change={change} />
      <small>For Basic, Digest or NTLM. Kerberos needs no login. With a domain: CORP\ann.</small>
      <TextArea
        label="Bypass list"
        rows={3}
        value={draft.bypass}
        placeholder={'localhost\n*.corp.example\n10.0.0.0/8'}
        set={(bypass) => change({ bypass })}
      >
        <small>One per line: domains (with subdomains), * as a wildcard, networks, &lt;local&gt;.</small>
      </TextArea>
    </>
  );
}

interface AddressFieldProps {
  label: string;
  value: string;
  placeholder: string;
  /** Shown while there is no problem. */
  hint: string;
  problem: string | null;
  set: (text: string) => void;
}

function AddressField({ hint, problem, ...field }: AddressFieldProps) {
  // An empty field is not marked as wrong before the user typed anything.
  const wrong = field.value !== '' && problem !== null;
  return (
    <TextField {...field} spellCheck={false} aria-invalid={wrong}>
      <small className={wrong ? 'bad' : ''}>{wrong ? problem : hint}</small>
    </TextField>
  );
}

function LoginFields({ draft, change }: Omit<FieldsProps, 'problem'>) {
  return (
    <div className="field-pair">
      <TextField
        label="User"
        value={draft.user}
        spellCheck={false}
        autoComplete="off"
        placeholder="None"
        set={(user) => change({ user })}
      />
      {/* A saved password never leaves the host: it is shown as ***. */}
      <TextField
        label="Password"
        type="password"
        value={draft.password}
        autoComplete="off"
        disabled={draft.user.trim() === ''}
        set={(password) => change({ password })}
      />
    </div>
  );
}
