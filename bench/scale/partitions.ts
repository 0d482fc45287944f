import type { MeasuredService } from '../support/service.ts';
import { goal, type Row, type Table, table } from '../support/table.ts';
import { BATCH, benchBody, measure, request } from '../support/traffic.ts';
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

/** The use of each kind of key at a rate, from the units of an event that a real run consumed. */
const keyRows = (uses: readonly KeyUse[]): Row[] =>
  uses
    .filter(({ isSpread }) => !isSpread)
    .map(({ kind, access, unitsPerEvent }) => {
      const limit = access === 'write' ? KEY_WRITE_UNITS : KEY_READ_UNITS;
      const atRate = (rate: number): number => percent(unitsPerEvent * rate, limit);
      return {
        key: kind,
        access,
        'units/event': unitsPerEvent,
        ...Object.fromEntries(RATES.map((rate) => [`% at ${rate}/s`, atRate(rate)])),
        goal: goal(atRate(5_000), GOAL_PERCENT),
      };
    });

/** Sends the events of one tenant in batches, and reads which partition keys their units went to. */
const measuredKeys = async ({ runtime, sender }: MeasuredService, events: number): Promise<KeyUse[]> => {
  const send = () => request(runtime.baseUrl + BATCH, sender.api_keys.ingest, benchBody(BATCH_EVENTS));
  const keyUnits = () => runtime.keyUnits?.() ?? {};
  await measure(5, 4, send);
  await runtime.idle({ delayed: true });
  const before = keyUnits();
  await measure(events / BATCH_EVENTS, 8, send);
  await runtime.idle({ delayed: true });
  return keyUseOf(subtractKeyUnits(before, keyUnits()), runtime.outputs, events);
};

/** How a tenant's writes spread over partition keys: simulated for records, and counted in a real run for all others. */
export const benchPartitions = async (service: MeasuredService, quick: boolean): Promise<Table[]> => {
  const events = quick ? 3_000 : 20_000;
  const uses = await measuredKeys(service, events);
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
      keyRows(uses),
      `${events} events in batches of ${BATCH_EVENTS}. Units of a rate are those of an event times the rate, an upper bound: at higher rates`,
      'rows hold more events. Keys of single events (claims, rate limits, idempotency) and of ledger shards are left out.',
    ),
    table(
      'Units of an event by kind of key (counted)',
      uses.map(({ kind, access, keys, unitsPerEvent }) => ({
        key: kind,
        access,
        keys,
        'units/event': unitsPerEvent,
      })),
    ),
  ];
};
