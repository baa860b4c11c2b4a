import { Download } from 'lucide-react';
import { useState } from 'react';
import type { InputOf } from '../../../shared/contract/requests.ts';
import { Button } from '../../ui/button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { tellSaved } from '../actions.ts';
import { attempt, useApp } from '../app-context.ts';
import { PassphraseField } from './passphrase-field.tsx';

type Form = InputOf<'ca.export'>['form'];

/** Each format serves one kind of trust store. PKCS#12 is the only one that contains the private key. */
const FORMS: Record<Form, { label: string; about: string }> = {
  pem: { label: 'PEM (.crt)', about: 'For most programs and the Android user store.' },
  der: { label: 'DER (.cer)', about: 'For Windows and other programs that need the binary format.' },
  ios: {
    label: 'iOS profile (.mobileconfig)',
    about: 'Open it on the device, then trust it in Settings, General, About, Certificate Trust Settings.',
  },
  android: { label: 'Android system (.0)', about: 'For /system/etc/security/cacerts on an emulator or rooted device.' },
  p12: { label: 'PKCS#12 with key (.p12)', about: 'Anyone with this file can forge certificates. Keep it private.' },
};

/** Saves the CA as a file. A .p12 needs a passphrase of at least 8 characters, because it contains the key. */
export function ExportForm() {
  const app = useApp();
  const [form, setForm] = useState<Form>('pem');
  const [passphrase, setPassphrase] = useState('');
  // The passphrase is sent for PKCS#12 only, even if one was typed before another format was selected.
  const save = async () => {
    const input = { form, passphrase: form === 'p12' ? passphrase : '' };
    const saved = await attempt(app, () => app.api.request('ca.export', input));
    if (saved && saved.status !== 'cancelled') tellSaved(app, saved, form === 'p12' ? 'The CA' : 'The CA certificate');
  };
  return (
    <PanelSection title="Export">
      <div className="form-line">
        <select aria-label="Format" value={form} onChange={(event) => setForm(event.target.value as Form)}>
          {Object.entries(FORMS).map(([name, { label }]) => (
            <option key={name} value={name}>
              {label}
            </option>
          ))}
        </select>
        {form === 'p12' && (
          <PassphraseField
            label="Passphrase"
            placeholder="Passphrase, at least 8 characters"
            value={passphrase}
            onChange={setPassphrase}
          />
        )}
        <Button icon={Download} disabled={form === 'p12' && passphrase.length < 8} onClick={() => void save()}>
          Export
        </Button>
      </div>
      <small>{FORMS[form].about}</small>
    </PanelSection>
  );
}
