import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Environment, findProgram } from '../run-command.ts';

/** A Java that programs may use. */
export interface Java {
  home: string;
  keytool: string;
  /** The keystore of the roots that it trusts. */
  cacerts: string;
}

/** The password of every JDK's and JRE's cacerts; it is public. */
export const CACERTS_PASSWORD = 'changeit';

function fromEnvironment(env: Environment): string[] {
  const found = env.JAVA_HOME ? [env.JAVA_HOME] : [];
  const java = findProgram('java', env);
  // /usr/bin/java is a chain of links into <home>/bin, or into <home>/jre/bin on Java 8.
  if (java !== null) found.push(path.dirname(path.dirname(fs.realpathSync(java))));
  return found;
}

function javaAt(home: string, env: Environment, platform: string): Java | null {
  const places = ['lib/security/cacerts', 'jre/lib/security/cacerts'].map((place) => path.join(home, place));
  const cacerts = places.find((place) => fs.existsSync(place));
  const own = findProgram(path.join(home, 'bin', platform === 'win32' ? 'keytool.exe' : 'keytool'), env);
  const keytool = own ?? findProgram('keytool', env);
  return cacerts !== undefined && keytool !== null ? { home, keytool, cacerts } : null;
}

/** The Java of JAVA_HOME, or else of PATH; null if there is none with a keytool. */
export function findJava(env: Environment, platform: string = process.platform): Java | null {
  return (
    fromEnvironment(env)
      .map((home) => javaAt(home, env, platform))
      .find((java) => java !== null) ?? null
  );
}

/** Folders in which installers and version managers (distributions, SDKMAN, IntelliJ, macOS, Windows) install Java. */
function collections(env: Environment, platform: string): { folder: string; below: string }[] {
  const home = env.HOME || env.USERPROFILE || os.homedir();
  const own = ['.sdkman/candidates/java', '.jdks'].map((name) => ({ folder: path.join(home, name), below: '' }));
  if (platform === 'darwin') {
    const roots = ['/Library/Java/JavaVirtualMachines', path.join(home, 'Library/Java/JavaVirtualMachines')];
    return [...roots.map((folder) => ({ folder, below: 'Contents/Home' })), ...own];
  }
  if (platform === 'win32') {
    const vendors = ['Java', 'Eclipse Adoptium', 'Microsoft', 'Amazon Corretto', 'Zulu'];
    const roots = vendors.map((vendor) => path.join(env.PROGRAMFILES ?? 'C:\\Program Files', vendor));
    return [...roots.map((folder) => ({ folder, below: '' })), ...own];
  }
  return [{ folder: '/usr/lib/jvm', below: '' }, ...own];
}

function homesIn({ folder, below }: { folder: string; below: string }): string[] {
  try {
    return fs.readdirSync(folder).map((name) => path.join(folder, name, below));
  } catch {
    return [];
  }
}

/** Every Java with a keystore and a keytool, each keystore once: distributions share one among theirs. */
export function findJavas(env: Environment, platform: string): Java[] {
  const homes = [...fromEnvironment(env), ...collections(env, platform).flatMap(homesIn)];
  const found = new Map<string, Java>();
  for (const home of homes) {
    const java = javaAt(home, env, platform);
    if (java === null) continue;
    const cacerts = fs.realpathSync(java.cacerts);
    if (!found.has(cacerts)) found.set(cacerts, { ...java, cacerts });
  }
  return [...found.values()];
}
