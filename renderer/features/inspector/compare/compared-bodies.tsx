import { useEffect, useState } from 'react';
import { formatBytes } from '../../../../shared/format/sizes.ts';
import type { BodySide } from '../../../../shared/model/body-side.ts';
import type { Exchange } from '../../../../shared/model/exchange.ts';
import { attempt, useApp } from '../../app-context.ts';
import { type BodyDifference, bodyDifference } from './body-difference.ts';
import { Diff } from './diff.tsx';
import { COMPARED_LIMIT, readWholeBody } from './read-whole-body.ts';

interface BodiesProps {
  session: string;
  before: Exchange;
  after: Exchange;
  side: BodySide;
}

interface Compared {
  /** Which bodies were compared, with their revisions. A result for other ones is out of date and not shown. */
  of: string;
  difference: BodyDifference;
  /** False: a body was longer than what `readWholeBody` reads. */
  whole: boolean;
}

/**
 * How the bodies of one side differ; nothing where neither exchange has one. A new revision of either exchange compares
 * them again, because its body may still be arriving.
 */
export function ComparedBodies({ session, before, after, side }: BodiesProps) {
  const app = useApp();
  const [compared, setCompared] = useState<Compared | null>(null);
  const hasBody = (before[side]?.body.size ?? 0) !== 0 || (after[side]?.body.size ?? 0) !== 0;
  const of = `${session} ${before.id} ${before.revision} ${after.id} ${after.revision} ${side}`;
  useEffect(() => {
    if (!hasBody) return;
    let wanted = true;
    void attempt(app, async () => {
      const [was, is] = await Promise.all([
        readWholeBody(app, { session, id: before.id, side }),
        readWholeBody(app, { session: app.table.sessionId, id: after.id, side }),
      ]);
      return { of, difference: await bodyDifference(was, is), whole: was.whole && is.whole };
    }).then((found) => wanted && setCompared(found));
    return () => {
      wanted = false;
    };
  }, [app, session, before.id, after.id, side, of, hasBody]);
  if (!hasBody) return null;
  const title = side === 'request' ? 'Request body' : 'Response body';
  if (compared?.of !== of) return <p className="pad muted">Comparing the {side} bodies…</p>;
  return (
    <>
      <Difference title={title} difference={compared.difference} />
      {!compared.whole && (
        <p className="pad muted">
          Only the first {formatBytes(COMPARED_LIMIT)} of the {side} bodies were compared.
        </p>
      )}
    </>
  );
}

function Difference({ title, difference }: { title: string; difference: BodyDifference }) {
  switch (difference.kind) {
    case 'same':
      return <Diff title={`${title}: the same`} before={[]} after={[]} />;
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
