import { Component, type ReactNode } from 'react';
import { Button } from './button.tsx';

interface Props {
  /** The part's name at the start of a sentence, for example "The timeline". */
  what: string;
  /** What the part shows. When it changes, the part is rendered again: the fault may belong to one exchange only. */
  subject?: unknown;
  /** Gets a sentence with the error's stack, for the window's list of problems. */
  onFault: (sentence: string) => void;
  children: ReactNode;
}

/**
 * Shows a rendering error in place of one part of the window; the others keep working. React needs a class for this.
 */
export class FaultBoundary extends Component<Props, { fault: string | null }> {
  override state: { fault: string | null } = { fault: null };

  static getDerivedStateFromError(error: unknown): { fault: string } {
    return { fault: error instanceof Error ? error.message : String(error) };
  }

  override componentDidCatch(error: unknown): void {
    this.props.onFault(`${this.props.what} could not be displayed: ${error instanceof Error ? error.stack : error}`);
  }

  /** Another subject is tried: its content may be drawn without the fault. */
  override componentDidUpdate(previous: Props): void {
    if (previous.subject !== this.props.subject && this.state.fault !== null) this.setState({ fault: null });
  }

  override render(): ReactNode {
    if (this.state.fault === null) return this.props.children;
    return (
      <div className="banner bad" role="alert">
        <span>
          {this.props.what} could not be displayed ({this.state.fault}). Traffic is still forwarded and recorded.
        </span>
        <Button onClick={() => this.setState({ fault: null })}>Try again</Button>
      </div>
    );
  }
}
