import { expect, it } from 'vitest';
import { uniqueName } from '../../../../../electron/commands/unique-name.ts';
import { readableName, sessionName } from '../../../../../renderer/features/sessions/session-name.ts';

it('a name that Roundtrip gave is shown as the local date and time', () => {
  const path = `/data/sessions/${uniqueName(new Date(2026, 10, 24, 4, 51, 24))}.roundtrip`;
  expect(sessionName({ path })).toBe('24 Nov 2026, 04:51:24');
  expect(sessionName({ path, name: 'Login' })).toBe('Login');
  const name = uniqueName(new Date(2026, 10, 24, 4, 51, 24));
  expect(readableName(`${name} copy-2`)).toBe('24 Nov 2026, 04:51:24 copy (2)');
  expect(readableName(`${name}-2`)).toBe('24 Nov 2026, 04:51:24 (2)');
});

it.each(['login', '2026-11-24', '2026-99-24T04-51-24-589Z-01c66972', ''])('the name %j stays', (name) => {
  expect(readableName(name)).toBe(name);
});
