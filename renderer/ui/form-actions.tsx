import { Button } from './button.tsx';

interface FormActionsProps {
  /** Leaves the form without saving. */
  back: () => void;
  /** Whether the form can be saved; Save is disabled otherwise. */
  isComplete: boolean;
  save: () => void;
}

/** Of a form in place of a list, in the same dialog: Back returns to the list, and does not close the dialog. */
export function FormActions({ back, isComplete, save }: FormActionsProps) {
  return (
    <div className="dialog-actions">
      <Button onClick={back}>Back</Button>
      <Button tone="primary" disabled={!isComplete} onClick={save}>
        Save
      </Button>
    </div>
  );
}
