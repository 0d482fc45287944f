import { channel } from 'node:diagnostics_channel';
import type { MiddlewareStack } from '@smithy/types';
import * as z from 'zod';
import { requestTimeoutMs } from './requestTimeout.ts';

/**
 * Publishes every AWS call before it is sent, so that the runtime for one machine can answer it as AWS would. Costs nothing
 * without a subscriber, as in a deployment.
 */
const requests = channel('aws.request');
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

/** A response of AWS, as sent over the network. */
export interface AwsAnswer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: Uint8Array;
}

/** A call that was not sent yet. A subscriber may set every property that is not read-only. */
export interface AwsRequest {
  readonly service: string;
  readonly operation: string;
  input: object;
  /** Fails the call before anything is sent. */
  refusal?: Error;
  /** Runs before each attempt. An answer replaces the one of AWS. */
  answer?: () => AwsAnswer | undefined;
  /** Runs after the call. The output is undefined if it failed. */
  finish?: (output: object | undefined) => void;
}

/** The property of the SDK's call context that holds the request. */
const REQUEST = 'awsRequest';
const isRequest = (value: unknown): value is AwsRequest =>
  typeof value === 'object' && value !== null && 'operation' in value;

/** The capacity DynamoDB reports for a call: one entry, or one per table of a transaction. */
const Consumed = z.object({ CapacityUnits: z.number().optional() });
const Output = z.object({ ConsumedCapacity: z.union([Consumed, z.array(Consumed)]).optional() });

const capacityOf = (output: object): number =>
  [Output.safeParse(output).data?.ConsumedCapacity ?? []]
    .flat()
    .reduce((sum, unit) => sum + (unit.CapacityUnits ?? 0), 0);

/** Publishes each call of a client. While calls are counted, also requests the capacity units from DynamoDB. */
export const publishCalls = <Input extends object, Output extends object>(
  stack: MiddlewareStack<Input, Output>,
  service: string,
): void => {
  stack.add(
    (next, context) => async (args) => {
      if (!requests.hasSubscribers && !calls.hasSubscribers) return next(args);
      const command = String(context['commandName']);
      const operation = command.replace(/Command$/, '');
      const request: AwsRequest = { service, operation, input: args.input };
      requests.publish(request);
      if (request.refusal !== undefined) throw request.refusal;
      if (calls.hasSubscribers && service === 'dynamodb') {
        Object.assign(request.input, { ReturnConsumedCapacity: 'TOTAL' });
      }
      context[REQUEST] = request;
      let output: object | undefined;
      try {
        // A subscriber replaces the input by one of the same type.
        const result = await next(Object.assign(args, { input: request.input }));
        output = result.output;
        return result;
      } finally {
        request.finish?.(output);
        if (calls.hasSubscribers && output !== undefined) {
          calls.publish({ service, operation: command, capacity: capacityOf(output) } satisfies AwsCall);
        }
      }
    },
    { step: 'initialize', name: 'publishRequest' },
  );
  stack.add(
    (next, context) => async (args) => {
      const request = context[REQUEST];
      const answer = isRequest(request) ? request.answer?.() : undefined;
      return answer === undefined ? next(args) : { response: answer };
    },
    // The innermost step: an answer is repeated, parsed and thrown like one from the network.
    { step: 'deserialize', priority: 'low', name: 'answerAttempt' },
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
