import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { createClient } from '../client/serviceClient.ts';
import { loadSample } from '../sample/load.ts';
import { renderSummary, summarise } from '../sample/summary.ts';
import { teamMappings } from '../sample/teams.ts';
import { sampleTraffic } from '../sample/traffic.ts';
import type { Credentials } from './demo.ts';

const DAYS = 7;
/** Events per demo tenant, in tenant order. They load in a few seconds. */
const EVENTS = [3_000, 600];

/** The end of the sample period, and whether all events are loaded. An interrupted load resumes at the next start. */
const Progress = z.object({ end: z.iso.datetime(), loaded: z.boolean() });

/** Sends a week of synthetic traffic to each demo tenant, once per data directory, and prints a summary. */
export const loadSampleOnce = async (
  credentials: Credentials,
  dataDir: string,
  print: (line: string) => void,
): Promise<void> => {
  const file = join(dataDir, 'sample.json');
  const progress = existsSync(file)
    ? Progress.parse(JSON.parse(readFileSync(file, 'utf8')))
    : { end: new Date().toISOString(), loaded: false };
  if (progress.loaded) return;
  writeFileSync(file, JSON.stringify(progress));

  for (const [index, tenant] of credentials.tenants.entries()) {
    const events = EVENTS[index] ?? 0;
    print(`Loading ${events} sample events for ${tenant.name} …`);
    const client = createClient({ baseUrl: credentials.base_url, apiKey: tenant.api_keys.admin });
    for (const mapping of teamMappings) await client.createMapping(mapping);
    const records = await loadSample({
      client,
      traffic: sampleTraffic({ seed: index + 1, events, end: new Date(progress.end), days: DAYS }),
      log: print,
    });
    if (index === 0)
      print(`\n${tenant.name}, the last ${DAYS} days\n\n${renderSummary(summarise(records))}\n`);
  }
  writeFileSync(file, JSON.stringify({ ...progress, loaded: true }));
};
