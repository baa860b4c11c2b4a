import type { Recipe } from '../../../shared/model/client.ts';
import { CopyLine } from '../../ui/copy-button.tsx';

/** Setup snippets for programs that the user starts outside Roundtrip, each with a copy button. */
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
