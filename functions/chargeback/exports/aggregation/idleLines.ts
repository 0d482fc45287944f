import type { NodeHourLine } from '../../../../schemas/attribution/nodeHours.ts';
import { formatFixedPoint, parseFixedPoint } from '../../../../schemas/fixedPoint.ts';
import { NODE_ENERGY_METHOD } from '../../../impact/footprint/nodeEnergy.ts';
import { ONE } from '../focus/charge.ts';
import { chargePeriodOf } from '../focus/chargePeriod.ts';
import type { Line, LineKey } from '../focus/line.ts';
import type { Grain } from '../focus/shownDimensions.ts';
import { addRecordTotals, type RecordTotals, zeroTotals } from './recordTotals.ts';

/** The provider of rows about own nodes. */
const NODE_POOLS = 'node-pool';

/** What the nodes of a pool cost in a charge period while nobody used them: a row that belongs to nobody. */
const lineOf = (
  { pool, idle_wh }: NodeHourLine,
  period: Pick<LineKey, 'start' | 'end'>,
  { cost, energy }: Pick<RecordTotals, 'cost' | 'energy'>,
  { groupBy }: Grain,
): Line => ({
  key: {
    ...period,
    owner: null,
    ownerState: groupBy.has('owner') ? 'unassigned' : null,
    service: null,
    serviceState: groupBy.has('service') ? 'unassigned' : null,
    provider: NODE_POOLS,
    model: 'idle',
    servedModel: `idle time of ${pool}`,
    pathway: null,
    region: null,
    requestedModel: null,
    recordId: null,
    invocationId: null,
    tags: null,
    price: {
      meter: 'total',
      per: 'each',
      unit: formatFixedPoint(cost),
      listUnit: null,
      list: `${NODE_POOLS}:${pool}`,
      terms: 'stated',
    },
    consumed: 'Requests',
    energyMethod: idle_wh === undefined ? null : `${NODE_ENERGY_METHOD}/${NODE_POOLS}:${pool}`,
    carbonMethod: null,
    rollup: null,
  },
  // Nobody made a request, and the cost is certain.
  amounts: { consumed: 0n, priced: ONE, cost, listCost: cost, energy, carbon: 0n, confidence: 1, records: 0 },
});

/**
 * The rows of what nobody used of own nodes, by charge period and pool, and their sums. With the rows of the calls they sum to
 * the cost of the nodes.
 */
export const idleLines = (
  hours: readonly NodeHourLine[],
  grain: Grain,
): { readonly lines: readonly Line[]; readonly totals: RecordTotals } => {
  const granularity = grain.granularity === 'record' ? 'hour' : grain.granularity;
  const periodOf = ({ hour }: NodeHourLine) => chargePeriodOf(Date.parse(hour), granularity);
  const rows = Map.groupBy(hours, (one) =>
    JSON.stringify([periodOf(one).start, one.pool, one.idle_wh === undefined]),
  );
  const lines = [...rows.values()].flatMap((group): Line[] => {
    const [first] = group;
    const sumOf = (amountOf: (hour: NodeHourLine) => string): bigint =>
      group.reduce((sum, hour) => sum + parseFixedPoint(amountOf(hour)), 0n);
    const cost = sumOf(({ idle_usd }) => idle_usd);
    const energy = sumOf(({ idle_wh = '0' }) => idle_wh);
    if (first === undefined || cost + energy === 0n) return [];
    return [lineOf(first, periodOf(first), { cost, energy }, grain)];
  });
  const totals = lines
    .map(({ amounts: { cost, energy, carbon, records } }) => ({ records, cost, energy, carbon }))
    .reduce(addRecordTotals, zeroTotals);
  return { lines, totals };
};
