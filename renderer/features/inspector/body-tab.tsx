import { useState } from 'react';
import { formatBytes } from '../../../shared/format/sizes.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';
import { mediaTypeOf } from '../../../shared/model/exchange-summary.ts';
import { firstHeader } from '../../../shared/model/headers.ts';
import { NO_BODY } from '../../../shared/model/message.ts';
import { Button } from '../../ui/button.tsx';
import { BodyView } from './body-view.tsx';
import { useBody } from './use-body.ts';

export function BodyTab({ exchange, side }: { exchange: Exchange; side: 'request' | 'response' }) {
  const message = exchange[side];
  const info = message?.body ?? NO_BODY;
  const [form, setForm] = useState<'decoded' | 'raw'>('decoded');
  const { body, more } = useBody(exchange.id, side, form, info.complete ? -1 : Math.floor(info.stored / 65_536));
  if (info.size === 0) return <p className="muted pad">This {side} has no body.</p>;
  const mediaType = mediaTypeOf(message ? firstHeader(message.headers, 'content-type') : undefined);
  const left = body ? body.last.size - body.bytes.length : 0;
  return (
    <>
      <div className="body-bar">
        <span>{mediaType || 'Unknown type'}</span>
        <span>{formatBytes(info.size)} on the wire</span>
        {body && form === 'decoded' && body.last.codings.length > 0 && (
          <span>
            {body.last.codings.join(', ')} to {formatBytes(body.last.size)}
          </span>
        )}
        <span className="spring" />
        <div className="switch" role="radiogroup" aria-label="Form">
          {(['decoded', 'raw'] as const).map((name) => (
            <button key={name} type="button" role="radio" aria-checked={form === name} onClick={() => setForm(name)}>
              {name === 'decoded' ? 'Decoded' : 'Raw'}
            </button>
          ))}
        </div>
      </div>
      {body?.last.problem && <p className="problem">{body.last.problem}</p>}
      {!info.complete && <p className="note">This body is incomplete: it was cut short, or is still on its way.</p>}
      {info.stored < info.size && <p className="note">{formatBytes(info.size - info.stored)} of it were not kept.</p>}
      {body && <BodyView bytes={body.bytes} mediaType={mediaType} whole={left <= 0} raw={form === 'raw'} />}
      {left > 0 && (
        <div className="pad">
          <Button onClick={() => void more()}>Load more ({formatBytes(left)} left)</Button>
        </div>
      )}
    </>
  );
}
