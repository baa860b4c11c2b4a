import { type ExchangeSummary, summaryNow } from '../../shared/model/exchange-summary.ts';
import { type ExampleExchange, exampleExchange } from './example-exchange.ts';

/** A row of the list: of an ordinary exchange except for what is given. */
export function exampleRow(of: ExampleExchange = {}, row: Partial<ExchangeSummary> = {}): ExchangeSummary {
  return { ...summaryNow(exampleExchange(of)), ...row };
}
