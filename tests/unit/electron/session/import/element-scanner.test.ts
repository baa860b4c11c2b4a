import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
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

test('an element of more values than it may have has no text', () => {
  const hostile = `[${'[],'.repeat(2_100_000)}0]`;
  const { elements } = elementsIn(`{"log":{"entries":[${hostile},1]}}`, ['log.entries'], 100_000);
  expect(elements.map(({ json }) => json)).toEqual([null, '1']);
});

test('many nested arrays outside elements end the reading at once', () => {
  const scanner = new ElementScanner(['log.entries']);
  scanner.push(Buffer.from('['.repeat(900)));
  expect(scanner.isHostile).toBe(false);
  scanner.push(Buffer.from('['.repeat(200)));
  expect(scanner.isHostile).toBe(true);
});

test('a long text outside elements keeps none of its pieces in memory', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const scanner = new ElementScanner(['log.entries']);
  scanner.push(Buffer.from('{"log":{"comment":"'));
  const pieces = Array.from({ length: 4 }, () => {
    const piece = Buffer.from(new ArrayBuffer(100_000)).fill('x');
    scanner.push(piece);
    return new WeakRef(piece.buffer);
  });
  // A WeakRef holds its target until the end of the turn.
  await nextTurn();
  collect();
  expect(pieces.map((piece) => piece.deref())).toEqual([undefined, undefined, undefined, undefined]);
  expect(scanner.push(Buffer.from('","entries":[1]}}')).map(({ json }) => json)).toEqual(['1']);
});
