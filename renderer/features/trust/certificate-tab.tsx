import type { CaStatus } from '../../../shared/contract/requests/ca-requests.ts';
import { CopyLine } from '../../ui/copy-button.tsx';
import { ExportForm } from './export-form.tsx';
import { ReplaceForm } from './replace-form.tsx';

interface CertificateTabProps {
  /** As the host last probed it. */
  status: CaStatus;
  onChange: (status: CaStatus) => void;
}

/** The CA certificate's details, with export and replacement. Dates are in the user's time zone. */
export function CertificateTab({ status, onChange }: CertificateTabProps) {
  const { certificate, path } = status;
  return (
    <>
      <dl className="facts">
        <dt>Subject</dt>
        <dd>{certificate.subject}</dd>
        <dt>Expires</dt>
        <dd>{new Date(certificate.notAfter).toLocaleDateString('en', { dateStyle: 'long' })}</dd>
        <dt>SHA-256</dt>
        <dd>
          <CopyLine text={certificate.fingerprint} label="Copy fingerprint" />
        </dd>
        <dt>File</dt>
        <dd>
          <CopyLine text={path} label="Copy path" />
        </dd>
      </dl>
      <ExportForm />
      <ReplaceForm onChange={onChange} />
    </>
  );
}
