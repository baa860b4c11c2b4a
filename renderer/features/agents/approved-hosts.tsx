import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';

/**
 * The hosts to which agents may resend recorded requests, and redirect new ones. Shown only while agents may change
 * traffic. The text is local until Approve, because half a host name must not be approved while it is typed.
 */
export function ApprovedHosts() {
  const app = useApp();
  const saved = useWindow((state) => state.settings.agentsSendTo).join(', ');
  const [text, setText] = useState(saved);
  // Lower case, because host names ignore case (RFC 3986, section 3.2.2).
  const hosts = text
    .split(/[\s,]+/)
    .filter((host) => host !== '')
    .map((host) => host.toLowerCase());
  const approve = async () => {
    if (await updateSettings(app, { agentsSendTo: hosts })) setText(hosts.join(', '));
  };
  return (
    <div className="form-line named">
      <label htmlFor="agents-send-to">They may send to</label>
      <input
        id="agents-send-to"
        type="text"
        value={text}
        placeholder="staging.example.com, localhost"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
      />
      <Button disabled={hosts.join(', ') === saved} onClick={() => void approve()}>
        Approve
      </Button>
    </div>
  );
}
