import { type MessagePort, workerData } from 'node:worker_threads';
import { serveCheckpoints } from '../session/write/checkpoint-service.ts';

/** `workerData` of the checkpoint thread. The thread exits when the writer closes its end of `port`. */
export interface CheckpointThreadData {
  path: string;
  port: MessagePort;
}

const { path, port } = workerData as CheckpointThreadData;
serveCheckpoints(path, port);
