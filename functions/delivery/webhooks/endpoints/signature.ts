import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { DAY_MS } from '../../../../schemas/durations.ts';
import { newSecret, type Random } from '../../../identity/access/principals/secret.ts';
import { toIso } from '../../../platform/shared/time/toIso.ts';

/** The signing secrets of an endpoint: the current one, and the previous one during the overlap after a rotation. */
export const SigningSecrets = z.object({
  current: z.string(),
  previous: z.object({ secret: z.string(), valid_until: z.iso.datetime() }).nullable(),
});
export type SigningSecrets = z.infer<typeof SigningSecrets>;

/** The HTTP header that carries the signatures. */
export const SIGNATURE_HEADER = 'Service-Signature';

/** How long both secrets sign after a rotation, in milliseconds. */
export const ROTATION_OVERLAP = DAY_MS;

/** A new secret of 256 random bits. The HMAC key is the whole text with its prefix, so receivers do not decode anything. */
export const newSigningSecret = (random: Random): string => `whsec_${newSecret(random)}`;

/**
 * The secrets after a rotation at `at` (epoch milliseconds). The replaced secret keeps signing for `overlap` milliseconds.
 * An overlap of 0 is for a leaked secret. A second rotation ends the overlap of the first, so there are at most two.
 */
export const rotateSigningSecret = (
  secrets: SigningSecrets,
  next: string,
  { at, overlap = ROTATION_OVERLAP }: { readonly at: number; readonly overlap?: number },
): SigningSecrets => ({
  current: next,
  previous: overlap === 0 ? null : { secret: secrets.current, valid_until: toIso(at + overlap) },
});

/** The secrets that sign a delivery at `now` (epoch milliseconds), newest first. */
export const liveSecrets = ({ current, previous }: SigningSecrets, now: number): readonly string[] =>
  previous !== null && now < Date.parse(previous.valid_until) ? [current, previous.secret] : [current];

/**
 * The value of the header: `t=<unix seconds>,v1=<hex>`, with one `v1` for each secret. Each signature is the HMAC-SHA256
 * of `<t>.<body>`, where the body is exactly the bytes that are sent. `at` is epoch milliseconds.
 */
export const signatureOf = (body: Uint8Array, secrets: readonly string[], at: number): string => {
  const seconds = Math.floor(at / 1_000);
  const signatures = secrets.map((secret) =>
    createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex'),
  );
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(',');
};
