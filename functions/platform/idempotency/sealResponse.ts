import { hkdfSync } from 'node:crypto';
import { seal, unseal } from '../shared/seal.ts';

const KEY_BYTES = 32;

/** The inputs of the sealing key. A stored response opens only with all of them. */
export interface SealSecrets {
  /** The stack's own secret, derived in KMS. Without it, a short Idempotency-Key could be guessed from the table. */
  readonly stack: Uint8Array;
  /** As the caller sent it. Neither the Idempotency-Key nor the reader is stored in the clear. */
  readonly idempotencyKey: string;
  /** The only requester who can open it, or empty if every credential of the tenant may. */
  readonly reader: string;
}

/** HKDF (RFC 5869) with SHA-256. The salt is JSON, so that the key ("ab", "c") differs from ("a", "bc"). */
const deriveSealKey = ({ stack, idempotencyKey, reader }: SealSecrets): Uint8Array =>
  new Uint8Array(
    hkdfSync('sha256', stack, JSON.stringify([idempotencyKey, reader]), 'stored response', KEY_BYTES),
  );

/** Seals a response for the row that stores it. Copied to another row, it does not open. */
export const sealResponse = (
  text: string,
  row: string,
  secrets: SealSecrets,
  random: (bytes: number) => Uint8Array,
): string => seal(text, row, deriveSealKey(secrets), random);

/** Opens a sealed response. Throws when the row, a secret or any byte differs from those it was sealed with. */
export const unsealResponse = (sealed: string, row: string, secrets: SealSecrets): string =>
  unseal(sealed, row, deriveSealKey(secrets));
