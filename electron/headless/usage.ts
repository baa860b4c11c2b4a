import { DEFAULT_PORT } from '../commands/default-port.ts';

export const USAGE = `Usage:
  roundtrip serve  [options]                    proxy, and its UI in the browser
  roundtrip record [options] [-- command ...]   record until the command ends or SIGINT, then write the HAR
  roundtrip compare A B [--json]                what differs between two sessions (docs/sessions.md)
  roundtrip tail   [--filter Q] [--json]        each exchange as it ends, from a running or new Roundtrip
  roundtrip status [--json]                     what runs with this data folder: addresses, reverse listeners, session
  roundtrip stop   [--pid N]                    end it, as Ctrl+C would
  roundtrip send SOURCE [--filter Q] [--times N] [--parallel N] [options]   send recorded requests again
  roundtrip lab SOURCE [--page N] [--rtt 0,20,100] [--runs 7] [--bandwidth MBIT] [--variants NAME,...] [--html FILE]
                       [--json]                 replay a recorded page to a real Chromium and compare (docs/lab.md)
  roundtrip mcp    [SOURCE]                     tools for agents, for the running Roundtrip or a file (docs/agents.md)
  roundtrip rules check FILE [--json]           the faults of a rules file, with line and column
  roundtrip sessions [--prune-older-than DAYS] [--prune-over MB] [--json]
                                                the sessions in the data folder; removes old ones only on request
  roundtrip open SOURCE [options]               a session, or a file to import, in the running Roundtrip or a new one
  roundtrip export SOURCE --format FORM [--filter Q] [--out FILE] [--redact] [--redact-pattern REGEXP]
                                                har, roundtrip, curl or csv; SOURCE: a session file, or one to import
  roundtrip export SOURCE... --format parquet --out FILE [--bodies]   tables for a warehouse (docs/warehouse.md)
  roundtrip export SOURCE... --format otlp --to URL     spans and metrics for a collector (docs/tracing.md)
  roundtrip import FILE... --session OUT        HAR, .chlsj, .saz and .flow files into a session file
  roundtrip findings SOURCE [--json]            what is slow, wasteful or wrong; SOURCE: a .roundtrip or HAR file
  roundtrip rules import FILE [--out FILE]      a rules file from HTTP Toolkit (.htkrules) or mitmproxy (config.yaml)
  roundtrip check SOURCE... --budget FILE [--baseline SOURCE...] [--junit FILE] [--html FILE] [--json]
                                                exit 1 if it is over the budget or worse than before (docs/ci.md)
  roundtrip ca status|install|uninstall|export  [--store NAME ...] [--data-dir DIR] [--json]
  roundtrip ca export  [--format FORM] [--out FILE]
  roundtrip ca renew                            a new certificate for the same key
  roundtrip ca rotate                           a new key and certificate; the old files are kept next to them
  roundtrip ca import FILE [FILE]               your own CA: PKCS#12, or PEM with key and certificate

Options:
  --port N              the proxy's port, 0 = any free (default ${DEFAULT_PORT})
  --host ADDRESS        where the proxy listens (default 127.0.0.1: this machine only)
  --devices-reach-local  with --host: let other machines reach localhost and this machine's own addresses
  --ui-port N           the UI's port, 0 = any free (default 0)
  --data-dir DIR        settings, CA and sessions
  --session FILE        the session file; appended to if it exists (default: a new one in the data folder)
  --har FILE            the HAR file to write at the end
  --rules FILE          apply the rules in this file (docs/rules.md); loaded again when it changes
                        (default: rules.json in the data folder, if it exists)
  --budget FILE         with record: check the recording against this budget at the end; exit 1 if it is over budget
                        (docs/ci.md)
  --no-intercept        pass all TLS through
  --passthrough HOST    pass this host's TLS through; * stands for any characters (repeatable)
  --no-http2            HTTP/1.1 only, on both sides
  --no-keep-alive       a new upstream connection for each exchange
  --no-retry            one attempt per exchange
  --retry-idempotent    retry GET, HEAD, PUT, DELETE and the like once if a new connection closes without a response
  --retry-refused       retry refused connections for half a second, even if no server has listened in this session
  --nagle               Nagle's algorithm on (slower; for measuring)
  --busy-poll           keep the proxy's thread awake between the messages of a single connection (faster; uses a core)
  --upstream-proxy URL  [scheme://][user[:password]@]host:port; http, https, socks4, socks4a, socks5 or socks5h
                        user and password may come from ROUNDTRIP_PROXY_USER and ROUNDTRIP_PROXY_PASSWORD
  --upstream-pac FILE   choose the upstream proxy with a PAC file, given as path or URL
  --upstream-system     choose it from the system's proxy settings (environment, desktop)
  --upstream-wpad       choose it with the network's PAC file (WPAD: DHCP or DNS); only on networks you trust
  --upstream-bypass HOST  connect directly to this host: name, *.name, network (repeatable)
  --upstream-proxy-ca FILE  trust this CA for HTTPS proxies, PEM (repeatable)
  --upstream-ca FILE    trust this CA upstream too, PEM (repeatable)
  --client-certificate HOST=FILE  send this certificate to HOST (* allowed): PEM with its key (repeatable)
  --insecure-upstream   accept any certificate upstream
  --throttle PROFILE    slow all traffic down to the speed of a network: 'Slow 3G', 'Slow 4G', 'Fast 4G', DSL, ...
                        (docs/throttle.md)
  --reverse LISTEN=ORIGIN  answer at LISTEN (PORT or ADDRESS:PORT) in place of ORIGIN (repeatable;
                        docs/reverse-proxy.md)
  --reverse-keep-host   with --reverse: send the Host that the client sent instead of the origin's name
  --otlp URL            export spans and metrics to this OpenTelemetry collector (docs/tracing.md)
  --otlp-unsampled      with --otlp: also export unsampled traces
  --agents-may-write    let agents change traffic (docs/agents.md)
  --agents-send-to HOST  with --agents-may-write: let them resend and redirect requests to this host (repeatable)
  --limit NAME=NUMBER   override a default limit (repeatable; names, ranges and reasons: docs/limits.md)
  --filter QUERY        only exchanges that match, in the filter box's language
  --pid N               which one, if several run (roundtrip status lists them)
  --times N             with send: how often each request is sent (default 1)
  --parallel N          with send: requests under way at a time (default 1)
  --json                one JSON object per line on stdout, and nothing else
  --ignore FILTER       compare: leave these exchanges out, on both sides (repeatable)
  --ignore-change KIND  compare: leave out status, size, type, protocol, failure or phases (repeatable)
  --store NAME          system, nss, firefox, keychain, windows, java, all, or a store's id from status --json
                        (repeatable)
  --format FORM         of ca export: pem, der, p12 (with the key), android, ios (default pem)
  --out FILE            where the export is written (default: standard output)
                        The passphrase of import and of a p12 is read from ROUNDTRIP_PASSPHRASE.
  --help, --version
`;
