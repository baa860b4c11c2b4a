import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';

interface Props {
  /** What the user loses while it is out: "The timeline". */
  what: string;
  /** A part that shows another subject is tried again by itself. */
  subject?: unknown;
  onFault: (sentence: string) => void;
  children: ReactNode;
}

/** A fault in one part of the window is said in its place; the other parts go on, recording first of all. */
export class FaultBoundary extends Component<Props, { fault: string | null }> {
  override state: { fault: string | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFault(`${this.props.what} could not be drawn: ${error instanceof Error ? error.stack : error}`);
  }

  override componentDidUpdate(previous: Props): void {
    if (previous.subject !== this.props.subject && this.state.fault !== null) this.setState({ fault: null });
  }

  override render(): ReactNode {
    if (this.state.fault === null) return this.props.children;
    return (
      <div className="banner bad" role="alert">
        <span>
          {this.props.what} could not be drawn ({this.state.fault}). Traffic goes on and is recorded.
        </span>
        <Button onClick={() => this.setState({ fault: null })}>Draw again</Button>
      </div>
    );
  }
}
