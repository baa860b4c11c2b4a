/** curl options that define the request, by all their names. */
export const MEANING: Record<string, string> = {
  ...{ '-X': 'method', '--request': 'method', '-H': 'header', '--header': 'header', '--url': 'url' },
  ...{ '-d': 'data', '--data': 'data', '--data-ascii': 'data', '--data-binary': 'binary', '--data-raw': 'raw' },
  ...{ '--data-urlencode': 'urlencode', '--json': 'json', '-F': 'form', '--form': 'form', '-b': 'cookie' },
  ...{ '--cookie': 'cookie', '-A': 'agent', '--user-agent': 'agent', '-e': 'referer', '--referer': 'referer' },
  ...{ '-u': 'user', '--user': 'user', '-T': 'upload', '--upload-file': 'upload' },
  ...{ '--form-string': 'form-string', '-r': 'range', '--range': 'range', '--oauth2-bearer': 'bearer' },
  '--url-query': 'url-query',
};

/** Options without a value that matter. */
export const SWITCHES: Record<string, string> = {
  ...{ '-I': 'head', '--head': 'head', '-G': 'get', '--get': 'get', '-L': 'location', '--location': 'location' },
  '--location-trusted': 'location',
  ...{ '--compressed': 'compressed', '--http1.0': 'h1', '-0': 'h1', '--http1.1': 'h1', '--http2': 'h2' },
  ...{ '--http2-prior-knowledge': 'h2', '-g': 'literal', '--globoff': 'literal' },
};

/** Options without a value that control how curl works, not what it sends. */
export const SILENT = new Set(
  (
    '-s --silent -S --show-error -k --insecure -v --verbose -i --include --show-headers -f --fail --fail-with-body ' +
    '--fail-early -# --progress-bar --no-progress-meter -N --no-buffer -q --disable -O --remote-name ' +
    '-J --remote-header-name -R --remote-time -4 --ipv4 -6 --ipv6 -1 --tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 ' +
    '-2 --sslv2 --ssl-no-revoke --basic -p --proxytunnel -j --junk-session-cookies --tcp-nodelay --no-keepalive ' +
    '--path-as-is --create-dirs --styled-output --no-styled-output --no-sessionid --trace-time --no-alpn ' +
    '--tcp-fastopen -Z --parallel --retry-all-errors --retry-connrefused --post301 --post302 --post303 --raw --no-npn'
  ).split(' '),
);

/** Options with a value that control how curl works, not what it sends: they are left out. */
export const IGNORED = new Set(
  (
    '-o --output -m --max-time --connect-timeout -x --proxy --noproxy --cacert --capath -E --cert --key --cert-type ' +
    '-w --write-out --resolve --connect-to --retry --retry-delay --retry-max-time -c --cookie-jar -D --dump-header ' +
    '--limit-rate --max-redirs --ciphers --tls13-ciphers --interface --dns-servers -U --proxy-user --proxy-header ' +
    '--stderr --trace --trace-ascii --keepalive-time --tls-max -Y --speed-limit -y --speed-time ' +
    '--curves --pinnedpubkey --proto --proto-default --happy-eyeballs-timeout-ms --output-dir --trace-config'
  ).split(' '),
);
