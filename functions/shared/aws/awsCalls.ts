import { channel } from 'node:diagnostics_channel';
import type { MiddlewareStack } from '@smithy/types';
import * as z from 'zod';
import { requestTimeoutMs } from './requestTimeout.ts';

/**
 * Publishes every finished AWS call as an {@link AwsCall}, so that benchmarks and tests can count calls and capacity
 * units. Costs nothing without a subscriber.
 */
const calls = channel('aws.call');

export interface AwsCall {
  readonly service: string;
  readonly operation: string;
  /** DynamoDB capacity units; 0 for other services. */
  readonly capacity: number;
}

/** The capacity DynamoDB reports for a call: one entry, or one per table of a transaction. */
const Consumed = z.object({ CapacityUnits: z.number().optional() });
const Output = z.object({ ConsumedCapacity: z.union([Consumed, z.array(Consumed)]).optional() });

/** Publishes each call of a client. While there is a subscriber, also requests the capacity units from DynamoDB. */
export const publishCalls = <Input extends object, Output extends object>(
  stack: MiddlewareStack<Input, Output>,
  service: string,
): void => {
  stack.add(
    (next, context) => async (args) => {
      if (!calls.hasSubscribers) return next(args);
      if (service === 'dynamodb') Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const consumed = Output.safeParse(result.output).data?.ConsumedCapacity ?? [];
      const call: AwsCall = {
        service,
        operation: String(context['commandName']),
        capacity: [consumed].flat().reduce((sum, unit) => sum + (unit.CapacityUnits ?? 0), 0),
      };
      calls.publish(call);
      return result;
    },
    { step: 'initialize', name: 'publishCall' },
  );
};

/** Limits each attempt, so that an unanswered call cannot use up the timeout of the function. */
export const requestHandler = {
  connectionTimeout: requestTimeoutMs,
  requestTimeout: requestTimeoutMs,
  throwOnRequestTimeout: true,
  // More than the events of one queue batch that are in progress at the same time.
  httpsAgent: { maxSockets: 64 },
  httpAgent: { maxSockets: 64 },
};
