import { FileUp, RefreshCw, RotateCw } from 'lucide-react';
import { useRef, useState } from 'react';
import type { CaStatus } from '../../../shared/contract/requests/ca-requests.ts';
import { showToast } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { PanelSection } from '../../ui/panel-section.tsx';
import { attempt, useApp } from '../app-context.ts';
import { base64Of } from '../inspector/body/read-body.ts';
import { PassphraseField } from './passphrase-field.tsx';

/** `none` shows the three buttons; the others ask for confirmation or for files. */
type Step = 'none' | 'rotate' | 'import';

/**
 * Renews the CA certificate, creates a new CA or imports one. A step that makes other stores and devices stop trusting
 * Roundtrip shows its cost first and needs a second click.
 */
export function ReplaceForm({ onChange }: { onChange: (status: CaStatus) => void }) {
  const app = useApp();
  const [step, setStep] = useState<Step>('none');
  const finish = (status: CaStatus | null, what: string) => {
    // A failed request keeps the step open: the user can correct it.
    if (!status) return;
    setStep('none');
    onChange(status);
    showToast(app.store, { tone: 'done', code: null, message: what, link: null });
  };
  // No confirmation: the key stays, and stores that trust the certificate keep working.
  const renew = async () =>
    finish(
      await attempt(app, () => app.api.request('ca.renew', {})),
      'CA certificate renewed with the same key. Stores that trust the old certificate keep working until it expires.',
    );
  const rotate = async () =>
    finish(
      await attempt(app, () => app.api.request('ca.rotate', {})),
      'New CA created. Install it in the stores that trusted the old one.',
    );
  return (
    <PanelSection title="Replace">
      {step === 'none' && <Choices renew={() => void renew()} choose={setStep} />}
      {step === 'rotate' && <ConfirmRotation rotate={() => void rotate()} cancel={() => setStep('none')} />}
      {step === 'import' && <ImportForm finish={finish} onCancel={() => setStep('none')} />}
    </PanelSection>
  );
}

/** Renewing runs at once; the other two open a step that asks first. */
function Choices({ renew, choose }: { renew: () => void; choose: (step: Step) => void }) {
  return (
    <>
      <div className="form-line">
        <Button icon={RefreshCw} onClick={renew}>
          Renew
        </Button>
        <Button icon={RotateCw} onClick={() => choose('rotate')}>
          Create new CA
        </Button>
        <Button icon={FileUp} onClick={() => choose('import')}>
          Import CA
        </Button>
      </div>
      <small>Renewing keeps the key. Stores that trust the current certificate keep working until it expires.</small>
    </>
  );
}

/** Asks first, because the old key can't be restored. */
function ConfirmRotation({ rotate, cancel }: { rotate: () => void; cancel: () => void }) {
  return (
    <>
      <p>
        Every store and device that trusts this CA must trust the new one. The old certificate is kept, but its key is
        deleted.
      </p>
      <div className="form-line">
        <Button tone="primary" onClick={rotate}>
          Create new CA
        </Button>
        <Button onClick={cancel}>Cancel</Button>
      </div>
    </>
  );
}

interface ImportFormProps {
  /** Null: the request failed, and the form stays open. */
  finish: (status: CaStatus | null, what: string) => void;
  onCancel: () => void;
}

/**
 * Imports the user's CA. The files are read here and sent as base64: a page has no paths, and the host may be remote.
 */
function ImportForm({ finish, onCancel }: ImportFormProps) {
  const app = useApp();
  const [files, setFiles] = useState<readonly File[]>([]);
  const [passphrase, setPassphrase] = useState('');
  const adopt = async () => {
    const texts = await Promise.all(files.map(async (file) => base64Of(new Uint8Array(await file.arrayBuffer()))));
    const status = await attempt(app, () => app.api.request('ca.import', { files: texts, passphrase }));
    finish(status, 'Roundtrip now uses your CA.');
  };
  return (
    <>
      <p>A PKCS#12 file, or the certificate and its private key as PEM in one or two files.</p>
      <div className="form-line">
        <FileChoice choose={setFiles} />
        <PassphraseField
          label="File passphrase"
          placeholder="Passphrase (optional)"
          value={passphrase}
          onChange={setPassphrase}
        />
      </div>
      <small>{files.length === 0 ? 'No file chosen' : files.map(({ name }) => name).join(', ')}</small>
      <div className="form-line">
        <Button tone="primary" disabled={files.length === 0} onClick={() => void adopt()}>
          Use this CA
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </div>
    </>
  );
}

/** At most two files, which is what a certificate and its key need. */
function FileChoice({ choose }: { choose: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        // Hidden: the button opens it, because a file input can't be styled like the others.
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="CA files"
        accept=".p12,.pfx,.pem,.crt,.cer,.key"
        // Two files: a certificate and its key.
        onChange={() => choose([...(input.current?.files ?? [])].slice(0, 2))}
      />
      <Button icon={FileUp} onClick={() => input.current?.click()}>
        Choose files
      </Button>
    </>
  );
}
