import { execFile } from 'node:child_process';
import { hasProgram } from '../../support/has-program.ts';
import { type FaultyClient, inTurn } from './client.ts';

export const curlClient: FaultyClient = {
  name: 'curl',
  // A send or a receive failure: whichever curl was at when the reset arrived.
  races: { 'before/reset': ['exit 56', 'exit 55'], 'after/reset': ['exit 56', 'exit 55'] },
  missing: () => (hasProgram('curl') ? null : 'no curl'),
  outcomes: ({ port, caPath, proxyPort }, faults) =>
    inTurn(faults, (fault) => {
      const proxy = proxyPort === null ? '' : `http://127.0.0.1:${proxyPort}`;
      const options = ['-sS', '-m', '60', '--http2', '-x', proxy, '--noproxy', '', '--cacert', caPath];
      return new Promise((resolve) => {
        execFile('curl', [...options, `https://localhost:${port}/${fault}`], (error) =>
          resolve(`exit ${error?.code ?? 0}`),
        );
      });
    }),
};
