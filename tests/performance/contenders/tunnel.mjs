// proxy-chain: a blind CONNECT tunnel, and a plain forwarder.
import { Server } from 'proxy-chain';
import { given, ready } from './support.mjs';

const server = new Server({ host: '127.0.0.1', port: given.port, verbose: false });
await server.listen();
ready(server.port);
