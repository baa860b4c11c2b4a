import type { Page } from '@playwright/test';
import { type ServedHost, serveHost } from './served-host.ts';
import { launchViewer, openWindow, type Viewer } from './window-page.ts';

export interface WindowScene {
  host: ServedHost;
  viewer: Viewer;
  page: Page;
  close(): Promise<void>;
}

/** A host with these options, and its window. */
export async function windowScene(...options: string[]): Promise<WindowScene> {
  const host = await serveHost(...options);
  const viewer = await launchViewer();
  const close = async () => {
    await viewer.close();
    await host.close();
  };
  try {
    return { host, viewer, page: await openWindow(viewer, host.ui), close };
  } catch (error) {
    await close();
    throw error;
  }
}
