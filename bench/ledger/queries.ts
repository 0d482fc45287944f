import * as z from 'zod';
import { measureReads } from '../support/measureReads.ts';
import type { MeasuredService } from '../support/service.ts';
import { latencies } from '../support/statistics.ts';
import { type Row, type Table, table } from '../support/table.ts';
import { request } from '../support/traffic.ts';
import { callRows } from '../support/usage.ts';
import { ledgerLoader } from './ledgerLoader.ts';
import { rebuildRollups, reportsAt } from './reports.ts';

const Newest = z.object({ data: z.array(z.object({ id: z.string() })) });

/** Measures reports at each ledger size, and reads of a single record. */
export const benchQueries = async (
  service: MeasuredService,
  sizes: readonly number[],
  repeats: number,
): Promise<Table[]> => {
  const loader = await ledgerLoader(service);
  const reports: Row[] = [];
  let loaded = 0;
  for (const size of sizes) {
    await loader.load(size - loaded);
    loaded = size;
    await rebuildRollups(service);
    reports.push(...(await reportsAt(service, size, repeats)));
  }
  const costs = await loader.recordCosts();
  loader.stop();
  const { baseUrl } = service.runtime;
  const newest = await request(`${baseUrl}/v1/attribution?limit=1`, service.reader.api_keys.read);
  const id = Newest.parse(JSON.parse(newest.text)).data[0]?.id ?? '';
  const detail = await measureReads(service, `${baseUrl}/v1/attribution/${id}`, 3 * repeats);
  return [
    costs,
    table(
      'Report: AWS calls, capacity units and latency',
      reports.toSorted((one, other) => (String(one['report']) < String(other['report']) ? -1 : 1)),
      'Sixty days of 33 services. A report reads daily and hourly rollups. Its cost does not depend on the number of records,',
      'once every service has calls on every day.',
    ),
    table('Single record: AWS calls and capacity units', callRows(detail.used, detail.latenciesMs.length)),
    table('Single record: latency', [{ records: loaded, ...latencies(detail.latenciesMs) }]),
  ];
};
