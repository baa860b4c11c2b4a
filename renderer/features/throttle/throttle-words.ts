import { figuresOf, type Throttle } from '../../../shared/model/rule/throttle.ts';

/** 1600: "1.6 Mbit/s". */
function speed(kbps: number): string {
  if (!Number.isFinite(kbps)) return 'no limit';
  return kbps < 1000 ? `${kbps} kbit/s` : `${kbps / 1000} Mbit/s`;
}

/** A network's figures in one line. */
export function networkInWords(throttle: Throttle): string {
  const { downKbps, upKbps, rttMs, jitterMs, lossPercent } = figuresOf(throttle);
  const trip = `${rttMs}${jitterMs > 0 ? ` ± ${jitterMs}` : ''} ms round trip`;
  const parts = [`${speed(downKbps)} down`, `${speed(upKbps)} up`, trip];
  return [...parts, ...(lossPercent > 0 ? [`${lossPercent} % loss`] : [])].join(', ');
}
