import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { RETENTION_MS } from './requestIdentity.ts';

/**
 * The right to run one call. `attempt` counts who holds it: an attempt whose lease ended is given up for dead, and
 * nothing it still does may count once another has begun.
 */
export interface HeldClaim {
  /** Where the key is kept; names the call in everything it brings about. */
  readonly key: string;
  readonly attempt: number;
  /** Epoch milliseconds when the call first arrived, whichever attempt this is. */
  readonly receivedAt: number;
}

export type BeginResult =
  | { readonly kind: 'held'; readonly claim: HeldClaim }
  /** The call ended before, with this sealed response. */
  | { readonly kind: 'ended'; readonly sealed: string; readonly receivedAt: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'conflict' };

export interface ResponseStore {
  /** `now` and `leaseUntil` in epoch milliseconds. */
  readonly begin: (key: string, fingerprint: string, now: number, leaseUntil: number) => Promise<BeginResult>;
  /** Ends the call with its sealed response. Throws when the claim is no longer held. */
  readonly end: (claim: HeldClaim, sealed: string) => Promise<void>;
  /** Ends the lease without a response: the next call with the key goes on where this one stopped. */
  readonly abandon: (claim: HeldClaim) => Promise<void>;
}

const numberOf = (attribute: AttributeValue | undefined): number => Number(attribute?.N ?? 0);

/**
 * Calls that run once and are answered from then on:
 *
 *   absent or over 24 h old ──► leased ──► ended        the response is kept, sealed
 *                                 │  ▲
 *                                 └──┘                  the lease ran out: attempt + 1, first instant kept
 *
 * The row's own `expires` ends the 24 hours exactly, however late the table's expiry is.
 */
export const responseStore = (table: string): ResponseStore => {
  const update = async (
    claim: HeldClaim,
    change: { readonly expression: string; readonly values: Record<string, AttributeValue> },
  ): Promise<void> => {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk: { S: claim.key } },
        UpdateExpression: change.expression,
        ConditionExpression: 'attempt = :attempt AND attribute_exists(lease)',
        ExpressionAttributeValues: { ':attempt': { N: String(claim.attempt) }, ...change.values },
      }),
    );
  };

  /** Takes over from an attempt that was seen with this lease; of several that try, one succeeds. */
  const takeOver = async (expired: HeldClaim, lease: number, leaseUntil: number): Promise<BeginResult> => {
    const claim = { ...expired, attempt: expired.attempt + 1 };
    try {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { pk: { S: expired.key } },
          UpdateExpression: 'SET lease = :until, attempt = :next',
          ConditionExpression: 'attempt = :attempt AND lease = :lease',
          ExpressionAttributeValues: {
            ':attempt': { N: String(expired.attempt) },
            ':lease': { N: String(lease) },
            ':until': { N: String(leaseUntil) },
            ':next': { N: String(claim.attempt) },
          },
        }),
      );
      return { kind: 'held', claim };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { kind: 'running' };
      throw error;
    }
  };

  return {
    begin: async (key, fingerprint, now, leaseUntil) => {
      const expires = now + RETENTION_MS;
      try {
        await dynamodb.send(
          new PutItemCommand({
            TableName: table,
            Item: {
              pk: { S: key },
              fingerprint: { S: fingerprint },
              received: { N: String(now) },
              attempt: { N: '1' },
              lease: { N: String(leaseUntil) },
              expires: { N: String(expires) },
              ttl: { N: String(Math.ceil(expires / 1_000)) },
            },
            ConditionExpression: 'attribute_not_exists(pk) OR expires <= :now',
            ExpressionAttributeValues: { ':now': { N: String(now) } },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return { kind: 'held', claim: { key, attempt: 1, receivedAt: now } };
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const found = error.Item ?? {};
        if (found['fingerprint']?.S !== fingerprint) return { kind: 'conflict' };
        const receivedAt = numberOf(found['received']);
        const sealed = found['sealed']?.S;
        if (sealed !== undefined) return { kind: 'ended', sealed, receivedAt };
        const lease = numberOf(found['lease']);
        if (lease > now) return { kind: 'running' };
        return takeOver({ key, attempt: numberOf(found['attempt']), receivedAt }, lease, leaseUntil);
      }
    },
    end: (claim, sealed) =>
      update(claim, {
        expression: 'SET sealed = :sealed REMOVE lease',
        values: { ':sealed': { S: sealed } },
      }),
    abandon: (claim) => update(claim, { expression: 'SET lease = :ended', values: { ':ended': { N: '0' } } }),
  };
};
