import { X } from 'lucide-react';
import { useRef } from 'react';
import { useApp, useWindow } from '../app-context.ts';
import { FindingItem } from './finding-item.tsx';

/** The findings, below the list of exchanges: a finding's rows are shown there by one click. */
export function InsightPanel() {
  const app = useApp();
  const insight = useWindow((state) => state.insight);
  const panel = useRef<HTMLElement>(null);
  const close = () => app.store.setState({ insightOpen: false });
  const findings = insight?.findings ?? [];
  const more = (insight?.total ?? 0) - findings.length;
  return (
    <section
      ref={panel}
      className="insight"
      aria-label="Findings"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        close();
      }}
    >
      <header>
        <h2>Findings</h2>
        <span className="muted">What is slow, wasteful or wrong in this session</span>
        <span className="spring" />
        <button type="button" className="copy" aria-label="Close findings" onClick={close}>
          <X size={16} aria-hidden="true" />
        </button>
      </header>
      {insight === null && <p className="muted pad">Looking…</p>}
      {insight !== null && findings.length === 0 && <p className="muted pad">Nothing stands out in this session.</p>}
      <ul className="findings">
        {findings.map((finding) => (
          <FindingItem key={`${finding.rule} ${finding.where} ${finding.exchanges[0]}`} finding={finding} />
        ))}
      </ul>
      {more > 0 && (
        <p className="muted pad">{more.toLocaleString('en')} more: roundtrip findings prints all of them.</p>
      )}
    </section>
  );
}
