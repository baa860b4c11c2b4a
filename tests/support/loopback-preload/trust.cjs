// Preloaded into a suite whose clients trust one certificate and nothing else: they trust the CA in $LOOPBACK_CA too,
// as a user's program would.
const fs = require('node:fs');
const tls = require('node:tls');

const ours = fs.readFileSync(process.env.LOOPBACK_CA ?? '');
const { createSecureContext } = tls;

tls.createSecureContext = function createTrustingContext(options, ...rest) {
  const made = createSecureContext.call(this, options, ...rest);
  // Without a `ca` it has the roots, and by NODE_EXTRA_CA_CERTS ours.
  if (options?.ca) made.context.addCACert(ours);
  return made;
};
