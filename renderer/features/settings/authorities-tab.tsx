import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { TextArea } from '../../ui/field.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/** One path per line; blank lines and surrounding spaces don't count. */
function pathsOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}

/**
 * Extra CA files for upstream verification, in addition to the roots that this machine trusts. Nothing applies before
 * Save: half a path names no file.
 */
export function AuthoritiesTab({ close }: { close: () => void }) {
  const app = useApp();
  const settings = useWindow((state) => state.settings);
  const [upstream, setUpstream] = useState(settings.upstreamCaFiles.join('\n'));
  const [proxies, setProxies] = useState(settings.proxyCaFiles.join('\n'));
  const [insecure, setInsecure] = useState(settings.insecureUpstream);
  const save = async () => {
    const change = { upstreamCaFiles: pathsOf(upstream), proxyCaFiles: pathsOf(proxies), insecureUpstream: insecure };
    if (await updateSettings(app, change)) close();
  };
  return (
    <>
      <p className="muted">PEM files to trust in addition to this machine’s root certificates.</p>
      <CaFiles label="For origins and proxies" value={upstream} set={setUpstream} />
      <CaFiles label="For HTTPS proxies only" value={proxies} set={setProxies} />
      <Choice
        label="Accept any certificate from every origin"
        hint="A rule for the specific host is safer. A warning is shown while this is on."
        checked={insecure}
        set={setInsecure}
      />
      <div className="dialog-actions">
        <Button tone="primary" onClick={() => void save()}>
          Save
        </Button>
      </div>
    </>
  );
}

function CaFiles(props: { label: string; value: string; set: (text: string) => void }) {
  return (
    <TextArea rows={3} placeholder="/etc/ssl/corp-root.pem" {...props}>
      <small>One path per line.</small>
    </TextArea>
  );
}
