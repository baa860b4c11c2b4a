import { Lightbulb } from 'lucide-react';
import { counted } from '../../../shared/format/counts.ts';
import { useApp, useWindow } from '../app-context.ts';

/**
 * Shows in the status bar how many findings there are, and opens and closes their panel. The first finding is the worst
 * and decides the colour.
 */
export function InsightEntry() {
  const { store } = useApp();
  const count = useWindow(({ insight }) => insight?.total ?? null);
  const isSevere = useWindow(({ insight }) => insight?.findings[0]?.severity === 'high');
  const isOpen = useWindow(({ insightOpen }) => insightOpen);
  if (count === null && !isOpen) return null;
  return (
    <button
      type="button"
      className={`chip insight-entry${isSevere ? ' severe' : ''}`}
      aria-expanded={isOpen}
      title="What is slow, wasteful or wrong in this session"
      onClick={() => store.setState({ insightOpen: !isOpen })}
    >
      <Lightbulb size={13} aria-hidden="true" />
      {wordsOf(count ?? 0)}
    </button>
  );
}

function wordsOf(count: number): string {
  if (count === 0) return 'No findings';
  return counted(count, 'finding');
}
