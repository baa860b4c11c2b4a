import { expect, it } from 'vitest';
import { leaveAppImage } from '../../../../electron/system/app-image-environment.ts';

/** As an AppImage's runtime and start script set it. */
const IN_APP_IMAGE = {
  APPIMAGE: '/home/somebody/Roundtrip.AppImage',
  APPDIR: '/tmp/.mount_Round1',
  ARGV0: './Roundtrip.AppImage',
  OWD: '/home/somebody',
  PATH: '/tmp/.mount_Round1:/tmp/.mount_Round1/usr/sbin:/usr/bin:/tmp/.mount_Round12',
  LD_LIBRARY_PATH: '/tmp/.mount_Round1/usr/lib',
  XDG_DATA_DIRS: '/tmp/.mount_Round1/usr/share/:/usr/local/share/:/usr/share/',
  GSETTINGS_SCHEMA_DIR: '/tmp/.mount_Round1/usr/share/glib-2.0/schemas:/opt/schemas',
  HOME: '/home/somebody',
};

it('takes the folders of an AppImage out of the environment of the programs that it starts', () => {
  const env = { ...IN_APP_IMAGE };
  leaveAppImage(env);
  expect(env).toEqual({
    APPIMAGE: '/home/somebody/Roundtrip.AppImage',
    PATH: '/usr/bin:/tmp/.mount_Round12',
    XDG_DATA_DIRS: '/usr/local/share/:/usr/share/',
    GSETTINGS_SCHEMA_DIR: '/opt/schemas',
    HOME: '/home/somebody',
  });
});

it('changes nothing outside an AppImage', () => {
  const env = { APPDIR: '/home/somebody/apps', PATH: '/home/somebody/apps:/usr/bin' };
  leaveAppImage(env);
  expect(env).toEqual({ APPDIR: '/home/somebody/apps', PATH: '/home/somebody/apps:/usr/bin' });
});
