import { attribute } from '../functions/attribution/attribute.ts';
import { loadFactors } from '../functions/attribution/impact/factors.ts';
import { toItem } from '../functions/attribution/item.ts';
import { InvocationEvent } from '../schemas/invocationEvent.ts';
import { median } from './statistics.ts';
import { type Table, table } from './table.ts';
import { benchEvent } from './traffic.ts';

const CALLS = 2_000;
const ROUNDS = 5;
const TENANT = { tenant_id: 'bench', tag: 'abcdefgh' };

/** CPU microseconds of the pure engine for one event, warm, and of the item it becomes. */
export const benchEngine = async (): Promise<Table> => {
  const factors = await loadFactors();
  const event = InvocationEvent.parse(benchEvent());
  const arrived = {
    occurredAt: Date.parse(event.ingestion_timestamp),
    receivedAt: Date.now(),
    residency: null,
  };
  const cpu = (work: () => unknown): number => {
    const round = (): number => {
      const before = process.cpuUsage();
      for (let index = 0; index < CALLS; index += 1) work();
      const { user, system } = process.cpuUsage(before);
      return (user + system) / CALLS;
    };
    round();
    return median(Array.from({ length: ROUNDS }, round));
  };
  const attribution = attribute(event, arrived, TENANT, factors);
  return table('CPU of the engine for one event, warm', [
    { step: 'attribute()', µs: cpu(() => attribute(event, arrived, TENANT, factors)) },
    { step: 'compress the item', µs: cpu(() => toItem(attribution)) },
  ]);
};
