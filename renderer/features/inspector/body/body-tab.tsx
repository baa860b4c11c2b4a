import { Download } from 'lucide-react';
import { useState } from 'react';
import type { BodyRange } from '../../../../shared/contract/requests/exchange-requests.ts';
import type { WithinSession } from '../../../../shared/contract/requests.ts';
import { formatBytes } from '../../../../shared/format/sizes.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { firstHeader, mediaTypeOf } from '../../../../shared/model/headers.ts';
import { type BodyInfo, NO_BODY } from '../../../../shared/model/message.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Segments } from '../../../ui/segments.tsx';
import { tellSaved } from '../../actions.ts';
import { type App, attempt, useApp } from '../../app-context.ts';
import { type BodyForm, BodyView } from './body-view.tsx';
import { type ReadBody, useBody } from './use-body.ts';

/** Labels of the forms. Hex shows the decoded bytes; Raw shows the body before decoding. */
const FORMS: Record<BodyForm, string> = { decoded: 'Decoded', hex: 'Hex', raw: 'Raw' };

/** The Request and Response tabs: the body with its type, sizes and notes, in three forms; saved in the same form. */
export function BodyTab({ exchange, side }: { exchange: Exchange; side: 'request' | 'response' }) {
  const app = useApp();
  const message = exchange[side];
  const info = message?.body ?? NO_BODY;
  const [shown, setForm] = useState<BodyForm>('decoded');
  // What is read from the host: hex is a view of the decoded bytes.
  const form = shown === 'raw' ? 'raw' : 'decoded';
  // A body that is still arriving is read again after each 64 KiB; a new version makes `useBody` read.
  const version = info.complete ? -1 : Math.floor(info.stored / 65_536);
  const { body, reading, more } = useBody(exchange.id, side, form, version);
  if (info.size === 0) return <p className="muted pad">This {side} has no body.</p>;
  const mediaType = mediaTypeOf(message ? firstHeader(message.headers, 'content-type') : undefined);
  // Bytes that were not read yet.
  const left = body ? body.last.size - body.bytes.length : 0;
  const save = () => void saveBody(app, { id: exchange.id, side, form });
  return (
    <div className="body-tab">
      <div className="body-bar">
        {/* The codings describe the decoded form only. */}
        <Facts mediaType={mediaType} info={info} body={form === 'decoded' ? body : null} />
        <span className="spring" />
        <Segments label="Format" options={FORMS} value={shown} onChange={setForm} />
        <IconButton icon={Download} label="Save body" title="Save body" onClick={save} />
      </div>
      <Notes info={info} last={body?.last ?? null} />
      {body && <BodyView bytes={body.bytes} mediaType={mediaType} whole={left <= 0} form={shown} />}
      {body && left > 0 && <More body={body} reading={reading} more={() => void more()} save={save} />}
    </div>
  );
}

interface MoreProps {
  body: ReadBody;
  reading: boolean;
  /** Reads the next pieces; `reading`: it is under way. */
  more: () => void;
  save: () => void;
}

/** A long body is read in pieces: its view needs memory for each. */
function More({ body, reading, more, save }: MoreProps) {
  return (
    <div className="body-more">
      {formatBytes(body.bytes.length)} of {formatBytes(body.last.size)} shown
      <span className="spring" />
      <Button disabled={reading} onClick={more}>
        Load more
      </Button>
      <Button icon={Download} onClick={save}>
        Save all
      </Button>
    </div>
  );
}

/** Saves the whole body in the shown form, however little of it was read for display. */
async function saveBody(app: App, what: WithinSession<'body.save'>): Promise<void> {
  const saved = await attempt(app, () => app.api.request('body.save', { session: app.table.sessionId, ...what }));
  if (saved && saved.status !== 'cancelled') tellSaved(app, saved, 'The body');
}

/** Type and size; for a compressed body the codings and both sizes. */
function Facts({ mediaType, info, body }: { mediaType: string; info: BodyInfo; body: ReadBody | null }) {
  const codings = body?.last.codings ?? [];
  const size = formatBytes(info.size);
  return (
    <>
      <b>{mediaType || 'Unknown type'}</b>
      {body && codings.length > 0 ? (
        <span title="Size on the wire and decoded">
          {codings.join(', ')} {size} → {formatBytes(body.last.size)}
        </span>
      ) : (
        <span>{size}</span>
      )}
    </>
  );
}

/** Whether the view ends early although the body is complete: the host limits how much it decodes for display. */
function isCapped(info: BodyInfo, { complete, problem }: BodyRange): boolean {
  return !complete && problem === null && info.complete && info.stored >= info.size;
}

/** Why the shown body is not all of it, or could not be decoded. */
function Notes({ info, last }: { info: BodyInfo; last: BodyRange | null }) {
  return (
    <>
      {last?.problem && <p className="problem">{last.problem}</p>}
      {last && isCapped(info, last) && (
        <p className="note">Showing the first {formatBytes(last.size)} of the decoded body. Save writes all of it.</p>
      )}
      {!info.complete && <p className="note">This body is incomplete: it was cut short or is still arriving.</p>}
      {info.stored < info.size && !info.decoded && (
        <p className="note">{formatBytes(info.size - info.stored)} not recorded.</p>
      )}
    </>
  );
}
