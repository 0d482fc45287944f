import { channel } from 'node:diagnostics_channel';
import type { MiddlewareStack } from '@smithy/types';
import * as z from 'zod';

/**
 * Every finished AWS call is published here as {@link AwsCall}, so that calls and capacity units can be counted
 * where they happen. Costs nothing while nobody listens.
 */
const calls = channel('aws.call');

export interface AwsCall {
  readonly service: string;
  readonly operation: string;
  /** DynamoDB capacity units, where the service reports them. */
  readonly capacity: number;
}

/** DynamoDB's own account of a call: one entry, or one for each table of a transaction. */
const Consumed = z.object({ CapacityUnits: z.number().optional() });
const Answer = z.object({ ConsumedCapacity: z.union([Consumed, z.array(Consumed)]).optional() });

/** Publishes each call of a client, and asks DynamoDB for its capacity units while somebody listens. */
export const publishCalls = <Input extends object, Output extends object>(
  stack: MiddlewareStack<Input, Output>,
  service: string,
): void => {
  stack.add(
    (next, context) => async (args) => {
      if (!calls.hasSubscribers) return next(args);
      if (service === 'dynamodb') Object.assign(args.input, { ReturnConsumedCapacity: 'TOTAL' });
      const result = await next(args);
      const consumed = Answer.safeParse(result.output).data?.ConsumedCapacity ?? [];
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

/** Bounds one try, so that an unanswered call cannot use up the function's own time-out. */
export const requestHandler = {
  connectionTimeout: 1_000,
  requestTimeout: 3_000,
  throwOnRequestTimeout: true,
  // As many as a queue batch writes at once.
  httpsAgent: { maxSockets: 160 },
  httpAgent: { maxSockets: 160 },
};
