import { billedSeconds } from '../cost/costModel.ts';
import { prices } from '../cost/prices.ts';
import type { MeasuredService } from '../support/service.ts';
import { filterUsage, sumOf, totalWork, type UsageByFunction } from '../support/usage.ts';

/** State transitions of every export: Begin, its choice, both maps, Merge, Finish and Done. */
const STATES_PER_EXPORT = 7;
/** State transitions of one time partition: Gather, its choice, Gathered. */
const STATES_PER_PARTITION = 3;

const GET = /^s3 (?:Get|Head)/;
const PUT = /^s3 (?!Get|Head)/;
const READ = /^dynamodb (?:Get|Query|BatchGet|TransactGet)/;
const WRITE = /^dynamodb (?:Put|Update|Delete|TransactWrite|BatchWrite)/;

/**
 * Cost of an export in USD, by billed resource. Assumes that the calls of a function are sequential and that this
 * machine's CPU is as fast as Lambda's. The compression thread is not counted.
 */
export const exportCost = (
  { functionOf }: MeasuredService,
  used: UsageByFunction,
  { partitions, ranges }: { readonly partitions: number; readonly ranges: number },
) => {
  let compute = 0;
  for (const name of Object.keys(used)) {
    const functionUsage = filterUsage(used, new RegExp(`^${name}$`));
    const { invocations, cpuSeconds } = totalWork(functionUsage);
    const memoryMegabytes = functionOf(name).memoryMiB;
    const seconds = billedSeconds({
      name,
      memoryMegabytes,
      invocations,
      cpuSeconds,
      waits: sumOf(functionUsage, /./),
    });
    compute +=
      seconds * (memoryMegabytes / 1_024) * prices.lambdaGigabyteSecond.usd +
      invocations * prices.lambdaRequest.usd;
  }
  return {
    'ledger and tables':
      sumOf(used, READ, 'capacity') * prices.dynamodbReadUnit.usd +
      sumOf(used, WRITE, 'capacity') * prices.dynamodbWriteUnit.usd,
    functions: compute,
    objects: sumOf(used, GET) * prices.s3GetRequest.usd + sumOf(used, PUT) * prices.s3PutRequest.usd,
    states: (STATES_PER_EXPORT + STATES_PER_PARTITION * partitions + ranges) * prices.stateTransition.usd,
  };
};
