import { createHmac } from 'node:crypto';
import { sha256Of } from './hash.ts';
import { ulidOf, ulidOfDigest } from './ulid.ts';

/** Kinds of resources, as the prefix of their ids. */
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
  | 'anm'
  | 'job'
  | 'sch'
  | 'whe'
  | 'dlv'
  | 'ntf';

const TAG_ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const TAG_LENGTH = 8;

/**
 * The tenant tag: 8 base32 characters that tell one tenant's ids from another's without a read,
 * and without telling which tenant it is. Computed once, when the tenant is created, with a secret of its own.
 */
export const tenantTag = (tenantId: string, secret: Uint8Array): string =>
  [...createHmac('sha256', secret).update(tenantId).digest().subarray(0, TAG_LENGTH)]
    .map((byte) => TAG_ALPHABET.charAt(byte & 31))
    .join('');

export const idOf = (prefix: IdPrefix, tag: string, ulid: string): string => `${prefix}_${tag}${ulid}`;

/** The ULID an id of ours ends with. */
export const ulidInId = (id: string): string => id.slice(-26);

/** The tenant tag an id of ours begins with, behind its prefix. */
export const tagInId = (id: string): string => id.slice(4, 4 + TAG_LENGTH);

/** What a path id turned out to be: our own (its ULID), another tenant's, or not an id of this kind. */
export type ParsedId = { kind: 'own'; ulid: string } | { kind: 'foreign' } | { kind: 'malformed' };

export const parseId = (text: string, prefix: string, tag: string): ParsedId => {
  const match = /^([a-z]{3})_([a-z2-7]{8})([0-7][0-9A-HJKMNP-TV-Z]{25})$/.exec(text);
  const [, textPrefix, textTag, ulid] = match ?? [];
  if (ulid === undefined || textPrefix !== prefix) return { kind: 'malformed' };
  return textTag === tag ? { kind: 'own', ulid } : { kind: 'foreign' };
};

/** The ULID of the invocation an event reports: follows from tenant and event id alone, so a retry gets the same. */
export const invocationUlid = (tenantId: string, eventId: string): string =>
  ulidOfDigest(sha256Of('invocation', tenantId, eventId));

/** The ULID of an event's record: its time is the call's, the rest a digest of the event id, so an id names its own key. */
export const recordUlid = (tenantId: string, eventId: string, occurredAt: number): string =>
  ulidOf(occurredAt, sha256Of('record', tenantId, eventId));

/**
 * The ULID of what an idempotent call brings about: its time is when the call first arrived, the rest a digest of the
 * claim on its key, so that a retry after a crash finds what the first try made instead of making it again.
 */
export const deterministicUlid = (kind: string, claim: string, firstReceivedAt: number): string =>
  ulidOf(firstReceivedAt, sha256Of(kind, claim));
