import { type MessagePort, workerData } from 'node:worker_threads';
import { serveCheckpoints } from '../session/write/checkpoint-service.ts';

/** What the thread beside the writer's is born with. It ends by itself once the writer closed its end. */
export interface CheckpointThreadData {
  path: string;
  port: MessagePort;
}

const { path, port } = workerData as CheckpointThreadData;
serveCheckpoints(path, port);
