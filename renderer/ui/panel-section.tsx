import type { ReactNode } from 'react';

interface PanelSectionProps {
  title: string;
  /** The accessible name if it differs from the title. */
  label?: string;
  children: ReactNode;
}

/** A section of a dialog with a heading. */
export function PanelSection({ title, label = title, children }: PanelSectionProps) {
  return (
    <section className="panel-section" aria-label={label}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
