import { sha256Of } from '../../platform/shared/hash.ts';
import type { Attribution } from './attribution.ts';

/**
 * What a set of versions consists of: their number, and a digest that does not depend on their order. Rows are also
 * deleted and changed in place (restore, erasure, expiry), so equal numbers prove nothing.
 */
export interface Content {
  readonly versions: number;
  /** The sum of a hash of each version, modulo 2^64, in hexadecimal. */
  readonly digest: string;
}

const DIGITS = 16;
const MODULUS = 1n << 64n;
const toDigest = (sum: bigint): string => (sum % MODULUS).toString(16).padStart(DIGITS, '0');

export const noContent: Content = { versions: 0, digest: toDigest(0n) };

export const contentOf = ({ record, storedEvent }: Attribution): Content => {
  const { id, version, as_of, residency, trace_id, owner, service, output_state, coper, tags } = record;
  const { cost_usd, energy_wh, carbon_gco2e, input_tokens, output_tokens, provider, served_model } = record;
  const { attributed_identity, attributed_service, api_key_name, stated_by } = storedEvent;
  const text = JSON.stringify([
    [id, version, as_of, residency, trace_id, owner, service, output_state, coper, tags],
    [cost_usd, energy_wh, carbon_gco2e, input_tokens, output_tokens, provider, served_model],
    [attributed_identity, attributed_service, api_key_name, stated_by?.id],
  ]);
  return { versions: 1, digest: sha256Of(text).toString('hex').slice(0, DIGITS) };
};

export const addContent = (one: Content, other: Content): Content => ({
  versions: one.versions + other.versions,
  digest: toDigest(BigInt(`0x${one.digest}`) + BigInt(`0x${other.digest}`)),
});

export const isSameContent = (one: Content, other: Content): boolean =>
  one.versions === other.versions && one.digest === other.digest;
