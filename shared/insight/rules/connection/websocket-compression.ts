import { formatBytes } from '../../../format/sizes.ts';
import type { InsightRule } from '../../insight-rule.ts';

const MESSAGES = 10;
const BYTES = 64 * 1024;

export const websocketCompression: InsightRule = {
  id: 'websocket-compression',
  name: 'Uncompressed WebSocket',
  about: 'Text messages of a WebSocket were sent without permessage-deflate.',
  threshold: `${MESSAGES} or more text messages with ${BYTES / 1024} KB together.`,
  source: 'RFC 7692; the figures are our own.',
  remedy: 'Turn permessage-deflate on in the server.',
  find: ({ sockets }) =>
    sockets.flatMap((socket) => {
      const { plainMessages = 0, plainMessageBytes = 0 } = socket.measure ?? {};
      const negotiated = /permessage-deflate/i.test(socket.response['sec-websocket-extensions'] ?? '');
      if (negotiated || plainMessages < MESSAGES || plainMessageBytes < BYTES) return [];
      const offered = /permessage-deflate/i.test(socket.request['sec-websocket-extensions'] ?? '');
      return [
        {
          title:
            `${plainMessages} text messages of ${socket.origin}${socket.path} (${formatBytes(plainMessageBytes)}) ` +
            'were not compressed',
          where: socket.origin,
          detail: offered
            ? 'The client offered permessage-deflate, and the server did not accept it.'
            : 'The client did not offer it.',
          ...(offered ? {} : { remedy: 'Turn permessage-deflate on in the client and in the server.' }),
          facts: [socket],
          bytes: null,
        },
      ];
    }),
};
