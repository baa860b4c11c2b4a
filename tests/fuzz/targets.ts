import type { FuzzTarget } from './target.ts';
import { h1Request } from './targets/h1-request.ts';
import { h1Response } from './targets/h1-response.ts';
import { h2Client, h2Server } from './targets/h2-connection.ts';
import { h2Frames } from './targets/h2-frames.ts';
import { hpack } from './targets/hpack.ts';

export const TARGETS: readonly FuzzTarget[] = [h1Response, h1Request, h2Frames, hpack, h2Server, h2Client];
