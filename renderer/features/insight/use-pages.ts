import { useEffect, useState } from 'react';
import { InspectorError } from '../../../shared/contract/envelope.ts';
import type { Page } from '../../../shared/model/insight/page.ts';
import { useApp, useWindow } from '../app-context.ts';

/** The pages of the shown session, read again whenever its findings were; null: not read yet. */
export function usePages(): readonly Page[] | null {
  const { api } = useApp();
  const insight = useWindow((state) => state.insight);
  const [pages, setPages] = useState<readonly Page[] | null>(null);
  useEffect(() => {
    // The pages come from the same facts as the findings: without findings, the host has none yet.
    if (insight === null) return;
    let isCurrent = true;
    api.request('insight.pages', { session: insight.session }).then(
      (found) => isCurrent && setPages(found.pages),
      (error: unknown) => {
        // The session was cleared or closed meanwhile: its pages stay until the next ones arrive.
        if (!(error instanceof InspectorError)) throw error;
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [api, insight]);
  return insight === null ? null : pages;
}
