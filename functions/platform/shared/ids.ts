import { createHmac } from 'node:crypto';
import { sha256Of } from './hash.ts';
import { ulidOf, ulidOfDigest } from './ulid.ts';

/** The id prefix of each kind of resource. */
export type IdPrefix =
  | 'att'
  | 'inv'
  | 'key'
  | 'cli'
  | 'usr'
  | 'grt'
  | 'aud'
  | 'evt'
  | 'ovr'
  | 'dsp'
  | 'map'
  | 'mdl'
  | 'bud'
  | 'bls'
  | 'anm'
  | 'job'
  | 'sch'
  | 'dst'
  | 'whe'
  | 'dlv'
  | 'ntf'
  | 'rps'
  | 'svd'
  | 'ann'
  | 'svw'
  | 'bmt'
  | 'rst';

const TAG_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const TAG_LENGTH = 8;

/**
 * The tenant tag: 8 base32 characters that distinguish the ids of tenants without a read and without revealing the
 * tenant. Computed once, when the tenant is created, with a secret that only this tenant uses.
 */
export const tenantTag = (tenantId: string, secret: Uint8Array): string =>
  [...createHmac('sha256', secret).update(tenantId).digest().subarray(0, TAG_LENGTH)]
    .map((byte) => TAG_ALPHABET.charAt(byte & 31))
    .join('');

export const idOf = (prefix: IdPrefix, tag: string, ulid: string): string => `${prefix}_${tag}${ulid}`;

/** The ULID at the end of one of our ids. */
export const ulidInId = (id: string): string => id.slice(-26);

/** The tenant tag of one of our ids, after its prefix. */
export const tagInId = (id: string): string => id.slice(4, 4 + TAG_LENGTH);

/** A parsed path id: the caller's own (with its ULID), another tenant's, or not an id of this kind. */
export type ParsedId = { kind: 'own'; ulid: string } | { kind: 'foreign' } | { kind: 'malformed' };

export const parseId = (text: string, prefix: string, tag: string): ParsedId => {
  const match = /^([a-z]{3})_([a-z2-7]{8})([0-7][0-9A-HJKMNP-TV-Z]{25})$/.exec(text);
  const [, textPrefix, textTag, ulid] = match ?? [];
  if (ulid === undefined || textPrefix !== prefix) return { kind: 'malformed' };
  return textTag === tag ? { kind: 'own', ulid } : { kind: 'foreign' };
};

/**
 * The ULID of the invocation an event reports. It depends on tenant and event id only, so a retry gets the same one. `space`
 * distinguishes calls of one event id that have nothing to do with each other.
 */
export const invocationUlid = (tenantId: string, eventId: string, space: readonly string[] = []): string =>
  ulidOfDigest(sha256Of('invocation', tenantId, eventId, ...space));

/**
 * The ULID of an event's record: the time of the call, the number of shard bits of the ledger at the first write (4 bits),
 * and a digest of the event id, in a space as for its invocation. The record key follows from it.
 */
export const recordUlid = (
  tenantId: string,
  eventId: string,
  occurredAt: number,
  shardBits = 0,
  space: readonly string[] = [],
): string => {
  const entropy = Uint8Array.from(sha256Of('record', tenantId, eventId, ...space));
  entropy[0] = (shardBits << 4) | ((entropy[0] ?? 0) & 0b1111);
  return ulidOf(occurredAt, entropy);
};

/**
 * The ULID of a resource that an idempotent call creates: the first arrival time of the call and a digest of its claim.
 * A retry after a crash therefore finds what the first attempt created instead of creating it again.
 */
export const deterministicUlid = (kind: string, claim: string, firstReceivedAt: number): string =>
  ulidOf(firstReceivedAt, sha256Of(kind, claim));
