import type { ReactNode } from 'react';

interface PanelSectionProps {
  title: string;
  /** What it is called for readers and tests, where that is not its title. */
  label?: string;
  children: ReactNode;
}

/** One thing that a dialog offers, under its own heading. */
export function PanelSection({ title, label = title, children }: PanelSectionProps) {
  return (
    <section className="panel-section" aria-label={label}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
