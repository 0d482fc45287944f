import {
  type AttributeValue,
  ConditionalCheckFailedException,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { ClaimResult } from '../../../platform/http/underKey.ts';
import { RETENTION_MS } from '../../../platform/idempotency/requestIdentity.ts';
import { optionalCall } from '../../../platform/shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import {
  type ClaimItem,
  claimKeyOf,
  type DedupClaim,
  number,
  readClaims,
  toClaimItem,
} from './dedupClaimRow.store.ts';

/** Bytes of the fingerprint that are stored. They tell requests of one credential apart, which has no use for a collision. */
const PRINT_BYTES = 16;

/** An Idempotency-Key of a request with one event, in the row of the event id that equals it. */
export interface EventKey {
  readonly tenantId: string;
  /** ULID of the invocation of the event id that equals the key. */
  readonly invocation: string;
  readonly credential: string;
  /** The fingerprint of the request, in base64url. */
  readonly fingerprint: string;
}

/** `record`: the dedup claim of the event was written with the key, and leads to this record. */
export type KeyResult =
  | { readonly kind: 'first'; readonly record: string | null }
  | Exclude<ClaimResult, { readonly kind: 'first' }>;

export interface EventKeys {
  /**
   * Holds a key for 24 hours. `claim` is the dedup claim of the event, if the key is its event id: one write is both then, unless
   * the row exists. Calls that happen at the same time are put in order by their one row.
   */
  readonly hold: (key: EventKey, now: number, claim: DedupClaim | null) => Promise<KeyResult>;
  /** What the row says about the key of a request that is refused anyway. Nothing is held. */
  readonly peek: (key: EventKey, now: number) => Promise<ClaimResult>;
  /** Frees the key of a request that failed. Its dedup claim stays, because its message may have been sent. */
  readonly release: (key: EventKey) => Promise<void>;
}

const printOf = ({ fingerprint }: EventKey): Uint8Array =>
  Buffer.from(fingerprint, 'base64url').subarray(0, PRINT_BYTES);

/** A row can be claimed, and deleted, between two writes. */
const ATTEMPTS_MAXIMUM = 3;

/** In place of the fingerprint of a freed key. It still says that the claim was written ahead of its message. */
const FREED = Uint8Array.of(0);

/** Attribute of a key whose credential did not write the first claim of the row. */
const besideOf = (credential: string): string => `key_${credential}`;

/** What a row says about a key. Null if it says nothing, or the 24 hours are over. */
const answerIn = (
  row: ClaimItem,
  key: EventKey,
  now: number,
): Exclude<KeyResult, { kind: 'first' }> | null => {
  const holders = [row['who']?.S === key.credential ? row : undefined, row[besideOf(key.credential)]?.M];
  const held = holders
    .map((holder) => ({ print: holder?.['print']?.B, at: Number(holder?.['at']?.N) }))
    .find(({ print, at }) => print?.length === PRINT_BYTES && now - at < RETENTION_MS);
  if (held?.print === undefined) return null;
  return Buffer.compare(held.print, printOf(key)) === 0
    ? { kind: 'repeat', receivedAt: held.at }
    : { kind: 'conflict' };
};

/** Undefined if a write took effect, else the row that refused it. */
const refusedBy = async (write: Promise<unknown>): Promise<ClaimItem | undefined> => {
  try {
    await write;
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return error.Item ?? {};
  }
};

const putWithClaim = (table: string, key: EventKey, claim: DedupClaim): Promise<ClaimItem | undefined> =>
  refusedBy(
    dynamodb.send(
      new PutItemCommand({
        TableName: table,
        Item: { ...toClaimItem(key.tenantId, key.invocation, claim), print: { B: printOf(key) } },
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
      optionalCall(),
    ),
  );

/**
 * Adds a key to a row. A row without a claim lives as long as its last key. A row with one lives as long as its claim, and may
 * hold the key of the credential in it.
 */
const addKey = (
  table: string,
  key: EventKey,
  now: number,
  isClaimed: boolean,
): Promise<ClaimItem | undefined> => {
  const values: Record<string, AttributeValue> = {
    ':held': { M: { print: { B: printOf(key) }, at: number(now) } },
    ':ended': number(now - RETENTION_MS),
    ...(isClaimed
      ? { ':who': { S: key.credential }, ':freed': { B: FREED } }
      : { ':ttl': number(Math.ceil((now + RETENTION_MS) / 1_000)) }),
  };
  const isFree = '(attribute_not_exists(#key) OR #key.#at <= :ended)';
  const isFreeInClaim = '(attribute_not_exists(#print) OR #print = :freed OR #who <> :who OR #at <= :ended)';
  const command = new UpdateItemCommand({
    TableName: table,
    Key: claimKeyOf(key.tenantId, key.invocation),
    UpdateExpression: isClaimed ? 'SET #key = :held' : 'SET #key = :held, #ttl = :ttl',
    ConditionExpression: isClaimed
      ? `attribute_exists(#record) AND ${isFree} AND ${isFreeInClaim}`
      : `attribute_not_exists(#record) AND ${isFree}`,
    ExpressionAttributeNames: {
      '#key': besideOf(key.credential),
      '#at': 'at',
      '#record': 'record',
      ...(isClaimed ? { '#print': 'print', '#who': 'who' } : { '#ttl': 'ttl' }),
    },
    ExpressionAttributeValues: values,
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  return refusedBy(dynamodb.send(command, optionalCall()));
};

/** Frees a key in the attribute of its credential, or in the first claim of the row. Returns the row if the key is not there. */
const freeKey = (table: string, key: EventKey, isInClaim: boolean): Promise<ClaimItem | undefined> =>
  refusedBy(
    dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: claimKeyOf(key.tenantId, key.invocation),
        UpdateExpression: isInClaim ? 'SET #print = :freed' : 'REMOVE #key',
        ConditionExpression: isInClaim ? '#print = :print' : '#key.#print = :print',
        ExpressionAttributeNames: {
          '#print': 'print',
          ...(!isInClaim && { '#key': besideOf(key.credential) }),
        },
        ExpressionAttributeValues: {
          ':print': { B: printOf(key) },
          ...(isInClaim && { ':freed': { B: FREED } }),
        },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
      optionalCall(),
    ),
  );

export const eventKeys = (table: string): EventKeys => ({
  peek: async (key, now) => {
    const row = (await readClaims(table, key.tenantId, key.invocation, optionalCall())) ?? {};
    return answerIn(row, key, now) ?? { kind: 'first' };
  },
  hold: async (key, now, claim) => {
    let row = claim === null ? undefined : await putWithClaim(table, key, claim);
    if (claim !== null && row === undefined) return { kind: 'first', record: claim.record };
    for (let attempt = 1; attempt <= ATTEMPTS_MAXIMUM; attempt += 1) {
      const answer = row === undefined ? null : answerIn(row, key, now);
      if (answer !== null) return answer;
      row = await addKey(table, key, now, row?.['record'] !== undefined);
      if (row === undefined) return { kind: 'first', record: null };
    }
    throw new Error('the row of an Idempotency-Key keeps changing');
  },
  release: async (key) => {
    const row = await freeKey(table, key, false);
    if (row?.['who']?.S === key.credential) await freeKey(table, key, true);
  },
});
