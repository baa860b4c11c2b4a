import { type MessagePort, workerData } from 'node:worker_threads';
import { serveSessionWriter } from '../session/write/session-writer-service.ts';

/** `workerData` of the writer thread. The thread writes what it has received and exits when its port is closed. */
export interface WriterThreadData {
  path: string;
  port: MessagePort;
  /** Port of the thread that checkpoints the write-ahead log into the file. */
  checkpoints: MessagePort;
  /** Whether it replaces a dead writer. */
  resumes: boolean;
}

serveSessionWriter(workerData as WriterThreadData);
