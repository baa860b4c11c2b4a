import { X } from 'lucide-react';
import { useState } from 'react';
import { Segments } from '../../ui/segments.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { FindingItem } from './finding-item.tsx';
import { PagesView } from './pages-view.tsx';

const PARTS = { findings: 'Findings', pages: 'Pages' } as const;

/** Findings and pages, below the list of exchanges: their rows are shown there by one click. */
export function InsightPanel() {
  const app = useApp();
  const [part, setPart] = useState<keyof typeof PARTS>('findings');
  const close = () => app.store.setState({ insightOpen: false });
  return (
    <section
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
        <h2>Insight</h2>
        <Segments label="Shown" options={PARTS} value={part} onChange={setPart} />
        <span className="spring" />
        <button type="button" className="copy" aria-label="Close findings" onClick={close}>
          <X size={16} aria-hidden="true" />
        </button>
      </header>
      {part === 'findings' ? <FindingsView /> : <PagesView />}
    </section>
  );
}

/** What is slow, wasteful or wrong, the worst first. */
function FindingsView() {
  const insight = useWindow((state) => state.insight);
  const findings = insight?.findings ?? [];
  const more = (insight?.total ?? 0) - findings.length;
  return (
    <>
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
    </>
  );
}
