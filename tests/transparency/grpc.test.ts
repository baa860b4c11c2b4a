import type { EventEmitter } from 'node:events';
import fs from 'node:fs';
import * as grpc from '@grpc/grpc-js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certificateNames } from '../../electron/engine/ca/certificate-names.ts';
import { LeafIssuer } from '../../electron/engine/tls/leaf-issuer.ts';
import { makeLeafKey } from '../../electron/engine/tls/leaf-store.ts';
import { startTestEngine, type TestEngine } from '../support/engine.ts';
import { testCa } from '../support/test-ca.ts';

const bytes = { serialize: (value: Buffer): Buffer => value, deserialize: (value: Buffer): Buffer => value };

function method(path: string, requestStream: boolean, responseStream: boolean): grpc.MethodDefinition<Buffer, Buffer> {
  return {
    path: `/echo.Echo/${path}`,
    requestStream,
    responseStream,
    requestSerialize: bytes.serialize,
    requestDeserialize: bytes.deserialize,
    responseSerialize: bytes.serialize,
    responseDeserialize: bytes.deserialize,
  };
}

const SERVICE = {
  unary: method('Unary', false, false),
  server: method('Server', false, true),
  client: method('Client', true, false),
  both: method('Both', true, true),
  fails: method('Fails', false, false),
};

function metadata(): grpc.Metadata {
  const made = new grpc.Metadata();
  made.set('x-one', '1');
  made.set('x-bytes-bin', Buffer.from([0, 1, 255]));
  return made;
}

const HANDLERS: grpc.UntypedServiceImplementation = {
  unary: (call: grpc.ServerUnaryCall<Buffer, Buffer>, done: grpc.sendUnaryData<Buffer>) => {
    call.sendMetadata(call.metadata);
    done(null, Buffer.concat([Buffer.from('unary '), call.request]), metadata());
  },
  server: (call: grpc.ServerWritableStream<Buffer, Buffer>) => {
    for (let index = 0; index < 50; index += 1) call.write(Buffer.from(`${call.request} ${index}`));
    call.end(metadata());
  },
  client: (call: grpc.ServerReadableStream<Buffer, Buffer>, done: grpc.sendUnaryData<Buffer>) => {
    const got: Buffer[] = [];
    call.on('data', (piece: Buffer) => got.push(piece));
    call.on('end', () => done(null, Buffer.concat(got)));
  },
  both: (call: grpc.ServerDuplexStream<Buffer, Buffer>) => {
    call.on('data', (piece: Buffer) => call.write(Buffer.from(`echo ${piece}`)));
    call.on('end', () => call.end());
  },
  fails: (_call: grpc.ServerUnaryCall<Buffer, Buffer>, done: grpc.sendUnaryData<Buffer>) => {
    done({ code: grpc.status.FAILED_PRECONDITION, details: 'no: \u00e9', metadata: metadata() });
  },
};

/** gRPC's own client and server for Node, direct and through Roundtrip by the proxy variable that the client reads. */
describe.each([
  ['gRPC', true],
  ['gRPC without TLS', false],
])('%s', (_name, isSecure) => {
  const server = new grpc.Server();
  let engine: TestEngine;
  let address = '';
  let originCa = Buffer.alloc(0);
  let remove = (): void => {};

  beforeAll(async () => {
    const made = await testCa();
    remove = made.remove;
    originCa = fs.readFileSync(made.ca.certificatePath);
    const key = makeLeafKey();
    const cert = new LeafIssuer(made.ca, key).mint(certificateNames('localhost', null));
    server.addService(SERVICE, HANDLERS);
    const credentials = isSecure
      ? grpc.ServerCredentials.createSsl(null, [{ cert_chain: Buffer.from(cert), private_key: Buffer.from(key) }])
      : grpc.ServerCredentials.createInsecure();
    const port = await new Promise<number>((resolve, reject) =>
      server.bindAsync('127.0.0.1:0', credentials, (error, bound) => (error ? reject(error) : resolve(bound))),
    );
    address = `localhost:${port}`;
    engine = await startTestEngine({ upstreamCaFiles: [made.ca.certificatePath] });
  });

  afterAll(async () => {
    server.forceShutdown();
    await engine.engine.close({ graceMs: 0 });
    remove();
  });

  function client(through: boolean): grpc.Client {
    const ca = through ? Buffer.from(engine.caPem) : originCa;
    const credentials = isSecure ? grpc.credentials.createSsl(ca) : grpc.credentials.createInsecure();
    return new grpc.Client(address, credentials, { 'grpc.enable_http_proxy': through ? 1 : 0 });
  }

  async function compare<T>(call: (client: grpc.Client) => Promise<T>): Promise<T> {
    const direct = client(false);
    const before = await call(direct);
    direct.close();
    process.env.grpc_proxy = engine.proxy;
    const proxied = client(true);
    try {
      expect(await call(proxied)).toEqual(before);
    } finally {
      delete process.env.grpc_proxy;
      proxied.close();
    }
    const last = engine.seen.all.at(-1);
    expect(last?.request).toMatchObject({ httpVersion: 'HTTP/2.0', authority: address });
    expect(last?.upstream?.protocol).toBe('h2');
    return before;
  }

  /** Everything a call returns, as plain values. */
  function observe(call: EventEmitter): Promise<unknown> {
    const seen: { metadata: unknown; messages: string[] } = { metadata: null, messages: [] };
    call.on('metadata', (got: grpc.Metadata) => {
      // A Date is the server's clock.
      got.remove('date');
      seen.metadata = got.toJSON();
    });
    call.on('data', (piece: Buffer) => seen.messages.push(piece.toString()));
    call.on('error', () => {});
    return new Promise((resolve) =>
      call.on('status', ({ code, details, metadata: trailers }: grpc.StatusObject) => {
        trailers.remove('date');
        resolve({ ...seen, code, details, trailers: trailers.toJSON() });
      }),
    );
  }

  const { serialize, deserialize } = bytes;

  it('unary', async () => {
    const result = await compare((each) =>
      observe(
        each.makeUnaryRequest(SERVICE.unary.path, serialize, deserialize, Buffer.from('x'), metadata(), () => {}),
      ),
    );
    expect(result).toMatchObject({ code: grpc.status.OK });
  });

  it('server streaming', async () => {
    const result = await compare((each) =>
      observe(each.makeServerStreamRequest(SERVICE.server.path, serialize, deserialize, Buffer.from('x'), metadata())),
    );
    expect(result).toMatchObject({ code: grpc.status.OK, messages: expect.arrayContaining(['x 49']) });
  });

  it('client streaming', async () => {
    const result = await compare(async (each) => {
      let response = '';
      const call = each.makeClientStreamRequest(
        SERVICE.client.path,
        serialize,
        deserialize,
        metadata(),
        (_error, value) => {
          response = String(value);
        },
      );
      for (let index = 0; index < 50; index += 1) call.write(Buffer.from(`${index} `));
      call.end();
      return { status: await observe(call), response };
    });
    expect(result.response).toContain('48 49 ');
  });

  it('both ways, message by message', async () => {
    const result = await compare(async (each) => {
      const call = each.makeBidiStreamRequest(SERVICE.both.path, serialize, deserialize, metadata());
      const status = observe(call);
      for (let index = 0; index < 10; index += 1) {
        const echoed = new Promise((resolve) => call.once('data', resolve));
        call.write(Buffer.from(`message ${index}`));
        await echoed;
      }
      call.end();
      return status;
    });
    expect(result).toMatchObject({ code: grpc.status.OK, messages: expect.arrayContaining(['echo message 9']) });
  });

  it('an error with details and metadata, in a response of trailers alone', async () => {
    const result = await compare((each) =>
      observe(
        each.makeUnaryRequest(SERVICE.fails.path, serialize, deserialize, Buffer.from('x'), metadata(), () => {}),
      ),
    );
    expect(result).toMatchObject({ code: grpc.status.FAILED_PRECONDITION, details: 'no: \u00e9' });
  });

  it('an unknown method, and a deadline that passes', async () => {
    await compare((each) =>
      observe(each.makeUnaryRequest('/echo.Echo/None', serialize, deserialize, Buffer.from('x'), metadata(), () => {})),
    );
    const late = await compare((each) =>
      observe(
        each.makeBidiStreamRequest(SERVICE.both.path, serialize, deserialize, metadata(), {
          deadline: Date.now() + 300,
        }),
      ).then((status) => (status as { code: number }).code),
    );
    expect(late).toBe(grpc.status.DEADLINE_EXCEEDED);
  });
});
