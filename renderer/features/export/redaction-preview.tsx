import type { OutputOf } from '../../../shared/contract/requests.ts';
import { counted } from '../../../shared/format/counts.ts';
import type { RedactionCount } from '../../../shared/model/export/redaction-count.ts';

/** Lines that are listed; the others are counted. */
const LISTED = 7;

const PLACES: Record<RedactionCount['place'], string> = {
  'request header': 'Request header',
  'response header': 'Response header',
  cookie: 'Cookie',
  query: 'Query',
  'request body': 'Request body',
  'response body': 'Response body',
  pattern: 'Pattern',
  elsewhere: 'Elsewhere',
};

/**
 * What redaction will replace, by place and name, with counts. `preview`: null while it is computed. The first line is
 * a status: screen readers read the result when it arrives (WCAG 4.1.3).
 */
export function RedactionPreview({ preview }: { preview: OutputOf<'export.preview'> | null }) {
  const replaced = preview?.replaced ?? [];
  const values = replaced.reduce((sum, { count }) => sum + count, 0);
  const more = (preview?.lines ?? 0) - LISTED;
  return (
    <section className="redaction" aria-labelledby="redaction-title" aria-busy={preview === null}>
      <p id="redaction-title" role="status">
        {preview === null && 'Looking for secrets…'}
        {preview !== null && values === 0 && 'No secrets found'}
        {values > 0 && `${counted(values, 'value')} will be replaced`}
      </p>
      {values > 0 && (
        <ul>
          {replaced.slice(0, LISTED).map(({ place, name, count }) => (
            <li key={`${place} ${name}`}>
              <span>{PLACES[place]}</span>
              <code title={name}>{name}</code>
              <span className="number">{count.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
      )}
      {more > 0 && <small>and {more === 1 ? '1 more name' : `${more.toLocaleString('en')} more names`}</small>}
    </section>
  );
}
