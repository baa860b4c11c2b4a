import type { TicketSource } from '../proxy-authenticator.ts';
import { type ForeignCall, foreignCall, type Koffi } from './foreign-call.ts';

/** Constants of sspi.h: client credentials, native byte order, a buffer that holds a token. */
const SECPKG_CRED_OUTBOUND = 2;
const SECURITY_NATIVE_DREP = 0x10;
const SECBUFFER_TOKEN = 2;
const SECBUFFER_VERSION = 0;
/** Bytes: more than any package's cbMaxToken (Negotiate's is 48,256 at most). */
const TOKEN_ROOM = 64 * 1024;
/** The start of an NTLM message ([MS-NLMP], section 2.2.1), bare or inside SPNEGO. */
const NTLM_SIGNATURE = 'NTLMSSP\0';

/** The structures of sspi.h, under their names there. SecHandle serves for both credentials and contexts. */
export function sspiTypes(koffi: Koffi) {
  return {
    SecHandle: koffi.struct('SecHandle', { dwLower: 'uintptr_t', dwUpper: 'uintptr_t' }),
    SecBuffer: koffi.struct('SecBuffer', { cbBuffer: 'uint32_t', BufferType: 'uint32_t', pvBuffer: 'void *' }),
    SecBufferDesc: koffi.struct('SecBufferDesc', { ulVersion: 'uint32_t', cBuffers: 'uint32_t', pBuffers: 'void *' }),
    // A LARGE_INTEGER, which is eight-byte aligned on 32-bit Windows too.
    TimeStamp: koffi.struct('TimeStamp', { QuadPart: 'int64_t' }),
  };
}

interface Sspi {
  koffi: Koffi;
  acquireCredentials: ForeignCall;
  initContext: ForeignCall;
  deleteContext: ForeignCall;
  freeCredentials: ForeignCall;
}

async function load(): Promise<Sspi | null> {
  try {
    const koffi = (await import('koffi')).default;
    sspiTypes(koffi);
    const library = koffi.load('secur32.dll');
    return {
      koffi,
      acquireCredentials: foreignCall(
        library,
        'int32_t __stdcall AcquireCredentialsHandleW(const char16_t *principal, const char16_t *package, uint32_t ' +
          'use, void *logon, void *login, void *getKey, void *keyArgument, _Out_ SecHandle *credentials, _Out_ ' +
          'TimeStamp *expiry)',
      ),
      initContext: foreignCall(
        library,
        'int32_t __stdcall InitializeSecurityContextW(SecHandle *credentials, SecHandle *before, const char16_t ' +
          '*target, uint32_t flags, uint32_t reserved1, uint32_t representation, SecBufferDesc *input, uint32_t ' +
          'reserved2, _Out_ SecHandle *context, SecBufferDesc *output, _Out_ uint32_t *attributes, _Out_ TimeStamp ' +
          '*expiry)',
      ),
      deleteContext: foreignCall(library, 'int32_t __stdcall DeleteSecurityContext(SecHandle *context)'),
      freeCredentials: foreignCall(library, 'int32_t __stdcall FreeCredentialsHandle(SecHandle *credentials)'),
    };
  } catch {
    // Not Windows, or its security library is missing: another scheme is used.
    return null;
  }
}

/** Returns SSPI's token for `HTTP/host` with these credentials, or null. Negative statuses are errors (winerror.h). */
async function firstToken(sspi: Sspi, credentials: object, host: string): Promise<Buffer | null> {
  const { koffi } = sspi;
  const room = koffi.alloc('uint8_t', TOKEN_ROOM);
  const buffer = koffi.alloc('SecBuffer', 1);
  try {
    koffi.encode(buffer, 'SecBuffer', { cbBuffer: TOKEN_ROOM, BufferType: SECBUFFER_TOKEN, pvBuffer: room });
    const context = {};
    const output = { ulVersion: SECBUFFER_VERSION, cBuffers: 1, pBuffers: buffer };
    const target = [`HTTP/${host}`, 0, 0, SECURITY_NATIVE_DREP] as const;
    const status = await sspi.initContext(credentials, null, ...target, null, 0, context, output, [0], {});
    if (status < 0) return null;
    await sspi.deleteContext(context);
    const { cbBuffer } = koffi.decode(buffer, 'SecBuffer') as { cbBuffer: number };
    return Buffer.from(koffi.decode(room, koffi.array('uint8_t', cbBuffer, 'Typed')) as Uint8Array);
  } finally {
    koffi.free(buffer);
    koffi.free(room);
  }
}

/** Without a ticket, Windows falls back to NTLM, which takes several messages and has its own scheme. */
function isTicket(token: Buffer): boolean {
  return token.length > 0 && !token.includes(NTLM_SIGNATURE);
}

async function tokenFor(sspi: Sspi, host: string): Promise<string | null> {
  const credentials = {};
  const whose = [null, 'Negotiate', SECPKG_CRED_OUTBOUND, null, null, null, null] as const;
  if ((await sspi.acquireCredentials(...whose, credentials, {})) < 0) return null;
  try {
    const token = await firstToken(sspi, credentials, host);
    return token && isTicket(token) ? token.toString('base64') : null;
  } finally {
    await sspi.freeCredentials(credentials);
  }
}

let loading: Promise<Sspi | null> | null = null;

/**
 * A Negotiate token (base64) for a proxy from the ticket of the logged-in user, created by Windows' SSPI (sspi.h:
 * AcquireCredentialsHandle, InitializeSecurityContext; RFC 4559). Null if there is none. It contains no user or
 * password of our settings.
 */
export const sspiTicket: TicketSource = async (host) => {
  loading ??= load();
  const sspi = await loading;
  return sspi && (await tokenFor(sspi, host).catch(() => null));
};
