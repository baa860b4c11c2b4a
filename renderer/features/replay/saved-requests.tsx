import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { withVariables } from '../../../shared/format/variables.ts';
import type { ComposedRequest } from '../../../shared/model/replay/composed-request.ts';
import type { SavedRequests as SavedFile } from '../../../shared/model/replay/saved-requests.ts';
import { Button } from '../../ui/button.tsx';
import { TextArea } from '../../ui/field.tsx';
import { headersIn, headersText } from './compose-draft.ts';
import { useSavedRequests } from './use-saved-requests.ts';

interface SavedProps {
  request: ComposedRequest;
  /** Puts a saved request in place of the edited one. */
  change: (next: ComposedRequest) => void;
}

/** The saved requests: load one, keep the edited one under a name, and give variables their values. */
export function SavedRequests({ request, change }: SavedProps) {
  const { state, update } = useSavedRequests();
  const [name, setName] = useState('');
  const [editing, setEditing] = useState(false);
  if (state === null) return null;
  if (state.failure) return <p className="problem">{state.failure.message}</p>;
  const { saved } = state;
  const known = saved.requests.some((each) => each.name === name);
  const others = saved.requests.filter((each) => each.name !== name);
  const save = () => update({ ...saved, requests: [...others, { name, request: withoutRecorded(request) }] });
  return (
    <div className="saved-requests">
      <SavedChoice
        saved={saved}
        chosen={known ? name : ''}
        choose={(chosen) => {
          const found = saved.requests.find((each) => each.name === chosen);
          setName(chosen);
          if (found) change(found.request);
        }}
      />
      <NameInput name={name} setName={setName} />
      <Button disabled={name.trim() === ''} title={`Saves it in ${state.path}`} onClick={() => void save()}>
        {known ? 'Replace' : 'Save'}
      </Button>
      {known && (
        <Button icon={Trash2} onClick={() => void update({ ...saved, requests: others }).then(() => setName(''))}>
          Remove
        </Button>
      )}
      <Button tone="quiet" onClick={() => setEditing(!editing)}>
        Variables…
      </Button>
      <Unknown request={request} saved={saved} />
      {editing && <Variables saved={saved} update={update} />}
    </div>
  );
}

interface SavedChoiceProps {
  saved: SavedFile;
  /** '' while no saved request has the name. */
  chosen: string;
  choose: (name: string) => void;
}

function SavedChoice({ saved, chosen, choose }: SavedChoiceProps) {
  return (
    <select
      className="preset"
      aria-label="Saved requests"
      value={chosen}
      onChange={(event) => choose(event.target.value)}
    >
      <option value="">Saved requests ({saved.requests.length})</option>
      {saved.requests.map((each) => (
        <option key={each.name}>{each.name}</option>
      ))}
    </select>
  );
}

function NameInput({ name, setName }: { name: string; setName: (name: string) => void }) {
  return (
    <input
      type="text"
      aria-label="Name to save it under"
      placeholder="Name"
      maxLength={200}
      value={name}
      onChange={(event) => setName(event.target.value)}
    />
  );
}

/** A saved request has no original whose body it could send. */
function withoutRecorded(request: ComposedRequest): ComposedRequest {
  return request.body.kind === 'recorded' ? { ...request, body: { kind: 'none' } } : request;
}

/** Names the variables of the request that have no value yet. */
function Unknown({ request, saved }: { request: ComposedRequest; saved: SavedFile }) {
  if (!request.variables) return null;
  const { unknown } = withVariables(request, saved.variables);
  if (unknown.length === 0) return null;
  return <small className="problem-text">No value: {unknown.join(', ')}</small>;
}

/** One variable a line. They are saved when the field loses the focus. */
function Variables({ saved, update }: { saved: SavedFile; update: (saved: SavedFile) => Promise<boolean> }) {
  const [text, setText] = useState(() => headersText(Object.entries(saved.variables)));
  return (
    <TextArea
      label="Variables"
      className="code-input"
      rows={4}
      placeholder="host: api.example.com"
      value={text}
      set={setText}
      onBlur={() => void update({ ...saved, variables: Object.fromEntries(headersIn(text)) })}
    >
      <small>
        One per line, as name: value. <code>{'{{name}}'}</code> stands for it in URL, headers and body.
      </small>
    </TextArea>
  );
}
