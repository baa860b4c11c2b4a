import { expect, it } from 'vitest';
import { actionsInWords } from '../../../../../renderer/features/rules/rule-words.ts';
import { parseRule } from '../../../../../shared/model/rule/rule.ts';

const PATH = [{ find: '/a', with: '/b' }];

it.each([
  [{ mapTo: { host: 'localhost', port: 3000 } }, 'map to localhost:3000'],
  [{ mapTo: { scheme: 'http', host: 'a.test', replacePath: PATH } }, 'map to http://a.test, another path'],
  [{ mapTo: { scheme: 'https', port: 8443 } }, 'map to https, port 8443'],
  [{ mapTo: { replacePath: PATH } }, 'map to another path'],
  [{ mapTo: {} }, 'map to the same place'],
  [
    { changeRequest: { body: '', setHeaders: [], addHeaders: [], method: 'PUT', removeQuery: ['a'] } },
    'change request: method, query, headers, body',
  ],
  [{ changeResponse: { mergeJson: {}, cors: true, setTrailers: [] } }, 'change response: CORS, body, trailers'],
  [{ break: { on: 'both' } }, 'break on request and response'],
  [{ break: { on: 'messages', autoContinueMs: 5 } }, 'break on messages, 5 ms at most'],
])('%o is "%s"', (action, words) => {
  const parsed = parseRule({ name: 'rule', do: [action] });
  expect(parsed.ok && actionsInWords(parsed.rule)).toBe(words);
});
