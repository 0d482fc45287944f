import { join } from 'node:path';
import * as z from 'zod';
import { sampleBudgets } from '../../functions/tenants/sandbox/sample/budgets.ts';
import { sampleDataSet } from '../../functions/tenants/sandbox/sample/dataSet.ts';
import { disputedCalls } from '../../functions/tenants/sandbox/sample/disputes.ts';
import { teamMappings } from '../../functions/tenants/sandbox/sample/teams.ts';
import { sampleTraffic } from '../../functions/tenants/sandbox/sample/traffic.ts';
import { readJsonFile, writeJsonFile } from '../../local/jsonFile.ts';
import type { AttributionRecord } from '../../schemas/attribution/attributionRecord.ts';
import type { InvocationEvent } from '../../schemas/ingest/invocationEvent.ts';
import { createClient, type ServiceClient } from '../client/serviceClient.ts';
import { loadSample } from '../sample/load.ts';
import { renderSummary } from '../sample/render.ts';
import { summarise } from '../sample/summary.ts';
import type { Credentials } from './demo.ts';
import type { SampleProgress } from './sampleProgress.ts';

/** The anomaly detector needs a week before the day of the incidents. */
const DAYS = 10;
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
  /** The clock of the service, in epoch milliseconds. */
  readonly now: () => number;
}

/** A record that an interrupted load has disputed is left out. */
const openDisputes = async (
  client: Pick<ServiceClient, 'createDispute'>,
  events: readonly InvocationEvent[],
  records: readonly AttributionRecord[],
  stop: AbortSignal,
): Promise<void> => {
  const byEvent = new Map(records.map((record) => [record.event_id, record]));
  for (const { dispute, event } of disputedCalls(events)) {
    const record = byEvent.get(event.event_id);
    if (record === undefined || record.dispute !== undefined) continue;
    const { reason, owner, service } = dispute;
    const request = { reason, proposed_owner: owner, proposed_service: service };
    await client.createDispute(record.id, request, stop);
  }
};

/**
 * Sends ten days of synthetic traffic to each demo tenant, once per data directory, and prints a summary. Resolves to whether
 * this call completed it.
 */
export const loadSampleOnce = async ({
  credentials,
  dataDir,
  print,
  progress,
  stop,
  now,
}: SampleRun): Promise<boolean> => {
  const file = join(dataDir, 'sample.json');
  const state = readJsonFile(file, Progress) ?? { end: new Date(now()).toISOString(), loaded: false };
  if (state.loaded) return false;
  writeJsonFile(file, state);

  const total = credentials.tenants.reduce((sum, _, index) => sum + (EVENTS[index] ?? 0), 0);
  const summaries: string[] = [];
  let readable = 0;
  let disputes = Promise.resolve();
  progress.start(total);
  for (const [index, tenant] of credentials.tenants.entries()) {
    const events = EVENTS[index] ?? 0;
    const client = createClient({ baseUrl: credentials.base_url, apiKey: tenant.api_keys.admin });
    for (const mapping of teamMappings) await client.createMapping(mapping);
    const before = readable;
    const set = { seed: index + 1, events, end: new Date(state.end), days: DAYS };
    // The second tenant has too little traffic for incidents.
    const traffic = [...(index === 0 ? sampleDataSet(set) : sampleTraffic(set))];
    const records = await loadSample({
      client,
      traffic,
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
      disputes = openDisputes(client, traffic, records, stop);
      // Awaited below. If the load of the other tenant fails before that, a failure here must not end the process.
      disputes.catch(() => undefined);
      summaries.push(`\n${tenant.name}, the last ${DAYS} days\n\n${renderSummary(summarise(records))}\n`);
    }
  }
  await disputes;
  progress.stop();
  if (stop.aborted) return false;
  for (const line of summaries) print(line);
  const isComplete = readable === total;
  if (isComplete) writeJsonFile(file, { ...state, loaded: true });
  else print(`Only ${readable} of ${total} sample events are loaded. The next start continues.\n`);
  return isComplete;
};
