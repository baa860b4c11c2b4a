import { FileUp, RefreshCw, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CaStatus } from '../../../shared/contract/requests.ts';
import { showToast } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { attempt, useApp } from '../app-context.ts';
import { PassphraseField } from './passphrase-field.tsx';

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

type Step = 'none' | 'rotate' | 'import';

/** Another certificate or another CA in place of this one. What costs trust elsewhere is said before it is done. */
export function ReplaceForm({ onChange }: { onChange: (status: CaStatus) => void }) {
  const app = useApp();
  const [step, setStep] = useState<Step>('none');
  const finish = (status: CaStatus | null, what: string) => {
    if (!status) return;
    setStep('none');
    onChange(status);
    showToast(app.store, { tone: 'done', code: null, message: what, link: null });
  };
  const renew = async () =>
    finish(
      await attempt(app, () => app.api.request('ca.renew', {})),
      'The CA has a new certificate for the same key. Stores that trust the old one go on until that expires.',
    );
  const rotate = async () =>
    finish(
      await attempt(app, () => app.api.request('ca.rotate', {})),
      'There is a new CA. Install it in the stores that trusted the old one.',
    );
  return (
    <PanelSection title="Replace">
      {step === 'none' && (
        <div className="form-line">
          <Button icon={RefreshCw} onClick={() => void renew()}>
            Renew
          </Button>
          <Button icon={RotateCw} onClick={() => setStep('rotate')}>
            Make a new CA
          </Button>
          <Button icon={FileUp} onClick={() => setStep('import')}>
            Use a CA of my own
          </Button>
        </div>
      )}
      {step === 'none' && (
        <small>Renewing keeps the key, so nothing has to trust it anew before the old one ends.</small>
      )}
      {step === 'rotate' && (
        <>
          <p>
            Every store and device that trusts this CA has to trust the new one. The old certificate is kept, its key is
            not.
          </p>
          <div className="form-line">
            <Button tone="primary" onClick={() => void rotate()}>
              Make a new CA
            </Button>
            <Button onClick={() => setStep('none')}>Keep this one</Button>
          </div>
        </>
      )}
      {step === 'import' && <ImportForm finish={finish} onCancel={() => setStep('none')} />}
    </PanelSection>
  );
}

interface ImportFormProps {
  finish: (status: CaStatus | null, what: string) => void;
  onCancel: () => void;
}

function ImportForm({ finish, onCancel }: ImportFormProps) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [passphrase, setPassphrase] = useState('');
  const adopt = async () => {
    const texts = await Promise.all(files.map(base64Of));
    const status = await attempt(app, () => app.api.request('ca.import', { files: texts, passphrase }));
    finish(status, 'Roundtrip signs with your CA from now on.');
  };
  return (
    <>
      <p>A PKCS#12 file, or PEM with the certificate and its private key, in one file or two.</p>
      <div className="form-line">
        <input
          ref={input}
          type="file"
          hidden
          multiple
          aria-label="CA files"
          accept=".p12,.pfx,.pem,.crt,.cer,.key"
          onChange={() => setFiles([...(input.current?.files ?? [])].slice(0, 2))}
        />
        <Button icon={FileUp} onClick={() => input.current?.click()}>
          Choose files
        </Button>
        <PassphraseField
          label="Passphrase of the file"
          placeholder="Passphrase, if it has one"
          value={passphrase}
          onChange={setPassphrase}
        />
      </div>
      <small>{files.length === 0 ? 'No file is chosen.' : files.map(({ name }) => name).join(', ')}</small>
      <div className="form-line">
        <Button tone="primary" disabled={files.length === 0} onClick={() => void adopt()}>
          Use this CA
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}
