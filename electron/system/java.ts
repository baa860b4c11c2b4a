import fs from 'node:fs';
import path from 'node:path';
import { type Environment, findProgram } from './run-command.ts';

/** A Java that programs would be run with. */
export interface Java {
  keytool: string;
  /** The keystore of the roots that it trusts. */
  cacerts: string;
}

/** What every JDK and JRE protects its cacerts with; it keeps no secret. */
export const CACERTS_PASSWORD = 'changeit';

function homes(env: Environment): string[] {
  const found = env.JAVA_HOME ? [env.JAVA_HOME] : [];
  const java = findProgram('java', env);
  // /usr/bin/java is a chain of links into <home>/bin, or into <home>/jre/bin on Java 8.
  if (java !== null) found.push(path.dirname(path.dirname(fs.realpathSync(java))));
  return found;
}

/** The Java of JAVA_HOME, or else of PATH; null where there is none, or none with a keytool. */
export function findJava(env: Environment): Java | null {
  for (const home of homes(env)) {
    const places = ['lib/security/cacerts', 'jre/lib/security/cacerts'].map((place) => path.join(home, place));
    const cacerts = places.find((place) => fs.existsSync(place));
    const keytool = findProgram(path.join(home, 'bin', process.platform === 'win32' ? 'keytool.exe' : 'keytool'), env);
    const tool = keytool ?? findProgram('keytool', env);
    if (cacerts !== undefined && tool !== null) return { keytool: tool, cacerts };
  }
  return null;
}
