import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { MINUTE_MS } from '../../../schemas/durations.ts';
import type { Write } from '../shared/aws/document.store.ts';
import { dynamodb } from '../shared/aws/dynamodb.client.ts';
import { isHeld } from '../shared/time/lease.ts';
import { claimRow } from './claimRow.store.ts';

/** Longer than any function of the API runs, which a lease outlasts by seconds. */
const LEASE_MAXIMUM_MS = MINUTE_MS;

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
  /** The sealed effect that an earlier attempt has committed, or null. */
  readonly effect: string | null;
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
  /**
   * The write that records the sealed effect of a call, to commit with the effect. It fails if another attempt has taken
   * over the claim.
   */
  readonly record: (claim: HeldClaim, sealed: string) => Write;
  /** A write that changes nothing, and fails if another attempt has taken over the claim. */
  readonly guard: (claim: HeldClaim) => Write;
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
 *                                 └──┘                  lease expired: attempt + 1; arrival time and effect are kept
 */
export const responseStore = (table: string): ResponseStore => {
  /** A change of the row by the attempt that holds the claim. */
  const changeOf = (
    { key, attempt }: HeldClaim,
    expression: string,
    values: Record<string, AttributeValue>,
  ) => ({
    TableName: table,
    Key: { pk: { S: key } },
    UpdateExpression: expression,
    ConditionExpression: 'attempt = :attempt AND attribute_exists(lease)',
    ExpressionAttributeValues: { ':attempt': { N: String(attempt) }, ...values },
  });
  const update = async (...change: Parameters<typeof changeOf>): Promise<void> => {
    await dynamodb.send(new UpdateItemCommand(changeOf(...change)));
  };

  /** Takes over from an attempt whose lease has expired. Of several concurrent calls, one succeeds. */
  const takeOver = async (
    expired: Omit<HeldClaim, 'effect'>,
    lease: number,
    leaseUntil: number,
  ): Promise<BeginResult> => {
    const attempt = expired.attempt + 1;
    try {
      const { Attributes } = await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: { pk: { S: expired.key } },
          UpdateExpression: 'SET lease = :until, attempt = :next',
          ConditionExpression: 'attempt = :attempt AND lease = :lease',
          ExpressionAttributeValues: {
            ':attempt': { N: String(expired.attempt) },
            ':lease': { N: String(lease) },
            ':until': { N: String(leaseUntil) },
            ':next': { N: String(attempt) },
          },
          // The effect as of the takeover: from then on, the earlier attempt can record none.
          ReturnValues: 'ALL_NEW',
        }),
      );
      const effect = Attributes?.['effect']?.S ?? null;
      return { kind: 'held', claim: { ...expired, attempt, effect } };
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return { kind: 'running' };
      throw error;
    }
  };

  return {
    begin: async (key, fingerprint, now, leaseUntil) => {
      const claimed = await claimRow(
        table,
        { key, fingerprint, now },
        { attempt: { N: '1' }, lease: { N: String(leaseUntil) } },
      );
      if (claimed.kind === 'conflict') return claimed;
      if (claimed.kind === 'first')
        return { kind: 'held', claim: { key, attempt: 1, receivedAt: now, effect: null } };
      const { row } = claimed;
      const receivedAt = numberOf(row['received']);
      const sealed = row['sealed']?.S;
      if (sealed !== undefined) return { kind: 'ended', sealed, receivedAt };
      const lease = numberOf(row['lease']);
      if (isHeld({ until: lease }, LEASE_MAXIMUM_MS, now)) return { kind: 'running' };
      return takeOver({ key, attempt: numberOf(row['attempt']), receivedAt }, lease, leaseUntil);
    },
    record: (claim, sealed) => ({
      Update: changeOf(claim, 'SET effect = :effect', { ':effect': { S: sealed } }),
    }),
    guard: (claim) => ({ Update: changeOf(claim, 'SET attempt = :attempt', {}) }),
    end: (claim, sealed) =>
      update(claim, 'SET sealed = :sealed REMOVE lease, effect', { ':sealed': { S: sealed } }),
    abandon: (claim) => update(claim, 'SET lease = :ended', { ':ended': { N: '0' } }),
  };
};
