import { expect, it } from 'vitest';
import { barBackground } from '../../../../../renderer/features/traffic/waterfall/bar-paint.ts';
import { phasesOf } from '../../../../../renderer/features/traffic/waterfall/phases.ts';
import { NO_TIMINGS } from '../../../../../shared/model/timings.ts';

it('paints the phases side by side, each in its colour', () => {
  const phases = phasesOf({ ...NO_TIMINGS, dns: 10, wait: 60, receive: 30 });
  expect(barBackground(phases, { total: 100, overhead: -1 })).toBe(
    'linear-gradient(to right, var(--dns) 0% 10%, var(--wait) 10% 70%, var(--receive) 70% 100%, transparent 100%), ' +
      'var(--blocked)',
  );
});

it('draws the overhead as a line below, as long as its share', () => {
  const phases = phasesOf({ ...NO_TIMINGS, wait: 3 });
  expect(barBackground(phases, { total: 3, overhead: 1 })).toContain(
    'linear-gradient(var(--overhead) 0 0) 0 100% / 33.33% 3px no-repeat, linear-gradient(to right',
  );
});

it('shows stripes where attempts failed', () => {
  const phases = phasesOf({ ...NO_TIMINGS, blocked: 40, failedTries: 30, wait: 10 });
  const background = barBackground(phases, { total: 50, overhead: -1 });
  expect(background).toContain('var(--blocked) 0% 20%, transparent 20% 80%, var(--wait) 80% 100%');
  expect(background).toContain('repeating-linear-gradient(135deg');
});

it('is one plain colour without phases', () => {
  expect(barBackground([], { total: 0, overhead: -1 })).toBe('var(--blocked)');
});
