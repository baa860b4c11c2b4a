import { Check, CircleAlert, TriangleAlert } from 'lucide-react';
import type { ProxyTest } from '../../../shared/model/proxy/proxy-test.ts';

const ICONS = { works: Check, answers: TriangleAlert, fails: CircleAlert };

/** What trying the settings found, for a person. */
export function foundSentence({ state, via, reason, milliseconds }: ProxyTest): string {
  if (state === 'works') {
    return via === null
      ? `The target is reached without a proxy: ${reason}. ${milliseconds} ms.`
      : `A tunnel through ${via} stood after ${milliseconds} ms.`;
  }
  if (state === 'answers') return `${via ?? 'The proxy'} let us in, but not to this target.`;
  return `It does not work${via === null ? '' : ` through ${via}`}.`;
}

/** What trying the settings found. */
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
