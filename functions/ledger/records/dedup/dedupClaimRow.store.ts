import { type AttributeValue, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { RECORD_RETENTION_MONTHS } from '../../../../schemas/platform/retention.ts';
import type { optionalCall } from '../../../platform/shared/aws/calls/optionalCall.ts';
import { dynamodb } from '../../../platform/shared/aws/dynamodb.client.ts';
import { timeOfUlid } from '../../../platform/shared/ulid.ts';
import type { Party } from './statementPolicy.ts';

/** Claims outlive their records, so that a late duplicate never finds a record without its claim. */
const CLAIM_RETENTION_MILLISECONDS = (RECORD_RETENTION_MONTHS + 1) * 31 * DAY_MS;

export const number = (value: number): AttributeValue => ({ N: String(value) });

/** The first event of a party that arrived with an event id in a lane. Times are epoch milliseconds. */
export interface DedupClaim {
  /** Who may complete it: the client id of a connector; null for the tenant. */
  readonly party: Party;
  /** The credential that stated it. Null if the claim was written again from a record without it. */
  readonly credential: string | null;
  /** The time in the ULID of the record. */
  readonly occurredAt: number;
  readonly receivedAt: number;
  /** Null if the claim was lost and written again from its record, which does not hold the event as it was sent. */
  readonly contentHash: string | null;
  /** ULID of the record. Every retry uses it, and the record of an invocation is found by it. */
  readonly record: string;
  /** Digest of who observed the call: the credential, its capture layer and source system. */
  readonly observer: string;
  /** The lane of the record. */
  readonly lane: string | null;
  /** The API wrote it, ahead of the message. So the message may never have been sent. */
  readonly isAhead?: true;
}

/** The claims of an event id. `own` is null if the party may have none, because the tenant has one. */
export interface Claims {
  readonly own: DedupClaim | null;
  readonly others: readonly DedupClaim[];
}

export type ClaimItem = Record<string, AttributeValue>;

/** Attribute of the claim of a party that was not the first. */
export const besideOf = (party: Party): string => `claim_${party ?? 'tenant'}`;
export const REJECTED = 'rejected_';

export const claimAttributes = ({
  receivedAt,
  contentHash,
  record,
  observer,
  lane,
  party,
  credential,
}: Omit<DedupClaim, 'occurredAt' | 'isAhead'>): ClaimItem => ({
  at: number(receivedAt),
  ...(contentHash !== null && { hash: { S: contentHash } }),
  record: { S: record },
  by: { S: observer },
  ...(lane !== null && { lane: { S: lane } }),
  ...(party !== null && { party: { S: party } }),
  ...(credential !== null && { who: { S: credential } }),
});

const parseClaim = ({
  at,
  hash,
  record: recordAttribute,
  by,
  lane,
  party,
  who,
  print,
}: ClaimItem): DedupClaim => {
  const record = recordAttribute?.S ?? '';
  return {
    occurredAt: timeOfUlid(record),
    receivedAt: Number(at?.N),
    contentHash: hash?.S ?? null,
    record,
    observer: by?.S ?? '',
    lane: lane?.S ?? null,
    party: party?.S ?? null,
    credential: who?.S ?? null,
    ...(print !== undefined && { isAhead: true }),
  };
};

/** All claims of a row, the first one first. A row that only holds Idempotency-Keys has none (`eventKey.store.ts`). */
export const claimsIn = (item: ClaimItem): DedupClaim[] => [
  ...(item['record'] === undefined ? [] : [parseClaim(item)]),
  ...Object.entries(item).flatMap(([name, { M }]) =>
    name.startsWith('claim_') && M !== undefined ? [parseClaim(M)] : [],
  ),
];

export const claimsFor = (party: Party, item: ClaimItem): Claims => {
  const [own, ...more] = claimsIn(item).filter((claim) => claim.party === party);
  const others = claimsIn(item).filter((claim) => claim.party !== party);
  return { own: own ?? null, others: [...more, ...others] };
};

/** The key of the row of an event id. */
export const claimKeyOf = (tenantId: string, invocationUlid: string): { readonly pk: AttributeValue } => ({
  pk: { S: `${tenantId}#${invocationUlid}` },
});

/** Strongly consistent. Undefined if nobody has claimed the event id. */
export const readClaims = async (
  table: string,
  tenantId: string,
  invocationUlid: string,
  options?: ReturnType<typeof optionalCall>,
): Promise<ClaimItem | undefined> => {
  const { Item } = await dynamodb.send(
    new GetItemCommand({
      TableName: table,
      Key: claimKeyOf(tenantId, invocationUlid),
      ConsistentRead: true,
    }),
    options,
  );
  return Item;
};

/** The row of a claim. Names are short, because there is a row for each event. */
export const toClaimItem = (
  tenantId: string,
  invocationUlid: string,
  claim: Omit<DedupClaim, 'occurredAt'>,
): ClaimItem => ({
  ...claimKeyOf(tenantId, invocationUlid),
  ...claimAttributes(claim),
  ttl: number(Math.ceil((claim.receivedAt + CLAIM_RETENTION_MILLISECONDS) / 1_000)),
});
