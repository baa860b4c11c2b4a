import type { Recipe } from '../../../shared/model/client.ts';
import { CopyLine } from '../../ui/copy-button.tsx';

/** How to set up what is not started from here. */
export function Recipes({ recipes }: { recipes: readonly Recipe[] }) {
  return (
    <dl className="recipes">
      {recipes.map(({ id, title, about, text }) => (
        <div key={id}>
          <dt>{title}</dt>
          <dd>
            <small>{about}</small>
            <CopyLine text={text} label={`Copy: ${title}`} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
