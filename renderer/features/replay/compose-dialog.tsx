import { Send } from 'lucide-react';
import { useState } from 'react';
import type { ComposedRequest } from '../../../shared/model/replay/composed-request.ts';
import type { ComposeDraft } from '../../state/window-state.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextArea } from '../../ui/field.tsx';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { BodyField } from './body-field.tsx';
import { headersIn, headersText, withUrl } from './compose-draft.ts';
import { parsePasted } from './paste/parse-pasted.ts';
import { showSent } from './replay-actions.ts';
import { SavedRequests } from './saved-requests.tsx';
import { SendOptions } from './send-options.tsx';

/** Edits a request and sends it. The response opens in the inspector, like any exchange. */
export function ComposeDialog() {
  const app = useApp();
  const draft = useWindow((state) => state.compose);
  const close = () => app.store.setState({ panel: null, compose: null });
  if (draft === null) return null;
  return (
    <Dialog title={draft.of ? `Edit and resend #${draft.of.exchange}` : 'New request'} wide onClose={close}>
      <ComposeForm draft={draft} close={close} />
    </Dialog>
  );
}

/** What the form holds and does. The request is in the window's state, where other views put a draft. */
function useComposeForm(draft: ComposeDraft, close: () => void) {
  const app = useApp();
  const { of, request } = draft;
  // The text, not the fields: a line that is being typed is not a field yet.
  const [headers, setHeaders] = useState(() => headersText(request.headers));
  const [sending, setSending] = useState(false);
  const keep = (next: ComposedRequest) => app.store.setState({ compose: { ...draft, request: next } });
  const change = (next: ComposedRequest) => {
    keep(next);
    setHeaders(headersText(next.headers));
  };
  const typeHeaders = (text: string) => {
    setHeaders(text);
    keep({ ...request, headers: headersIn(text) });
  };
  const send = async () => {
    // Ctrl+Enter does not pass through the disabled button: without this, a second press would send twice.
    if (request.url.trim() === '' || sending) return;
    setSending(true);
    const sent = await attempt(app, () => app.api.request('replay.send', { of, request }));
    setSending(false);
    if (!sent) return;
    close();
    showSent(app, sent.exchange);
  };
  return { change, headers, typeHeaders, sending, send };
}

/** Ctrl+Enter is handled on the form, because Enter alone is a line break in the fields for headers and body. */
function ComposeForm({ draft, close }: { draft: ComposeDraft; close: () => void }) {
  const { of, request, note } = draft;
  const { change, headers, typeHeaders, sending, send } = useComposeForm(draft, close);
  return (
    <form
      className="compose"
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <TargetFields request={request} change={change} />
      <TextArea
        label="Headers"
        className="code-input"
        rows={7}
        placeholder="Accept: application/json"
        value={headers}
        set={typeHeaders}
      >
        <small>One field per line. Host is added if it is missing, and Content-Length follows the body.</small>
      </TextArea>
      <BodyField request={request} recorded={of !== null} note={note} change={change} />
      <SendOptions request={request} isNew={of === null} change={change} />
      <SavedRequests request={request} change={change} />
      <ComposeActions draft={draft} sending={sending} send={() => void send()} close={close} />
    </form>
  );
}

interface ComposeActionsProps {
  draft: ComposeDraft;
  sending: boolean;
  send: () => void;
  close: () => void;
}

/** A request without an original can't be repeated: the results are shown next to those of the original. */
function ComposeActions({ draft: { of, request }, sending, send, close }: ComposeActionsProps) {
  const { store } = useApp();
  const isEmpty = request.url.trim() === '';
  return (
    <div className="dialog-actions">
      <Button onClick={close}>Cancel</Button>
      {of !== null && (
        <Button
          disabled={isEmpty}
          onClick={() => store.setState({ panel: 'repeat', compose: null, repeat: { of, request } })}
        >
          Repeat…
        </Button>
      )}
      <Button icon={Send} tone="primary" disabled={isEmpty || sending} title="Send (Ctrl+Enter)" onClick={send}>
        Send
      </Button>
    </div>
  );
}

interface TargetProps {
  request: ComposedRequest;
  change: (next: ComposedRequest) => void;
}

/** The method is a text field with suggestions: a server may know methods that no list has. */
function TargetFields({ request, change }: TargetProps) {
  return (
    <div className="compose-target">
      <label className="field compose-method">
        Method
        <input
          type="text"
          spellCheck={false}
          list="compose-methods"
          value={request.method}
          onChange={(event) => change({ ...request, method: event.target.value })}
        />
      </label>
      <datalist id="compose-methods">
        {['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'].map((method) => (
          <option key={method} value={method} />
        ))}
      </datalist>
      <UrlField request={request} change={change} />
    </div>
  );
}

/** A command that is pasted here replaces the whole request. */
function UrlField({ request, change }: TargetProps) {
  // Why what was pasted last can't be read; null: it could.
  const [problem, setProblem] = useState<string | null>(null);
  return (
    <div className="compose-url">
      <label className="field">
        URL
        <input
          type="text"
          spellCheck={false}
          data-initial-focus
          placeholder="https://api.example.com/items, or paste a cURL, PowerShell or fetch command"
          onPaste={(event) => {
            const parsed = parsePasted(event.clipboardData.getData('text'));
            if (parsed === null) return;
            // The field would drop the command's line breaks.
            event.preventDefault();
            setProblem(parsed.ok ? null : parsed.problem);
            if (parsed.ok) change(parsed.request);
          }}
          value={request.url}
          onChange={(event) => {
            setProblem(null);
            change(withUrl(request, event.target.value));
          }}
        />
      </label>
      {problem !== null && (
        <small className="problem-text" role="alert">
          {problem}
        </small>
      )}
    </div>
  );
}
