import type { ComposedRequest } from '../../../shared/model/replay/composed-request.ts';
import { Segments } from '../../ui/segments.tsx';

interface SendOptionsProps {
  request: ComposedRequest;
  /** It has no original: there is no protocol to keep. */
  isNew: boolean;
  change: (next: ComposedRequest) => void;
}

/** How the request is sent: protocol, route, rules, redirects, variables. */
export function SendOptions({ request, isNew, change }: SendOptionsProps) {
  const { protocol, route } = request;
  const first = isNew ? 'Negotiated' : 'As before';
  return (
    <div className="compose-options">
      <div className="compose-option">
        <span aria-hidden="true">Protocol</span>
        <Segments
          label="Protocol"
          options={{ 'as-before': first, 'http/1.1': 'HTTP/1.1', h2: 'HTTP/2' }}
          value={protocol}
          onChange={(next) => change({ ...request, protocol: next })}
        />
      </div>
      <div className="compose-option">
        <span aria-hidden="true">Route</span>
        <Segments
          label="Route"
          options={{ configured: 'As configured', direct: 'Without upstream proxy' }}
          value={route}
          onChange={(next) => change({ ...request, route: next })}
        />
      </div>
      <Check label="Apply rules" on={request.rules} change={(rules) => change({ ...request, rules })} />
      <Check
        label="Follow redirects"
        on={request.redirects}
        change={(redirects) => change({ ...request, redirects })}
      />
      <Check
        label="Replace {{variables}}"
        on={request.variables}
        change={(variables) => change({ ...request, variables })}
      />
    </div>
  );
}

/** The text is part of the label: a click on it toggles the box. */
function Check({ label, on, change }: { label: string; on: boolean; change: (on: boolean) => void }) {
  return (
    <label className="check">
      <input type="checkbox" checked={on} onChange={(event) => change(event.target.checked)} />
      {label}
    </label>
  );
}
