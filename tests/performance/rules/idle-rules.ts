import * as v from 'valibot';
import { ExchangeClock } from '../../../electron/engine/exchange/exchange-clock.ts';
import { ExchangeRules } from '../../../electron/engine/exchange/exchange-rules.ts';
import { RuleBook } from '../../../electron/engine/rules/rule-book.ts';
import { RuleListSchema } from '../../../shared/model/rule/rule.ts';
import { exampleExchange } from '../../support/example-exchange.ts';

/**
 * The engine's time for 200 enabled rules that match nothing, in microseconds for each exchange: request, response and
 * end. Run it with `npx node tests/performance/rules/idle-rules.ts`; the goal is at most 5.
 */
const ACTIONS = [
  { changeRequest: { setHeaders: [['x-rule', 'yes']] } },
  { changeResponse: { replaceBody: [{ find: 'e', with: 'x' }] } },
  { answer: { body: 'mocked' } },
  { mark: { colour: 'red' } },
];

/** Queries whose conditions are all rare, and such that half of all traffic meets in part. */
const SHAPES: Record<string, (index: number) => string> = {
  'rare hosts': (index) => `host:idle${index}.invalid path:/idle`,
  'one host, rare paths': (index) => `host:example.test path:/none/${index}/*`,
  'a method and rare URLs': (index) => `method:GET url:https://idle${index}.invalid/*`,
  'common conditions, a rare method': (index) => `scheme:https host:example.test (method:PATCH OR size:>${index}gb)`,
  'no text at all': (index) => `method:DELETE request-size:>${index + 1}mb`,
};

const EXCHANGES = 1000;
const ROUNDS = 60;

function measure(when: (index: number) => string, count: number): number {
  const rules = Array.from({ length: count }, (_, index) => ({
    ...{ name: `idle ${index}`, when: when(index) },
    do: [ACTIONS[index % ACTIONS.length]],
  }));
  const book = new RuleBook(v.parse(RuleListSchema, { version: 1, rules }));
  const exchanges = Array.from({ length: EXCHANGES }, (_, index) =>
    exampleExchange({
      request: { authority: 'www.example.test', path: `/assets/app-${index % 50}.js?build=${index}` },
    }),
  );
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const from = performance.now();
    for (const exchange of exchanges) {
      const asked = new ExchangeRules(book, exchange);
      const clock = new ExchangeClock(0);
      if (asked.planRequest(exchange.request as never) || asked.planResponse(clock)) throw new Error('a rule matched');
      asked.mark();
    }
    times.push(((performance.now() - from) * 1000) / EXCHANGES);
  }
  return times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0;
}

for (const [shape, when] of Object.entries(SHAPES)) {
  const cost = measure(when, 200) - measure(when, 0);
  process.stdout.write(`${shape}: ${cost.toFixed(2)} us\n`);
}
