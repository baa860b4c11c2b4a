import { useTableValue } from '../../app-context.ts';

/**
 * Shows that a new filter or order is being computed, which takes seconds with 1,000,000 rows; until then the list
 * shows the previous one. It appears after a delay: most orders are ready before it could be read.
 */
export function Arranging() {
  const arranging = useTableValue((table) => table.arranging);
  return arranging ? (
    <div className="arranging" role="status">
      <progress aria-label="Sorting and filtering" />
      Sorting and filtering…
    </div>
  ) : null;
}
