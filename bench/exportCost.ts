import { billedSeconds } from './costModel.ts';
import { prices } from './prices.ts';
import type { MeasuredService } from './service.ts';
import { filterUsage, sumOf, totalWork, type UsageByFunction } from './usage.ts';

/** States that every export passes: Begin, its choice, both maps, Unite, Finish and Done. */
const STATES = 7;
/** States of a piece: Gather, its choice, Gathered. */
const STATES_OF_PIECE = 3;

const GET = /^s3 (?:Get|Head)/;
const PUT = /^s3 (?!Get|Head)/;
const READ = /^dynamodb (?:Get|Query|BatchGet|TransactGet)/;
const WRITE = /^dynamodb (?:Put|Update|Delete|TransactWrite|BatchWrite)/;

/**
 * USD of an export, by what is paid for. Calls of a function are taken to wait for one another, and the processor of this
 * machine for that of Lambda; compression has a thread of its own, which is not counted.
 */
export const exportDollars = (
  { functionOf }: MeasuredService,
  used: UsageByFunction,
  { pieces, stretches }: { readonly pieces: number; readonly stretches: number },
) => {
  let compute = 0;
  for (const name of Object.keys(used)) {
    const own = filterUsage(used, new RegExp(`^${name}$`));
    const { invocations, cpuSeconds } = totalWork(own);
    const memoryMegabytes = functionOf(name).memoryMiB;
    const seconds = billedSeconds({
      name,
      memoryMegabytes,
      invocations,
      cpuSeconds,
      waits: sumOf(own, /./),
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
    states: (STATES + STATES_OF_PIECE * pieces + stretches) * prices.stateTransition.usd,
  };
};
