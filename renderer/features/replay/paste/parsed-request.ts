import type { ComposedRequest } from '../../../../shared/model/replay/composed-request.ts';

/** A request, or why there is none, as a sentence. */
export type ParsedRequest = { ok: true; request: ComposedRequest } | { ok: false; problem: string };
