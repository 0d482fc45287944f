import type { AwsAnswer } from './awsRequest.ts';

/** Why DynamoDB refuses an access. `cancellation` is the code in a transaction. */
export interface Refusal {
  readonly type: string;
  readonly message: string;
  readonly cancellation: string;
  /** `TableWriteKeyRangeThroughputExceeded` and so on, for throttles. */
  readonly reason?: string;
  readonly resource?: string;
}

const THROTTLE_MESSAGE =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or index so please try again shortly. If exceptions persist, check if you have a hot key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html';

/** What was exceeded: a partition, or the throughput of the table that the account may use. */
export type ThrottleLimit = 'KeyRangeThroughputExceeded' | 'AccountLimitExceeded';

export const throttle = (access: 'write' | 'read', limit: ThrottleLimit, resource: string): Refusal => ({
  type: 'ThrottlingException',
  message: THROTTLE_MESSAGE,
  cancellation: 'ThrottlingError',
  reason: `Table${access === 'write' ? 'Write' : 'Read'}${limit}`,
  resource,
});

const TYPES = 'com.amazonaws.dynamodb.v20120810#';

const jsonAnswer = (statusCode: number, content: object): AwsAnswer => ({
  statusCode,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: Buffer.from(JSON.stringify(content)),
});

/** The response for a call that DynamoDB answers, without asking it. */
export const okAnswer = (content: object): AwsAnswer => jsonAnswer(200, content);

const answer = (type: string, content: object): AwsAnswer =>
  jsonAnswer(400, { __type: `${TYPES}${type}`, ...content });

/** The error response for a refused call. */
export const refusalAnswer = ({ type, message, reason, resource }: Refusal): AwsAnswer =>
  answer(type, {
    message,
    ...(reason !== undefined && { throttlingReasons: [{ reason, resource }] }),
  });

/** The error response for a transaction: the refusal of each item, or undefined, in the order of the items. */
export const cancellationAnswer = (refusals: readonly (Refusal | undefined)[]): AwsAnswer => {
  const codes = refusals.map((refusal) => refusal?.cancellation ?? 'None');
  return answer('TransactionCanceledException', {
    Message: `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    CancellationReasons: refusals.map((refusal) =>
      refusal === undefined ? { Code: 'None' } : { Code: refusal.cancellation, Message: refusal.message },
    ),
  });
};
