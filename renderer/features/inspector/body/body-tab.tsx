import { Download } from 'lucide-react';
import { useState } from 'react';
import type { BodyRange } from '../../../../shared/contract/requests.ts';
import { formatBytes } from '../../../../shared/format/sizes.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { mediaTypeOf } from '../../../../shared/model/exchange-summary.ts';
import { firstHeader } from '../../../../shared/model/headers.ts';
import { type BodyInfo, NO_BODY } from '../../../../shared/model/message.ts';
import { Button } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { tellSaved } from '../../actions.ts';
import { attempt, useApp } from '../../app-context.ts';
import { type BodyForm, BodyView } from './body-view.tsx';
import { type ReadBody, useBody } from './use-body.ts';

const FORMS: Record<BodyForm, string> = { decoded: 'Decoded', hex: 'Hex', raw: 'As sent' };

export function BodyTab({ exchange, side }: { exchange: Exchange; side: 'request' | 'response' }) {
  const app = useApp();
  const message = exchange[side];
  const info = message?.body ?? NO_BODY;
  const [shown, setForm] = useState<BodyForm>('decoded');
  const form = shown === 'raw' ? 'raw' : 'decoded';
  // A body on its way is read again with each 64 KiB of it.
  const version = info.complete ? -1 : Math.floor(info.stored / 65_536);
  const { body, reading, more } = useBody(exchange.id, side, form, version);
  if (info.size === 0) return <p className="muted pad">This {side} has no body.</p>;
  const mediaType = mediaTypeOf(message ? firstHeader(message.headers, 'content-type') : undefined);
  const left = body ? body.last.size - body.bytes.length : 0;
  const save = async () => {
    const saved = await attempt(app, () => app.api.request('body.save', { id: exchange.id, side, form }));
    if (saved && saved.status !== 'cancelled') tellSaved(app, saved, 'The body');
  };
  return (
    <div className="body-tab">
      <div className="body-bar">
        <Facts mediaType={mediaType} info={info} body={form === 'decoded' ? body : null} />
        <span className="spring" />
        <Segments label="Form" options={FORMS} value={shown} onChange={setForm} />
        <button type="button" className="copy" aria-label="Save body" title="Save body" onClick={() => void save()}>
          <Download size={14} aria-hidden="true" />
        </button>
      </div>
      <Notes info={info} last={body?.last ?? null} />
      {body && <BodyView bytes={body.bytes} mediaType={mediaType} whole={left <= 0} form={shown} />}
      {body && left > 0 && (
        <div className="body-more">
          {formatBytes(body.bytes.length)} of {formatBytes(body.last.size)} shown
          <span className="spring" />
          <Button disabled={reading} onClick={() => void more()}>
            Load more
          </Button>
          <Button icon={Download} onClick={() => void save()}>
            Save all
          </Button>
        </div>
      )}
    </div>
  );
}

function Facts({ mediaType, info, body }: { mediaType: string; info: BodyInfo; body: ReadBody | null }) {
  const codings = body?.last.codings ?? [];
  const size = formatBytes(info.size);
  return (
    <>
      <b>{mediaType || 'Unknown type'}</b>
      {body && codings.length > 0 ? (
        <span title="On the wire, and decoded">
          {codings.join(', ')} {size} → {formatBytes(body.last.size)}
        </span>
      ) : (
        <span>{size}</span>
      )}
    </>
  );
}

/** The host decodes only so much of a body for the view. */
function isCapped(info: BodyInfo, { complete, problem }: BodyRange): boolean {
  return !complete && problem === null && info.complete && info.stored >= info.size;
}

function Notes({ info, last }: { info: BodyInfo; last: BodyRange | null }) {
  return (
    <>
      {last?.problem && <p className="problem">{last.problem}</p>}
      {last && isCapped(info, last) && (
        <p className="note">
          This view ends after the first {formatBytes(last.size)} of the decoded body. Save writes all of it.
        </p>
      )}
      {!info.complete && <p className="note">This body is incomplete: it was cut short, or is still on its way.</p>}
      {info.stored < info.size && <p className="note">{formatBytes(info.size - info.stored)} of it were not kept.</p>}
    </>
  );
}
