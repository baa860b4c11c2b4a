import type { TicketSource } from '../proxy-authenticator.ts';
import { type ForeignCall, foreignCall, type Koffi } from './foreign-call.ts';
import { sspiTicket } from './sspi-ticket.ts';

/** Mask for the errors in a status word; the lower half holds supplementary information (RFC 2744). */
const ERRORS = 0xffff_0000;
/**
 * The first one installed is used: MIT's, which Debian, Fedora and their derivatives install with curl; then Heimdal's,
 * and Apple's, which derives from it.
 */
const LIBRARIES: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  linux: ['libgssapi_krb5.so.2', 'libgssapi.so.3'],
  darwin: ['/System/Library/Frameworks/GSS.framework/GSS'],
};
/**
 * `service@host` (RFC 2744, section 4.1) and SPNEGO (RFC 4178). The descriptors exported by Heimdal and Apple are used
 * directly, because Apple's headers give descriptors a different layout.
 */
const HOST_BASED_SERVICE = ['__gss_c_nt_hostbased_service_oid_desc', '2a864886f71201020104'] as const;
const SPNEGO = ['__gss_spnego_mechanism_oid_desc', '2b0601050502'] as const;

interface Gss {
  importName: ForeignCall;
  initContext: ForeignCall;
  deleteContext: ForeignCall;
  releaseName: ForeignCall;
  releaseBuffer: ForeignCall;
  bytes(buffer: OutBuffer): Buffer;
  /** A descriptor in the form that the library's functions accept. */
  hostBasedService: unknown;
  spnego: unknown;
}

interface OutBuffer {
  length?: number | bigint;
  value?: unknown;
}

function bind(koffi: Koffi, library: ReturnType<Koffi['load']>): Gss {
  const identifier = ([name, hex]: readonly [string, string]): unknown => {
    try {
      return library.symbol(name);
    } catch {
      return { length: hex.length / 2, elements: Buffer.from(hex, 'hex') };
    }
  };
  const call = (prototype: string): ForeignCall => foreignCall(library, prototype);
  return {
    importName: call(
      'uint32_t gss_import_name(_Out_ uint32_t *minor, gss_buffer_desc *name, gss_OID_desc *type, _Out_ void **out)',
    ),
    initContext: call(
      'uint32_t gss_init_sec_context(_Out_ uint32_t *minor, void *credential, _Inout_ void **context, void *name, ' +
        'gss_OID_desc *mechanism, uint32_t flags, uint32_t time, void *bindings, void *input, void *actual, _Out_ ' +
        'gss_buffer_desc *output, void *got_flags, void *got_time)',
    ),
    deleteContext: call('uint32_t gss_delete_sec_context(_Out_ uint32_t *minor, _Inout_ void **context, void *output)'),
    releaseName: call('uint32_t gss_release_name(_Out_ uint32_t *minor, _Inout_ void **name)'),
    releaseBuffer: call('uint32_t gss_release_buffer(_Out_ uint32_t *minor, _Inout_ gss_buffer_desc *buffer)'),
    bytes: ({ length = 0, value }) =>
      Buffer.from(koffi.decode(value, koffi.array('uint8_t', Number(length), 'Typed')) as Uint8Array),
    hostBasedService: identifier(HOST_BASED_SERVICE),
    spnego: identifier(SPNEGO),
  };
}

let types: Promise<Koffi> | null = null;

async function loadTypes(): Promise<Koffi> {
  const koffi = (await import('koffi')).default;
  koffi.struct('gss_buffer_desc', { length: 'size_t', value: 'void *' });
  koffi.struct('gss_OID_desc', { length: 'uint32_t', elements: 'void *' });
  return koffi;
}

async function load(libraries: readonly string[]): Promise<Gss | null> {
  for (const name of libraries) {
    try {
      types ??= loadTypes();
      const koffi = await types;
      return bind(koffi, koffi.load(name));
    } catch {
      // Not every machine has Kerberos: another scheme is used then.
    }
  }
  return null;
}

function descriptor(bytes: Buffer): { length: number; value: Buffer } {
  return { length: bytes.length, value: bytes };
}

/** The only token that we send to a proxy; null if there is no ticket for that host. */
async function tokenFor(gss: Gss, host: string): Promise<string | null> {
  const minor = [0];
  const name: [unknown] = [null];
  const context: [unknown] = [null];
  const output: OutBuffer = {};
  const service = descriptor(Buffer.from(`HTTP@${host}`));
  if (((await gss.importName(minor, service, gss.hostBasedService, name)) & ERRORS) !== 0) return null;
  try {
    const wanted = [minor, null, context, name[0], gss.spnego, 0, 0, null, null, null, output, null, null];
    const status = await gss.initContext(...wanted);
    if ((status & ERRORS) !== 0 || !output.value) return null;
    return gss.bytes(output).toString('base64');
  } finally {
    if (output.value) await gss.releaseBuffer(minor, output);
    if (context[0]) await gss.deleteContext(minor, context, null);
    await gss.releaseName(minor, name);
  }
}

/** Creates tickets with the first of these libraries that is installed. */
export function ticketsBy(libraries: readonly string[]): TicketSource {
  let loading: Promise<Gss | null> | null = null;
  return async (host) => {
    loading ??= load(libraries);
    const gss = await loading;
    return gss && (await tokenFor(gss, host).catch(() => null));
  };
}

/**
 * A Negotiate token (base64) for a proxy from the user's Kerberos ticket, created by the system's GSS-API (RFC 2744,
 * 4178, 4559) or Windows' SSPI. Null if there is no such library or no ticket; another scheme is then used.
 */
export const kerberosTicket: TicketSource =
  process.platform === 'win32' ? sspiTicket : ticketsBy(LIBRARIES[process.platform] ?? []);
