import * as grpc from '@grpc/grpc-js';
import type { FaultName } from '../../support/fault-origin.ts';
import { type FaultyClient, inTurn, type Target } from './client.ts';

const same = (value: Buffer): Buffer => value;

async function ask({ port, caPem, proxyPort }: Target, fault: FaultName): Promise<string> {
  if (proxyPort !== null) process.env.grpc_proxy = `http://127.0.0.1:${proxyPort}`;
  const client = new grpc.Client(`localhost:${port}`, grpc.credentials.createSsl(Buffer.from(caPem)), {
    'grpc.enable_http_proxy': proxyPort === null ? 0 : 1,
    // The server's response counts, not the result of the client's retry.
    'grpc.enable_retries': 0,
  });
  try {
    const call = client.makeServerStreamRequest(`/${fault}`, same, same, Buffer.from('x'));
    call.on('data', () => {}).on('error', () => {});
    const { code } = await new Promise<grpc.StatusObject>((resolve) => call.on('status', resolve));
    return grpc.status[code] ?? String(code);
  } finally {
    delete process.env.grpc_proxy;
    client.close();
  }
}

export const grpcJs: FaultyClient = {
  name: 'grpc-js',
  missing: () => null,
  outcomes: (target, faults) => inTurn(faults, (fault) => ask(target, fault)),
};
