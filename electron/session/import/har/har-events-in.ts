import { listIn, numberIn, objectIn, textIn } from '../loose-json.ts';

/** Events as the text of a stream, and when each came: milliseconds since the Unix epoch, -1 for unknown. */
interface ListedEvents {
  bytes: Uint8Array;
  times: number[];
}

/** The server-sent events that Chrome lists in an entry; null: none. */
export function eventsIn(value: unknown): ListedEvents | null {
  const events = listIn(value).map(objectIn);
  if (events.length === 0) return null;
  const times = events.map(({ time }) => (numberIn(time) ?? -0.001) * 1000);
  return { bytes: Buffer.from(events.map(eventText).join('')), times };
}

/** In the form of HTML, section 9.2.6: a line for each field, and an empty line. */
function eventText({ eventName, eventId, data }: ReturnType<typeof objectIn>): string {
  const [name, id] = [eventName, eventId].map((field) => textIn(field).replace(/[\r\n]/g, ' '));
  const lines = [
    ...(name === '' || name === 'message' ? [] : [`event: ${name}`]),
    ...(id === '' ? [] : [`id: ${id}`]),
    ...textIn(data)
      .split(/\r\n|[\r\n]/)
      .map((line) => `data: ${line}`),
  ];
  return `${lines.join('\n')}\n\n`;
}
