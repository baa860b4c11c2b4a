import { useState } from 'react';
import { LIVE_EXCHANGES_LIMIT } from '../../../shared/contract/insight-limits.ts';
import { BottomPanel } from '../../ui/bottom-panel.tsx';
import { Segments } from '../../ui/segments.tsx';
import { useApp, useWindow } from '../app-context.ts';
import { FindingItem } from './finding-item.tsx';
import { PagesView } from './pages-view.tsx';

const PARTS = { findings: 'Findings', pages: 'Pages' } as const;

/** Findings and pages, below the list of exchanges: their rows are shown there by one click. */
export function InsightPanel() {
  const app = useApp();
  const [part, setPart] = useState<keyof typeof PARTS>('findings');
  return (
    <BottomPanel
      className="insight"
      label="Findings"
      title="Insight"
      header={
        <>
          <Segments label="Shown" options={PARTS} value={part} onChange={setPart} />
          <span className="spring" />
        </>
      }
      close={() => app.store.setState({ insightOpen: false })}
    >
      <SkippedNote />
      <DamageNote />
      {part === 'findings' ? <FindingsView /> : <PagesView />}
    </BottomPanel>
  );
}

/** A window covers only the end of a long session, because facts of exchanges take memory. */
function SkippedNote() {
  const isCut = useWindow(({ insight }) => (insight?.skipped ?? 0) > 0);
  if (!isCut) return null;
  return (
    <p className="muted pad">
      Covers the latest {LIVE_EXCHANGES_LIMIT.toLocaleString('en')} exchanges; roundtrip findings covers the whole
      session.
    </p>
  );
}

/** What the facts lack. */
function DamageNote() {
  const note = useWindow(({ insight }) => insight?.note ?? null);
  return note === null ? null : <p className="muted pad">{note}</p>;
}

/**
 * What is slow, wasteful or wrong, the worst first. The host sends a part of a long list; the command line prints it
 * whole.
 */
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
