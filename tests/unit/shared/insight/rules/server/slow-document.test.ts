import { expect, it } from 'vitest';
import { slowDocument } from '../../../../../../shared/insight/rules/server/slow-document.ts';
import { exampleFact, foundBy } from '../../../../../support/example-fact.ts';

it('reports a page that took over 600 ms to begin, and nothing else', () => {
  const slow = exampleFact({ dest: 'document', wait: 601 });
  expect(foundBy(slowDocument, [slow])).toMatchObject([{ costMs: 501, exchanges: [slow.id] }]);
  const others = [
    exampleFact({ dest: 'document', wait: 600 }),
    exampleFact({ dest: 'iframe', wait: 999 }),
    exampleFact({ wait: 999 }),
  ];
  expect(foundBy(slowDocument, others)).toEqual([]);
});
