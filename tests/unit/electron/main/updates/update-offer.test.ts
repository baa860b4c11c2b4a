import { expect, it } from 'vitest';
import { UpdateOffer } from '../../../../../electron/main/updates/update-offer.ts';

const LATER = 0;
const NOW = 1;

/** An offer whose messages the test answers. */
function offered() {
  const shown: { buttons: string[]; detail: string; answer: (button: number) => void }[] = [];
  const state = { recording: false, restarts: 0 };
  const offer = new UpdateOffer({
    isRecording: () => state.recording,
    ask: ({ buttons, detail }) => new Promise((answer) => shown.push({ buttons, detail, answer })),
    restart: () => {
      state.restarts += 1;
    },
  });
  return { offer, shown, state };
}

it('restarts only if the user asks for it', async () => {
  const { offer, shown, state } = offered();
  const first = offer.show('2.0.0');
  shown[0]?.answer(LATER);
  await first;
  expect(state.restarts).toBe(0);
  const second = offer.show('2.0.0');
  shown[1]?.answer(NOW);
  await second;
  expect(state.restarts).toBe(1);
});

it('offers no restart while Roundtrip is recording, and says why', async () => {
  const { offer, shown, state } = offered();
  state.recording = true;
  const answered = offer.show('2.0.0');
  expect(shown[0]).toMatchObject({
    buttons: ['When I quit'],
    detail: expect.stringContaining('while it is recording'),
  });
  shown[0]?.answer(LATER);
  await answered;
  expect(state.restarts).toBe(0);
});

it('does not restart for an answer that came after a recording had begun', async () => {
  const { offer, shown, state } = offered();
  const answered = offer.show('2.0.0');
  state.recording = true;
  shown[0]?.answer(NOW);
  await expect.poll(() => shown).toHaveLength(2);
  shown[1]?.answer(LATER);
  await answered;
  expect(state.restarts).toBe(0);
});

it('shows one message, however often the version is found', async () => {
  const { offer, shown } = offered();
  const answered = offer.show('2.0.0');
  await offer.show('2.0.0');
  expect(shown).toHaveLength(1);
  shown[0]?.answer(LATER);
  await answered;
  void offer.show('2.0.0');
  expect(shown).toHaveLength(2);
});
