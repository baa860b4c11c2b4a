import { useState } from 'react';
import type { ProxyTest } from '../../../shared/model/proxy/proxy-test.ts';
import { showToast } from '../../state/window-state.ts';
import { updateSettings } from '../actions.ts';
import { attempt, useApp, useWindow } from '../app-context.ts';
import { draftOf, type ProxyDraft, problemOf, settingsOf, targetOf } from './proxy-draft.ts';
import { lastHost } from './proxy-target.ts';

/** State and actions of the Proxy tab. Its parts share them: a change of any field drops the last test's result. */
export interface ProxyForm {
  draft: ProxyDraft;
  change: (part: Partial<ProxyDraft>) => void;
  /** Why the draft can't be saved, as a sentence; null if it can. */
  problem: string | null;
  /** The host to test with, as typed. */
  target: string;
  setTarget: (text: string) => void;
  /** `target` names a host. */
  isTarget: boolean;
  /** Of the draft as it is; null: not tested. */
  result: ProxyTest | null;
  busy: boolean;
  /** Resolves with null if `target` is not a host, or after a toast if the host refused. */
  test: () => Promise<ProxyTest | null>;
  /** Tests an untested draft first, and saves it if the test succeeds. */
  turnOn: () => Promise<void>;
}

/** State and actions of the upstream proxy's form. `close`: closes the dialog after a save. */
export function useProxyForm(close: () => void): ProxyForm {
  const app = useApp();
  const settings = useWindow((state) => state.settings);
  const [draft, setDraft] = useState(() => draftOf(settings));
  const [target, setTarget] = useState(() => lastHost(app));
  const [result, setResult] = useState<ProxyTest | null>(null);
  const [busy, setBusy] = useState(false);
  const change = (part: Partial<ProxyDraft>) => {
    setDraft({ ...draft, ...part });
    // A result describes the settings that were tested.
    setResult(null);
  };
  const place = targetOf(target);
  const test = async (): Promise<ProxyTest | null> => {
    if (place === null) return null;
    setBusy(true);
    const input = { settings: settingsOf(draft, settings), target: place };
    const found = await attempt(app, () => app.api.request('proxy.test', input));
    setBusy(false);
    setResult(found);
    return found;
  };
  const save = async () => {
    if (!(await updateSettings(app, settingsOf(draft, settings)))) return;
    // The dialog closes with the result: a toast confirms it.
    if (result?.state === 'works')
      showToast(app.store, { tone: 'done', code: null, message: 'Proxy settings saved.', link: null });
    close();
  };
  // The user has seen the result on screen: save without another test.
  const turnOn = async () => {
    if (draft.source === 'none' || result !== null) return await save();
    const found = await test();
    if (found?.state === 'works') await save();
  };
  const problem = problemOf(draft);
  return { draft, change, problem, target, setTarget, isTarget: place !== null, result, busy, test, turnOn };
}
