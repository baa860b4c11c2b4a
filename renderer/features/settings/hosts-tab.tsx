import { Pencil, Plus, Trash2, TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { type HostOverride, NO_OVERRIDE } from '../../../shared/model/settings.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { updateSettings } from '../actions.ts';
import { useApp, useWindow } from '../app-context.ts';
import { HostForm } from './host-form.tsx';

/** Index of the rule being edited, or the list's length for a new rule; null: the list is shown. */
type Editing = number | null;

/** The rule in one line; only what differs from the defaults. */
function summary({ proxy, address, serverName, minTls, clientCertificate }: HostOverride): string {
  const parts = [
    proxy === 'direct' ? 'no proxy' : proxy && `proxy ${proxy}`,
    address && `connect to ${address}`,
    serverName && `SNI ${serverName}`,
    minTls && `${minTls} or newer`,
    clientCertificate && `client certificate ${clientCertificate}`,
  ].filter(Boolean);
  return parts.join(', ');
}

/** The list of per-host rules. Order matters: the first rule that matches a host applies. */
export function HostsTab() {
  const app = useApp();
  const overrides = useWindow((state) => state.settings.hostOverrides);
  const [editing, setEditing] = useState<Editing>(null);
  // One operation for add, edit and remove: `by` is empty to remove, and `at` is the length to add.
  const replace = (at: number, by: HostOverride[]) =>
    updateSettings(app, { hostOverrides: [...overrides.slice(0, at), ...by, ...overrides.slice(at + 1)] });
  if (editing !== null) {
    return (
      <HostForm
        rules={overrides[editing] ?? NO_OVERRIDE}
        save={async (rules) => {
          // A refused rule keeps the form open, with its text.
          if (await replace(editing, [rules])) setEditing(null);
        }}
        cancel={() => setEditing(null)}
      />
    );
  }
  return (
    <>
      <p className="muted">Override settings for specific hosts. The first rule that matches a host applies.</p>
      <HostList overrides={overrides} edit={setEditing} remove={(index) => void replace(index, [])} />
      <div className="dialog-actions">
        <Button icon={Plus} onClick={() => setEditing(overrides.length)}>
          Add host
        </Button>
      </div>
    </>
  );
}

interface HostListProps {
  overrides: readonly HostOverride[];
  /** Gets the rule's place in the list. */
  edit: (index: number) => void;
  remove: (index: number) => void;
}

function HostList({ overrides, edit, remove }: HostListProps) {
  if (overrides.length === 0) return null;
  return (
    <ul className="stores hosts">
      {overrides.map((rules, index) => (
        // Rules have no id, and two of them may name the same host.
        <HostItem key={JSON.stringify(rules)} rules={rules} edit={() => edit(index)} remove={() => remove(index)} />
      ))}
    </ul>
  );
}

function HostItem({ rules, edit, remove }: { rules: HostOverride; edit: () => void; remove: () => void }) {
  return (
    <li>
      <div>
        <b>{rules.host}</b>
        <small>{summary(rules)}</small>
        {rules.skipVerification && (
          <small className="warn">
            <TriangleAlert size={12} aria-hidden="true" /> Accepts any certificate
          </small>
        )}
      </div>
      <IconButton icon={Pencil} label={`Edit ${rules.host}`} onClick={edit} />
      <IconButton icon={Trash2} label={`Remove ${rules.host}`} onClick={remove} />
    </li>
  );
}
