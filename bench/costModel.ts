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
  /** USD for a million events. */
  readonly usd: number;
}

const MILLION = 1e6;

/** Lambda gives a function one full core at 1,769 MB, and its share below (Lambda developer guide, "Memory"). */
const CORE_MEGABYTES = 1_769;

/** Round trip of one DynamoDB or SQS call inside a region: an assumption, on the high side of what AWS states as typical. */
export const WAIT_SECONDS = 0.005;

/** How long a function is billed for one event: its CPU time at its share of a core, and its waits. */
export const billedSeconds = ({ cpuSeconds, memoryMegabytes, waits }: FunctionConsumption): number =>
  cpuSeconds * Math.max(1, CORE_MEGABYTES / memoryMegabytes) + waits * WAIT_SECONDS;

/** USD for a million events, item by item. */
export const costRows = (consumption: Consumption): CostRow[] => [
  { item: 'API requests', usd: consumption.httpRequests * prices.httpApiRequest.usd * MILLION },
  ...consumption.functions.map((found) => ({
    item: `Lambda ${found.name}`,
    usd:
      (found.invocations * prices.lambdaRequest.usd +
        billedSeconds(found) * (found.memoryMegabytes / 1_024) * prices.lambdaGigabyteSecond.usd) *
      MILLION,
  })),
  { item: 'DynamoDB writes', usd: consumption.writeUnits * prices.dynamodbWriteUnit.usd * MILLION },
  { item: 'DynamoDB reads', usd: consumption.readUnits * prices.dynamodbReadUnit.usd * MILLION },
  { item: 'SQS', usd: consumption.sqsRequests * prices.sqsRequest.usd * MILLION },
  { item: 'KMS', usd: consumption.kmsRequests * prices.kmsRequest.usd * MILLION },
  { item: 'Logs', usd: (consumption.logBytes / 1e9) * prices.logsGigabyte.usd * MILLION },
  { item: 'Index writes', usd: consumption.indexWriteUnits * prices.dynamodbWriteUnit.usd * MILLION },
];

/** The sum without index writes, which are shown apart. */
export const totalOf = (rows: readonly CostRow[]): number =>
  rows.filter(({ item }) => item !== 'Index writes').reduce((sum, { usd }) => sum + usd, 0);
