import { safeStorage } from 'electron';
import type { KeyGuard } from '../../engine/ca/ca-files.ts';

/**
 * Encrypts with the system's keychain (macOS Keychain, Windows DPAPI, Secret Service or KWallet). Null if there is
 * none: only the mode 0600 then protects the files. Call it only once the app is ready.
 */
export function keyGuard(): KeyGuard | null {
  if (!safeStorage.isEncryptionAvailable()) return null;
  return {
    wrap: (text) => safeStorage.encryptString(text),
    unwrap: (sealed) => safeStorage.decryptString(sealed),
  };
}
