import { prices } from './prices.ts';

/** Resources per event, measured for one kind of traffic. */
export interface Consumption {
  readonly httpRequests: number;
  readonly functions: readonly FunctionConsumption[];
  readonly writeUnits: number;
  /** Write units of indexes. Separate, because the base design has no index. */
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  /** The part of these units in tables of the class for infrequent access. Absent: none. */
  readonly infrequent?: { readonly writeUnits: number; readonly readUnits: number };
  readonly sqsRequests: number;
  /** The part of these requests that sends messages with a group. Absent: none. */
  readonly fairRequests?: number;
  readonly kmsRequests: number;
  readonly logBytes: number;
  /** Bytes of responses that leave the region. */
  readonly bytesOut: number;
}

export interface FunctionConsumption {
  readonly name: string;
  readonly memoryMegabytes: number;
  readonly invocations: number;
  /** CPU time of the handler in seconds on one full core. */
  readonly cpuSeconds: number;
  /** Sequential AWS calls in one invocation, times invocations. */
  readonly waits: number;
}

export interface CostRow {
  readonly item: string;
  /** Quantity per event, in `unit`. */
  readonly perEvent: number;
  readonly unit: string;
  /** USD per million events. */
  readonly usd: number;
}

const MILLION = 1e6;
const GIGABYTE = 1e9;

/** Lambda gives a function one full core at 1,769 MB and a proportional share below (Lambda developer guide, "Memory"). */
const CORE_MEGABYTES = 1_769;

/** Assumed round trip of one DynamoDB or SQS call inside a region. Higher than the typical value that AWS states. */
export const WAIT_SECONDS = 0.005;

/** Lambda rounds the billed duration up to the next millisecond. */
const BILLING_STEP_SECONDS = 0.001;

/**
 * Billed seconds per event: CPU time at the core share of the function's memory, plus its waits, rounded up for each
 * invocation. Assumes that this machine's CPU is as fast as Lambda's, and that CPU time and waits do not overlap.
 */
export const billedSeconds = (consumed: FunctionConsumption): number => {
  const { cpuSeconds, memoryMegabytes, waits, invocations } = consumed;
  if (invocations === 0) return 0;
  const seconds = cpuSeconds * Math.max(1, CORE_MEGABYTES / memoryMegabytes) + waits * WAIT_SECONDS;
  // Floating-point error of the division must not round a whole millisecond up to the next.
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

/** Shown but excluded from the total: there is no index, and callers inside the region pay no transfer. */
const EXCLUDED = { index: 'Index writes, not in the total', out: 'Data out, not in the total' };

/** USD per million events, one row for each billed item. */
export const costRows = (consumption: Consumption): CostRow[] => [
  row('API requests', consumption.httpRequests, 'requests', prices.httpApiRequest.usd),
  ...consumption.functions.flatMap(functionRows),
  row('DynamoDB writes', consumption.writeUnits, 'units', prices.dynamodbWriteUnit.usd),
  row('DynamoDB reads', consumption.readUnits, 'units', prices.dynamodbReadUnit.usd),
  row(
    'Infrequent access, more by write',
    consumption.infrequent?.writeUnits ?? 0,
    'units',
    prices.infrequentWriteUnit.usd - prices.dynamodbWriteUnit.usd,
  ),
  row(
    'Infrequent access, more by read',
    consumption.infrequent?.readUnits ?? 0,
    'units',
    prices.infrequentReadUnit.usd - prices.dynamodbReadUnit.usd,
  ),
  row('SQS', consumption.sqsRequests, 'requests', prices.sqsRequest.usd),
  row('SQS, more by message group', consumption.fairRequests ?? 0, 'requests', prices.sqsFairRequest.usd),
  row('KMS', consumption.kmsRequests, 'requests', prices.kmsRequest.usd),
  row('Logs', consumption.logBytes, 'bytes', prices.logsGigabyte.usd / GIGABYTE),
  row(EXCLUDED.out, consumption.bytesOut, 'bytes', prices.dataOutGigabyte.usd / GIGABYTE),
  row(EXCLUDED.index, consumption.indexWriteUnits, 'units', prices.dynamodbWriteUnit.usd),
];

/** Sum of the rows in USD, without the excluded items. */
export const totalOf = (rows: readonly CostRow[]): number =>
  rows.filter(({ item }) => !Object.values(EXCLUDED).includes(item)).reduce((sum, { usd }) => sum + usd, 0);
