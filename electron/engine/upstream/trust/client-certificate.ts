import { createPrivateKey, X509Certificate } from 'node:crypto';
import fs from 'node:fs';
import { describe, roundtripError } from '../../../failures/errors.ts';
import { refuseLockedHere } from '../../../files/locked-here.ts';
import { certificatesIn } from '../../ca/system-roots.ts';

const KEY = /-----BEGIN [A-Z ]*PRIVATE KEY-----[^-]+-----END [A-Z ]*PRIVATE KEY-----/;

/** A certificate chain (PEM, leaf first) that we present upstream, and its key. */
export interface ClientCertificate {
  cert: string;
  key: string;
}

/** Reads a PEM file that holds both, in any order. Throws `settings.invalid`, which states the problem. */
export function readClientCertificate(file: string): ClientCertificate {
  try {
    refuseLockedHere(file);
    const text = fs.readFileSync(file, 'latin1');
    const chain = certificatesIn(text);
    const leaf = chain[0];
    const key = KEY.exec(text)?.[0];
    if (leaf === undefined) throw new Error('it holds no certificate in PEM');
    if (key === undefined)
      throw new Error('it holds no private key in PEM; put the certificate and its key into one file');
    if (key.includes('ENCRYPTED')) throw new Error('its key is encrypted; decrypt it with openssl pkey');
    if (!new X509Certificate(leaf).checkPrivateKey(createPrivateKey(key)))
      throw new Error('its first certificate does not match its key');
    return { cert: chain.join('\n'), key };
  } catch (error) {
    throw roundtripError('settings.invalid', { detail: `the client certificate ${file}: ${describe(error)}` });
  }
}
