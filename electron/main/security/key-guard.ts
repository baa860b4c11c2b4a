import { safeStorage } from 'electron';
import type { KeyGuard } from '../../engine/ca/ca-files.ts';

/**
 * Seals with the system's keychain (macOS Keychain, Windows DPAPI, Secret Service or KWallet). Null where there is none:
 * the files then have their mode, 0600, to protect them. Only once the app is ready.
 */
export function keyGuard(): KeyGuard | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  return {
    wrap: (text) => safeStorage.encryptString(text),
    unwrap: (sealed) => safeStorage.decryptString(sealed),
  };
}
