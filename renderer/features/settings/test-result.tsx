import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import type { ProxyTest } from '../../../shared/model/proxy/proxy-test.ts';

const ICONS = { works: Check, answers: TriangleAlert, fails: CircleAlert };

/** The result of a proxy test in one sentence. */
export function foundSentence({ state, via, reason, milliseconds }: ProxyTest): string {
  if (state === 'works') {
    return via === null
      ? `The target is reachable without a proxy: ${reason}. ${milliseconds} ms.`
      : `Tunnel through ${via} established in ${milliseconds} ms.`;
  }
  if (state === 'answers') return `${via ?? 'The proxy'} accepted the connection but not this target.`;
  return `Connection failed${via === null ? '' : ` through ${via}`}.`;
}

/** The result of a proxy test, with the failure's message and code if there is one. */
export function TestResult({ result }: { result: ProxyTest }) {
  const Icon = ICONS[result.state];
  return (
    <div className={`test-result ${result.state}`} role="status">
      <Icon size={15} aria-hidden="true" />
      <div>
        <p>{foundSentence(result)}</p>
        {result.failure && (
          <small>
            {result.failure.message} <code>{result.failure.code}</code>
          </small>
        )}
      </div>
    </div>
  );
}
