import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { Scope } from '../../schemas/scopes.ts';
import type { KeySet, TokenSigner } from './signingKey.store.ts';

export const TOKEN_LIFETIME_SECONDS = 900;
const LIFETIME_MAXIMUM_SECONDS = 3_600;
const CLOCK_SKEW_SECONDS = 60;
const ALGORITHM = 'ES256';
const TYPE = 'at+jwt';

/** The claims of our access tokens (RFC 9068), beyond those jose checks by itself. */
const Claims = z.object({
  iss: z.string(),
  // One audience only: a token that is also meant for another service may be replayed by it.
  aud: z.string(),
  sub: z.string().min(1),
  client_id: z.string().min(1),
  tenant_id: z.string().min(1),
  scope: z.string(),
  jti: z.string().min(1),
  iat: z.int(),
  nbf: z.int(),
  exp: z.int(),
});

export interface AccessToken {
  readonly tenantId: string;
  readonly clientId: string;
  readonly scopes: ReadonlySet<Scope>;
}

export interface Grant {
  readonly tenantId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Issues a signed access token that lives {@link TOKEN_LIFETIME_SECONDS}.
 * `issuer` is also the audience: the service issues tokens for itself only. `now` is epoch milliseconds.
 */
export const issueAccessToken = async (
  grant: Grant,
  context: {
    readonly issuer: string;
    readonly now: number;
    readonly jti: string;
    readonly signer: TokenSigner;
  },
): Promise<string> => {
  const [key] = await context.signer.publicKeys();
  if (key === undefined) throw new Error('there is no signing key');
  const issuedAt = Math.floor(context.now / 1_000);
  const claims: z.infer<typeof Claims> = {
    iss: context.issuer,
    aud: context.issuer,
    sub: grant.clientId,
    client_id: grant.clientId,
    tenant_id: grant.tenantId,
    scope: grant.scopes.join(' '),
    jti: context.jti,
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + TOKEN_LIFETIME_SECONDS,
  };
  const signingInput = `${encode({ alg: ALGORITHM, typ: TYPE, kid: key.kid })}.${encode(claims)}`;
  const signature = await context.signer.sign(signingInput);
  return `${signingInput}.${Buffer.from(signature).toString('base64url')}`;
};

/** Base64 readers ignore stray bits and characters: read strictly, a token has one spelling. */
const isStrict = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/**
 * Verifies a token against our own published keys: fixed algorithm and type, `kid` required, issuer, single audience,
 * expiry, not-before, and a life of at most an hour whatever the token claims.
 * Null for any token that is not good; throws only when the keys cannot be had.
 */
export const verifyAccessToken = async (
  token: string,
  context: { readonly issuer: string; readonly now: number; readonly keys: KeySet },
): Promise<AccessToken | null> => {
  const published = await context.keys.publicKeys();
  if (!isStrict(token)) return null;
  try {
    const { payload, protectedHeader } = await jwtVerify(token, createLocalJWKSet({ keys: [...published] }), {
      algorithms: [ALGORITHM],
      typ: TYPE,
      issuer: context.issuer,
      audience: context.issuer,
      clockTolerance: CLOCK_SKEW_SECONDS,
      currentDate: new Date(context.now),
      requiredClaims: ['exp', 'iat', 'nbf'],
    });
    // jose takes a token without `kid` when only one key could fit; we never guess.
    if (!published.some((key) => key.kid === protectedHeader.kid)) return null;
    const claims = Claims.safeParse(payload).data;
    if (claims === undefined || claims.exp - claims.iat > LIFETIME_MAXIMUM_SECONDS) return null;
    if (claims.iat > context.now / 1_000 + CLOCK_SKEW_SECONDS) return null;
    const scopes = claims.scope.split(' ').filter((scope): scope is Scope => Scope.safeParse(scope).success);
    // We never issue a token without a scope, and where any scope will do it must not count as one.
    if (scopes.length === 0) return null;
    return { tenantId: claims.tenant_id, clientId: claims.client_id, scopes: new Set(scopes) };
  } catch (error) {
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
};
