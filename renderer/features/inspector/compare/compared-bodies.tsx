import { useEffect, useRef, useState } from 'react';
import { formatBytes } from '../../../../shared/format/sizes.ts';
import type { BodySide, RecordedSide } from '../../../../shared/model/body-side.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { attempt, useApp } from '../../app-context.ts';
import { type BodyDifference, bodyDifference } from './body-difference.ts';
import { Diff } from './diff.tsx';
import { COMPARED_LIMIT, readWholeBody } from './read-whole-body.ts';

/** One of the bodies of an exchange, in a session that the window has open. */
export interface BodyPlace {
  session: string;
  exchange: Exchange;
  side: RecordedSide;
}

interface Compared {
  /** Which bodies were compared, with their revisions. A result for other ones is out of date and not shown. */
  of: string;
  difference: BodyDifference;
  /** False: a body was longer than what `readWholeBody` reads. */
  whole: boolean;
}

function nameOf({ session, exchange: { id, revision }, side }: BodyPlace): string {
  return `${session} ${id} ${revision} ${side}`;
}

interface BodiesProps {
  before: BodyPlace;
  after: BodyPlace;
  /** Whose bodies they are. */
  side: BodySide;
}

/**
 * How two bodies differ; nothing where both are empty. A new revision of either exchange compares them again, because
 * its body may still be arriving.
 */
export function ComparedBodies({ before, after, side }: BodiesProps) {
  const app = useApp();
  const [compared, setCompared] = useState<Compared | null>(null);
  const hasBody = [before, after].some(({ exchange, side: of }) => (exchange[of]?.body.size ?? 0) !== 0);
  const of = `${nameOf(before)} ${nameOf(after)}`;
  // Their names are all that is read.
  const latest = useRef({ before, after });
  latest.current = { before, after };
  useEffect(() => {
    if (!hasBody) return;
    let wanted = true;
    void attempt(app, async () => {
      const read = ({ session, exchange, side }: BodyPlace) => readWholeBody(app, { session, id: exchange.id, side });
      const [was, is] = await Promise.all([read(latest.current.before), read(latest.current.after)]);
      return { of, difference: await bodyDifference(was, is), whole: was.whole && is.whole };
    }).then((found) => wanted && setCompared(found));
    return () => {
      wanted = false;
    };
  }, [app, of, hasBody]);
  if (!hasBody) return null;
  if (compared?.of !== of) return <p className="pad muted">Comparing the {side} bodies…</p>;
  return (
    <>
      <Difference title={side === 'request' ? 'Request body' : 'Response body'} difference={compared.difference} />
      {!compared.whole && (
        <p className="pad muted">
          Only the first {formatBytes(COMPARED_LIMIT)} of the {side} bodies were compared.
        </p>
      )}
    </>
  );
}

function sameness(upTo: number | null): string {
  return upTo === null ? 'the same' : `the same in the first ${formatBytes(upTo)}`;
}

function Difference({ title, difference }: { title: string; difference: BodyDifference }) {
  switch (difference.kind) {
    case 'same':
      return <Diff title={`${title}: ${sameness(difference.upTo)}`} before={[]} after={[]} />;
    case 'binary':
      return <Diff title={`${title}: different bytes`} before={[difference.before]} after={[difference.after]} />;
    case 'text':
      return <Diff title={`${title}, line by line`} before={difference.before} after={difference.after} />;
    case 'json':
      if (difference.differences.length === 0)
        return <Diff title={`${title}: the same JSON, written differently`} before={[]} after={[]} />;
      return (
        <section className="diff-section">
          <h2>{title}, as JSON</h2>
          <dl className="json-differences">
            {difference.differences.map(({ path, before, after }) => (
              <div key={path}>
                <dt>{path}</dt>
                {before !== undefined && <dd className="removed">− {JSON.stringify(before)}</dd>}
                {after !== undefined && <dd className="added">+ {JSON.stringify(after)}</dd>}
              </div>
            ))}
          </dl>
        </section>
      );
  }
}
