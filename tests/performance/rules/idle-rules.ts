import { ExchangeClock } from '../../../electron/engine/exchange/exchange-clock.ts';
import { ExchangeRules } from '../../../electron/engine/exchange/exchange-rules.ts';
import { RuleBook } from '../../../electron/engine/rules/rule-book.ts';
import { exampleExchange } from '../../support/example-exchange.ts';
import { idleRules, SHAPES } from './idle-rule-list.ts';

/**
 * The engine's CPU time for 200 enabled rules that match nothing, in microseconds for each exchange: request, response
 * and end. Run it with `npx node tests/performance/rules/idle-rules.ts`; the goal is at most 5.
 */
const EXCHANGES = 1000;
const ROUNDS = 200;

function measure(shape: string, count: number): number {
  const book = new RuleBook(idleRules(count, 'example.test', [shape]));
  const exchanges = Array.from({ length: EXCHANGES }, (_, index) =>
    exampleExchange({
      request: { authority: 'www.example.test', path: `/assets/app-${index % 50}.js?build=${index}` },
    }),
  );
  const round = () => {
    for (const exchange of exchanges) {
      const asked = new ExchangeRules(book, exchange);
      const clock = new ExchangeClock(0);
      if (asked.planRequest(exchange.request as never) || asked.planResponse(clock)) throw new Error('a rule matched');
      asked.mark();
    }
  };
  for (let warmUp = 0; warmUp < ROUNDS / 10; warmUp += 1) round();
  // The system counts in ticks of some milliseconds: all rounds together.
  const before = process.threadCpuUsage();
  for (let index = 0; index < ROUNDS; index += 1) round();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / EXCHANGES / ROUNDS;
}

for (const shape of Object.keys(SHAPES)) {
  const cost = measure(shape, 200) - measure(shape, 0);
  process.stdout.write(`${shape}: ${cost.toFixed(2)} us\n`);
}
