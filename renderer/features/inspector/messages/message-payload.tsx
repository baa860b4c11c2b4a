import { useEffect, useState } from 'react';
import type { OutputOf } from '../../../../shared/contract/requests.ts';
import { formatBytes } from '../../../../shared/format/sizes.ts';
import type { StreamMessage } from '../../../../shared/model/stream-message.ts';
import { attempt, useApp } from '../../app-context.ts';
import { HexView } from '../body/hex-view.tsx';
import { prettyText } from '../body/pretty-text.ts';
import { bytesOf, textOf } from '../body/read-body.ts';
import { TextView } from '../body/text-view.tsx';

/** The payload of one message: formatted JSON, other text, or a hex dump. Read from the recorded body on demand. */
export function MessagePayload({ exchange: id, message }: { exchange: number; message: StreamMessage }) {
  const app = useApp();
  const { ordinal, kind, compressed, wireSize, size } = message;
  const [payload, setPayload] = useState<OutputOf<'messages.read'> | null>(null);
  useEffect(() => {
    // A late reply for another message must not replace the current one.
    let wanted = true;
    void attempt(app, () => app.api.request('messages.read', { session: app.table.sessionId, id, ordinal })).then(
      (read) => wanted && read && setPayload(read),
    );
    return () => {
      wanted = false;
    };
  }, [app, id, ordinal]);
  if (!payload) return null;
  const bytes = bytesOf(payload.data);
  // A close frame begins with a two-byte status code (RFC 6455, section 5.5.1): it is not text.
  const text = kind === 'binary' || kind === 'close' ? null : textOf(bytes);
  return (
    <section className="message-payload" aria-label="Message">
      <p className="muted">
        {compressed ? `${formatBytes(size)}, ${formatBytes(wireSize)} compressed` : formatBytes(wireSize)}
        {!payload.complete && ` · showing the first ${formatBytes(bytes.length)}`}
        {payload.problem && ` · ${payload.problem}`}
      </p>
      <div className="message-pane">
        {text === null ? (
          <HexView bytes={bytes} />
        ) : (
          <TextView text={prettyText(text, 'application/json')} language="json" />
        )}
      </div>
    </section>
  );
}
