import { counted } from '../../../shared/format/counts.ts';
import { intervalWords, type LabCell, type LabResult, VARIANT_NAMES } from '../../../shared/model/lab/lab-result.ts';
import { LabWaterfall } from './lab-waterfall.tsx';

/** The sentences, table and waterfalls of a run, by round-trip time. */
export function LabOutcome({ result }: { result: LabResult }) {
  const { page, browser, cells, notes } = result;
  const rtts = [...new Set(cells.map(({ rtt }) => rtt))];
  return (
    <section className="lab-outcome" aria-label="Result">
      <p>
        <b>{page.url}</b>: {counted(page.responses, 'response')} of {counted(page.origins, 'origin')}, replayed to{' '}
        {browser}
      </p>
      <Legend />
      {rtts.map((rtt) => (
        <AtRoundTrip key={rtt} rtt={rtt} result={result} />
      ))}
      {notes.length > 0 && (
        <>
          <h3>Not replayed as recorded</h3>
          <ul>
            {notes.map((note) => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** In the order in which a request goes through them. */
const KEYS = { blocked: 'Queued or connecting', wait: 'Waits', receive: 'Receives' } as const;

/** Names the waterfalls' colours, for users who can't distinguish them (WCAG 1.4.1). */
function Legend() {
  return (
    <ul className="lab-keys" aria-label="Colours">
      {Object.entries(KEYS).map(([phase, label]) => (
        <li key={phase}>
          <i className={phase} aria-hidden="true" /> {label}
        </li>
      ))}
    </ul>
  );
}

/** All variants share one axis, which makes their bars comparable. */
function AtRoundTrip({ rtt, result: { cells, savings } }: { rtt: number; result: LabResult }) {
  const here = cells.filter((cell) => cell.rtt === rtt);
  const ends = here.flatMap(({ waterfall, time }) => [time.median, ...waterfall.map(({ end }) => end)]);
  const span = ends.reduce((latest, end) => Math.max(latest, end), 1);
  return (
    <>
      <h3>At a round-trip time of {rtt} ms</h3>
      <ul>
        {savings
          .filter((saving) => saving.rtt === rtt)
          .map(({ sentence }) => (
            <li key={sentence}>{sentence}.</li>
          ))}
      </ul>
      <table>
        <thead>
          <tr>
            <th scope="col">Variant</th>
            <th scope="col">Load, ms</th>
            <th scope="col">95 % interval</th>
            <th scope="col">TTFB, ms</th>
            <th scope="col">Requests</th>
            <th scope="col">Connections</th>
          </tr>
        </thead>
        <tbody>
          {here.map((cell) => (
            <Row key={cell.variant} cell={cell} />
          ))}
        </tbody>
      </table>
      <div className="lab-falls">
        {here.map((cell) => (
          <LabWaterfall key={cell.variant} cell={cell} span={span} />
        ))}
      </div>
    </>
  );
}

function Row({ cell }: { cell: LabCell }) {
  const { variant, time, ttfb, requests, connections } = cell;
  return (
    <tr>
      <th scope="row">{VARIANT_NAMES[variant]}</th>
      <td>{Math.round(time.median)}</td>
      <td>{intervalWords(cell)}</td>
      <td>{Math.round(ttfb)}</td>
      <td>{requests}</td>
      <td>{connections}</td>
    </tr>
  );
}
