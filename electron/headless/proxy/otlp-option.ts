import { NO_OTLP, type OtlpSettings, otlpProblem } from '../../../shared/model/otlp/otlp.ts';
import { BadArguments } from '../bad-arguments.ts';

/** Throws `BadArguments`. */
export function otlpSettings(url: string, unsampled: boolean): OtlpSettings {
  if (url === '') throw new BadArguments('--otlp needs the address of a collector, such as http://localhost:4318');
  const problem = otlpProblem({ url, traceLink: '' });
  if (problem !== null) throw new BadArguments(`--otlp: ${problem}`);
  return { ...NO_OTLP, url, unsampled };
}
