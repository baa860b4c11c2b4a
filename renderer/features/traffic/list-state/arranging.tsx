import { useTableValue } from '../../app-context.ts';

/**
 * Says that another filter or order is being worked out, which takes seconds with 1,000,000 rows; until then the list
 * shows the one before. It appears after a moment: most orders are there before anybody could read it.
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
