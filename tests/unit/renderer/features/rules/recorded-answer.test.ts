import { expect, test } from 'vitest';
import { answerLike } from '../../../../../renderer/features/rules/recorded-answer.ts';
import { exampleExchange } from '../../../../support/example-exchange.ts';

function answer(headers: string[], body: Buffer) {
  const { response } = exampleExchange();
  if (!response) throw new Error('the example has a response');
  return answerLike({ ...response, status: 201, headers }, new Uint8Array(body), body.toString('base64'));
}

test('copies status, fields and text, without framing and coding', () => {
  const headers = [':status', '201', 'Content-Type', 'text/plain', 'Content-Encoding', 'br', 'Content-Length', '9'];
  expect(answer(headers, Buffer.from('naïve'))).toEqual({
    answer: { status: 201, headers: [['Content-Type', 'text/plain']], cors: false, body: 'naïve' },
  });
});

test('copies bytes that are not text, and answers preflights if the server allowed origins', () => {
  expect(answer(['access-control-allow-origin', '*'], Buffer.from([0xff, 0]))).toEqual({
    answer: { status: 201, headers: [], cors: true, bodyBase64: '/wA=' },
  });
});
