import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { formatDuration } from '../../../../shared/format/durations.ts';
import { formatBytes } from '../../../../shared/format/sizes.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import type { StreamMessage } from '../../../../shared/model/stream-message.ts';
import { LineList } from '../body/line-list.tsx';
import { MessagePayload } from './message-payload.tsx';
import { useMessages } from './use-messages.ts';

/**
 * The messages of a WebSocket (both directions) or an event stream, with the payload of the selected one. A selection
 * is an ordinal: messages that arrive later leave it as it is.
 */
export function MessagesTab({ exchange }: { exchange: Exchange }) {
  const { rows, total, want } = useMessages(exchange);
  const scroller = useRef<HTMLDivElement>(null);
  const [chosen, setChosen] = useState(0);
  if (total === null) return <p className="pad muted">Loading messages…</p>;
  if (total === 0) return <p className="pad muted">No messages. Only WebSockets and event streams have messages.</p>;
  const message = rows[chosen];
  return (
    <div className="messages">
      <div className="message-pane">
        <LineList
          scroller={scroller}
          count={total}
          label={`${total} messages`}
          className="message-list"
          line={(index) => (
            <Row
              index={index}
              message={rows[index]}
              startedAt={exchange.startedAt}
              isChosen={index === chosen}
              want={want}
              choose={setChosen}
            />
          )}
        />
      </div>
      {message && <MessagePayload key={message.ordinal} exchange={exchange.id} message={message} />}
    </div>
  );
}

/** `want` and `choose` take the message's ordinal. */
interface RowProps {
  index: number;
  message: StreamMessage | undefined;
  startedAt: number;
  isChosen: boolean;
  want(ordinal: number): void;
  choose(ordinal: number): void;
}

/**
 * One message. Mounting a row requests its page: only visible rows are mounted. Times count from the exchange's start;
 * an imported message may have none.
 */
function Row({ index, message, startedAt, isChosen, want, choose }: RowProps) {
  useEffect(() => want(index), [want, index]);
  if (!message) return <span className="muted">{index}</span>;
  const { direction, kind, closeCode, preview, at, size, wireSize } = message;
  const Arrow = direction === 'sent' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      className={`message ${direction}`}
      aria-pressed={isChosen}
      aria-label={`${direction} ${kind} ${preview}`}
      onClick={() => choose(index)}
    >
      <Arrow size={13} aria-hidden="true" />
      <span className="message-time">{formatDuration(at < 0 ? -1 : Math.max(at - startedAt, 0))}</span>
      <span className="message-size">{formatBytes(size < 0 ? wireSize : size)}</span>
      <code>
        {kind !== 'text' && kind !== 'event' && <b>{closeCode === null ? kind : `${kind} ${closeCode}`} </b>}
        {preview}
      </code>
    </button>
  );
}
