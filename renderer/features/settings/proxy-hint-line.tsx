import { Info } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ProxyHints } from '../../../shared/model/proxy/proxy-hints.ts';
import { Button } from '../../ui/button.tsx';
import { attempt, useApp } from '../app-context.ts';
import type { ProxyDraft } from './proxy-draft.ts';
import { hintFor } from './proxy-hint.ts';

/** Labels of the button. */
const NAMES = { system: 'Use system', wpad: 'Use WPAD' } as const;

interface HintProps {
  source: ProxyDraft['source'];
  choose: (source: 'system' | 'wpad') => void;
}

/** Shows the proxy that the system or the network announces if it is relevant to the selected source. */
export function ProxyHintLine({ source, choose }: HintProps) {
  const app = useApp();
  const [hints, setHints] = useState<ProxyHints | null>(null);
  // Read when the dialog opens, not at startup: a WPAD hint looks up names on the network.
  useEffect(() => {
    void attempt(app, () => app.api.request('proxy.hints', {})).then(setHints);
  }, [app]);
  const hint = hints && hintFor(source, hints);
  if (!hint) return null;
  const { use } = hint;
  return (
    <div className="proxy-hint" role="status">
      <Info size={15} aria-hidden="true" />
      <p>{hint.text}</p>
      {use && <Button onClick={() => choose(use)}>{NAMES[use]}</Button>}
    </div>
  );
}
