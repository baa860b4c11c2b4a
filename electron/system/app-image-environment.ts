type Variables = Record<string, string | undefined>;

/** An AppImage's start script puts folders of the AppImage in front of these lists. */
const LISTS = ['PATH', 'LD_LIBRARY_PATH', 'XDG_DATA_DIRS', 'GSETTINGS_SCHEMA_DIR'];
/** Of the AppImage's runtime. The updater reads a further one, APPIMAGE. */
const RUNTIME = ['APPDIR', 'ARGV0', 'OWD'];

/**
 * Changes `env` to what it was before the AppImage's start script, except for APPIMAGE. The script's additions are for
 * the app alone: a program that we start would load the AppImage's libraries, and its command `roundtrip` would be the
 * app instead of the command line. Without an AppImage, nothing changes.
 */
export function leaveAppImage(env: Variables): void {
  const folder = env.APPDIR;
  if (!env.APPIMAGE || !folder) return;
  for (const name of LISTS) {
    const value = env[name];
    if (value === undefined) continue;
    const others = value.split(':').filter((entry) => entry !== folder && !entry.startsWith(`${folder}/`));
    if (others.length > 0) env[name] = others.join(':');
    else delete env[name];
  }
  for (const name of RUNTIME) delete env[name];
}
