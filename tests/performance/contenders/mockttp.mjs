import { generateCACertificate, getLocal } from 'mockttp';
import { given, ready } from './support.mjs';

// Nothing is kept and nobody listens to its events: the least that it can cost.
const server = getLocal({ https: await generateCACertificate(), http2: true, recordTraffic: false });
await server.start(given.port);
// It trusts the origin by NODE_EXTRA_CA_CERTS: with `additionalTrustedCAs` it takes three times as long for every
// request.
await server.forUnmatchedRequest().thenPassThrough();
ready(server.port);
