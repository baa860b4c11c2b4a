import type { TicketSource } from './proxy-door.ts';

/** RFC 2744: the upper half of a status word holds the errors, the lower half what is still to be done. */
const ERRORS = 0xffff_0000;
/** `service@host` (RFC 2744, section 4.1), and SPNEGO (RFC 4178). */
const HOST_BASED_SERVICE = Buffer.from('2a864886f71201020104', 'hex');
const SPNEGO = Buffer.from('2b0601050502', 'hex');
/** MIT's, which Debian, Fedora and their kin have with curl. */
const LIBRARY = 'libgssapi_krb5.so.2';

type Koffi = typeof import('koffi')['default'];
/** A call on a thread of the pool: the KDC may have to be asked, and may be slow. */
type Call = (...parameters: unknown[]) => Promise<number>;

interface Gss {
  importName: Call;
  initContext: Call;
  deleteContext: Call;
  releaseName: Call;
  releaseBuffer: Call;
  bytes(buffer: OutBuffer): Buffer;
}

interface OutBuffer {
  length?: number | bigint;
  value?: unknown;
}

function bind(koffi: Koffi): Gss {
  const library = koffi.load(LIBRARY);
  koffi.struct('gss_buffer_desc', { length: 'size_t', value: 'void *' });
  koffi.struct('gss_OID_desc', { length: 'uint32_t', elements: 'void *' });
  const call = (prototype: string): Call => {
    const func = library.func(prototype);
    return (...parameters) =>
      new Promise((resolve, reject) => {
        func.async(...parameters, (error: Error | null, status: number) => (error ? reject(error) : resolve(status)));
      });
  };
  return {
    importName: call(
      'uint32_t gss_import_name(_Out_ uint32_t *minor, gss_buffer_desc *name, gss_OID_desc *type, _Out_ void **out)',
    ),
    initContext: call(
      'uint32_t gss_init_sec_context(_Out_ uint32_t *minor, void *credential, _Inout_ void **context, void *name, gss_OID_desc *mechanism, uint32_t flags, uint32_t time, void *bindings, void *input, void *actual, _Out_ gss_buffer_desc *output, void *got_flags, void *got_time)',
    ),
    deleteContext: call('uint32_t gss_delete_sec_context(_Out_ uint32_t *minor, _Inout_ void **context, void *output)'),
    releaseName: call('uint32_t gss_release_name(_Out_ uint32_t *minor, _Inout_ void **name)'),
    releaseBuffer: call('uint32_t gss_release_buffer(_Out_ uint32_t *minor, _Inout_ gss_buffer_desc *buffer)'),
    bytes: ({ length = 0, value }) =>
      Buffer.from(koffi.decode(value, koffi.array('uint8_t', Number(length), 'Typed')) as Uint8Array),
  };
}

async function load(): Promise<Gss | null> {
  if (process.platform !== 'linux') return null;
  try {
    return bind((await import('koffi')).default);
  } catch {
    // The desktop package does without, and not every machine has Kerberos: another scheme is taken then.
    return null;
  }
}

function descriptor(bytes: Buffer): { length: number; value: Buffer } {
  return { length: bytes.length, value: bytes };
}

/** The first and only token that a proxy needs of us; null: no ticket, or none for that host. */
async function tokenFor(gss: Gss, host: string): Promise<string | null> {
  const minor = [0];
  const name: [unknown] = [null];
  const context: [unknown] = [null];
  const output: OutBuffer = {};
  const service = descriptor(Buffer.from(`HTTP@${host}`));
  const type = { length: HOST_BASED_SERVICE.length, elements: HOST_BASED_SERVICE };
  if (((await gss.importName(minor, service, type, name)) & ERRORS) !== 0) return null;
  try {
    const mechanism = { length: SPNEGO.length, elements: SPNEGO };
    const wanted = [minor, null, context, name[0], mechanism, 0, 0, null, null, null, output, null, null];
    const status = await gss.initContext(...wanted);
    if ((status & ERRORS) !== 0 || !output.value) return null;
    return gss.bytes(output).toString('base64');
  } finally {
    if (output.value) await gss.releaseBuffer(minor, output);
    if (context[0]) await gss.deleteContext(minor, context, null);
    await gss.releaseName(minor, name);
  }
}

let loading: Promise<Gss | null> | null = null;

/**
 * A Negotiate token (base64) for a proxy from the user's Kerberos ticket, by the system's own GSS-API (RFC 2744, 4178,
 * 4559). Null where there is no such library or no ticket. Linux alone: on others NTLM is taken.
 */
export const kerberosTicket: TicketSource = async (host) => {
  loading ??= load();
  const gss = await loading;
  return gss && (await tokenFor(gss, host).catch(() => null));
};
