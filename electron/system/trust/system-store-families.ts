import fs from 'node:fs';
import path from 'node:path';
import type { Command, Environment } from '../run-command.ts';
import { findProgram } from '../run-command.ts';

/** How one family of Linux distributions stores its roots. */
export interface SystemFamily {
  name: string;
  /** The folder for an administrator's own roots, one file each. */
  anchors: string;
  /** Commands that apply a change: after adding a file, and after removing one. */
  added: Command;
  removed: Command;
  /** The resulting file with all trusted roots, which is probed. */
  bundle: string;
}

const FAMILIES: readonly SystemFamily[] = [
  {
    name: 'openSUSE',
    anchors: '/etc/pki/trust/anchors',
    added: ['update-ca-certificates'],
    removed: ['update-ca-certificates'],
    bundle: '/var/lib/ca-certificates/ca-bundle.pem',
  },
  {
    name: 'Debian',
    anchors: '/usr/local/share/ca-certificates',
    added: ['update-ca-certificates'],
    // Without --fresh it leaves a dangling link behind if nothing was added.
    removed: ['update-ca-certificates', '--fresh'],
    bundle: '/etc/ssl/certs/ca-certificates.crt',
  },
  {
    name: 'Fedora',
    anchors: '/etc/pki/ca-trust/source/anchors',
    added: ['update-ca-trust', 'extract'],
    removed: ['update-ca-trust', 'extract'],
    bundle: '/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem',
  },
  {
    name: 'Arch',
    anchors: '/etc/ca-certificates/trust-source/anchors',
    added: ['update-ca-trust'],
    removed: ['update-ca-trust'],
    bundle: '/etc/ca-certificates/extracted/tls-ca-bundle.pem',
  },
];

/** The family of this machine, by its folder and its tool; null if unknown. `root`: where its folders begin. */
export function findSystemFamily(env: Environment, root = '/'): SystemFamily | null {
  const withSbin = { ...env, PATH: `${env.PATH ?? ''}:/usr/sbin:/sbin` };
  const isHere = ({ anchors, added }: SystemFamily): boolean =>
    fs.existsSync(path.join(root, anchors)) && findProgram(added[0], withSbin) !== null;
  return FAMILIES.find(isHere) ?? null;
}
