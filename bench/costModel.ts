import { prices } from './prices.ts';

/** What one kind of traffic was counted to take, for one event. */
export interface Consumption {
  readonly httpRequests: number;
  readonly functions: readonly FunctionConsumption[];
  readonly writeUnits: number;
  /** Write units of indexes: apart, since the base design has none. */
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  readonly sqsRequests: number;
  readonly kmsRequests: number;
  readonly logBytes: number;
  /** Bytes of responses that leave the region. */
  readonly bytesOut: number;
}

export interface FunctionConsumption {
  readonly name: string;
  readonly memoryMegabytes: number;
  readonly invocations: number;
  /** CPU time of the handler, on one full core. */
  readonly cpuSeconds: number;
  /** AWS calls that wait for one another in one invocation, times invocations. */
  readonly waits: number;
}

export interface CostRow {
  readonly item: string;
  /** How much of it one event takes, and of what. */
  readonly perEvent: number;
  readonly unit: string;
  /** USD for a million events. */
  readonly usd: number;
}

const MILLION = 1e6;
const GIGABYTE = 1e9;

/** Lambda gives a function one full core at 1,769 MB, and its share below (Lambda developer guide, "Memory"). */
const CORE_MEGABYTES = 1_769;

/** Round trip of one DynamoDB or SQS call inside a region: an assumption, on the high side of what AWS states as typical. */
export const WAIT_SECONDS = 0.005;

/** Lambda bills by the millisecond, rounded up. */
const BILLING_STEP_SECONDS = 0.001;

/**
 * How long a function is billed for one event: its CPU time at its share of a core, and its waits, each invocation
 * rounded up. CPU time of this machine is taken for that of Lambda's, and none of it for hidden behind a wait.
 */
export const billedSeconds = (consumed: FunctionConsumption): number => {
  const { cpuSeconds, memoryMegabytes, waits, invocations } = consumed;
  if (invocations === 0) return 0;
  const seconds = cpuSeconds * Math.max(1, CORE_MEGABYTES / memoryMegabytes) + waits * WAIT_SECONDS;
  // Float dust of the division must not round a whole millisecond up to the next.
  const steps = Math.ceil(Number((seconds / invocations / BILLING_STEP_SECONDS).toFixed(6)));
  return steps * BILLING_STEP_SECONDS * invocations;
};

const functionRows = (consumed: FunctionConsumption): CostRow[] => {
  const gigabyteSeconds = billedSeconds(consumed) * (consumed.memoryMegabytes / 1_024);
  return [
    row(`Lambda ${consumed.name}, requests`, consumed.invocations, 'requests', prices.lambdaRequest.usd),
    row(`Lambda ${consumed.name}, duration`, gigabyteSeconds, 'GB-s', prices.lambdaGigabyteSecond.usd),
  ];
};

const row = (item: string, perEvent: number, unit: string, price: number): CostRow => ({
  item,
  perEvent,
  unit,
  usd: perEvent * price * MILLION,
});

/** Shown with the others, and left out of the total: no index exists, and callers inside the region pay no transfer. */
const APART = { index: 'Index writes, not in the total', out: 'Data out, not in the total' };

/** USD for a million events, item by item. */
export const costRows = (consumption: Consumption): CostRow[] => [
  row('API requests', consumption.httpRequests, 'requests', prices.httpApiRequest.usd),
  ...consumption.functions.flatMap(functionRows),
  row('DynamoDB writes', consumption.writeUnits, 'units', prices.dynamodbWriteUnit.usd),
  row('DynamoDB reads', consumption.readUnits, 'units', prices.dynamodbReadUnit.usd),
  row('SQS', consumption.sqsRequests, 'requests', prices.sqsRequest.usd),
  row('KMS', consumption.kmsRequests, 'requests', prices.kmsRequest.usd),
  row('Logs', consumption.logBytes, 'bytes', prices.logsGigabyte.usd / GIGABYTE),
  row(APART.out, consumption.bytesOut, 'bytes', prices.dataOutGigabyte.usd / GIGABYTE),
  row(APART.index, consumption.indexWriteUnits, 'units', prices.dynamodbWriteUnit.usd),
];

/** The sum without what is shown apart. */
export const totalOf = (rows: readonly CostRow[]): number =>
  rows.filter(({ item }) => !Object.values(APART).includes(item)).reduce((sum, { usd }) => sum + usd, 0);
