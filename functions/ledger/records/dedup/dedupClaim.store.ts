import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { RejectedStatement } from '../../../../schemas/attribution/observation.ts';
import { batchedInsert } from '../../../platform/shared/aws/batches/batchInsert.store.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import {
  besideOf,
  type ClaimItem,
  type Claims,
  claimAttributes,
  claimKeyOf,
  claimsFor,
  claimsIn,
  type DedupClaim,
  number,
  REJECTED,
  readClaims,
  toClaimItem,
} from './dedupClaimRow.store.ts';
import { mayClaimBeside, type Party } from './statementPolicy.ts';

/** Most observations of one call by one credential, besides the first of all. Further ones are counted as mismatches. */
const OBSERVATIONS_MAXIMUM = 7;

export interface DedupClaimStore {
  /** Whether a party, or the tenant, has claimed an event id. */
  readonly isReported: (tenantId: string, invocationUlid: string, party: Party) => Promise<boolean>;
  /** Claims an event id for a party. Returns the existing claim of the party when there is one. */
  readonly claim: (tenantId: string, invocationUlid: string, claim: DedupClaim) => Promise<Claims>;
  /**
   * Claims the observation of a call by another observer than the first. False if this observer has observed it with other
   * content, or if its credential has observed the call too often.
   */
  readonly observe: (
    tenantId: string,
    invocationUlid: string,
    observation: Pick<DedupClaim, 'observer' | 'contentHash' | 'credential'>,
  ) => Promise<boolean>;
  /** Counts an event whose content differs from the claim's, with the statement that was rejected for want of authority. */
  readonly countMismatch: (
    tenantId: string,
    invocationUlid: string,
    rejected?: RejectedStatement,
  ) => Promise<void>;
}

/** Writes the first claim of a row. The row may exist: it can hold an Idempotency-Key that is this event id. */
const putFirst = ({ pk, ...attributes }: ClaimItem, table: string): UpdateItemCommand => {
  const members = Object.entries(attributes);
  return new UpdateItemCommand({
    TableName: table,
    Key: { pk: pk ?? { S: '' } },
    UpdateExpression: `SET ${members.map((_, index) => `#m${index} = :m${index}`).join(', ')}`,
    ConditionExpression: 'attribute_not_exists(#record)',
    ExpressionAttributeNames: {
      '#record': 'record',
      ...Object.fromEntries(members.map(([name], index) => [`#m${index}`, name])),
    },
    ExpressionAttributeValues: Object.fromEntries(members.map(([, value], index) => [`:m${index}`, value])),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
};

/** `insert` shares calls between claims. */
const claimWith =
  (table: string, insert: ReturnType<typeof batchedInsert>): DedupClaimStore['claim'] =>
  async (tenantId, invocationUlid, claim) => {
    const Item = toClaimItem(tenantId, invocationUlid, claim);
    if (await insert(Item)) return { own: claim, others: [] };
    try {
      await dynamodb.send(putFirst(Item, table));
      return { own: claim, others: [] };
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      const claims = claimsFor(claim.party, error.Item ?? {});
      const isClosed = !mayClaimBeside(
        claim.party,
        claims.others.map(({ party }) => party),
      );
      return claims.own !== null || isClosed ? claims : claimBeside(table, Item, claim);
    }
  };

/** Adds the claim of a party to a row that another party wrote first. */
const claimBeside = async (table: string, { pk }: ClaimItem, claim: DedupClaim): Promise<Claims> => {
  const beside = besideOf(claim.party);
  // The tenant may claim at the same time. A connector has no claim beside it.
  const isOpen = claim.party === null ? '' : ' AND attribute_not_exists(#tenant)';
  try {
    const { Attributes = {} } = await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: { pk: pk ?? { S: '' } },
        UpdateExpression: 'SET #beside = :claim',
        ConditionExpression: `attribute_exists(pk) AND attribute_not_exists(#beside)${isOpen}`,
        ExpressionAttributeNames: {
          '#beside': beside,
          ...(claim.party !== null && { '#tenant': besideOf(null) }),
        },
        ExpressionAttributeValues: { ':claim': { M: claimAttributes(claim) } },
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return claimsFor(claim.party, Attributes);
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    return claimsFor(claim.party, error.Item ?? {});
  }
};

export const dedupClaimStore = (table: string): DedupClaimStore => ({
  isReported: async (tenantId, invocationUlid, party) => {
    const row = await readClaims(table, tenantId, invocationUlid);
    return row !== undefined && claimsIn(row).some((claim) => [null, party].includes(claim.party));
  },
  claim: claimWith(
    table,
    batchedInsert(table, ({ pk }) => `${pk?.S}`),
  ),
  observe: async (tenantId, invocationUlid, { observer, contentHash, credential }) => {
    const attribute = `observed_${observer}`;
    try {
      await dynamodb.send(
        new UpdateItemCommand({
          TableName: table,
          Key: claimKeyOf(tenantId, invocationUlid),
          UpdateExpression: 'SET #observed = :content ADD #places :one',
          ConditionExpression:
            'attribute_exists(pk) AND attribute_not_exists(#observed) AND (attribute_not_exists(#places) OR #places < :most)',
          ExpressionAttributeNames: { '#observed': attribute, '#places': `places_${credential ?? ''}` },
          ExpressionAttributeValues: {
            ':content': { S: contentHash ?? '' },
            ':one': number(1),
            ':most': number(OBSERVATIONS_MAXIMUM),
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return true;
    } catch (error) {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
      return error.Item?.[attribute]?.S === contentHash;
    }
  },
  countMismatch: async (tenantId, invocationUlid, rejected) => {
    await dynamodb.send(
      new UpdateItemCommand({
        TableName: table,
        Key: claimKeyOf(tenantId, invocationUlid),
        UpdateExpression: `ADD mismatches :one${rejected === undefined ? '' : ' SET #rejected = :rejected'}`,
        ConditionExpression: 'attribute_exists(pk)',
        ExpressionAttributeValues: {
          ':one': number(1),
          ...(rejected !== undefined && { ':rejected': { S: JSON.stringify(rejected) } }),
        },
        ...(rejected !== undefined && {
          ExpressionAttributeNames: { '#rejected': REJECTED + rejected.stated_by.id },
        }),
      }),
    );
  },
});
