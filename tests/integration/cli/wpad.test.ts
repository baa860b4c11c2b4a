import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { hasProgram } from '../../support/has-program.ts';
import { HAS } from '../../support/real-proxies.ts';
import { DIST } from '../../support/roundtrip-cli.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

/** A separate network needs a kernel that allows it. */
const CAN_RUN = HAS.tinyproxy && hasProgram('unshare', '-rmn', 'true') && hasProgram('python3', '--version');

/** A machine in the domain eng.corp.example, whose DNS (by /etc/hosts) knows the host wpad of corp.example alone. */
const NETWORK = `set -e
cd "$1"
printf '127.0.0.1 localhost\\n127.0.0.1 wpad.corp.example\\n' > hosts
printf 'search eng.corp.example\\n' > resolv.conf
mount --bind hosts /etc/hosts
mount --bind resolv.conf /etc/resolv.conf
python3 - <<'PYTHON'
# Loopback is down in a new network: SIOCSIFFLAGS with IFF_UP.
import fcntl, socket, struct
fcntl.ioctl(socket.socket(), 0x8914, struct.pack('16sh', b'lo', 1))
PYTHON
mkdir -p web origin
printf 'function FindProxyForURL(url, host) { return "PROXY 127.0.0.1:3128"; }' > web/wpad.dat
printf 'from the origin' > origin/page
printf 'Port 3128\\nListen 127.0.0.1\\nTimeout 60\\n' > tinyproxy.conf
python3 -m http.server --bind 127.0.0.1 --directory web 80 >/dev/null 2>&1 & web=$!
python3 -m http.server --bind 127.0.0.1 --directory origin 8000 >/dev/null 2>&1 & origin=$!
tinyproxy -d -c tinyproxy.conf >/dev/null 2>&1 & proxy=$!
trap 'kill $web $origin $proxy' EXIT
for port in 80 8000 3128; do
  for try in $(seq 100); do
    python3 -c "import socket; socket.create_connection(('127.0.0.1', $port))" 2>/dev/null && break
    sleep 0.05
  done
done
roundtrip() {
  "$2" "$3" record --port 0 --data-dir data --har "$1" --upstream-wpad -- curl -sS http://127.0.0.1:8000/page || true
}
roundtrip found.har "$2" "$3"
rm web/wpad.dat
roundtrip missing.har "$2" "$3"
`;

interface Entry {
  _error?: { code: string; message: string };
  _roundtrip: { route: { via: string | null; reason: string } };
}

it.skipIf(!CAN_RUN)(
  'roundtrip record --upstream-wpad finds the PAC file of a real network, up the labels of its domain',
  async () => {
    const folder = temporaryFolder();
    const script = path.join(folder, 'network.sh');
    fs.writeFileSync(script, NETWORK);
    const { stdout } = await promisify(execFile)('unshare', [
      ...['-rmn', 'sh', script, folder, process.execPath, path.join(DIST, 'command-line.cjs')],
    ]);
    expect(stdout).toContain('from the origin');
    const entryOf = (name: string): Entry | undefined =>
      JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')).log.entries[0];
    expect(entryOf('found.har')?._roundtrip.route).toMatchObject({
      via: 'http://127.0.0.1:3128',
      reason: 'the PAC file of WPAD (http://wpad.corp.example/wpad.dat) returned PROXY 127.0.0.1:3128',
    });
    const failed = JSON.stringify(entryOf('missing.har'));
    expect(failed).toContain('proxy.wpad-not-found');
    expect(failed).toContain('http://wpad.eng.corp.example/wpad.dat (');
    expect(failed).toContain('http://wpad.corp.example/wpad.dat (the server responded with 404)');
  },
);
