import type { AwsRequest } from './awsRequest.ts';
import { fields, list, numeric } from './fields.ts';
import { insertsOf, limitStatements } from './insertStatements.ts';
import type { SharedLimits } from './limitState.ts';
import {
  accessesOf,
  type BatchEntry,
  batchEntries,
  type PartitionKeys,
  requestItems,
  type TableAccess,
  withEntries,
} from './tableAccess.ts';
import { cancellationAnswer, refusalAnswer } from './tableErrors.ts';
import { type Throughput, throughputOf } from './throughput.ts';

/** DynamoDB counts an item of a failed call, for example at its condition, like the smallest item. */
const FAILED_UNITS = 1;

/** Receives the capacity units that each access consumed. */
export type OnConsumed = (access: TableAccess, units: number) => void;

/** Enforces the limits of the tables on calls that are published before they are sent. */
export const tableLimits = (
  limits: SharedLimits,
  enforced: Throughput = throughputOf(limits),
  onConsumed?: OnConsumed,
): ((request: AwsRequest) => void) => {
  const throughput: Throughput =
    onConsumed === undefined
      ? enforced
      : {
          ...enforced,
          consume: (access, units) => {
            enforced.consume(access, units);
            onConsumed(access, units);
          },
        };
  const keys: PartitionKeys = new Map(limits.tables.map(({ name, partitionKey }) => [name, partitionKey]));

  return (request) => {
    if (request.service !== 'dynamodb') return;
    const isInsert = request.operation === 'BatchExecuteStatement';
    const accesses = isInsert ? insertsOf(fields(request.input), keys) : accessesOf(request, keys);
    if (accesses.length === 0) return;
    request.input = { ...request.input, ReturnConsumedCapacity: 'TOTAL' };
    if (isInsert) {
      const refusals = accesses.map((access) => throughput.refuse(access));
      const kept = accesses.filter((_, index) => refusals[index] === undefined);
      limitStatements(request, refusals, (output) => settle(kept, output, throughput));
    } else if (request.operation.startsWith('Batch')) limitBatch(request, accesses, throughput);
    else limitCall(request, accesses, throughput);
  };
};

const limitCall = (request: AwsRequest, accesses: readonly TableAccess[], throughput: Throughput): void => {
  let isRefused = false;
  request.answer = () => {
    const refusals = accesses.map((access) => throughput.refuse(access));
    const first = refusals.find((refusal) => refusal !== undefined);
    isRefused = first !== undefined;
    if (first === undefined) return undefined;
    return request.operation.startsWith('Transact') ? cancellationAnswer(refusals) : refusalAnswer(first);
  };
  request.finish = (output) => {
    if (!isRefused) settle(accesses, output, throughput);
  };
};

/** Leaves out the entries of a batch that are throttled now. Throttles the whole call if none is left. */
const limitBatch = (request: AwsRequest, accesses: readonly TableAccess[], throughput: Throughput): void => {
  const call = fields(request.input);
  const refusals = accesses.map((access) => throughput.refuse(access));
  const entries = batchEntries(call);
  const kept = accesses.filter((_, index) => refusals[index] === undefined);
  if (kept.length === 0) {
    limitWholeBatch(request, accesses, throughput);
    return;
  }
  const unprocessed = entries.filter((_, index) => refusals[index] !== undefined);
  request.input = withEntries(
    call,
    entries.filter((_, index) => refusals[index] === undefined),
  );
  request.finish = (output) => {
    settle(kept, output, throughput);
    if (output !== undefined) addUnprocessed(output, request.operation, call, unprocessed);
  };
};

/** Each attempt checks all entries again. When one is not throttled any more, the batch goes through. */
const limitWholeBatch = (
  request: AwsRequest,
  accesses: readonly TableAccess[],
  throughput: Throughput,
): void => {
  request.answer = () => {
    const [first, ...others] = accesses.map((access) => throughput.refuse(access));
    return first !== undefined && others.every((refusal) => refusal !== undefined)
      ? refusalAnswer(first)
      : undefined;
  };
  request.finish = (output) => {
    if (output !== undefined) settle(accesses, output, throughput);
  };
};

const addUnprocessed = (
  output: object,
  operation: string,
  call: object,
  entries: readonly BatchEntry[],
): void => {
  if (entries.length === 0) return;
  const name = operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems';
  const left = batchEntries({ RequestItems: fields(output)[name] });
  Object.assign(output, { [name]: requestItems(fields(call), [...left, ...entries]) });
};

/** Charges what a call consumed to its partition keys, in equal parts of what each table reports. */
const settle = (
  accesses: readonly TableAccess[],
  output: object | undefined,
  throughput: Throughput,
): void => {
  const { ConsumedCapacity } = fields(output);
  const consumed = Array.isArray(ConsumedCapacity) ? list(ConsumedCapacity) : [ConsumedCapacity];
  const unitsOf = (table: string): number | undefined =>
    numeric(fields(consumed.find((one) => fields(one)['TableName'] === table))['CapacityUnits']);
  for (const [table, group] of Map.groupBy(accesses, (access) => access.table)) {
    const units = unitsOf(table) ?? FAILED_UNITS * group.length;
    for (const access of group) throughput.consume(access, units / group.length);
  }
};
