import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { RETENTION_MS } from './requestIdentity.ts';

/**
 * The exclusive right to run one call, held under a lease. `attempt` is a fencing token: after a lease expires, the next
 * attempt takes over, and writes of the earlier attempt are rejected.
 */
export interface HeldClaim {
  /** The record key of the Idempotency-Key. Ids of everything the call creates follow from it. */
  readonly key: string;
  readonly attempt: number;
  /** Arrival time of the first attempt in epoch milliseconds. */
  readonly receivedAt: number;
}

export type BeginResult =
  | { readonly kind: 'held'; readonly claim: HeldClaim }
  /** The call has completed with this sealed response. */
  | { readonly kind: 'ended'; readonly sealed: string; readonly receivedAt: number }
  | { readonly kind: 'running' }
  | { readonly kind: 'conflict' };

export interface ResponseStore {
  /** Takes the lease of a call. `now` and `leaseUntil` are epoch milliseconds. */
  readonly begin: (key: string, fingerprint: string, now: number, leaseUntil: number) => Promise<BeginResult>;
  /** Completes the call with its sealed response. Throws if another attempt has taken over the claim. */
  readonly end: (claim: HeldClaim, sealed: string) => Promise<void>;
  /** Releases the lease without a response, so that the next call with the key can retry at once. */
  readonly abandon: (claim: HeldClaim) => Promise<void>;
}

const numberOf = (attribute: AttributeValue | undefined): number => Number(attribute?.N ?? 0);

/**
 * Calls that run once and return the stored response from then on:
 *
 *   absent or over 24 h old ──► leased ──► ended        the sealed response is stored
 *                                 │  ▲
 *                                 └──┘                  lease expired: attempt + 1, arrival time of the first attempt kept
 *
 * `expires` ends the 24 hours exactly. The TTL of the table deletes rows later.
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

  /** Takes over from an attempt whose lease has expired. Of several concurrent calls, one succeeds. */
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
        const stored = error.Item ?? {};
        if (stored['fingerprint']?.S !== fingerprint) return { kind: 'conflict' };
        const receivedAt = numberOf(stored['received']);
        const sealed = stored['sealed']?.S;
        if (sealed !== undefined) return { kind: 'ended', sealed, receivedAt };
        const lease = numberOf(stored['lease']);
        if (lease > now) return { kind: 'running' };
        return takeOver({ key, attempt: numberOf(stored['attempt']), receivedAt }, lease, leaseUntil);
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
