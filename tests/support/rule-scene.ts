import type { Exchange } from '../../shared/model/exchange.ts';
import { type TestEngine, testEngine } from './engine.ts';
import { type PairOrigin, pairOrigin, type Respond } from './pair-origin.ts';
import { type PairClient, type ProtocolPair, pairClient } from './protocol-pairs.ts';
import { ruleList } from './rule-list.ts';
import { scriptHost } from './script-host.ts';

export interface GivenRule {
  name?: string;
  when?: string;
  limit?: number;
  do: object[];
}

export interface RuleScene extends TestEngine, PairClient {
  origin: PairOrigin;
  use(...rules: GivenRule[]): void;
  /** The first ended exchange; it used the protocols of the pair. */
  ended(): Promise<Exchange>;
}

const NAMES = { 'http/1.1': 'HTTP/1.1', h2: 'HTTP/2.0' } as const;

/** An engine with these rules between a client and an origin that speak the protocols of `pair`. */
export async function ruleScene(pair: ProtocolPair, respond: Respond, ...rules: GivenRule[]): Promise<RuleScene> {
  const origin = await pairOrigin(respond);
  const settings = { upstreamCaFiles: [origin.caPath], ...pair.settings };
  const through = await testEngine(settings, {}, { scripts: scriptHost() });
  const use = (...list: GivenRule[]) => through.engine.applyRules(ruleList(...list));
  use(...rules);
  const client = await pairClient(through, origin.port, pair);
  const ended = async () => {
    const exchange = await through.seen.ended1();
    const spoken = [exchange.request.httpVersion, exchange.upstream?.protocol ?? pair.upstream];
    if (spoken.join() !== [NAMES[pair.client], pair.upstream].join())
      throw new Error(`the exchange was over ${spoken.join(' and ')}`);
    return exchange;
  };
  return { ...through, ...client, origin, use, ended };
}
