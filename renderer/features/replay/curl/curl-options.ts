/** Options of curl that say what a request is, by all their names. */
export const MEANING: Record<string, string> = {
  ...{ '-X': 'method', '--request': 'method', '-H': 'header', '--header': 'header', '--url': 'url' },
  ...{ '-d': 'data', '--data': 'data', '--data-ascii': 'data', '--data-binary': 'binary', '--data-raw': 'raw' },
  ...{ '--data-urlencode': 'urlencode', '--json': 'json', '-F': 'form', '--form': 'form', '-b': 'cookie' },
  ...{ '--cookie': 'cookie', '-A': 'agent', '--user-agent': 'agent', '-e': 'referer', '--referer': 'referer' },
  ...{ '-u': 'user', '--user': 'user', '-T': 'form', '--upload-file': 'form' },
};

/** Options without a value that matter. */
export const SWITCHES: Record<string, string> = {
  ...{ '-I': 'head', '--head': 'head', '-G': 'get', '--get': 'get', '-L': 'location', '--location': 'location' },
  ...{ '--compressed': 'compressed', '--http1.0': 'h1', '-0': 'h1', '--http1.1': 'h1', '--http2': 'h2' },
  '--http2-prior-knowledge': 'h2',
};

/** Options with a value that say how curl works, not what it sends: they are left out. */
export const IGNORED = new Set(
  (
    '-o --output -m --max-time --connect-timeout -x --proxy --noproxy --cacert --capath -E --cert --key --cert-type ' +
    '-w --write-out --resolve --connect-to --retry --retry-delay --retry-max-time -c --cookie-jar -D --dump-header ' +
    '--limit-rate --max-redirs --ciphers --tls13-ciphers --interface --dns-servers -U --proxy-user --proxy-header ' +
    '--stderr --trace --trace-ascii -K --config -r --range --keepalive-time --tls-max --request-target -Y -y'
  ).split(' '),
);
