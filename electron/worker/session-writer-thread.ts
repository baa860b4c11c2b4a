import { type MessagePort, workerData } from 'node:worker_threads';
import { serveSessionWriter } from '../session/write/session-writer-service.ts';

/** What the writer's thread is born with. It ends by itself once its port is closed, after writing what had come. */
export interface WriterThreadData {
  path: string;
  port: MessagePort;
  /** Of the thread that takes the write-ahead log into the file. */
  checkpoints: MessagePort;
  /** It follows a writer that died. */
  resumes: boolean;
}

serveSessionWriter(workerData as WriterThreadData);
