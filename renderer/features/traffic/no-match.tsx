import { Button } from '../../ui/button.tsx';
import { useApp, useTable } from '../app-context.ts';

export function NoMatch() {
  const { store } = useApp();
  const table = useTable();
  return (
    <div className="no-match">
      <p>None of {table.size.toLocaleString('en')} exchanges matches.</p>
      <Button onClick={() => store.setState({ query: '', timeWindow: null })}>Show all exchanges</Button>
    </div>
  );
}
