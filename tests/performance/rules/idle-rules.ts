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

/** What a browser sends and a site answers: some 1,000 characters of each. */
const BROWSER = [
  ['Host', 'www.example.test'],
  [
    'User-Agent',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/143.0.0.0 Safari/537.36',
  ],
  ['Accept', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8'],
  ['Accept-Encoding', 'gzip, deflate, br, zstd'],
  ['Accept-Language', 'en-GB,en-US;q=0.9,en;q=0.8,de;q=0.7'],
  ['sec-ch-ua', '"Google Chrome";v="143", "Chromium";v="143", "Not A(Brand";v="24"'],
  ['sec-ch-ua-platform', '"Linux"'],
  ['Sec-Fetch-Dest', 'script'],
  ['Sec-Fetch-Mode', 'no-cors'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Referer', 'https://www.example.test/articles/2026/11/a-page-with-a-name-of-common-length'],
  ['Cookie', `session=${'8f3a91c07e5b42d6'.repeat(8)}; theme=dark; ${'consent=a1.b2;'.repeat(12)}`],
  ['Authorization', `Bearer ${'eyJhbGciOiJIUzI1NiJ9'.repeat(12)}`],
].flat();
const SITE = [
  ['Date', 'Wed, 25 Nov 2026 20:00:00 GMT'],
  ['Content-Type', 'text/javascript; charset=utf-8'],
  ['Cache-Control', 'public, max-age=31536000, immutable'],
  ['ETag', '"5f3c-8a7b6c5d4e3f2a1b"'],
  ['Content-Security-Policy', "default-src 'self'; img-src https: data:; script-src 'self' 'nonce-abc'; ".repeat(6)],
  ['Strict-Transport-Security', 'max-age=63072000; includeSubDomains; preload'],
  ['Set-Cookie', `session=${'8f3a91c07e5b42d6'.repeat(8)}; Path=/; Secure; HttpOnly; SameSite=Lax`],
  ['Via', '1.1 varnish, 1.1 varnish'],
  ['X-Cache', 'HIT, MISS'],
  ['X-Timer', 'S1732564800.123456,VS0,VE1'],
].flat();

/** As a parser creates it: each text in one piece. */
const flat = (text: string): string => Buffer.from(text).toString('latin1');

function measure(shape: string, count: number): number {
  const book = new RuleBook(idleRules(count, 'example.test', [shape]));
  const exchanges = Array.from({ length: EXCHANGES }, (_, index) =>
    exampleExchange({
      request: {
        ...{ authority: 'www.example.test', path: `/assets/app-${index % 50}.js?build=${index}` },
        headers: BROWSER.map(flat),
      },
      response: { headers: SITE.map(flat) },
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
