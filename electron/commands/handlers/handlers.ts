import type { InputOf, ReplyOf, RequestName } from '../../../shared/contract/requests.ts';
import { importRules } from '../../rules-file/import/import-rules.ts';
import { saveBody } from './body-commands.ts';
import { exportCa, importCa, installCa, renewCa, rotateCa, uninstallCa } from './ca-commands.ts';
import type { CommandContext } from './command-context.ts';
import { devicesOf, openToDevices } from './device-commands.ts';
import { addIds, cancelExport, exportHar, exportSession, previewExport, stopPreview } from './export-commands.ts';
import { cancelLab, runLab } from './lab-commands.ts';
import { repeat, resend, sendRequest } from './replay-commands.ts';
import { chosenCommand, recentCommands } from './run-commands.ts';
import { startSearch, stopSearch } from './search-commands.ts';
import { clearSession, compareSessions, editSession, openFeed, subscribe } from './session-commands.ts';
import {
  describeSession,
  duplicateSession,
  importSession,
  recordSession,
  removeSession,
  revealSession,
} from './sessions/home-commands.ts';
import { updateSettings } from './settings-commands.ts';
import { stopTrial, tryRule } from './trial-commands.ts';

export type Handler<N extends RequestName> = (
  input: InputOf<N>,
  context: CommandContext,
) => Promise<ReplyOf<N>> | ReplyOf<N>;

/**
 * One handler for each request of the contract. Inputs have been validated; failures are thrown as `RoundtripError`.
 */
export const HANDLERS: { [N in RequestName]: Handler<N> } = {
  'app.info': (_input, { host }) => host.info,
  'app.stop': (_input, { host }) => {
    // After the reply.
    setImmediate(() => host.stop());
    return {};
  },
  'engine.status': (_input, { host }) => host.recording.status(),
  'feed.subscribe': (_input, context) => subscribe(context),
  'feed.open': openFeed,
  'feed.unsubscribe': (_input, { windows, window }) => {
    windows.subscribe(window, false);
    return {};
  },
  'exchanges.page': ({ session, ...input }, { host }) => host.sessions.of(session).page(input),
  'exchanges.rows': ({ session, ...input }, { host }) => host.sessions.of(session).rows(input),
  'exchanges.newest': ({ session, ...input }, { host }) => host.sessions.of(session).newest(input),
  'exchanges.get': ({ session, id }, { host }) => host.sessions.of(session).exchange(id),
  'messages.page': ({ session, ...input }, { host }) => host.sessions.of(session).messages(input),
  'messages.read': ({ session, ...input }, { host }) => host.sessions.of(session).readMessage(input),
  'body.read': ({ session, ...input }, { host }) => host.sessions.of(session).readBody(input),
  'body.save': (input, { host }) => saveBody(input, host),
  'settings.get': (_input, { host }) => host.settings.shown(),
  'settings.update': updateSettings,
  'otlp.status': (_input, { host }) => host.otlpStatus(),
  'rules.get': (_input, { host }) => host.rules.state(),
  'rules.import': ({ name, text }) => importRules(name, text, null),
  'rules.update': ({ rules }, { host }) => host.rules.update(rules),
  'rules.check-script': async ({ code }, { host }) => ({ problem: await host.checkScript(code) }),
  'rules.try': tryRule,
  'rules.try-stop': (_input, { window }) => stopTrial(window),
  'agent-rules.apply': ({ rule, seconds }, { host, window }) => host.agentRules.apply(window, rule, seconds),
  'agent-rules.clear': (_input, { host }) => ({ removed: host.agentRules.clear() }),
  'console.read': (_input, { host }) => ({ lines: [...host.console.lines] }),
  'console.clear': (_input, { host }) => {
    host.console.clear();
    return {};
  },
  'breaks.list': async (_input, { host, windows, window }) => {
    windows.watchBreaks(window, true);
    // A message that follows this reply is held.
    await host.breaks.setWatched(true);
    return { messages: await host.breaks.list() };
  },
  'breaks.get': ({ id }, { host }) => host.breaks.get(id),
  'breaks.write': async (input, { host }) => {
    await host.breaks.write(input);
    return {};
  },
  'breaks.release': async ({ id, release }, { host }) => {
    await host.breaks.release(id, release);
    return {};
  },
  'breaks.release-all': async (_input, { host }) => {
    await host.breaks.releaseAll();
    return {};
  },
  'replay.resend': resend,
  'replay.send': sendRequest,
  'replay.repeat': repeat,
  'replay.stop': (_input, { window }) => {
    window.repeating?.abort();
    return {};
  },
  'requests.get': (_input, { host }) => host.requests.state(),
  'requests.update': ({ saved }, { host }) => host.requests.update(saved),
  'proxy.test': (input, { host }) => host.proxyTester.test(input),
  'proxy.hints': (_input, { host }) => host.proxyHints(),
  'sessions.list': async (_input, { host }) => ({ sessions: host.home.named(await host.sessions.list()) }),
  'sessions.open': ({ path }, { host }) => host.sessions.open(path),
  'sessions.import': importSession,
  'import.cancel': (_input, { window }) => {
    window.importing?.abort();
    return {};
  },
  'sessions.recent': async (_input, { host }) => ({ sessions: await host.home.recent() }),
  'sessions.pruned': (_input, { host }) => ({ sessions: [...host.home.pruned()] }),
  'sessions.describe': describeSession,
  'sessions.duplicate': duplicateSession,
  'sessions.remove': removeSession,
  'sessions.prunable': (limits, { host }) => host.home.prunable(limits),
  'sessions.reveal': revealSession,
  'sessions.record': recordSession,
  'sessions.close': async ({ session }, { host }) => {
    await host.sessions.close(session);
    return {};
  },
  'sessions.compare': compareSessions,
  'insight.pages': ({ session }, { host }) => host.sessions.of(session).pages(),
  'connections.ends': ({ session, after }, { host }) => host.sessions.of(session).connectionEnds(after),
  'insight.findings': ({ session }, { host }) => host.sessions.of(session).findings(),
  'session.edits': ({ session }, { host }) => host.sessions.of(session).edits(),
  'session.edit': editSession,
  'search.start': startSearch,
  'search.stop': (_input, { window }) => stopSearch(window),
  'session.clear': clearSession,
  'export.ids': (input, { window }) => addIds(input, window),
  'session.export': exportSession,
  'export.preview': previewExport,
  'export.stop-preview': (_input, { window }) => stopPreview(window),
  'har.export': exportHar,
  'lab.run': runLab,
  'lab.cancel': (_input, { window }) => cancelLab(window),
  'har.cancel': (_input, { window }) => cancelExport(window),
  'ca.status': ({ stores }, { host }) => host.trust.status(stores),
  'ca.export': (input, { host }) => exportCa(input, host),
  'ca.install': (input, { host }) => installCa(input, host),
  'ca.uninstall': (input, { host }) => uninstallCa(input, host),
  'ca.renew': (_input, { host }) => renewCa(host),
  'ca.rotate': (_input, { host }) => rotateCa(host),
  'ca.import': (input, { host }) => importCa(input, host),
  'launchers.list': async (_input, { host: { clients } }) => ({
    launchers: await clients.launchers(),
    recipes: clients.recipes(),
  }),
  'system-proxy.status': (_input, { host }) => host.systemProxy.status(),
  'system-proxy.set': ({ on }, { host }) => host.systemProxy.set(on),
  'devices.status': (_input, { host }) => devicesOf(host),
  'devices.set': ({ open }, { host }) => openToDevices(open, host),
  'clients.list': (_input, { host }) => ({ clients: host.clients.list() }),
  'clients.launch': (input, { host }) => host.clients.launch(input),
  'clients.run': (input, { host }) => host.clients.run(input),
  'commands.recent': (_input, { host }) => recentCommands(host),
  'commands.forget': (input, { host }) => {
    host.clients.recent.remove(input);
    return recentCommands(host);
  },
  'commands.choose': ({ as }, { host }) => chosenCommand(as, host),
  'clients.check': ({ id }, { host }) => host.clients.check(id),
  'clients.remove': async ({ id }, { host }) => {
    await host.clients.remove(id);
    return {};
  },
};
