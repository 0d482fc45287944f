import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { newSecret, type Random } from '../../access/secret.ts';

/** What the deliveries of an endpoint are signed with: its secret, and the one before while a rotation overlaps. */
export const SigningSecrets = z.object({
  current: z.string(),
  previous: z.object({ secret: z.string(), valid_until: z.iso.datetime() }).nullable(),
});
export type SigningSecrets = z.infer<typeof SigningSecrets>;

/** The header that carries the signatures, as it is sent. */
export const SIGNATURE_HEADER = 'Service-Signature';

/** How long after a rotation either secret verifies, in milliseconds. */
export const ROTATION_OVERLAP = 24 * 60 * 60 * 1_000;

/** 256 random bits. The whole text, prefix included, is the key: nobody has to know which part to decode, and how. */
export const newSigningSecret = (random: Random): string => `whsec_${newSecret(random)}`;

/**
 * The secrets after a rotation at `at` (epoch milliseconds): the one replaced signs on for `overlap` milliseconds, or not
 * at all where it has leaked. A second rotation ends the overlap of the first: there are never more than two.
 */
export const rotateSigningSecret = (
  secrets: SigningSecrets,
  next: string,
  { at, overlap = ROTATION_OVERLAP }: { readonly at: number; readonly overlap?: number },
): SigningSecrets => ({
  current: next,
  previous:
    overlap === 0 ? null : { secret: secrets.current, valid_until: new Date(at + overlap).toISOString() },
});

/** The secrets a delivery at `now` (epoch milliseconds) is signed with, the newest first. */
export const liveSecrets = ({ current, previous }: SigningSecrets, now: number): readonly string[] =>
  previous !== null && now < Date.parse(previous.valid_until) ? [current, previous.secret] : [current];

/**
 * The value of the header: `t=<unix seconds>,v1=<hex>` with one `v1` a secret, each the HMAC-SHA256 of
 * `<t>.<body>` over exactly the bytes that are sent. `at` is epoch milliseconds.
 */
export const signatureOf = (body: Uint8Array, secrets: readonly string[], at: number): string => {
  const seconds = Math.floor(at / 1_000);
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex'),
  );
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
};
