import { shardBitsForRate } from '../../functions/ledger/records/shards/shardBits.ts';
import { batches, type IngestMode, queued, senderOf, single } from '../ingestion/ingestModes.ts';
import type { MeasuredService } from '../support/service.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { measure } from '../support/traffic.ts';
import { type KeyUse, keyUseOf, subtractKeyUnits } from './keyUse.ts';
import { KEY_WRITE_UNITS, type SimulatedSecond, simulateShardBits } from './shardBitsSimulation.ts';

/** Read units a second that DynamoDB accepts for a partition key. */
const KEY_READ_UNITS = 3_000;
const RATES = [50, 500, 5_000] as const;
/** Highest use of a key, in percent of what DynamoDB accepts. */
const GOAL_PERCENT = 50;
const GOAL_LATE_SECONDS = 30;
const STEADY_SECONDS = 600;
const STEP_AT_SECOND = 60;
const STEP_SECONDS = 300;
/** Seconds after which a step counts as settled. */
const SETTLED_AFTER = 120;
/** Table throughput: of a new table, of a table with a warm throughput of 20,000, and the default quota of a table. */
const TABLES = [4_000, 20_000, 40_000] as const;
/** Concurrent batches of the attribution worker, times its events in flight. */
const IN_FLIGHT = 20 * 64;
const BATCH_EVENTS = 100;
const WARM_UP_EVENTS = 500;

const percent = (value: number, limit: number): number => (100 * value) / limit;
const highest = (seconds: readonly SimulatedSecond[]): number =>
  Math.max(...seconds.map(({ highestKey }) => highestKey));
const latest = (seconds: readonly SimulatedSecond[]): number =>
  Math.max(...seconds.map(({ oldest }) => oldest));

/** Ten minutes at a steady rate, without the first two: the tenant has had this rate before. */
const steadyRow = (rate: number): Row => {
  const run = simulateShardBits(`steady ${rate}`, {
    rateAt: () => rate,
    seconds: STEADY_SECONDS,
    tableUnits: 40_000,
    inFlight: IN_FLIGHT,
  });
  const settled = run.slice(SETTLED_AFTER);
  const use = percent(highest(settled), KEY_WRITE_UNITS);
  return {
    'events/s': rate,
    shards: 2 ** (settled.at(-1)?.shardBits ?? 0),
    'highest write units/s': highest(settled),
    'use of a key, %': use,
    'seconds late': latest(settled),
    goal: goal(use, GOAL_PERCENT),
  };
};

const stepRow = (from: number, to: number, tableUnits: number, isGoal: boolean): Row => {
  const run = simulateShardBits(`step ${from} ${to} ${tableUnits}`, {
    rateAt: (second) => (second < STEP_AT_SECOND ? from : to),
    seconds: STEP_AT_SECOND + STEP_SECONDS,
    tableUnits,
    inFlight: IN_FLIGHT,
  });
  const after = run.slice(STEP_AT_SECOND);
  const drained = after.findLastIndex(({ oldest }) => oldest >= 1) + 1;
  const use = percent(highest(after.slice(SETTLED_AFTER)), KEY_WRITE_UNITS);
  const late = latest(after);
  const met = late <= GOAL_LATE_SECONDS && use <= GOAL_PERCENT ? 'met' : 'MISSED';
  return {
    step: `${from} to ${to}/s`,
    'table units/s': tableUnits,
    'largest backlog': Math.max(...after.map(({ backlog }) => backlog)),
    'drained after s': drained,
    'seconds late': late,
    'shards then': 2 ** (after.at(-1)?.shardBits ?? 0),
    'use of a key then, %': use,
    goal: isGoal ? `≤ ${GOAL_LATE_SECONDS} s, ≤ ${GOAL_PERCENT} % ${met}` : '',
  };
};

/** The keys of a kind at a rate. Rows of the log of the sort index are spread as widely as records. */
const keysAt = (rate: number, { kind, access }: KeyUse): number =>
  access === 'write' && kind.endsWith('#sortIndex#log') ? 2 ** shardBitsForRate(rate) : 1;

/** The use of each kind of key at a rate, from the units of an event that a real run consumed. */
const keyRows = ({ mode, uses }: MeasuredKeys): Row[] =>
  uses
    .filter(({ isSpread }) => !isSpread)
    .map((use) => {
      const { kind, access, unitsPerEvent } = use;
      const limit = access === 'write' ? KEY_WRITE_UNITS : KEY_READ_UNITS;
      const atRate = (rate: number): number => percent((unitsPerEvent * rate) / keysAt(rate, use), limit);
      return {
        sent: mode,
        key: kind,
        access,
        'units/event': unitsPerEvent,
        ...Object.fromEntries(RATES.map((rate) => [`% at ${rate}/s`, atRate(rate)])),
        goal: goal(atRate(5_000), GOAL_PERCENT),
      };
    });

interface MeasuredKeys {
  readonly mode: string;
  readonly uses: readonly KeyUse[];
}

/** Sends the events of one tenant, and reads which partition keys their units went to. */
const measuredKeys = async (
  service: MeasuredService,
  mode: IngestMode,
  events: number,
): Promise<MeasuredKeys> => {
  const { runtime } = service;
  const send = senderOf(service, mode);
  const keyUnits = () => runtime.keyUnits?.() ?? {};
  await measure(Math.ceil(WARM_UP_EVENTS / mode.batch), mode.concurrency, send);
  await runtime.idle({ delayed: true });
  const before = keyUnits();
  await measure(events / mode.batch, mode.concurrency, send);
  await runtime.idle({ delayed: true });
  return {
    mode: mode.name,
    uses: keyUseOf(subtractKeyUnits(before, keyUnits()), runtime.outputs, events),
  };
};

/** How a tenant's writes spread over partition keys: simulated for records, and counted in a real run for all others. */
export const benchPartitions = async (service: MeasuredService, quick: boolean): Promise<Table[]> => {
  const measured = [
    await measuredKeys(service, batches(BATCH_EVENTS, 8), quick ? 3_000 : 20_000),
    await measuredKeys(service, single(32), quick ? 600 : 3_000),
    await measuredKeys(service, queued(32), quick ? 600 : 3_000),
  ];
  return [
    table(
      'Records of one tenant at a steady rate: highest use of a ledger key in one second (simulated)',
      RATES.map(steadyRow),
      `DynamoDB accepts ${KEY_WRITE_UNITS} write units a second for a key. Arrivals are Poisson, keys and rules are those of the service.`,
    ),
    table(
      'Records of one tenant after a step (simulated)',
      [...TABLES.map((units) => stepRow(50, 5_000, units, units > 4_000)), stepRow(500, 5_000, 20_000, true)],
      `At most ${IN_FLIGHT} records are in flight: 20 batches of the worker, 64 events each. No bursts above the limits of keys and tables.`,
      '4,000 units/s is a new table. Set warm throughput to at least the expected peak.',
    ),
    table(
      'Other partition keys of one tenant: share of what DynamoDB accepts, by rate (counted)',
      measured.flatMap(keyRows),
      'Units of a rate are those of an event times the rate, an upper bound: at higher rates rows hold more events, and each',
      'function charges the rate limit at most five times a second. Keys of single events and of ledger shards are left out.',
    ),
    table(
      'Units of an event by kind of key (counted)',
      measured.flatMap(({ mode, uses }) =>
        uses.map(({ kind, access, keys, unitsPerEvent }) => ({
          sent: mode,
          key: kind,
          access,
          keys,
          'units/event': unitsPerEvent,
        })),
      ),
    ),
  ];
};
