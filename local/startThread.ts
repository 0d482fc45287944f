import { Worker, type WorkerOptions } from 'node:worker_threads';

const ENTRY = new URL('./thread.mjs', import.meta.url);

/** Runs a module in a thread of its own, from the cache of compiled code. */
export const startThread = (module: URL, options: WorkerOptions): Worker =>
  new Worker(ENTRY, { ...options, argv: [module.href] });
