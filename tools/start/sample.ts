import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { sampleBudgets } from '../../functions/sandbox/sample/budgets.ts';
import { teamMappings } from '../../functions/sandbox/sample/teams.ts';
import { sampleTraffic } from '../../functions/sandbox/sample/traffic.ts';
import { createClient } from '../client/serviceClient.ts';
import { loadSample } from '../sample/load.ts';
import { renderSummary, summarise } from '../sample/summary.ts';
import type { Credentials } from './demo.ts';
import type { SampleProgress } from './sampleProgress.ts';

const DAYS = 7;
/** Events per demo tenant, in tenant order. */
const EVENTS = [3_000, 600];

/** The end of the sample period, and whether all events are loaded. An interrupted load resumes at the next start. */
const Progress = z.object({ end: z.iso.datetime(), loaded: z.boolean() });

/** What the sample needs of the start. */
interface SampleRun {
  readonly credentials: Credentials;
  readonly dataDir: string;
  readonly print: (line: string) => void;
  readonly progress: SampleProgress;
  /** Ends the load. It resumes at the next start. */
  readonly stop: AbortSignal;
}

/** Sends a week of synthetic traffic to each demo tenant, once per data directory, and prints a summary. */
export const loadSampleOnce = async ({
  credentials,
  dataDir,
  print,
  progress,
  stop,
}: SampleRun): Promise<void> => {
  const file = join(dataDir, 'sample.json');
  const state = existsSync(file)
    ? Progress.parse(JSON.parse(readFileSync(file, 'utf8')))
    : { end: new Date().toISOString(), loaded: false };
  if (state.loaded) return;
  writeFileSync(file, JSON.stringify(state));

  const total = credentials.tenants.reduce((sum, _, index) => sum + (EVENTS[index] ?? 0), 0);
  const summaries: string[] = [];
  let readable = 0;
  progress.start(total);
  for (const [index, tenant] of credentials.tenants.entries()) {
    const events = EVENTS[index] ?? 0;
    const client = createClient({ baseUrl: credentials.base_url, apiKey: tenant.api_keys.admin });
    for (const mapping of teamMappings) await client.createMapping(mapping);
    const before = readable;
    const records = await loadSample({
      client,
      traffic: sampleTraffic({ seed: index + 1, events, end: new Date(state.end), days: DAYS }),
      log: (line) => summaries.push(line),
      onProgress: (found) => {
        readable = before + found;
        progress.update(readable);
      },
      stop,
    });
    if (stop.aborted) break;
    // After the calls, so that each budget is evaluated once instead of with each total.
    for (const budget of sampleBudgets) await client.createBudget(budget);
    if (index === 0) {
      summaries.push(`\n${tenant.name}, the last ${DAYS} days\n\n${renderSummary(summarise(records))}\n`);
    }
  }
  progress.stop();
  if (stop.aborted) return;
  for (const line of summaries) print(line);
  if (readable === total) writeFileSync(file, JSON.stringify({ ...state, loaded: true }));
};
