import type { BillSource } from '../../../../../schemas/chargeback/billSources.ts';
import { HOUR_MS } from '../sourceHarness.ts';
import { tenant, world } from '../sourceWorld.ts';
import { aRow } from './curFile.ts';
import { DATA_EXPORT } from './fakeAws.ts';

/** Shortly before the test clock begins, on 10 May 2026 at noon. */
export const THIS_MORNING = '2026-05-10T09:00:00Z';
export const on = (day: string, cost: number) =>
  aRow({ line_item_usage_start_date: `${day}T00:00:00Z`, line_item_unblended_cost: cost });

/** A source whose role trusts it. */
export const aSource = async (of = tenant, members: object = {}): Promise<BillSource> => {
  const source = await world.create(of, {
    provider: 'aws',
    name: 'AWS',
    data_export: DATA_EXPORT,
    ...members,
  });
  world.aws.trust(source.data_export?.external_id ?? '');
  return source;
};
export const runLater = async (milliseconds = HOUR_MS): Promise<void> => {
  world.time.now += milliseconds;
  world.aws.requests.length = 0;
  await world.run(tenant);
};
export const filesRead = () => new Set(world.aws.requests.filter((key) => key.endsWith('.parquet'))).size;
