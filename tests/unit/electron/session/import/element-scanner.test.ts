import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ElementScanner } from '../../../../../electron/session/import/element-scanner.ts';

function elementsIn(text: string, wanted: string[], pieceSize = 7, limit?: number) {
  const bytes = Buffer.from(text);
  const scanner = new ElementScanner(wanted, limit);
  const elements = [];
  for (let at = 0; at < bytes.length; at += pieceSize)
    elements.push(...scanner.push(bytes.subarray(at, at + pieceSize)));
  return { elements, isComplete: scanner.isComplete };
}

test('elements of a wanted array, in pieces of any size', () => {
  const json = fc.jsonValue();
  fc.assert(
    fc.property(
      fc.array(json),
      fc.array(json),
      fc.dictionary(fc.string(), json),
      fc.integer({ min: 1, max: 60 }),
      (a, b, rest, size) => {
        const { log: _, ...others } = rest;
        const text = JSON.stringify({ ...others, log: { pages: b, entries: a, _tlsErrors: b } }, null, size % 3);
        const { elements, isComplete } = elementsIn(text, ['log.entries', 'log._tlsErrors'], size);
        expect(isComplete).toBe(true);
        const of = (path: string) =>
          elements.filter((one) => one.path === path).map((one) => JSON.parse(one.json ?? ''));
        expect(of('log.entries')).toEqual(JSON.parse(JSON.stringify(a)));
        expect(of('log._tlsErrors')).toEqual(JSON.parse(JSON.stringify(b)));
      },
    ),
  );
});

test('an array at the top', () => {
  const { elements } = elementsIn('[{"a": [1, 2]}, "x", 3]', ['']);
  expect(elements.map(({ json }) => json)).toEqual(['{"a": [1, 2]}', '"x"', '3']);
});

test('the element after a malformed one', () => {
  const { elements } = elementsIn('{"log":{"entries":[{"a":nonsense},{"b":1}]}}', ['log.entries']);
  expect(elements.map(({ json, ordinal }) => [ordinal, json])).toEqual([
    [1, '{"a":nonsense}'],
    [2, '{"b":1}'],
  ]);
});

test('an element over the limit has no text', () => {
  const { elements } = elementsIn(`{"log":{"entries":["${'x'.repeat(50)}",1]}}`, ['log.entries'], 7, 20);
  expect(elements.map(({ json }) => json)).toEqual([null, '1']);
});

test('a text that was cut short is not complete', () => {
  expect(elementsIn('{"log":{"entries":[{"a":1},{"b"', ['log.entries'])).toMatchObject({
    elements: [{ json: '{"a":1}' }],
    isComplete: false,
  });
});
