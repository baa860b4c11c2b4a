import { expect, it } from 'vitest';
import { labNotes } from '../../../../../electron/lab/results/lab-notes.ts';

const PAGE = {
  ...{ number: 1, url: 'https://shop.test/', origin: 'shop.test:443', documentId: 1, startedAt: 0, wasHttp2: true },
  ...{ responses: [], notes: [] },
};

it('says how many loads were repeated because they lost responses', () => {
  expect(labNotes(PAGE, [], 0)).toEqual([]);
  expect(labNotes(PAGE, [], 1)).toEqual(['1 load lost responses, because a connection broke. It was repeated.']);
  expect(labNotes(PAGE, [], 2)).toEqual(['2 loads lost responses, because a connection broke. Each was repeated.']);
});
