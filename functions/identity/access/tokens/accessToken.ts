import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import * as z from 'zod';
import { Scope } from '../../../../schemas/identity/scopes.ts';
import type { KeySet, TokenSigner } from './signingKey.aws.ts';
import { CLOCK_SKEW_SECONDS, LIFETIME_MAXIMUM_SECONDS } from './tokenLifetime.ts';

export const TOKEN_LIFETIME_SECONDS = 900;
const ALGORITHM = 'ES256';
const TYPE = 'at+jwt';

/** The claims of our access tokens (RFC 9068). jose verifies signature, issuer, audience and times in addition. */
const Claims = z.object({
  iss: z.string(),
  // One audience only: another service in the audience could replay the token here.
  aud: z.string(),
  sub: z.string().min(1),
  client_id: z.string().min(1),
  tenant_id: z.string().min(1),
  scope: z.string(),
  jti: z.string().min(1),
  /** For delegated tokens: the grant, and the time of the user's sign-in (epoch seconds). */
  grant_id: z.string().min(1).optional(),
  auth_time: z.int().optional(),
  iat: z.int(),
  nbf: z.int(),
  exp: z.int(),
});

export interface AccessToken {
  readonly tenantId: string;
  readonly clientId: string;
  /** The id of the client, or of the user the client acts for. */
  readonly subject: string;
  /** Null for the client_credentials grant type. */
  readonly grantId: string | null;
  readonly scopes: ReadonlySet<Scope>;
  readonly jti: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

/** The content of a new token. */
export interface TokenContent {
  readonly tenantId: string;
  readonly clientId: string;
  readonly scopes: readonly Scope[];
  /** The user the client acts for, with the grant and the sign-in time (epoch milliseconds). */
  readonly user?: { readonly userId: string; readonly grantId: string; readonly signedInAt: number };
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/**
 * Issues a signed access token with a lifetime of {@link TOKEN_LIFETIME_SECONDS}. `issuer` is also the audience, because
 * the service issues tokens for itself only. `now` is epoch milliseconds. Throws if KMS cannot sign.
 */
export const issueAccessToken = async (
  content: TokenContent,
  context: {
    readonly issuer: string;
    readonly now: number;
    readonly jti: string;
    readonly signer: TokenSigner;
  },
): Promise<string> => {
  const key = await context.signer.signingKey();
  const issuedAt = Math.floor(context.now / 1_000);
  const claims: z.infer<typeof Claims> = {
    iss: context.issuer,
    aud: context.issuer,
    sub: content.user?.userId ?? content.clientId,
    client_id: content.clientId,
    tenant_id: content.tenantId,
    scope: content.scopes.join(' '),
    jti: context.jti,
    ...(content.user && {
      grant_id: content.user.grantId,
      auth_time: Math.floor(content.user.signedInAt / 1_000),
    }),
    iat: issuedAt,
    nbf: issuedAt,
    exp: issuedAt + TOKEN_LIFETIME_SECONDS,
  };
  const signingInput = `${encode({ alg: ALGORITHM, typ: TYPE, kid: key.kid })}.${encode(claims)}`;
  const signature = await key.sign(signingInput);
  return `${signingInput}.${Buffer.from(signature).toString('base64url')}`;
};

/** Base64 decoders ignore stray bits and characters. Only the canonical encoding is accepted, so a token has one form. */
const isCanonicalEncoding = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

/**
 * Verifies a token with our published keys: fixed algorithm and type, `kid` required, issuer, single audience, expiry,
 * not-before, and a lifetime of at most one hour. Returns `expired` for a token that only its expiry makes invalid, and
 * null for any other invalid token. Throws only if the keys cannot be fetched.
 */
export const verifyAccessToken = async (
  token: string,
  context: { readonly issuer: string; readonly now: number; readonly keys: KeySet },
): Promise<AccessToken | 'expired' | null> => {
  const published = await context.keys.publicKeys();
  if (!isCanonicalEncoding(token)) return null;
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
    // jose accepts a token without `kid` if only one key matches. We require the `kid`.
    if (!published.some((key) => key.kid === protectedHeader.kid)) return null;
    const claims = Claims.safeParse(payload).data;
    if (claims === undefined || claims.exp - claims.iat > LIFETIME_MAXIMUM_SECONDS) return null;
    if (claims.iat > context.now / 1_000 + CLOCK_SKEW_SECONDS) return null;
    const scopes = claims.scope.split(' ').filter((scope): scope is Scope => Scope.safeParse(scope).success);
    // We never issue a token without a scope. Routes that need no particular scope must not accept one either.
    if (scopes.length === 0) return null;
    // Without a grant, a token acts for its client only.
    if (claims.grant_id === undefined && claims.sub !== claims.client_id) return null;
    return {
      tenantId: claims.tenant_id,
      clientId: claims.client_id,
      subject: claims.sub,
      grantId: claims.grant_id ?? null,
      scopes: new Set(scopes),
      jti: claims.jti,
      expiresAt: claims.exp * 1_000,
    };
  } catch (error) {
    // jose checks the expiry last, after the signature and all other claims.
    if (error instanceof errors.JWTExpired) return 'expired';
    if (error instanceof errors.JOSEError) return null;
    throw error;
  }
};
