import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod';
import { ProtocolRun, protocolRow } from './protocolRow.ts';

/** Computes rows on a thread of its own, and posts them in the order of the runs. */
const rows: string[] = [];
for (const run of z.array(ProtocolRun).parse(workerData)) rows.push(await protocolRow(run));
parentPort?.postMessage(rows);
