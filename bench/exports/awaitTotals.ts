import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { rebuildRollups } from '../ledger/reports.ts';
import type { MeasuredService } from '../support/service.ts';
import { request } from '../support/traffic.ts';

const ROUNDS_MAXIMUM = 10;
const POLLS_PER_ROUND = 12;
const POLL_INTERVAL_MS = 5_000;
const UNAVAILABLE = 503;

const Counted = z.object({ totals: z.object({ invocations: z.int() }) });

/** Sums the records of the reader tenant, until a report of the period counts as many as were loaded. Engines under load sum late. */
export const awaitTotals = async (
  service: MeasuredService,
  { from, to }: { readonly from: string; readonly to: string },
  loaded: number,
): Promise<void> => {
  const { runtime, reader } = service;
  const url = `${runtime.baseUrl}/v1/reports/usage?from=${from}&to=${to}`;
  let counted = 0;
  for (let poll = 0; poll < ROUNDS_MAXIMUM * POLLS_PER_ROUND; poll += 1) {
    if (poll % POLLS_PER_ROUND === 0) await rebuildRollups(service);
    else await sleep(POLL_INTERVAL_MS);
    const { status, text } = await request(url, reader.api_keys.read, undefined, [UNAVAILABLE]);
    if (status === UNAVAILABLE) continue;
    counted = Counted.parse(JSON.parse(text)).totals.invocations;
    if (counted >= loaded) return;
  }
  throw new Error(`the totals hold ${counted} of ${loaded} records`);
};
