import fs from 'node:fs';

/** Names of the states that a leak can be in (include/net/tcp_states.h). */
const STATES: Record<string, string> = {
  '01': 'ESTABLISHED',
  '02': 'SYN_SENT',
  '03': 'SYN_RECV',
  '04': 'FIN_WAIT1',
  '05': 'FIN_WAIT2',
  '08': 'CLOSE_WAIT',
  '09': 'LAST_ACK',
  '0B': 'CLOSING',
};

/** Whether the system reports them (Linux). */
export const HAS_TCP_STATES = fs.existsSync('/proc/net/tcp');

/** States of the TCP connections with this port at either end, without listeners and those in TIME-WAIT. */
export function tcpStates(port: number): string[] {
  const hex = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    fs.readFileSync(file, 'utf8').split('\n').slice(1),
  );
  return lines.flatMap((line) => {
    const [, local = '', remote = '', state = ''] = line.trim().split(/\s+/);
    const name = STATES[state];
    return name && (local.endsWith(hex) || remote.endsWith(hex)) ? [name] : [];
  });
}
