import { splitRequest, splitSentence } from '../../../shared/insight/probes/split-request.ts';
import { trailerProbe, trailerSentence } from '../../../shared/insight/probes/trailers.ts';
import type { Exchange } from '../../../shared/model/exchange.ts';

/** What an exchange shows about its client: trailers, and whether head and body left together. */
export function Probes({ exchange }: { exchange: Exchange }) {
  const split = splitRequest(exchange);
  return (
    <section className="fields">
      <h2>Client</h2>
      <dl className="facts">
        <dt>Trailers</dt>
        <dd>{trailerSentence(trailerProbe(exchange))}</dd>
        {split && (
          <>
            <dt>Segments</dt>
            <dd>{splitSentence(split)}</dd>
          </>
        )}
      </dl>
    </section>
  );
}
