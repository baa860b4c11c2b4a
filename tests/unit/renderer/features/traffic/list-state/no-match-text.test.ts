import { expect, test } from 'vitest';
import { noMatchText } from '../../../../../../renderer/features/traffic/list-state/no-match-text.ts';

test.each([
  [11_943, null, 'None of 11,943 exchanges match the filter.'],
  [1, null, 'None of 1 exchange matches the filter.'],
  [30, 30, 'None of 30 exchanges match the filter.'],
  // A removed row was searched too.
  [29, 30, 'None of 29 exchanges match the filter.'],
  [11_943, 7348, 'None of 7,348 exchanges match the filter. 4,595 were not searched.'],
  [2, 1, 'None of 1 exchange matches the filter. 1 was not searched.'],
])('%i exchanges, of which %s were searched', (size, searched, text) => {
  expect(noMatchText(size, searched === null ? null : { searched })).toBe(text);
});
